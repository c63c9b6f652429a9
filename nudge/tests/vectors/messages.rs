//! Every sentence that a person can read, to be read by one in `tests/conformance/messages`.
//!
//! A line with `#` opens an empty store, one with `>` makes a call, and below it stands what comes
//! of that: the refusal and what else is not met, or the reasons for the hint that is returned.
//! `UPDATE=1` writes down what is said now.

use std::{env, fs};

use nudge::{Error, Import, Nudge, Operation, from_json};
use serde_json::Value;

use super::driver::{file, vector::Params};
use super::rust::caller;

/// What calls have by a name: the hint that most are about, another place, and a credential.
const NAMES: [(&str, &str); 3] = [
    ("SLOT", r#""component": "api", "key": "build""#),
    (
        "ELSEWHERE",
        r#"{"cwd": "/work/http-proxy/src", "repo": "git:acme/web", "branch": "main", "os": "windows", "env": {"MODE": "prod"}}"#,
    ),
    (
        "SECRET",
        r#"{"$join": ["ghp_", {"$repeat": ["a1B2c3D4e", 4]}]}"#,
    ),
];

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "who runs the test says that it is to be written"
)]
fn every_sentence_is_as_written_down() {
    for topic in ["reasons", "refusals", "scopes", "wire"] {
        let path = file(&format!("messages/{topic}.txt"));
        let text = fs::read_to_string(&path).unwrap();
        let today = replayed(&text);
        if env::var_os("UPDATE").is_some_and(|update| update == "1") {
            fs::write(path, today).unwrap();
        } else {
            let mut lines = today.lines().zip(text.lines());
            let differs = lines.find(|(today, then)| today != then);
            assert!(today == text, "{topic}.txt: {differs:?}");
        }
    }
}

/// A file as it is when its calls are made now.
fn replayed(text: &str) -> String {
    let mut store = Store::open("{}");
    let mut today = String::new();
    for line in text.lines().filter(|line| !line.starts_with("  ")) {
        today = today + line + "\n";
        if line.starts_with("# ") {
            store = Store::open("{}");
        } else if let Some(call) = line.strip_prefix("> ") {
            let said = store.said(call).into_iter();
            today.extend(said.map(|said| format!("  {said}\n")));
        }
    }
    today
}

struct Store {
    nudge: Nudge,
    caller: String,
}

impl Store {
    fn open(config: &str) -> Store {
        let nudge = Nudge::new(from_json(config.as_bytes()).unwrap());
        nudge.pin_clock(Some("2025-11-04T10:00:00Z")).unwrap();
        let caller = "user".to_owned();
        Store { nudge, caller }
    }

    /// What is said to a call, line by line.
    fn said(&mut self, call: &str) -> Vec<String> {
        let (method, text) = call.split_once(' ').unwrap();
        let named = |text: String, (name, meant): (&str, &str)| text.replace(name, meant);
        let text = NAMES.into_iter().fold(text.to_owned(), named);
        // Some of it is no JSON.
        let built = serde_json::from_str(&text).map(|built: Params| built.value.to_string());
        let params = built.unwrap_or_else(|_| text.clone());
        let answer = match method {
            "open" => {
                *self = Store::open(&params);
                return Vec::new();
            }
            "as" => {
                self.caller = text;
                return Vec::new();
            }
            "at" => self.nudge.pin_clock(Some(&text)).map(|()| Value::Null),
            "read" => {
                let import = Import::new(text).replace();
                self.nudge.import(import).map(|_| Value::Null)
            }
            method => {
                let operation = Operation::named(&format!("nudge.{method}")).unwrap();
                let (by, mut answer) = (caller(&self.caller), Vec::new());
                let called = self
                    .nudge
                    .call(&by, operation, params.as_bytes(), &mut answer);
                called.map(|()| serde_json::from_slice(&answer).unwrap())
            }
        };
        answer.map_or_else(|error| refusal(&error), |answer| reasons(&answer))
    }
}

fn reasons(answer: &Value) -> Vec<String> {
    let reasons = answer["match_explain"]["reasons"].as_array();
    let reasons = reasons.into_iter().flatten();
    reasons
        .map(|one| one.as_str().unwrap().to_owned())
        .collect()
}

/// A sentence in one line, and the near misses besides the first, which it tells of.
fn refusal(error: &Error) -> Vec<String> {
    let message = error.to_string();
    let is_sentence = !message.starts_with(char::is_uppercase)
        && !message.ends_with(['.', '!', ' '])
        && !message.contains(". ")
        && !message.contains(char::is_control);
    assert!(is_sentence, "{message:?}");
    let mut said = vec![message];
    for miss in error.data().near_misses.iter().skip(1) {
        let [actual, fix] = [&miss.actual, &miss.fix].map(|it| it.as_deref().unwrap_or("-"));
        let (condition, expected) = (&miss.condition, &miss.expected);
        said.push(format!("  - {condition}: {expected:?}, {actual}, {fix}"));
    }
    said
}
