#compdef nudge
# Completes `nudge` in zsh. Nothing that comes back is evaluated: compadd quotes it.
_nudge() {
    local value help
    local -a typed values lines open
    typed=("${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}")
    while IFS=$'\t' read -r value help; do
        if [[ $value == *[/=] ]]; then
            open+=("$value")
        else
            values+=("$value")
            lines+=("$value${help:+  -- $help}")
        fi
    done < <(command nudge completions zsh -- "${typed[@]}" 2>/dev/null)
    (( $#values )) && compadd -V nudge -l -d lines -a values
    (( $#open )) && compadd -V nudge -S '' -a open
}
if [[ $funcstack[1] == _nudge ]]; then
    _nudge "$@"
else
    compdef _nudge nudge
fi
