# Sourced with `root` and `what` set: a machine of wine's own in $place, which is thrown away at the end.
skip() {
    echo "NOT RUN: $what under wine; this needs $1" >&2
    [ "${CI:-}" != true ]
    exit
}
"$root/tests/need" wine wine && "$root/tests/need" x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64 || true
command -v wine >/dev/null || skip wine
command -v wineserver >/dev/null || PATH=$PATH:/usr/lib/wine
command -v wineserver >/dev/null || skip wineserver
place=$(mktemp -d)
end() {
    wineserver -k 2>/dev/null
    wineserver -w 2>/dev/null
    rm -rf "$place"
}
trap end EXIT
trap 'exit 1' INT TERM
unset DISPLAY NUDGE_RUNTIME_DIR
export LC_ALL=C.UTF-8 HOME="$place" USER=ada WINEPREFIX="$place/prefix" WINEDEBUG=-all
export WINEDLLOVERRIDES='mscoree,mshtml,winemenubuilder.exe=;bcryptprimitives=n,b'
wine wineboot -i >/dev/null 2>&1
drive=$WINEPREFIX/drive_c

# Old wines have no source of randomness by the name that Rust asks for.
if ! [ -e "$drive/windows/system32/bcryptprimitives.dll" ]; then
    command -v x86_64-w64-mingw32-gcc >/dev/null || skip 'a newer wine, or x86_64-w64-mingw32-gcc'
    cat >"$place/random.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T count) {
    return SystemFunction036(to, (ULONG)count);
}
C
    x86_64-w64-mingw32-gcc -shared -o "$drive/windows/system32/bcryptprimitives.dll" \
        "$place/random.c" -ladvapi32 || exit 1
fi
