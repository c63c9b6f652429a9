# Runs a binary for Windows on Windows: a hint is set and got by two commands, and the server ends.
param([Parameter(Mandatory)] [string] $Binary)
$ErrorActionPreference = "Stop"
$out = Join-Path ([System.IO.Path]::GetTempPath()) ([System.Guid]::NewGuid())
$env:USERPROFILE = $out
$env:NUDGE_RUNTIME_DIR = Join-Path $out "session"
New-Item -ItemType Directory $out | Out-Null
try {
    & $Binary --version
    & $Binary set --everywhere api test "make test"
    $got = & $Binary get api test --raw
    if ($got -ne "make test") { throw "smoke: got '$got' and not 'make test'" }
} finally {
    & $Binary stop --purge
    Remove-Item -Recurse -Force $out -ErrorAction SilentlyContinue
}
