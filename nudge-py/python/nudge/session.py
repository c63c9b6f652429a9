"""`connect`: the store that all programs of this user share."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

from nudge._nudge import Store
from nudge.store import Nudge

if TYPE_CHECKING:
    from nudge.types import StrPath


def connect(
    *,
    runtime_dir: StrPath | None = None,
    program: StrPath | None = None,
    start: bool = True,
    client: str | None = None,
) -> Nudge:
    """Join the session of this machine, which agents, the terminal and hooks use.

    The store has the methods of one of your own; each call asks the server of the session, which
    is started where none answers. It may raise `UnavailableError`. Your program calls as a
    program and never as the user: what the user has set, it can only propose to change. With
    `as_agent` and `as_caller` it calls as an agent or a hook.

    Args:
        runtime_dir: The folder of the session; that of `NUDGE_RUNTIME_DIR`, or the usual one,
            when left out.
        program: The path of `nudge`, which is the server; the one that was installed with this
            package, or the one on the `PATH`, when left out.
        start: Whether a server may be started.
        client: Who joins, with a version, such as `"my-tool/1"`.

    """
    how = {"runtime_dir": runtime_dir, "program": program or _installed(), "start": start}
    return Nudge.holding(Store.connect({**how, "client": client}))


def _installed() -> str:
    beside = shutil.which("nudge", path=Path(sysconfig.get_path("scripts")))
    return beside or shutil.which("nudge") or "nudge"
