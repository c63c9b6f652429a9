"""Hosts that Nudge has no table for: each learns by its documented events, and is told."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
AGENT = ROOT / "examples/python/any_agent.py"
BINARY = os.environ.get("NUDGE_BIN", str(ROOT / "target/debug/nudge"))
pytestmark = pytest.mark.skipif(
    not Path(BINARY).is_file(), reason="there is no server; `cargo build --bin nudge` makes one"
)
Tell = Callable[[list[str], str], str]


def claude(event: str, cwd: str, tool: str, **more: Any) -> dict[str, Any]:
    """The shape that many took over: Qwen Code and Kimi CLI as it is."""
    return {
        "session_id": "s-1", "cwd": cwd, "hook_event_name": event, "tool_name": tool,
        "tool_input": {"command": "make test"}, **more,
    }  # fmt: skip


def cline(event: str, cwd: str, about: dict[str, Any]) -> dict[str, Any]:
    field = f"{event[0].lower()}{event[1:]}"
    return {
        "clineVersion": "3.36.0", "hookName": event, "timestamp": "1760000000000",
        "taskId": "t-1", "workspaceRoots": [cwd], "userId": "u", field: about,
    }  # fmt: skip


def plain(event: str, cwd: str, tool: str) -> dict[str, Any]:
    """Goose and Crush name the event `event`, and the folder in two ways."""
    folder = "working_dir" if tool == "developer__shell" else "cwd"
    return {
        "event": event, "session_id": "s-1", folder: cwd, "tool_name": tool,
        "tool_input": {"command": "make test"},
    }  # fmt: skip


def amp(event: str, cwd: str, **more: Any) -> dict[str, Any]:
    call = {"toolUseID": "toolu_1", "tool": "Bash", "input": {"cmd": "make test", "cwd": cwd}}
    return {"event": event, "thread": {"id": "T-1"}, **call, **more}


# The command that worked, the start of the next session, and how the host is told at it.
HOSTS: dict[str, tuple[Callable[[str], dict[str, Any]], Callable[[str], dict[str, Any]]]] = {
    "cline": (
        lambda cwd: cline(
            "PostToolUse", cwd,
            {"toolName": "execute_command", "parameters": {"command": "make test"},
             "result": "ok", "success": True, "executionTimeMs": 10},
        ),
        lambda cwd: cline("TaskStart", cwd, {"task": "fix it"}),
    ),
    "qwen": (
        lambda cwd: claude("PostToolUse", cwd, "run_shell_command", tool_response={"output": "ok"}),
        lambda cwd: claude("SessionStart", cwd, "", source="startup"),
    ),
    "kimi": (
        lambda cwd: claude("PostToolUse", cwd, "Shell", tool_output="ok"),
        lambda cwd: claude("SessionStart", cwd, "", source="startup"),
    ),
    "goose": (
        lambda cwd: plain("PostToolUse", cwd, "developer__shell"),
        lambda cwd: plain("SessionStart", cwd, ""),
    ),
    "crush": (
        lambda cwd: plain("PostToolUse", cwd, "bash"),
        lambda cwd: plain("SessionStart", cwd, ""),
    ),
    "amp": (
        lambda cwd: amp("tool.result", cwd, status="done", output="ok"),
        lambda cwd: amp("session.start", cwd),
    ),
}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "api/.git").mkdir(parents=True)
    (tmp_path / "api/.git/HEAD").write_text("ref: refs/heads/main\n")
    remote = '[remote "origin"]\n\turl = git@github.com:acme/api.git\n'
    (tmp_path / "api/.git/config").write_text(remote)
    (tmp_path / "api/Makefile").write_text("test check:\n\t@echo passed\n")
    return tmp_path / "api"


@pytest.fixture
def run(tmp_path: Path, project: Path) -> Iterator[Tell]:
    keep = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    environment = {
        **keep, "NUDGE_BIN": BINARY, "HOME": str(tmp_path), "NUDGE_HOOK_MS": "60000",
        "NUDGE_RUNTIME_DIR": str(tmp_path / "session"),
    }  # fmt: skip

    def run(words: list[str], text: str) -> str:
        done = subprocess.run(
            words, input=text, env=environment, cwd=project, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    yield run
    run([BINARY, "stop", "--purge"], "")


def started(run: Tell) -> None:
    """Begin a session, because hooks do not wait for one."""
    run([BINARY, "set", "api", "greeting", "echo hello"], "")


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_learns_by_its_own_events_and_is_told(host: str, run: Tell, project: Path) -> None:
    started(run)
    worked, starts = HOSTS[host]
    hook = [sys.executable, str(AGENT), host]
    run(hook, json.dumps(worked(str(project))))
    assert "make test" in run([BINARY, "get", "api", "test"], "")
    told = run(hook, json.dumps({**starts(str(project)), "session_id": "s-2", "taskId": "t-2"}))
    assert "make test" in told


@pytest.mark.parametrize("host", ["aider", "roo"])
def test_a_host_without_hooks_learns_by_a_wrapper(host: str, run: Tell) -> None:
    """Aider's `--test-cmd`, and the commands that a rule of Roo's names."""
    del host
    started(run)
    assert "passed" in run([sys.executable, str(AGENT), "run", "make", "test"], "")
    assert "make test" in run([BINARY, "get", "api", "test"], "")
    run([BINARY, "set", "api", "test", "make check"], "")
    told = run([sys.executable, str(AGENT), "run", "make", "test"], "")
    assert "make check" in told


def test_what_is_no_command_is_passed_over(run: Tell, project: Path) -> None:
    started(run)
    edit = claude("PostToolUse", str(project), "write_file", tool_response={})
    assert run([sys.executable, str(AGENT), "qwen"], json.dumps(edit)) == ""
