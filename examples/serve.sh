#!/bin/sh
# Starts a server with the example hints, shows one explained answer, and stays
# until Ctrl-C. A server that runs already is used, and left running.
set -eu
cd "$(dirname "$0")/.."
nudge=${NUDGE_BIN:-target/release/nudge}
"$nudge" status >/dev/null 2>&1 && ours=no || ours=yes

"$nudge" import examples/seed-hints.json
echo
echo "\$ nudge get http-proxy build --cwd /work/http-proxy --branch dev"
"$nudge" get http-proxy build --cwd /work/http-proxy --branch dev || true
echo
"$nudge" status
cat <<END

Try in another terminal:
  $nudge ls
  $nudge why http-proxy build
  $nudge set api build "make" --scope-branch main
  claude mcp add nudge -- $PWD/target/release/nudge serve
END
[ "$ours" = yes ] || exit 0
echo "Ctrl-C ends the server."
# A job to wait for, so that the signal is heard at once.
sleep infinity &
trap 'kill $!; "$nudge" stop || true; exit 0' INT TERM
wait $!
