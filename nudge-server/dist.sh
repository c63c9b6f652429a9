#!/bin/sh
# Packs what is released into target/dist, with checksums: what has the binary (packages/pack.sh), the
# wheel with the binary inside, and the C library. `make dist` builds them first.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
dist=$root/target/dist
maturin=$root/target/venv/bin/maturin
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
rm -rf "$dist"
mkdir -p "$dist"
. nudge-server/packages/pack.sh

# The C library, which may be unpacked below any prefix: nudge.pc says where it is.
name=nudge-c-$version-$target
DESTDIR="$stage/$name" PREFIX=/ sh nudge-ffi/install.sh >/dev/null
sed -i 's|^prefix=.*|prefix=${pcfiledir}/../..|' "$stage/$name/lib/pkgconfig/nudge.pc"
strip --strip-debug "$stage/$name"/lib/libnudge.a "$stage/$name/lib/libnudge.so.$version"
mkdir -p "$stage/$name/share/nudge"
cp LICENSE-MIT LICENSE-APACHE examples/c/quickstart.c examples/c/Makefile "$stage/$name/share/nudge"
pack "$name" "$name.tar.gz"

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

(cd "$dist" && sha256sum -- * >"$stage/SHA256SUMS" && mv "$stage/SHA256SUMS" .)
ls -l "$dist"
