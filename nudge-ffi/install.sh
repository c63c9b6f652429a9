#!/bin/sh
# Installs the header, the libraries and nudge.pc below $PREFIX, staged below
# $DESTDIR if that is set. Run by `make install-c`, which builds them first.
set -eu
cd "$(dirname "$0")/.."
prefix=${PREFIX:-/usr/local}
to=${DESTDIR:-}$prefix
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
built=${CARGO_TARGET_DIR:-target}/release

mkdir -p "$to/include" "$to/lib/pkgconfig"
install -m 644 include/nudge.h "$to/include/nudge.h"
install -m 644 "$built/libnudge.a" "$to/lib/libnudge.a"
if [ -e "$built/libnudge.dylib" ]; then
    install -m 755 "$built/libnudge.dylib" "$to/lib/libnudge.dylib"
else
    install -m 755 "$built/libnudge.so" "$to/lib/libnudge.so.$version"
    ln -sf "libnudge.so.$version" "$to/lib/libnudge.so.${version%%.*}"
    ln -sf "libnudge.so.${version%%.*}" "$to/lib/libnudge.so"
fi
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" nudge-ffi/nudge.pc.in >"$to/lib/pkgconfig/nudge.pc"
echo "installed Nudge $version for C below $to"
