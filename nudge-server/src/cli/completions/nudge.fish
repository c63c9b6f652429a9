# Completes `nudge` in fish. Nothing that comes back is evaluated: fish quotes it.
function __nudge_complete
    set -l typed (commandline --tokenize --current-process --cut-at-cursor)
    set -l current (commandline --current-token --cut-at-cursor)
    command nudge completions fish -- $typed "$current" 2>/dev/null
end
complete --command nudge --no-files --keep-order --arguments '(__nudge_complete)'
