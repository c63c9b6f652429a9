//! 5,000 hints, four variants a slot, of which one applies where the servers run.

use std::path::Path;

use serde_json::{Value, json};

use crate::Outcome;
use crate::process::Process;

const COMPONENTS: usize = 25;
const KEYS: usize = 50;

/// How many hints there are.
pub(crate) const HINTS: usize = COMPONENTS * KEYS * VARIANTS.len();

/// The branch and the system of each variant of a slot.
const VARIANTS: [(&str, &str); 4] = [
    ("dev", "linux"),
    ("dev", "darwin"),
    ("main", "linux"),
    ("release/*", "windows"),
];

/// The slots in an order without pattern.
pub(crate) fn slots() -> impl Iterator<Item = (String, String)> {
    let all = COMPONENTS * KEYS;
    // A prime that does not divide their number, so that each comes once.
    (0..all)
        .map(move |number| number * 7919 % all)
        .map(|slot| names(slot / KEYS, slot % KEYS))
}

fn names(component: usize, key: usize) -> (String, String) {
    (format!("service-{component:04}"), format!("task-{key:02}"))
}

/// What a get asks for, where the process is the context.
pub(crate) fn asked(component: &str, key: &str) -> Value {
    json!({"component": component, "key": key})
}

/// The same with the context stated, where there is no process to ask.
pub(crate) fn asked_from(component: &str, key: &str, cwd: &Path) -> Value {
    json!({
        "component": component,
        "key": key,
        "context": {"cwd": cwd, "branch": "dev", "os": "linux"},
    })
}

fn value(component: &str, key: &str) -> String {
    format!("docker compose -f deploy/{component}.yml build {key} --pull --progress=plain")
}

fn reason(number: usize) -> String {
    format!("the image of step {number} is rebuilt whenever its base changes")
}

/// The arguments that set each hint.
fn hints() -> impl Iterator<Item = Value> {
    let numbers = 0..HINTS;
    numbers.map(|number| {
        let slot = number / VARIANTS.len();
        let (component, key) = names(slot / KEYS, slot % KEYS);
        let (branch, os) = VARIANTS[number % VARIANTS.len()];
        json!({
            "component": component,
            "key": key,
            "value": value(&component, &key),
            "meta": {
                "reason": reason(number),
                "tags": ["build", format!("rare-{:02}", number % 100)],
                "priority": 1 + number % 10,
                "confidence": 0.8,
                "scope": {"cwd_glob": "**/platform*", "branch": branch, "os": os},
            },
        })
    })
}

/// Gives all hints to a server.
pub(crate) fn fill(server: &mut Process) -> Outcome<()> {
    for hint in hints() {
        server.call("nudge_set_hint", &hint)?;
    }
    Ok(())
}
