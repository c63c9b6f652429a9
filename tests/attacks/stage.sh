# What every attack has: callers, and what to say of them. `nudge-server/tests/it/attacks.rs` runs
# each part of the other files, from a line `#: NAME` on, against a server of its own.
# It gives NUDGE (the binary), RUNTIME (the session folder), and begins in $HOME/api, a clone.
as() { env -i PATH="$PATH" HOME="$HOME" TZ=UTC NUDGE_RUNTIME_DIR="$RUNTIME" NUDGE_AUTOSTART=0 NUDGE_ANY_PARENT=1 "$@"; }
user() { as "$NUDGE" "$@"; }
agent() { as CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=s1 "$NUDGE" "$@"; }
codex() { as CODEX_THREAD_ID=s2 "$NUDGE" "$@"; }
# hook HOST JSON: what a host tells.
hook() { printf %s "$2" | as NUDGE_HOOK_MS=60000 "$NUDGE" hook "$1"; }
# http PATH [curl's words]: the answer with its status, over the socket.
http() { path=$1; shift; curl -s -m 20 -w '\n%{http_code}' --unix-socket "$RUNTIME/nudge.sock" "$@" "http://localhost$path"; }
# rpc METHOD PARAMS [curl's words]: a program without a key.
rpc() { body="{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nudge.$1\",\"params\":$2}"; shift 2; http /rpc -H 'Content-Type: application/json' -d "$body" "$@"; }
# clone FOLDER ORG/NAME: a repository that names its remote.
clone() { mkdir -p "$1/.git/objects" "$1/.git/refs/heads"; printf 'ref: refs/heads/main\n' >"$1/.git/HEAD"; printf '[remote "origin"]\n\turl = https://github.com/%s.git\n' "$2" >"$1/.git/config"; }
fail() { printf '%s\n' "$1" >&2; exit 1; }
# told COMMAND…: what it prints, however it ends; a flag that is none is a mistake of the attack.
told() { out=$("$@" 2>&1 </dev/null) && status=0 || status=$?; case $out in *'lists its flags'* | *'is no command'* | *'missing arguments'*) fail "\`$*\` is no call: $out" ;; esac; }
# says TEXT COMMAND…, hides TEXT COMMAND…: whether the text is in that.
says() { text=$1; shift; told "$@"; case $out in *"$text"*) ;; *) fail "\`$*\` does not say \`$text\`: $out" ;; esac; }
hides() { text=$1; shift; told "$@"; case $out in *"$text"*) fail "\`$*\` says \`$text\`: $out" ;; esac; }
# refuses TEXT COMMAND…: it fails, and says so.
refuses() { text=$1; shift; told "$@"; [ "$status" != 0 ] || fail "\`$*\` was done: $out"; case $out in *"$text"*) ;; *) fail "\`$*\` does not say \`$text\`: $out" ;; esac; }
# another VALUE: the user sets web/deploy in another project, and sees it from there.
another() { (cd "$HOME" && clone web acme/web && cd web && user set web deploy "$1" && says "$1" user get web deploy); }
# start: what a session is told that begins here.
start() { hook claude '{"hook_event_name":"SessionStart","session_id":"s9","cwd":"'"$PWD"'","source":"startup"}'; }
# ran COMMAND: Claude Code says that a command has ended well.
ran() { hook claude '{"hook_event_name":"PostToolUse","session_id":"s1","cwd":"'"$PWD"'","tool_name":"Bash","tool_input":{"command":"'"$1"'"},"tool_response":{"stdout":"","interrupted":false}}'; }
# stands VALUE: what the user has set.
stands() { [ "$(user get api build --raw)" = "$1" ] || fail "api/build is $(user get api build --raw) and not $1"; }
clone . acme/api
