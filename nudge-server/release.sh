#!/bin/sh
# Makes this checkout the release VERSION: `make release VERSION=0.2.0`. Writes the version wherever
# somebody typed it, makes what is made from that again, moves the changelog, and prints what needs an
# account. Nothing is committed or published.
set -eu
cd "$(dirname "$0")/.."
version=${1:-}
fail() { echo "release: $1" >&2; exit 1; }
echo "$version" | grep -Eqx '[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?' || fail "name the version, as in VERSION=0.2.0"
old=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
grep -q '^## Unreleased$' CHANGELOG.md || fail "CHANGELOG.md has no \`## Unreleased\`"

plain=$(echo "$old" | sed 's/\./\\./g')
sed -i "s/\(version = \"\)$plain\"/\1$version\"/" Cargo.toml nudge-ffi/Cargo.toml
sed -i "s/\(\"version\": \"\)$plain\"/\1$version\"/" server.json
sed -i "s/\(#define NUDGE_VERSION .\"\)$plain/\1$version/" nudge-ffi/cbindgen.toml
sed -i "s/^## Unreleased$/## $version - $(date -u +%F)/" CHANGELOG.md
cargo update --quiet --workspace --offline

make --no-print-directory generated header
UPDATE=1 cargo test --quiet --package nudge-hints-server --test it -- help:: man:: transcripts openrpc:: reference schema docs:: picture
cargo test --quiet --package nudge-hints-server --test it -- versions:: plugins::
left=$(git grep -nF "$old" -- '*.toml' '*.json' include docs tests/transcripts) || left=
[ "$old" = "$version" ] || [ -z "$left" ] || printf 'release: these still say %s; look at them:\n%s\n' "$old" "$left"
echo "release: $old is now $version. What is left, by RELEASING.md:"
sed -n '/^3\. /,$p' RELEASING.md
