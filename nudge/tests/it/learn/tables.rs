//! The tables: which step a command takes, and what follows from events.

use std::sync::Arc;

use nudge::{Bump, Context, DeleteHint, GetHint, Outcome};
use serde_json::{Value, json};

use self::compare::has_difference;
use super::{Stage, event, written};

#[path = "../../vectors/driver/compare.rs"]
mod compare;

/// Commands that a hook saw end, and what is known afterwards.
const LESSONS: &str = include_str!("../../../../tests/hooks/learn.json");

/// Events, and what follows from each.
const EVENTS: [(&str, &str); 4] = [
    (
        "before.json",
        include_str!("../../../../tests/hooks/before.json"),
    ),
    (
        "after.json",
        include_str!("../../../../tests/hooks/after.json"),
    ),
    (
        "heeded.json",
        include_str!("../../../../tests/hooks/heeded.json"),
    ),
    (
        "remind.json",
        include_str!("../../../../tests/hooks/remind.json"),
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

#[test]
fn what_is_known_after_commands_is_what_the_table_says() {
    let table: Value = serde_json::from_str(LESSONS).unwrap();
    let wrong = table.as_array().unwrap().iter().filter_map(|case| {
        let words = learned(case).err()?;
        Some(format!("{}: {words}", case["name"]))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Commands as CI runs them, in the folders of a monorepo whose components each have hints of
/// their own; and which of these is told before each, if any.
#[test]
fn in_a_monorepo_a_command_is_contradicted_by_what_is_for_its_folder() {
    let text = include_str!("../../../../tests/hooks/monorepo.json");
    let table: Value = serde_json::from_str(text).unwrap();
    let stage = Stage::new();
    for hint in table["hints"].as_array().unwrap() {
        let component = hint[0].as_str().unwrap().rsplit('/').next();
        let scope = json!({"repo": "git:acme/shop"});
        stage.set(json!({"component": component, "key": hint[1], "value": hint[2], "meta": {"scope": scope}}));
    }
    let rows = table["rows"].as_array().unwrap();
    let wrong = rows.iter().enumerate().filter_map(|(number, row)| {
        let (folder, command) = (row[0].as_str().unwrap(), row[1].as_str().unwrap());
        let mut sent = event("before_command", command);
        sent["session"] = json!(number.to_string());
        let cwd = format!("/work/shop/{folder}");
        sent["context"] = json!({"cwd": cwd, "root": "/work/shop", "repo": "git:acme/shop"});
        let told = stage.react(&sent)["did"][0]["offered"].clone();
        let key = told.as_str().map(|told| told.rsplit('/').next().unwrap());
        (row[2].as_str() != key).then(|| format!("{row} was told {told}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs the commands of a case, each as `[session, branch, command, status, output]`, and
/// looks what a get from each branch answers for each key then.
fn learned(case: &Value) -> Result<(), String> {
    let stage = Stage::new();
    for hint in case["hints"].as_array().into_iter().flatten() {
        set(&stage, hint.clone());
    }
    for run in case["runs"].as_array().unwrap() {
        if let Some(key) = run["delete"].as_str() {
            let delete = DeleteHint::new("api", key).context(on("main"));
            stage.nudge.delete_hint(delete).unwrap();
            continue;
        }
        let mut sent = event("after_command", run[2].as_str().unwrap());
        sent["session"] = run[0].clone();
        sent["context"] = serde_json::to_value(on(run[1].as_str().unwrap())).unwrap();
        sent["exit_code"] = json!(run[3].as_i64().unwrap_or_default());
        sent["output"] = run[4].clone();
        stage.react(&sent);
    }
    for (branch, keys) in case["known"].as_object().unwrap() {
        for (key, value) in keys.as_object().unwrap() {
            let get = GetHint::new("api", key.as_str()).context(on(branch));
            let got = stage.nudge.get_hint(get).ok();
            if let (Some(most), Some(got)) = (case["failures"].as_u64(), &got) {
                assert!(got.hint.fail_count <= most);
            }
            let got = got.map(|got| got.hint.value.text().into_owned());
            holds(&json!(got), value).map_err(|words| format!("{key} on `{branch}`: {words}"))?;
        }
    }
    wait(&stage, case)
}

/// Where the commands are run.
fn on(branch: &str) -> Context {
    let here = Context::new()
        .cwd("/work/api")
        .root("/work/api")
        .repo("git:acme/api");
    match branch {
        "" => here,
        _ => here.branch(branch),
    }
}

/// Whether those wait that a case says.
fn wait(stage: &Stage, case: &Value) -> Result<(), String> {
    let waiting = stage.nudge.list_proposals(nudge::ListProposals::default());
    let waiting = serde_json::to_value(waiting.unwrap().proposals).unwrap();
    match case.get("proposals") {
        Some(wanted) => holds(&waiting, wanted),
        None => Ok(()),
    }
}

/// Plays a case: its hints are set and used, and then its events are told. An event says what it
/// expects as `text`, `did` and `held`, and what it does not say is silence; a case may say what
/// is written down of that.
fn play(case: &Value) -> Result<(), String> {
    let (stage, written) = match case.get("written") {
        Some(_) => written(),
        None => (Stage::new(), Arc::default()),
    };
    for hint in case["hints"].as_array().unwrap() {
        set(&stage, hint.clone());
    }
    for step in case["events"].as_array().unwrap() {
        let mut step = step.as_object().unwrap().clone();
        if let Some(at) = step.remove("at") {
            stage.at(at.as_str().unwrap());
        }
        let [text, did, held] = ["text", "did", "held"].map(|name| step.remove(name));
        let expected = json!([text, did, held]);
        let command = step
            .get("command")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let what = step.get("event").and_then(Value::as_str).unwrap();
        let mut sent = event(what, command);
        sent.as_object_mut().unwrap().extend(step.clone());
        let reaction = stage.react(&sent);
        let got = json!(["text", "did", "hold_back"].map(|name| reaction.get(name)));
        if got != expected {
            return Err(format!("{}\n   got {got}\n  want {expected}", json!(step)));
        }
    }
    let lines = json!(*written.lines.lock().unwrap());
    if *case.get("written").unwrap_or(&lines) != lines {
        return Err(format!("it is written down: {lines}"));
    }
    wait(&stage, case)
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

/// Whether a value has all that another one names, by the rule of the vectors.
fn holds(value: &Value, wanted: &Value) -> Result<(), String> {
    has_difference(wanted, value).map_or(Ok(()), Err)
}
