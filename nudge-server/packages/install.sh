#!/bin/sh
# Installs `nudge` into ~/.local/bin: fetches the archive for this system, holds it against the
# checksums of the release, and copies one file. NUDGE_RELEASE is the address of another release,
# NUDGE_BIN_DIR another folder. To remove it: `nudge uninstall`, `nudge stop`, and delete the file.
set -eu
release=${NUDGE_RELEASE:-@RELEASE@}
folder=${NUDGE_BIN_DIR:-$HOME/.local/bin}

fail() { echo "install.sh: $1" >&2; exit 1; }
case $(uname -s) in
Linux) system=linux ;;
Darwin) system=darwin ;;
*) fail "there is no archive for $(uname -s); see @REPOSITORY@" ;;
esac
case $(uname -m) in
x86_64 | amd64) processor=x86_64 ;;
aarch64 | arm64) processor=aarch64 ;;
*) fail "there is no archive for $(uname -m); see @REPOSITORY@" ;;
esac

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fetch() {
    if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --output "$place/$1" "$release/$1"
    elif command -v wget >/dev/null; then
        wget --quiet --output-document "$place/$1" "$release/$1"
    else
        fail "this needs curl or wget"
    fi || fail "$release/$1 cannot be had"
}
sum() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1; }

fetch SHA256SUMS
line=$(grep "  nudge-[0-9][^ ]*-$processor-[^ ]*$system[^ ]*\.tar\.gz$" "$place/SHA256SUMS") \
    || fail "this release has no archive for $processor $system"
name=${line#*  }
fetch "$name"
[ "$(sum "$place/$name")" = "${line%% *}" ] || fail "$name is not what SHA256SUMS says; nothing was installed"

tar -xzf "$place/$name" -C "$place"
mkdir -p "$folder"
# In one step, also where the old one is running.
cp "$place/${name%.tar.gz}/nudge" "$folder/nudge.new"
chmod 755 "$folder/nudge.new"
mv "$folder/nudge.new" "$folder/nudge"
echo "installed $("$folder/nudge" --version) as $folder/nudge"
case ":$PATH:" in *":$folder:"*) ;; *) echo "$folder is not on your PATH; add it, or agents will not find nudge" ;; esac
echo "now: nudge install"
