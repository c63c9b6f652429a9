#!/bin/sh
# Packs what is released into target/dist, with checksums: what has the binary (packages/pack.sh), the
# wheels with the binary inside, and the C library. `make dist` builds them first, and `make cross` those
# of other systems.
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

# make_wheel TARGET: what pip installs. What it makes of the sources has no binary in it, so that it
# needs no second build; the project is described once more, with one line more.
# All of it lies outside of the checkout, whose .gitignore maturin would follow.
make_wheel() {
    wheel=$stage/wheel-$1
    scripts=$wheel/data/scripts
    mkdir -p "$scripts"
    cp README.md LICENSE-MIT LICENSE-APACHE "$wheel"
    (cd nudge-py && git ls-files -z python | tar --null -T - -cf -) | tar -xf - -C "$wheel"
    cp "$stage/binary-$1"/nudge* "$scripts"
    # `uvx nudge-hints` starts what is called as the package is.
    case $1 in
    *-windows-*) printf '@"%%~dp0nudge.exe" %%*\r\n' >"$scripts/nudge-hints.cmd" ;;
    *) printf '#!/bin/sh\nexec "$(dirname "$0")/nudge" "$@"\n' >"$scripts/nudge-hints" ;;
    esac
    chmod 755 "$scripts"/*
    sed -e "s|^manifest-path = .*|manifest-path = \"$root/nudge-py/Cargo.toml\"|" \
        -e 's|^python-source = .*|python-source = "python"\ndata = "data"|' \
        pyproject.toml >"$wheel/pyproject.toml"
    # It would name the folders of this machine.
    printf '\n[tool.maturin.sbom]\nrust = false\n' >>"$wheel/pyproject.toml"
    # An extension is of the C library that Python is of, which is the GNU one nearly everywhere. zig
    # links with an old one, so that a released wheel runs on Linuxes older than this machine's.
    for_python=$(echo "$1" | sed 's/-musl$/-gnu/')
    case $1 in
    "$target") (cd "$wheel" && "$maturin" build --quiet --release --locked --out "$dist" 2>&1) ;;
    *-windows-*) make_windows_wheel "$for_python" ;;
    *) rustup target add "$for_python" && (cd "$wheel" && "$maturin" build --quiet --release --locked --target "$for_python" --zig --out "$dist" 2>&1) ;;
    esac
}
# maturin has the linker export a name with a dot in it, which is in no extension: cargo builds this
# one, and it takes the place of this machine's in a wheel that is named for Windows.
edit_wheel() { "$root/target/venv/bin/uv" tool run --quiet wheel@0.48.0 "$@"; }
make_windows_wheel() {
    PYO3_NO_PYTHON=1 cargo zigbuild --quiet --locked --release --package nudge-py --target "$1"
    (cd "$wheel" && "$maturin" build --quiet --release --locked --out "$wheel/built" 2>&1)
    edit_wheel unpack --dest "$wheel/open" "$wheel/built"/*.whl >/dev/null
    open=$(echo "$wheel"/open/*)
    rm "$open"/nudge/_nudge*.so
    cp "target/$1/release/_nudge.dll" "$open/nudge/_nudge.pyd"
    edit_wheel pack --dest-dir "$wheel/built" "$open" >/dev/null
    edit_wheel tags --platform-tag win_amd64 --remove "$wheel/built"/*.whl >/dev/null
    mv "$wheel/built"/*.whl "$dist"
}
PATH=$root/target/cross/bin:$PATH
for each in $TARGETS; do make_wheel "$each"; done
"$maturin" sdist --out "$dist" 2>/dev/null

(cd "$dist" && sha256sum -- * >"$stage/SHA256SUMS" && mv "$stage/SHA256SUMS" .)
ls -l "$dist"
