# How the real hosts are run with a model that is a script. Sourced by scripts that
# have `place`, `kept`, `node`, `runtime`, `host`, `url` and `task`.

# in_home COMMAND…: runs a command with this home and little else, in a process group of
# its own, whose leader is written down. A busy machine is no reason to learn less.
in_home() {
    env -i HOME="$place/home" PATH="$kept/$host/node_modules/.bin:$node:/usr/bin:/bin" TERM=dumb NO_COLOR=1 \
        NUDGE_RUNTIME_DIR="$runtime" NUDGE_HOOK_MS=5000 \
        sh -c 'echo $$ >"$0"; exec timeout 120 "$@"' "$place/leader" "$@" </dev/null
}
nudge() { in_home "$NUDGE_BIN" "$@"; }

# until_there FILE: waits for the first line of a file; a host may fetch something first.
until_there() {
    tries=0
    until [ -s "$1" ] || [ "$tries" -ge 900 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
}

# What a host has to be told to talk to our model, and to trust this folder.
settle() {
    case $host in
    gemini) mkdir -p "$place/home/.gemini" && echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' >"$place/home/.gemini/settings.json" ;;
    opencode)
        mkdir -p "$place/home/.config/opencode"
        cat >"$place/home/.config/opencode/opencode.json" <<JSON
{"permission": {"bash": "allow"}, "provider": {"script": {"npm": "@ai-sdk/openai-compatible", "name": "script",
 "options": {"baseURL": "$url/v1", "apiKey": "x"}, "models": {"m": {"name": "m", "tool_call": true}}}}}
JSON
        ;;
    *) mkdir -p "$place/home/.$host" ;;
    esac
}

works() {
    case $host in
    claude) in_home env ANTHROPIC_BASE_URL="$url" ANTHROPIC_API_KEY=x CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 \
        claude -p "$task" --allowedTools Bash,mcp__nudge ;;
    # It hands on few variables to the servers that it starts.
    codex) in_home env KEY=x codex exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox \
        --dangerously-bypass-hook-trust -c model_provider=script -m gpt-5 \
        -c "model_providers.script={name=\"script\",base_url=\"$url/v1\",wire_api=\"responses\",env_key=\"KEY\"}" \
        -c "mcp_servers.nudge.env={NUDGE_RUNTIME_DIR=\"$runtime\"}" "$task" ;;
    gemini) in_home env GEMINI_API_KEY=x GOOGLE_GEMINI_BASE_URL="$url" gemini -p "$task" --yolo --skip-trust -m gemini-2.5-flash ;;
    opencode) in_home opencode run -m script/m "$task" ;;
    copilot) in_home env COPILOT_PROVIDER_BASE_URL="$url/v1" COPILOT_PROVIDER_API_KEY=x COPILOT_MODEL=gpt-5 COPILOT_OFFLINE=true \
        copilot -p "$task" --allow-all-tools ;;
    esac
}

# prepare STEP…: a clean home, a repository `api` to work in, the model with its steps, and
# the host told about both, with Nudge and its hooks.
prepare() {
    rm -rf "$place/home" "$place/api" "$place/port" "$place"/asked*
    mkdir -p "$place/home" "$place/api/.git/objects" "$place/api/.git/refs"
    echo 'ref: refs/heads/dev' >"$place/api/.git/HEAD"
    cd "$place/api" || exit 1
    node "$root/tests/hooks/model.mjs" "$place/asked" "$@" >"$place/port" &
    model=$!
    until_there "$place/port"
    url=http://127.0.0.1:$(cat "$place/port")
    settle
    nudge install "$host" --hooks >"$place/said" 2>&1
}
