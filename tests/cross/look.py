"""Looks at a binary: for which system it is, what it links, and whether it tells of its builder."""

import struct
import subprocess
import sys
from pathlib import Path

# What each system has by itself.
MACOS = ("/usr/lib/libSystem.B.dylib", "/usr/lib/libcharset.1.dylib", "/usr/lib/libiconv.2.dylib")
WINDOWS = ("advapi32", "api-ms-win", "bcrypt", "crypt32", "kernel32", "msvcrt", "ntdll", "ole32")
WINDOWS += ("oleaut32", "secur32", "shell32", "user32", "userenv", "ws2_32")
ARM, INTEL = "aarch64", "x86_64"


def elf(data: bytes) -> tuple[str, list[str]]:
    """The machine of a program for Linux, and whether a loader is asked for."""
    machine = {0x3E: INTEL, 0xB7: ARM}[struct.unpack_from("<H", data, 18)[0]]
    offset, size, count = struct.unpack_from("<Q14xHH", data, 32)
    kinds = [struct.unpack_from("<I", data, offset + size * number)[0] for number in range(count)]
    return f"{machine}-unknown-linux-musl", ["a loader"] if 3 in kinds else []


def mach_o(data: bytes) -> tuple[str, list[str]]:
    """The machine of a program for macOS, and the libraries it links."""
    machine = {0x0100000C: ARM, 0x01000007: INTEL}[struct.unpack_from("<I", data, 4)[0]]
    at, libraries = 32, []
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        command, size, name = struct.unpack_from("<III", data, at)
        if command & 0xFF == 0x0C:
            libraries.append(data[at + name : at + size].split(b"\0")[0].decode())
        at += size
    return f"{machine}-apple-darwin", [name for name in libraries if name not in MACOS]


def windows(path: str) -> tuple[str, list[str]]:
    """The machine of a program for Windows, and the libraries it links."""
    told = subprocess.run(
        ["objdump", "-p", path], capture_output=True, text=True, check=True
    ).stdout
    names = [line.split()[-1].lower() for line in told.splitlines() if "DLL Name" in line]
    kind = "x86_64-pc-windows-gnu" if "pei-x86-64" in told else "another system"
    return kind, [name for name in names if not name.startswith(WINDOWS)]


def main(target: str, path: str, *folders: str) -> None:
    """Say what is wrong, if anything is."""
    data = Path(path).read_bytes()
    if data.startswith(b"\x7fELF"):
        kind, foreign = elf(data)
    elif data.startswith(b"\xcf\xfa\xed\xfe"):
        kind, foreign = mach_o(data)
    else:
        kind, foreign = windows(path)
    told = [folder for folder in folders if f"{folder}/".encode() in data]
    if kind != target or foreign or told:
        sys.exit(f"cross: {path} is for {kind}, links {foreign}, and tells of {told}")
    print(f"cross: {path} is for {target}, {len(data) >> 20} MiB, and needs nothing else")


main(*sys.argv[1:])
