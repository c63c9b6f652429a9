"""Any coding agent as a host of Nudge: its hook's event in, `nudge hook generic`, words out.

`any_agent.py HOST` reads an event of that host from stdin and prints what the host shows its model.
`any_agent.py run COMMAND…` is for hosts without hooks: it runs the command, and tells how it ended.
"""

import json
import os
import subprocess
import sys
from typing import Any

# What each host calls an event, in the words of `nudge.on_event`; what ends with `!` has failed.
CLAUDE = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "before_command",
    "PostToolUse": "after_command",
    "PostToolUseFailure": "after_command!",
    "SessionEnd": "session_end",
}
EVENTS = {
    "cline": CLAUDE
    | {"TaskStart": "session_start", "TaskResume": "session_start", "TaskComplete": "session_end"},
    "amp": {
        "session.start": "session_start",
        "agent.start": "prompt",
        "tool.call": "before_command",
        "tool.result": "after_command",
    },
}
SHELLS = {"Bash", "bash", "Shell", "developer__shell", "execute_command", "run_shell_command"}


def first(event: dict[str, Any], *names: str) -> Any:
    """Give the first of some fields that is there."""
    return next((event[name] for name in names if event.get(name) is not None), None)


def read(host: str, event: dict[str, Any]) -> dict[str, Any] | None:
    """Say a host's event in Nudge's words; most are nobody's business."""
    name = first(event, "hook_event_name", "hookName", "event") or ""
    kind = EVENTS.get(host, CLAUDE).get(name, "")
    # Cline keeps what an event is about in a field of its name: `postToolUse`.
    event = {**event, **(event.get(f"{name[:1].lower()}{name[1:]}") or {})}
    tool = first(event, "tool_name", "toolName", "tool")
    given: dict[str, Any] = first(event, "tool_input", "parameters", "input") or {}
    if not kind or ("command" in kind and tool not in SHELLS):
        return None
    said: dict[str, Any] = {"event": kind.rstrip("!"), "host": host}
    thread: dict[str, Any] = event.get("thread") or {}
    said["session"] = first(event, "session_id", "taskId") or thread.get("id")
    folder = first(event, "cwd", "working_dir") or (event.get("workspaceRoots") or [None])[0]
    said["context"] = {"cwd": given.get("cwd") or folder or os.getcwd()}
    if "command" in kind:
        said["command"] = first(given, "command", "cmd")
    if kind == "prompt":
        said["prompt"] = first(event, "prompt", "message")
    if kind.startswith("after"):
        failed = kind.endswith("!") or event.get("success") is False
        said["ok"] = not failed and event.get("status", "done") == "done"
        output = first(event, "tool_output", "tool_response", "result", "output", "error")
        said["output"] = output if isinstance(output, str) else json.dumps(output)
    return said


def tell(said: dict[str, Any]) -> dict[str, Any]:
    """Hand an event to Nudge; what follows from it, mostly nothing."""
    hook = [os.environ.get("NUDGE_BIN", "nudge"), "hook", "generic"]
    answer = subprocess.run(hook, input=json.dumps(said), capture_output=True, text=True)
    return json.loads(answer.stdout) if answer.stdout.strip() else {}


def show(host: str, name: str, text: str) -> str:
    """Write words where the host shows them to its model."""
    if host == "cline":
        return json.dumps({"cancel": False, "contextModification": text})
    if host == "crush":
        return json.dumps({"context": text})
    if host == "qwen":
        said = {"hookEventName": name, "additionalContext": text}
        return json.dumps({"hookSpecificOutput": said})
    return text


def main(words: list[str]) -> int:
    """Be a hook, or run a command and be the hook of that."""
    if words[0] != "run":
        event = json.load(sys.stdin)
        said = read(words[0], event)
        text = tell(said).get("text") if said else None
        if text:
            print(show(words[0], first(event, "hook_event_name", "hookName", "event"), text))
        return 0
    here = {"session": os.environ.get("AGENT_SESSION", str(os.getppid())), "host": "wrapper"}
    here["context"] = {"cwd": os.getcwd()}  # type: ignore[assignment]
    command = " ".join(words[1:])
    before = tell({**here, "event": "before_command", "command": command})
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    end = {"exit_code": done.returncode, "output": (done.stdout + done.stderr)[-8192:]}
    after = tell({**here, "event": "after_command", "command": command, **end})
    print(done.stdout, end="")
    # An agent reads what its command prints, and so is told.
    told = [answer["text"] for answer in (before, after) if "text" in answer]
    print(done.stderr, *told, sep="\n", end="\n", file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
