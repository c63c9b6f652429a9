# How the real hosts are run with a model that is a script. Sourced by scripts that
# have `place`, `kept`, `node`, `runtime`, `host`, `url` and `task`; `wire` may be another.

# in_home COMMAND…: runs a command with this home and little else, in a process group of
# its own, whose leader is written down. A busy machine is no reason to learn less.
in_home() {
    env -i HOME="$place/home" PATH="$kept/$host/node_modules/.bin:${folders:+$folders:}$node:/usr/bin:/bin" TERM=dumb NO_COLOR=1 \
        NUDGE_RUNTIME_DIR="$runtime" NUDGE_HOOK_MS=5000 \
        sh -c 'echo $$ >"$0"; exec timeout 300 "$@"' "$place/leader" "$@"
}
nudge() { in_home "$NUDGE_BIN" "$@" </dev/null; }

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
    mkdir -p "$place/home/.$host"
    case $host in
    claude) cat >"$place/home/.claude.json" <<JSON
{"hasCompletedOnboarding": true, "customApiKeyResponses": {"approved": ["x"], "rejected": []},
 "projects": {"$place/api": {"hasTrustDialogAccepted": true}}}
JSON
        ;;
    codex) printf '[projects."%s"]\ntrust_level = "trusted"\n' "$place/api" >"$place/home/.codex/config.toml" ;;
    gemini) echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}}' >"$place/home/.gemini/settings.json" ;;
    opencode)
        mkdir -p "$place/home/.config/opencode"
        cat >"$place/home/.config/opencode/opencode.json" <<JSON
{"permission": {"bash": "allow"}, "provider": {"script": {"npm": "@ai-sdk/openai-compatible", "name": "script",
 "options": {"baseURL": "$url/v1", "apiKey": "x"}, "models": {"m": {"name": "m", "tool_call": true}}}}}
JSON
        ;;
    copilot) printf '{"trusted_folders": ["%s"]}\n' "$place/api" >"$place/home/.copilot/config.json" ;;
    esac
}

# works: the host does its task and ends. talks: it does it at a terminal, where more can be typed.
works() {
    case $host in
    codex) agent in_home exec --skip-git-repo-check ;;
    opencode) agent in_home run ;;
    *) agent in_home -p ;;
    esac </dev/null
}
talks() {
    case $host in
    claude | codex) agent at_terminal ;;
    opencode) agent at_terminal --prompt ;;
    *) agent at_terminal -i ;;
    esac
}
at_terminal() { in_home env TERM=xterm-256color python3 "$root/tests/hooks/terminal.py" "$@"; }

# agent RUN WORD…: runs the host, with the words before its task.
agent() {
    run=$1
    shift
    case $host in
    claude) "$run" env ANTHROPIC_BASE_URL="$url" ANTHROPIC_API_KEY=x CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 \
        claude "$@" "$task" --allowedTools Bash,Write,mcp__nudge,mcp__plugin_nudge_nudge ;;
    codex)
        # It hands on few variables to the servers that it starts, and takes none for those of a plugin.
        [ -n "${folders:-}" ] || set -- "$@" -c "mcp_servers.nudge.env={NUDGE_RUNTIME_DIR=\"$runtime\"}"
        "$run" env KEY=x codex "$@" --dangerously-bypass-approvals-and-sandbox \
            --dangerously-bypass-hook-trust -c model_provider=script -m gpt-5 \
            -c "model_providers.script={name=\"script\",base_url=\"$url/v1\",wire_api=\"responses\",env_key=\"KEY\"}" "$task"
        ;;
    gemini) "$run" env GEMINI_API_KEY=x GOOGLE_GEMINI_BASE_URL="$url" gemini "$@" "$task" --yolo --skip-trust -m gemini-2.5-flash ;;
    opencode) "$run" opencode "$@" "$task" -m script/m ;;
    copilot) "$run" env COPILOT_PROVIDER_BASE_URL="$url/v1" COPILOT_PROVIDER_API_KEY=x COPILOT_MODEL=gpt-5 COPILOT_OFFLINE=true \
        copilot "$@" "$task" --allow-all-tools ;;
    esac
}

# helper: the step by which a model of this host has somebody help it.
helper() {
    words='"description":"help me","prompt":"be my helper"'
    case $host in
    claude) echo "@Agent {\"subagent_type\":\"general-purpose\",$words}" ;;
    codex) echo '@spawn_agent {"message":"be my helper"}' ;;
    gemini) echo '@invoke_agent {"agent_name":"generalist","prompt":"be my helper"}' ;;
    opencode) echo "@task {\"subagent_type\":\"general\",$words}" ;;
    copilot) echo "@task {\"name\":\"helper\",\"agent_type\":\"general-purpose\",$words}" ;;
    esac
}

# writes FILE WORDS: the step by which a model of this host writes a file.
writes() {
    case $host in
    claude) echo "@Write {\"file_path\":\"$1\",\"content\":\"$2\"}" ;;
    codex) printf "apply_patch <<'END'\n*** Begin Patch\n*** Add File: %s\n+%s\n*** End Patch\nEND\n" "$1" "$2" ;;
    gemini) echo "@write_file {\"file_path\":\"$1\",\"content\":\"$2\"}" ;;
    opencode) echo "@write {\"filePath\":\"$1\",\"content\":\"$2\"}" ;;
    copilot) echo "@create {\"path\":\"$1\",\"file_text\":\"$2\"}" ;;
    esac
}

wire() { nudge install "$host" --hooks; }

# prepare STEP…: a repository `api` to work in, and what is asked to work there.
prepare() {
    rm -rf "$place/api"
    mkdir -p "$place/api/.git/objects" "$place/api/.git/refs"
    echo 'ref: refs/heads/dev' >"$place/api/.git/HEAD"
    cd "$place/api" || exit 1
    ready "$@"
}

# ready STEP…: the model with its steps, and the host told about it and the repository, with
# Nudge and its hooks.
ready() {
    rm -rf "$place/port" "$place"/asked*
    mkdir -p "$place/home"
    node "$root/tests/hooks/model.mjs" "$place/asked" "$@" >"$place/port" &
    model=$!
    until_there "$place/port"
    url=http://127.0.0.1:$(cat "$place/port")
    settle
    wire >"$place/said" 2>&1
}
