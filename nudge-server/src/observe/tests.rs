//! The observations of a session folder of their own for each test.

mod failures;
mod fixes;
mod log;
mod properties;
mod seed;
mod writing;

use nudge::{Context, Error, ErrorKind};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::requests::Question;
use super::{Observer, PastEvent};
use crate::store::Limits;

/// When everything begins.
const NOW: i64 = 1_700_000_000;

/// A question as JSON, and its answer.
trait Asked: Question<Answer: Serialize> + DeserializeOwned {}

impl<Q: Question<Answer: Serialize> + DeserializeOwned> Asked for Q {}

/// A session folder and its observations.
struct Desk {
    folder: TempDir,
    observer: Observer,
    now: i64,
}

impl Desk {
    fn new() -> Desk {
        Desk::with_limits(Limits::default())
    }

    fn with_limits(limits: Limits) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let observer = Observer::with_limits(folder.path(), limits);
        let now = NOW;
        Desk {
            folder,
            observer,
            now,
        }
    }

    /// A hook tells an event, a second after the last one, in `acme/api` unless it says where.
    fn tell(&mut self, event: Value) {
        let mut event = event;
        self.now += 1;
        if event.get("context").is_none() {
            event["context"] = place("api");
        }
        if event.get("session").is_none() {
            event["session"] = json!("s1");
        }
        self.observer.note(noted(self.now, event));
    }

    fn ran(&mut self, session: &str, command: &str, exit_code: i64, output: &str) {
        self.tell(
            json!({"event": "after_command", "host": "claude", "session": session,
            "command": command, "exit_code": exit_code, "output": output}),
        );
    }

    /// Many commands go well, and are written a few at a time.
    fn ran_many(&mut self, count: usize, command: impl Fn(usize) -> String) {
        for number in 0..count {
            self.ran("s1", &command(number), 0, "");
            if number % 64 == 63 {
                self.observer.finish();
            }
        }
        self.observer.finish();
    }

    fn edited(&mut self, session: &str, file: &str) {
        self.tell(json!({"event": "after_edit", "session": session, "file": file, "size": 12}));
    }

    fn asked(&mut self, session: &str, prompt: &str) {
        self.tell(json!({"event": "prompt", "session": session, "prompt": prompt}));
    }

    /// What a question is answered, from `acme/api` unless it says where.
    fn ask<Q: Asked>(&self, question: Value) -> Result<Value, Error> {
        let mut question = question;
        if question.get("context").is_none() {
            question["context"] = place("api");
        }
        let question: Q = serde_json::from_value(question).unwrap();
        let answer = self.observer.ask(&question, self.now)?;
        Ok(json!(answer))
    }

    fn answer<Q: Asked>(&self, question: Value) -> Value {
        self.ask::<Q>(question).unwrap()
    }

    /// Why a question is not answered.
    fn refusal<Q: Asked>(&self, question: Value) -> (ErrorKind, String) {
        let error = self.ask::<Q>(question).unwrap_err();
        (error.kind(), error.to_string())
    }

    fn found(&self, query: &str) -> Vec<String> {
        previews(&self.answer::<super::requests::Search>(json!({"query": query})))
    }

    /// All bytes of the file and of what is beside it.
    fn bytes(&self) -> Vec<u8> {
        self.observer.finish();
        let entries = std::fs::read_dir(self.folder.path()).unwrap().flatten();
        entries
            .flat_map(|entry| std::fs::read(entry.path()).unwrap())
            .collect()
    }
}

/// What a hook tells at a time.
fn noted(timestamp: i64, event: Value) -> PastEvent {
    let event = serde_json::from_value(event).unwrap();
    PastEvent { timestamp, event }
}

/// A repository, by its name.
fn place(name: &str) -> Value {
    json!({"cwd": format!("/work/{name}"), "root": format!("/work/{name}"),
        "repo": format!("git@github.com:acme/{name}.git"), "branch": "main"})
}

fn previews(found: &Value) -> Vec<String> {
    let found = each(&found["observations"], "content_preview");
    found
        .iter()
        .map(|it| it.as_str().unwrap().to_owned())
        .collect()
}

/// What a field says of each in a list.
fn each(list: &Value, field: &str) -> Vec<Value> {
    let list = list.as_array().unwrap().iter();
    list.map(|one| one[field].clone()).collect()
}

/// The same as a context.
fn context(name: &str) -> Context {
    serde_json::from_value(place(name)).unwrap()
}
