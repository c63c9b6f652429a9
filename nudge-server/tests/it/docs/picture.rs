//! Pictures of real sessions, drawn as a terminal shows them; `UPDATE=1` draws them again.
//!
//! `docs/session.svg`: the commands are typed and their colours taken as they come.
//! `docs/moment.svg`: the hooks of two agents run, and what they are told is in it.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::golden;
use crate::hooks::streams::{Stage, words};
use crate::transcripts::Session;

const TYPED: [&str; 4] = [
    "nudge set http-proxy build \"docker compose build router\" --scope-branch dev --reason \"custom router image\"",
    "nudge get http-proxy build",
    "nudge why http-proxy build",
    "nudge get http-proxy build --branch main",
];

/// How wide the terminal is; a longer line goes on in the next.
const COLUMNS: usize = 111;

/// Sizes in pixels. A letter of the usual fixed fonts is 0.6 of its size wide.
const FONT: f64 = 12.8;
const LINE: usize = 19;
const MARGIN: usize = 18;
const BAR: usize = 34;
const WIDTH: usize = 900;

/// A piece of a line in one style.
struct Piece {
    style: &'static str,
    text: String,
}

fn piece(style: &'static str, text: &str) -> Piece {
    Piece {
        style,
        text: text.to_owned(),
    }
}

/// Reads a line that a program printed. A sequence that is not known is a reason
/// to draw it.
fn read(line: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut style = "plain";
    for (number, part) in line.split("\u{1b}[").enumerate() {
        let mut text = part;
        if number > 0 {
            let (code, rest) = part.split_once('m').unwrap();
            style = match code {
                "0" => "plain",
                "2" => "dim",
                "32" => "good",
                other => panic!("there is no style for `\\e[{other}m`"),
            };
            text = rest;
        }
        if !text.is_empty() {
            pieces.push(piece(style, text));
        }
    }
    pieces
}

/// Breaks a line where a terminal would.
fn wrapped(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let mut lines = vec![Vec::new()];
    let mut column = 0;
    for Piece { style, text } in pieces {
        let mut rest: Vec<char> = text.chars().collect();
        while !rest.is_empty() {
            if column == COLUMNS {
                lines.push(Vec::new());
                column = 0;
            }
            let after = rest.split_off(rest.len().min(COLUMNS - column));
            column += rest.len();
            let text: String = rest.iter().collect();
            lines.last_mut().unwrap().push(Piece { style, text });
            rest = after;
        }
    }
    lines
}

/// What is typed and printed, line by line.
fn session() -> Vec<Vec<Piece>> {
    let session = Session::start();
    let mut lines = Vec::new();
    for (number, typed) in TYPED.into_iter().enumerate() {
        if number > 0 {
            lines.push(Vec::new());
        }
        lines.extend(wrapped(vec![piece("prompt", "$ "), piece("typed", typed)]));
        let printed = session.typed_at_terminal(typed);
        lines.extend(printed.lines().flat_map(|line| wrapped(read(line))));
    }
    lines
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// What a picture is called, what it shows to who does not see it, and the bar above it.
struct Frame {
    title: &'static str,
    words: &'static str,
    bar: &'static str,
}

fn drawn(frame: &Frame, lines: &[Vec<Piece>]) -> String {
    let Frame { title, words, bar } = frame;
    let height = BAR + LINE * lines.len() + 2 * MARGIN - LINE / 3;
    let mut svg = String::new();
    write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title words">
<title id="title">{title}</title>
<desc id="words">{words}</desc>
<style>
text {{ font: {FONT}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; fill: #d7dde5; white-space: pre; }}
.prompt {{ fill: #7aa2f7; }}
.typed {{ fill: #ffffff; font-weight: 600; }}
.good {{ fill: #73d08a; }}
.bad {{ fill: #f0857f; }}
.dim {{ fill: #98a2b0; }}
.bar {{ fill: #98a2b0; text-anchor: middle; }}
</style>
<rect x="0.5" y="0.5" width="{}" height="{}" rx="9" fill="#15181e" stroke="#3a414c"/>
<circle cx="22" cy="18" r="5.5" fill="#f0625b"/>
<circle cx="41" cy="18" r="5.5" fill="#f3bd4e"/>
<circle cx="60" cy="18" r="5.5" fill="#5bc45f"/>
<text class="bar" x="{}" y="22">{bar}</text>
"##,
        WIDTH - 1,
        height - 1,
        WIDTH / 2,
    )
    .unwrap();
    let numbered = lines.iter().enumerate();
    for (number, line) in numbered.filter(|(_, line)| !line.is_empty()) {
        let y = BAR + MARGIN + LINE * number;
        let spans = line.iter().map(|Piece { style, text }| {
            let text = escaped(text);
            match *style {
                "plain" => text,
                style => format!("<tspan class=\"{style}\">{text}</tspan>"),
            }
        });
        let spans: String = spans.collect();
        writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{y}\" xml:space=\"preserve\">{spans}</text>"
        )
        .unwrap();
    }
    svg + "</svg>\n"
}

#[test]
fn the_picture_shows_what_a_terminal_does() {
    let frame = Frame {
        title: "A session with Nudge at a terminal",
        words: "A build command is set for the branch dev, found there with the reason why, explained term by term, and kept back on the branch main.",
        bar: "/work/http-proxy (dev)",
    };
    golden::is_as_written_down("docs/session.svg", &drawn(&frame, &session()));
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
fn moment() -> Vec<Vec<Piece>> {
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
    let remark = |text: &str| vec![piece("dim", text)];
    let mut lines = vec![remark("Monday, Claude Code. Nobody tells Nudge anything.")];
    let prompt = || piece("prompt", "> ");
    for (command, style, came) in [
        (WRONG, "bad", &*format!("   ✘ {ERROR}")),
        (RIGHT, "good", "   ✔ 31 passed"),
    ] {
        lines.push(vec![prompt(), piece("typed", command), piece(style, came)]);
    }
    lines.push(Vec::new());
    lines.push(remark("Tuesday, Codex. Its session starts with:"));
    let told = words(&play("codex", "SessionStart", &start));
    let told = told
        .lines()
        .flat_map(|line| wrapped(vec![piece("good", line)]));
    lines.extend(told);
    lines.push(Vec::new());
    lines.push(remark(
        "And when it is about to run the wrong one all the same:",
    ));
    lines.push(vec![prompt(), piece("typed", WRONG)]);
    let told = words(&play("codex", "PreToolUse", &ran(WRONG)));
    lines.extend(wrapped(vec![piece("good", &told)]));
    lines
}

#[test]
fn the_picture_shows_what_agents_are_told() {
    let frame = Frame {
        title: "An agent is told the right command",
        words: "On Monday Claude Code runs npm test, which is not there, and then uv run --group dev pytest -q, which works. On Tuesday Codex is told so when its session starts, and once more before it runs npm test.",
        bar: "two agents in one project",
    };
    golden::is_as_written_down("docs/moment.svg", &drawn(&frame, &moment()));
}

#[test]
fn nothing_that_is_printed_becomes_markup() {
    let shown = "&lt;a href=&quot;x&quot;&gt;&amp;";
    assert_eq!(escaped("<a href=\"x\">&"), shown);
}
