# Completes `nudge` in PowerShell. Nothing that comes back is evaluated.
Register-ArgumentCompleter -Native -CommandName nudge -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
    & (Get-Command nudge -CommandType Application -TotalCount 1) completions powershell -- @typed ":$wordToComplete" 2>$null | ForEach-Object {
        $text, $value, $help = $_ -split "`t", 3
        if (-not $help) { $help = $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $help)
    }
}
