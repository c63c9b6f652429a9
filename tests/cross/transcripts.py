#!/usr/bin/env python3
"""transcripts.py NUDGE CHECKOUT FILE…: replays the CLI's transcripts with another system's binary.

NUDGE is a command that runs it, and CHECKOUT an empty folder for the repository that the commands
are typed in. It compares what is printed with the transcript of Linux, but for what has to differ:
paths, the name of the system, times. What needs a test's clock, a Unix home or a Unix editor is
passed over, and counted."""

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile

nudge, checkout = sys.argv[1], Path(sys.argv[2])
git = checkout / ".git"
git.mkdir(parents=True)
(git / "HEAD").write_text("ref: refs/heads/dev\n")
(git / "config").write_text('[remote "origin"]\n\turl = git@github.com:acme/http-proxy.git\n')
(checkout / "src").mkdir()

# What only a Unix system, or a server with the clock of a test, can do.
ELSEWHERE = re.compile(r"minutes later|# observe|~|\.\./home|EDITOR|RUNTIME_DIR|nudge -p|mkfifo|ln -s")
# What differs from run to run, or from system to system.
SAME = [
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:[\d.]+Z| UTC)"), "TIME"),
    (re.compile(r"\b\d+[smhd] ago"), "AGO"),
    (re.compile(r"[A-Za-z]:[\\/]work", re.I), "/work"),
    (re.compile(r"\bos=windows\b"), "os=linux"),
]


def like(line: str) -> str:
    for pattern, word in SAME:
        line = pattern.sub(word, line)
    return line.replace("\\", "/").rstrip()


def typed(command: str) -> list[str]:
    shell = f'exec 2>&1\nnudge() {{ {nudge} "$@"; }}\n{command}'
    # Not a pipe: the server that a command starts may have its standard error, as under wine.
    with TemporaryFile() as printed:
        status = subprocess.run(
            ["/bin/sh", "-c", shell], cwd=checkout, stdin=subprocess.DEVNULL, stdout=printed,
            timeout=120, check=False,
        ).returncode
        printed.seek(0)
        lines = printed.read().decode("utf-8", "replace").replace("\r", "").splitlines()
    return ([f"? {status}"] if status else []) + lines


def fits(expected: str, line: str) -> bool:
    parts = (re.escape(like(part)) for part in expected.split("[..]"))
    return re.fullmatch(".*".join(parts), like(line)) is not None


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
            found[-1] = (f"{found[-1][0]}\n{line[1:].removeprefix(' ')}", [])
        elif is_console:
            found[-1][1].append(line)
    return found


def main() -> int:
    ran = passed_over = failed = 0
    os.environ["NUDGE_HOOK_MS"] = "60000"
    for path in map(Path, sys.argv[3:]):
        typed("nudge stop --yes --purge")
        for command, expected in steps(path.read_text()):
            if ELSEWHERE.search(command):
                passed_over += 1
                continue
            printed = typed(command)
            expected = [line for line in expected if line]
            shown = [line for line in printed if line]
            ran += 1
            if len(expected) != len(shown) or not all(map(fits, expected, shown)):
                failed += 1
                print(f"FAILED: {path.name}: $ {command}\n  expected: {expected}\n  got: {shown}")
    print(f"transcripts: {ran} commands, {failed} failed, {passed_over} need Unix or a test's clock")
    return failed > 0


sys.exit(main())
