#!/bin/sh
# Packs what is released into target/dist: the binary, the wheel with the binary
# inside, the C library, and their checksums. `make dist` builds them first.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
built=${CARGO_TARGET_DIR:-target}/release
dist=$root/target/dist
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
target=$(rustc -vV | sed -n 's/^host: //p')
maturin=$root/target/venv/bin/maturin

# The same sources give the same bytes: every file is of the time of the commit,
# and a list is sorted.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
pack() {
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=go-w \
        -C "$stage" -cf - "$1" | gzip -9n >"$dist/$1.tar.gz"
}

rm -rf "$dist"
mkdir -p "$dist"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# The binary, with its pages and completions.
name=nudge-$version-$target
mkdir -p "$stage/$name/docs"
strip -o "$stage/$name/nudge" "$built/nudge"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$stage/$name"
cp docs/*.md docs/*.json docs/*.svg "$stage/$name/docs"
nudge=$stage/$name/nudge
mkdir "$stage/$name/man" "$stage/$name/completions"
# The flags of a release would build everything once more.
env -u RUSTFLAGS cargo run --quiet --locked --package nudge-server --example man -- "$stage/$name/man"
for shell in bash zsh fish powershell; do
    "$nudge" completions "$shell" >"$stage/$name/completions/nudge.$shell"
done
pack "$name"

# The C library, which may be unpacked below any prefix: nudge.pc says where it is.
name=nudge-c-$version-$target
DESTDIR="$stage/$name" PREFIX=/ sh nudge-ffi/install.sh >/dev/null
sed -i 's|^prefix=.*|prefix=${pcfiledir}/../..|' "$stage/$name/lib/pkgconfig/nudge.pc"
strip --strip-debug "$stage/$name"/lib/libnudge.a "$stage/$name/lib/libnudge.so.$version"
mkdir -p "$stage/$name/share/nudge"
cp LICENSE-MIT LICENSE-APACHE examples/c/quickstart.c examples/c/Makefile "$stage/$name/share/nudge"
pack "$name"

# The wheel. What pip makes of the sources has no binary in it, so that it needs
# no second build; the project is described once more, with one line more.
# All of it lies outside of the checkout, whose .gitignore maturin would follow.
wheel=$stage/wheel
mkdir -p "$wheel/data/scripts"
cp README.md LICENSE-MIT LICENSE-APACHE "$wheel"
(cd nudge-py && git ls-files -z python | tar --null -T - -cf -) | tar -xf - -C "$wheel"
install -m 755 "$nudge" "$wheel/data/scripts/nudge"
# `uvx nudge-hints` starts what is called as the package is.
printf '#!/bin/sh\nexec "$(dirname "$0")/nudge" "$@"\n' >"$wheel/data/scripts/nudge-hints"
chmod 755 "$wheel/data/scripts/nudge-hints"
sed -e "s|^manifest-path = .*|manifest-path = \"$root/nudge-py/Cargo.toml\"|" \
    -e 's|^python-source = .*|python-source = "python"\ndata = "data"|' \
    pyproject.toml >"$wheel/pyproject.toml"
# It would name the folders of this machine.
printf '\n[tool.maturin.sbom]\nrust = false\n' >>"$wheel/pyproject.toml"
(cd "$wheel" && "$maturin" build --quiet --release --locked --out "$dist" 2>&1)
"$maturin" sdist --out "$dist" 2>/dev/null

(cd "$dist" && sha256sum -- *.tar.gz *.whl >SHA256SUMS)
ls -l "$dist"
