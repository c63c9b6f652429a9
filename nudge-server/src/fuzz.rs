//! The readers of text that others write, each as a function that must not panic. The
//! tests run each over harmed examples (`fuzz/tests.rs`), and `cargo fuzz` over anything.

#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a panic is what is looked for"
)]

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use chrono::DateTime;
use nudge::{Caller, Config, Context, Export, Nudge, Projects};
use serde_json::json;
use serde_json::value::RawValue;
use tempfile::{TempDir, tempdir};

use crate::config::{Flags, Settings};
use crate::hook::{DIALECTS, input, read_event};
use crate::install::machine::Machine;
use crate::past::{Budget, Source};
use crate::primary::Primary;
use crate::primary::call::call_into;
use crate::primary::operations::Method;
use crate::project::ProjectFiles;
use crate::project::{hints_file, trust};
use crate::store::Memory;
use crate::surface::rpc;

/// A reader by its name; `fuzz/Cargo.toml` has a binary for each.
type Target = (&'static str, fn(&[u8]));

/// All readers of foreign text.
pub const TARGETS: [Target; 20] = [
    ("body", body),
    ("store", store),
    ("hook_event", hook_event),
    ("hook_transcript", hook_transcript),
    ("past_atuin", |it| past(Source::Atuin, "history.db", it)),
    ("past_claude", |it| past(Source::Claude, "x.jsonl", it)),
    ("past_codex", |it| {
        past(Source::Codex, "rollout-x.jsonl", it);
    }),
    ("project_file", project),
    ("config", config),
    ("git_config", |bytes| git("config", bytes)),
    ("git_head", |bytes| git("HEAD", bytes)),
    ("npm", |bytes| manifest("package.json", bytes)),
    ("make", |bytes| manifest("Makefile", bytes)),
    ("just", |bytes| manifest("justfile", bytes)),
    ("tox", |bytes| manifest("tox.ini", bytes)),
    ("pyproject", |bytes| manifest("pyproject.toml", bytes)),
    ("taskfile", |bytes| manifest("Taskfile.yml", bytes)),
    ("mise", |bytes| manifest("mise.toml", bytes)),
    ("nox", |bytes| manifest("noxfile.py", bytes)),
    ("workflow", |it| manifest(".github/workflows/ci.yml", it)),
];

/// Runs the reader of a name.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    target.expect("there is such a reader").1(bytes);
}

/// A body of `/rpc`, which leads to all that the core reads: an answer of JSON-RPC, and never a bug
/// in Nudge.
fn body(bytes: &[u8]) {
    let primary = Primary::with_system_clock(Config::default(), 0);
    let answer = rpc::Sent::read(bytes).answer(|method, params, response| {
        let method = Method::named(method)?;
        call_into(&primary, &Caller::user(), method, params, response)
    });
    let Some(answer) = answer else { return };
    // Not as values: an id may be a number that none can hold.
    let answer = String::from_utf8(answer).expect("an answer is text");
    serde_json::from_str::<&RawValue>(&answer).expect("an answer is JSON");
    assert!(!answer.contains(r#""code":50001,"#), "{answer}");
}

/// A file in the place of `nudge.db`: refused, moved aside or read, and the next time read.
fn store(bytes: &[u8]) {
    let folder = with_file("nudge.db", bytes);
    let open = || Memory::open(folder.path(), DateTime::UNIX_EPOCH);
    let held = |changes| {
        let nudge = Nudge::default();
        nudge.replay_kinds(changes);
        nudge
            .export(Export::new())
            .expect("nothing forbids it")
            .payload
            .hints()
            .count()
    };
    let Ok((memory, first)) = open() else {
        return;
    };
    drop(memory);
    let (_, again) = open().expect("it was read before");
    assert_eq!(held(first.changes), held(again.changes));
}

/// An event, as every host would have told it.
fn hook_event(bytes: &[u8]) {
    let Ok(event) = input::read(bytes) else {
        return;
    };
    for dialect in &DIALECTS {
        let _ = read_event(dialect.id, &event);
    }
}

/// The transcript that an event of Codex names.
fn hook_transcript(bytes: &[u8]) {
    let folder = with_file("x.jsonl", bytes);
    let event = json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "call_1",
        "tool_input": {"command": "make"}, "transcript_path": folder.path().join("x.jsonl")});
    let _ = read_event("codex", &event);
}

/// What another program has left, read and sorted as `nudge learn` does.
fn past(source: Source, name: &str, bytes: &[u8]) {
    let home = tempdir().expect("a folder can be made");
    let machine = Machine::made_up(home.path(), home.path(), home.path(), home.path());
    let place = source.place(&machine);
    // Atuin's is a file, the others' are folders of files.
    let file = if place.ends_with(name) {
        place
    } else {
        place.join(name)
    };
    write(&file, bytes);
    let reading = source.read(&machine, &mut Budget::default(), &mut || {});
    let mut reading = reading.expect("there is something");
    reading.sort_into(&mut BTreeMap::new(), &mut HashMap::new());
}

/// The hints that a project has in its repository, all of them trusted.
fn project(bytes: &[u8]) {
    let folder = with_file(hints_file::NAME, bytes);
    let _ = hints_file::read(folder.path());
    if trust::hints(bytes).is_ok() {
        let _ = Nudge::default().load_project("/work/api", &String::from_utf8_lossy(bytes));
    }
}

/// The user's settings.
fn config(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = Settings::of(&Flags::default(), |_| None, &text);
}

/// A file of git.
fn git(name: &str, bytes: &[u8]) {
    let folder = with_file(".git/HEAD", b"ref: refs/heads/main\n");
    write(&folder.path().join(".git").join(name), bytes);
    fs::create_dir(folder.path().join(".git/objects")).expect("it can be made");
    fs::create_dir(folder.path().join(".git/refs")).expect("it can be made");
    let _ = Context::at(folder.path().to_string_lossy());
}

/// What declares the commands of a project.
fn manifest(name: &str, bytes: &[u8]) {
    let folder = with_file(name, bytes);
    let root = folder.path().to_string_lossy();
    let files = ProjectFiles::default();
    let found = files.found(&root, "");
    for command in found.iter().take(5) {
        let _ = files.resolve(&root, "", &command.command);
        let _ = files.anchors(&root, "", &command.command);
    }
}

fn with_file(name: &str, bytes: &[u8]) -> TempDir {
    let folder = tempdir().expect("a folder can be made");
    write(&folder.path().join(name), bytes);
    folder
}

fn write(path: &Path, bytes: &[u8]) {
    let folder = path.parent().expect("it has a folder");
    fs::create_dir_all(folder).expect("it can be made");
    fs::write(path, bytes).expect("it can be written");
}
