#!/bin/sh
# Starts a server with the example hints, shows one explained answer, and stays until
# Ctrl-C. It has a session folder of its own, so that the examples come to nobody's hints.
set -eu
cd "$(dirname "$0")/.."
nudge=${NUDGE_BIN:-$PWD/target/release/nudge}
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
"$nudge" import examples/seed-hints.json
echo
echo "\$ nudge get http-proxy build --cwd /work/http-proxy --branch dev"
"$nudge" get http-proxy build --cwd /work/http-proxy --branch dev || true
echo
"$nudge" status
cat <<END

Try in another terminal:
  export NUDGE_RUNTIME_DIR=$NUDGE_RUNTIME_DIR
  $nudge ls
  $nudge why http-proxy build
  $nudge set api build "make" --scope-branch main
  $nudge ui
Ctrl-C ends the server, and nothing is left of it.
END
wait "$server"
