#: an agent that Nudge does not know names itself
user set api build make
refuses 'AI_AGENT' as AI_AGENT=devin "$NUDGE" accept 1
as AI_AGENT=devin "$NUDGE" set api build evil
stands make
#: agents of public lists
user set api build make
for name in CODEX_SANDBOX CODEX_CI AUGMENT_AGENT AMP_CURRENT_THREAD_ID ANTIGRAVITY_AGENT QWEN_CODE GOOSE_TERMINAL CRUSH CLINE_ACTIVE ROO_ACTIVE PI_CODING_AGENT TRAE_AI_SHELL_ID OPENCLAW_SHELL HERMES_SESSION_ID GEMINI_CLI OPENCODE COPILOT_CLI CURSOR_AGENT; do
    refuses "\`$name\` is set" as "$name=1" "$NUDGE" undo
done
#: an agent in CI
refuses 'only the user' as CI=true CODEX_THREAD_ID=s "$NUDGE" undo
#: an agent empties its environment
user set api build make
cp /bin/sh ./claude
refuses 'is a parent of this process' ./claude -c 'env -i HOME="$HOME" NUDGE_RUNTIME_DIR="$RUNTIME" NUDGE_AUTOSTART=0 "$NUDGE" undo; exit $?'
stands make
#: a script below an agent
cp /bin/sh ./codex
refuses 'is a parent of this process' ./codex -c 'sh -c "env -i HOME=$HOME NUDGE_RUNTIME_DIR=$RUNTIME NUDGE_AUTOSTART=0 $NUDGE undo; exit \$?"; exit $?'
#: the refusal names the page
says 'the page (`nudge ui`) is always the user' agent undo
#: a program says in a header that it is the user
user set api build make
says 40 rpc delete_hint '{"component":"api","key":"build"}' -H 'Nudge-Origin: {"actor":"user","via":"cli"}'
stands make
#: a program says in its params that it is the user
says E_INVALID rpc set_hint '{"component":"api","key":"build","value":"evil","actor":"user"}'
#: a program reports what a hook saw
says E_FORBIDDEN rpc on_event '{"event":"after_command","command":"make","ok":true}'
#: an agent points sync at a repository of its own
refuses 'only the user' agent sync on "file://$PWD/evil.git"
refuses 'exclude each other' agent sync --detached on "file://$PWD/evil.git"
refuses 'exclude each other' agent sync --background on "file://$PWD/evil.git"
[ ! -e "$RUNTIME/sync.json" ]
#: a program merges as another machine of the user
says E_FORBIDDEN rpc merge '{"machine":"evil"}'
