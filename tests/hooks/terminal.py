"""Runs a command at a terminal of its own: types what it reads, prints what is shown.

It hangs up at the end of its input. Programs that draw a screen ask first what a terminal can do.
"""

import os
import pty
import select
import signal
import sys

ANSWERS = {b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?62;22c", b"\x1b[?u": b"\x1b[?0u"}

child, screen = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
while True:
    ready, _, _ = select.select([0, screen], [], [])
    if screen in ready:
        try:
            shown = os.read(screen, 65536)
        except OSError:
            break
        for question, answer in ANSWERS.items():
            os.write(screen, answer * shown.count(question))
        os.write(1, shown)
    if 0 in ready:
        typed = os.read(0, 1024)
        if not typed:
            os.kill(child, signal.SIGHUP)
            break
        os.write(screen, typed)
