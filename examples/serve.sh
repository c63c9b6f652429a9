#!/bin/sh
# Shows Nudge in a minute: a hint that applies in this folder, what an agent that starts here is told,
# and the page; then stays until Ctrl-C. It has a session folder of its own, so that nothing of this is
# among your own hints.
set -eu
cd "$(dirname "$0")/.."
nudge=${NUDGE_BIN:-$PWD/target/debug/nudge}
NUDGE_RUNTIME_DIR=$(mktemp -d)
export NUDGE_RUNTIME_DIR
server=
end() {
    trap '' INT TERM
    # It is the terminal's as much as this script is, and ends with the same Ctrl-C.
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "$server" ] || wait "$server" || true
    rm -rf "$NUDGE_RUNTIME_DIR"
}
trap end EXIT
trap 'exit 0' INT TERM

"$nudge" serve --foreground >"$NUDGE_RUNTIME_DIR/said" 2>&1 &
server=$!
until "$nudge" status >/dev/null 2>&1; do
    kill -0 "$server" 2>/dev/null || { cat "$NUDGE_RUNTIME_DIR/said" >&2; exit 1; }
    sleep 0.05
done
"$nudge" import examples/seed-hints.json >/dev/null
echo "A hint that applies here, and why:"
echo "\$ nudge set nudge test \"make test\" --reason \"sets itself up, and runs every test\""
"$nudge" set nudge test "make test" --reason "sets itself up, and runs every test"
echo "\$ nudge get nudge test"
"$nudge" get nudge test
echo
echo "What an agent that starts here is told:"
"$nudge"
cat <<END

The page is at $("$nudge" ui --no-open)

Try in another terminal:
  export NUDGE_RUNTIME_DIR=$NUDGE_RUNTIME_DIR
  $nudge ls
  $nudge why nudge test
  $nudge set nudge build "make binary"
Ctrl-C ends the server, and nothing is left of it.
END
wait "$server"
