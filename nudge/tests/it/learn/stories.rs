//! What holds however much there is: the budget of a start, a place among many, a full disk.

use nudge::{Caller, Context, Error, ErrorKind, GetHint, Nudge, PromptBlock, SetContext};
use serde_json::{Value, json};

use super::{Stage, event};

/// The session of [`event`].
const WORKER: Caller<'_> = Caller::agent("claude-code/2.1")
    .session("s1")
    .repo("git:acme/api");

fn ended(command: &str, ok: bool) -> Value {
    let mut sent = event("after_command", command);
    sent["ok"] = json!(ok);
    sent
}

fn started(reason: &str, budget: i64) -> Value {
    let mut sent = event("session_start", "");
    sent["reason"] = json!(reason);
    sent["budget"] = json!(budget);
    sent
}

#[test]
fn no_start_takes_more_than_its_budget_and_one_after_a_compaction_twice_that() {
    let stage = Stage::new();
    for number in 0..40 {
        let value = format!("make target-{number}");
        stage.set(json!({"component": "api", "key": format!("key{number}"), "value": value}));
    }
    let files: Vec<String> = (0..10).map(|number| format!("src/{number}.rs")).collect();
    stage
        .nudge
        .ask(&WORKER, SetContext::new("files", files))
        .unwrap();
    let length = |reason: &str, budget: i64| {
        let reaction = stage.react(&started(reason, budget));
        reaction
            .get("text")
            .and_then(Value::as_str)
            .map_or(0, str::len)
    };
    for budget in [1, 10, 60, 100, 200] {
        let most = usize::try_from(budget).unwrap() * PromptBlock::BYTES_A_TOKEN;
        assert!(length("startup", budget) <= most, "{budget}");
        assert!(length("resume", budget) <= most, "{budget}");
        assert!(length("compact", budget) <= 2 * most, "{budget}");
    }
    assert!(length("compact", 100) > length("resume", 100) + 200);
}

#[test]
fn a_folder_whose_name_is_a_pattern_is_learned_as_that_folder_alone() {
    let stage = Stage::new();
    let at = |folder: &str| {
        let here = Context::new().cwd(format!("/work/api/{folder}"));
        here.root("/work/api").repo("git:acme/api").branch("main")
    };
    let mut sent = ended("ninja", true);
    sent["context"] = serde_json::to_value(at("(app)/[slug]*")).unwrap();
    let did = stage.react(&sent)["did"].take();
    assert_eq!(did, json!([{"learned": "[slug]*/build"}]));
    let known = |folder: &str| {
        let get = GetHint::new("[slug]*", "build").context(at(folder));
        stage.nudge.get_hint(get).is_ok()
    };
    assert!(known("(app)/[slug]*") && known("(app)/[slug]*/src"));
    assert!(!known("(app)/s2") && !known(""));
}

#[test]
fn an_event_that_fails_to_be_counted_is_answered() {
    let stage = Stage {
        nudge: Nudge::default()
            .with_sink(|_: &[nudge::Change]| Err(Error::new(ErrorKind::Unavailable, "full"))),
    };
    assert_eq!(stage.react(&ended("make", false)), json!({}));
    assert_eq!(stage.react(&ended("ninja", true)), json!({}));
}

#[test]
fn a_place_is_known_among_many_others() {
    let stage = Stage::new();
    for number in 0..150 {
        let meta = json!({"scope": {"repo": "git:acme/api"}, "priority": 9});
        let hint = json!({"component": format!("c{number}"), "key": "build", "value": "npm run build", "meta": meta});
        stage.set(hint);
    }
    stage.set(json!({"component": "api", "key": "build", "value": "make -j4"}));
    let reaction = stage.react(&event("before_command", "ninja"));
    assert_eq!(reaction["did"], json!([{"offered": "api/build"}]));
}
