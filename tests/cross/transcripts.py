#!/usr/bin/env python3
"""transcripts.py NUDGE FOLDER FILE…: replays the CLI's transcripts with another system's binary.

NUDGE is the command that runs it, FOLDER a new folder for the repository that commands are typed
in. What is printed is compared with the transcript, but for what has to differ: paths, the name of
the system, times, and the order of lines, since hints that are equal otherwise go by their age. A
transcript is replayed up to the first line that needs the clock of a test.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile

# What is about Unix tools, homes, sockets and editors, or about which system this is.
# tests/cross/windows does itself what can be done of it.
ELSEWHERE = {
    "at-terminal",
    "config",
    "doctor",
    "edit",
    "hooks",
    "install",
    "install-asked",
    "install-left",
    "learn",
    "no-server",
    "observations",
    "section-6",
    "variants",
}
UNIX = re.compile(r"\.\./home|nudge -p|nudge open|-os ")
SAME = [
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:[\d.]+Z| UTC)"), "TIME"),
    (re.compile(r"\b\d+[smhd] ago"), "0s ago"),
    (re.compile(r"(?<![a-z])[a-z]:[\\/]+work", re.I), "/work"),
    (re.compile(r"cwd=[a-z]: ", re.I), "cwd=/ "),
    (re.compile(r'os(=|":")windows'), r"os\1linux"),
    (re.compile(r"cannot be read: .*"), "cannot be read"),
    (re.compile(r" {2,}"), "  "),
]

nudge, checkout = sys.argv[1], Path(sys.argv[2])
# In one transcript a hint asks for it, and is not to find it.
os.environ.pop("CI", None)


def check_out() -> None:
    """A checkout of acme/http-proxy on the branch dev, with nothing in it."""
    shutil.rmtree(checkout, ignore_errors=True)
    git = checkout / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/dev\n")
    (git / "config").write_text('[remote "origin"]\n\turl = git@github.com:acme/http-proxy.git\n')
    (checkout / "src").mkdir()


def typed(command: str) -> list[str]:
    shell = f'exec 2>&1\nnudge() {{ {nudge} "$@"; }}\n{command}'
    # Not a pipe: under wine the server that a command starts has its standard error.
    with TemporaryFile() as printed:
        status = subprocess.run(
            ["/bin/sh", "-c", shell],
            cwd=checkout,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            timeout=120,
            check=False,
        ).returncode
        printed.seek(0)
        lines = printed.read().decode("utf-8", "replace").replace("\r", "").splitlines()
    return ([f"? {status}"] if status else []) + [line for line in lines if line]


def alike(line: str) -> str:
    for pattern, word in SAME:
        line = pattern.sub(word, line)
    return line.replace("\\", "/").rstrip()


def fits(expected: list[str], printed: list[str]) -> bool:
    """Whether each line that is expected, in which `[..]` is anything, is there once."""
    left = [alike(line) for line in printed]
    for line in expected:
        pattern = re.compile(".*".join(re.escape(alike(part)) for part in line.split("[..]")))
        found = next((line for line in left if pattern.fullmatch(line)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def steps(text: str) -> list[tuple[str, list[str]]]:
    """Each command, and the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    is_console = False
    for line in text.splitlines():
        if line.startswith("```"):
            is_console = line == "```console"
        elif is_console and line.startswith("$ "):
            found.append((line[2:], []))
        elif is_console and line.startswith(">") and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[1:]}", [])
        elif is_console and line:
            found[-1][1].append(line)
    return found


ran = failed = 0
for path in map(Path, sys.argv[3:]):
    if path.stem in ELSEWHERE:
        continue
    check_out()
    typed("nudge stop --yes --purge")
    for command, expected in steps(path.read_text()):
        if command.endswith("minutes later"):
            break
        if UNIX.search(command):
            continue
        printed = typed(command)
        ran += 1
        if not fits(expected, printed):
            failed += 1
            print(f"FAILED: {path.name}: $ {command}\n  expected: {expected}\n  got: {printed}")
print(f"transcripts: {ran} commands were typed, {failed} printed something else")
sys.exit(failed > 0 or ran < 100)
