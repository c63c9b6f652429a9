//! The tables: which step a command takes, and what follows from events.

use nudge::{Bump, Outcome};
use serde_json::{Value, json};

use super::{Stage, event};

/// Events, and what follows from each.
const EVENTS: [(&str, &str); 3] = [
    (
        "before.json",
        include_str!("../../../../tests/hooks/before.json"),
    ),
    (
        "after.json",
        include_str!("../../../../tests/hooks/after.json"),
    ),
    (
        "learn.json",
        include_str!("../../../../tests/hooks/learn.json"),
    ),
];

#[test]
fn what_follows_from_events_is_what_the_tables_say() {
    let mut wrong = Vec::new();
    for (name, text) in EVENTS {
        let table: Value = serde_json::from_str(text).unwrap();
        for case in table.as_array().unwrap() {
            if let Err(words) = play(case) {
                wrong.push(format!("{name}: {}: {words}", case["name"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Plays a case: its hints are set and used, and then its events are reaction. An
/// event says what it expects as `text` and `did`; what it does not say is silence.
fn play(case: &Value) -> Result<(), String> {
    let stage = Stage::new();
    for hint in case["hints"].as_array().unwrap() {
        set(&stage, hint.clone());
    }
    for step in case["events"].as_array().unwrap() {
        let mut step = step.as_object().unwrap().clone();
        if let Some(at) = step.remove("at") {
            stage.at(at.as_str().unwrap());
        }
        let expected = json!({"text": step.remove("text"), "did": step.remove("did")});
        let command = step
            .get("command")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let what = step.get("event").and_then(Value::as_str).unwrap();
        let mut sent = event(what, command);
        sent.as_object_mut().unwrap().extend(step.clone());
        let reaction = stage.react(&sent);
        let got = json!({"text": reaction.get("text"), "did": reaction.get("did")});
        if got != expected {
            return Err(format!("{}\n   got {got}\n  want {expected}", json!(step)));
        }
    }
    let waiting = stage
        .nudge
        .list_proposals(nudge::ListProposals::default())
        .unwrap();
    let waiting = serde_json::to_value(waiting.proposals).unwrap();
    match case.get("proposals") {
        Some(wanted) => contains(&waiting, wanted),
        None => Ok(()),
    }
}

/// Sets a hint; `used` and `failed` say how often.
fn set(stage: &Stage, mut hint: Value) {
    let fields = hint.as_object_mut().unwrap();
    let mut take = |name: &str| {
        fields
            .remove(name)
            .and_then(|count| u32::try_from(count.as_u64()?).ok())
    };
    let counts = [(take("used"), Outcome::Ok), (take("failed"), Outcome::Fail)];
    let (component, key) = (fields["component"].clone(), fields["key"].clone());
    let (component, key) = (component.as_str().unwrap(), key.as_str().unwrap());
    stage.set(hint.clone());
    for (count, outcome) in counts {
        if let Some(count) = count {
            let bump = Bump::new(component, key).delta(count).outcome(outcome);
            stage.nudge.bump(bump).unwrap();
        }
    }
}

/// Whether a value has all that another one names.
fn contains(value: &Value, wanted: &Value) -> Result<(), String> {
    let holds = match (value, wanted) {
        (Value::Array(values), Value::Array(wanted)) => {
            values.len() == wanted.len()
                && values
                    .iter()
                    .zip(wanted)
                    .all(|(value, wanted)| contains(value, wanted).is_ok())
        }
        (Value::Object(fields), Value::Object(wanted)) => wanted.iter().all(|(name, wanted)| {
            fields
                .get(name)
                .is_some_and(|value| contains(value, wanted).is_ok())
        }),
        _ => value == wanted,
    };
    holds
        .then_some(())
        .ok_or(format!("got {value}\n  want {wanted}"))
}
