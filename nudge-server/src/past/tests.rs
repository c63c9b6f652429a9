//! What transcripts tell, shape by shape. They are made up here, in the forms of the hosts.

mod hosts;

use std::fs;
use std::os::unix::fs::symlink;

use super::claude::Claude;
use super::codex::Codex;
use super::copilot::Copilot;
use super::*;
use crate::table::rows;

/// What the lines of a transcript tell, each in one line.
fn told<T: Transcript>(lines: &[Value]) -> Vec<String> {
    let mut transcript = T::default();
    let mut told = Vec::new();
    for line in lines {
        transcript.read(line, &mut told);
    }
    transcript.finish(&mut told);
    told.iter().map(line).collect()
}

fn line(told: &PastEvent) -> String {
    let event = &told.event;
    let what = event.command.as_ref().or(event.file.as_ref()).unwrap();
    let facts = event.context.facts();
    let ending = (event.worked(), event.exit_code);
    let (cwd, branch) = (facts.cwd.as_deref(), facts.branch.as_deref());
    let (cwd, branch) = (cwd.unwrap_or_default(), branch.unwrap_or("-"));
    let session = event.session.as_deref().unwrap_or_default();
    let output = event.output.as_deref().unwrap_or_default();
    format!("{session} {cwd} {branch} {what} {ending:?} {output}")
        .trim_end()
        .to_owned()
}

#[test]
fn a_transcript_tells_what_ended_and_how() {
    for [host, lines, expected] in rows(include_str!("../../../tests/hooks/past.tsv")) {
        let told = match &*host {
            "claude" => told::<Claude>,
            "codex" => told::<Codex>,
            _ => told::<Copilot>,
        };
        let read: Vec<Value> = serde_json::from_str(&lines).unwrap();
        let expected: Vec<String> = serde_json::from_str(&expected).unwrap();
        assert_eq!(told(&read), expected, "{lines}");
    }
}

#[test]
fn files_are_read_within_bounds_and_what_is_no_transcript_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).unwrap();
    let [_, good, _] = &rows(include_str!("../../../tests/hooks/past.tsv"))[0];
    let good: Vec<Value> = serde_json::from_str(good).unwrap();
    let good = good
        .iter()
        .map(Value::to_string)
        .collect::<Vec<_>>()
        .join("\n");
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(5 << 20));
    let deep = "[".repeat(100_000);
    write(
        "good.jsonl",
        format!("\n{long}\n{deep}\nnot JSON\n{good}").as_bytes(),
    );
    write(
        "other.jsonl",
        b"{\"type\": \"user\"}\n[1, 2]\n\"text\"\nnull\n",
    );
    write("bytes.jsonl", b"\xff\x00\xfe");
    write("empty.jsonl", b"");
    write("good.txt", good.as_bytes());
    symlink(
        folder.path().join("good.txt"),
        folder.path().join("link.jsonl"),
    )
    .unwrap();
    symlink("/", folder.path().join("root")).unwrap();
    let mut reading = Reading::default();
    reading.read_all::<Claude>(folder.path(), "", &mut Budget::default(), &mut || ());
    assert_eq!((reading.files, reading.told.len()), (1, 1));
    let left = reading.left_alone.iter();
    let left: Vec<(&str, usize)> = left.map(|(what, count)| (&**what, *count)).collect();
    assert_eq!(
        left,
        [
            ("files in an unknown format", 3),
            ("lines that are not JSON or are too long", 3),
            ("links and devices", 1)
        ]
    );
}
