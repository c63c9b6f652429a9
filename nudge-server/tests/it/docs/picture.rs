//! `docs/moment.svg`, as a terminal shows it: the hooks of two agents run, and what they are told
//! is in it. `UPDATE=1` draws it again.

use anstyle_svg::{Term, WIN10_CONSOLE};
use serde_json::{Value, json};

use crate::golden;
use crate::hooks::streams::{Stage, words};

/// How a terminal is told to show what follows.
const REMARK: &str = "\u{1b}[38;2;152;162;176m";
const BAD: &str = "\u{1b}[91m";
const GOOD: &str = "\u{1b}[92m";
const PROMPT: &str = "\u{1b}[94m";
const PLAIN: &str = "\u{1b}[0m";

fn typed(prompt: &str, line: &str) -> String {
    format!("{PROMPT}{prompt} \u{1b}[0;1;97m{line}{PLAIN}")
}

/// An event of a host in a session of its own.
fn event(host: &str, name: &str, more: &Value) -> Value {
    let mut stdin =
        json!({"session_id": format!("{host}-1"), "cwd": "{project}", "hook_event_name": name});
    let fields = stdin.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    json!({"hook": host, "stdin": stdin})
}

/// What two agents do and are told: one finds a command, the other is told of it.
#[test]
fn the_picture_shows_what_agents_are_told() {
    const WRONG: &str = "npm test";
    const RIGHT: &str = "uv run --group dev pytest -q";
    const ERROR: &str = "npm error Missing script: \"test\"";
    let ran = |command: &str| json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": command});
    let with = |command: &str, field: &str, value: Value| {
        let mut event = ran(command);
        event[field] = value;
        event
    };
    let stage = Stage::new();
    let play = |host: &str, name: &str, more: &Value| stage.play(&event(host, name, more));
    let start = json!({"source": "startup"});
    let failed = with(WRONG, "error", json!(format!("Exit code 1\n{ERROR}")));
    let response = json!({"stdout": "31 passed", "stderr": ""});
    let worked = with(RIGHT, "tool_response", response);
    for (name, more) in [
        ("SessionStart", &start),
        ("PreToolUse", &ran(WRONG)),
        ("PostToolUseFailure", &failed),
        ("PreToolUse", &ran(RIGHT)),
        ("PostToolUse", &worked),
    ] {
        assert_eq!(play("claude", name, more), "", "{name}");
    }
    let (wrong, right) = (typed(">", WRONG), typed(">", RIGHT));
    let started = words(&play("codex", "SessionStart", &start));
    let told = words(&play("codex", "PreToolUse", &ran(WRONG)));
    let shown = format!(
        "{REMARK}two agents in one project

Monday, Claude Code. Nobody tells Nudge anything.
{wrong}{BAD}   ✘ {ERROR}
{right}{GOOD}   ✔ 31 passed

{REMARK}Tuesday, Codex. Its session starts with:
{GOOD}{started}
{REMARK}And when it is about to run the wrong one all the same:
{wrong}
{GOOD}{told}"
    );
    let words = "Two agents in one project: on Monday Claude Code runs npm test, which is not there, and then uv run --group dev pytest -q, which works. On Tuesday Codex is told so when its session starts, and once more before it runs npm test.";
    let svg = Term::new().palette(WIN10_CONSOLE).render_svg(&shown);
    let title = format!("\n  <title>{words}</title>\n");
    golden::is_as_written_down("docs/moment.svg", &svg.replacen('\n', &title, 1));
}
