//! What was learned by one manager of packages, once the project has another.

use nudge::Nudge;
use serde_json::{Value, json};

use super::{Stage, event};
use crate::projects::MadeUp;

/// A stage with a project that has a lock file of pnpm.
fn stage() -> Stage {
    let by_pnpm = MadeUp(&[("build", "pnpm run build"), ("test", "pnpm test")]);
    let nudge = Nudge::default().with_projects(by_pnpm);
    Stage { nudge }
}

#[test]
fn the_same_script_is_told_by_the_manager_whose_lock_file_is_there() {
    let stage = stage();
    let context =
        json!({"cwd": "/work/api", "root": "/work/api", "repo": "git:acme/api", "branch": "main"});
    for command in ["yarn run build", "npx vitest run"] {
        let mut ran = event("after_command", command);
        (ran["exit_code"], ran["context"]) = (json!(0), context.clone());
        stage.react(&ran);
    }
    let mut start = event("session_start", "");
    (start["session"], start["context"]) = (json!("s2"), context);
    let told = stage.react(&start)["text"].as_str().unwrap().to_owned();
    assert!(told.contains("build: `pnpm run build`"), "{told}");
    // Another command is no spelling of it.
    assert!(told.contains("test: `npx vitest run`"), "{told}");
}

#[test]
fn a_command_is_told_elsewhere_as_it_runs_there_or_not_at_all() {
    let stage = stage();
    let at = |folder: &str, mut event: Value| {
        event["context"] = json!({"cwd": format!("/work/api{folder}"), "root": "/work/api", "repo": "git:acme/api", "branch": "main"});
        stage.react(&event)["text"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    for command in ["make lint", "pnpm test"] {
        let mut ran = event("after_command", command);
        ran["exit_code"] = json!(0);
        at("", ran);
    }
    // It has no manifest: make looks for none above, and pnpm does.
    let told = at("/docs/guide", event("session_start", ""));
    assert!(told.contains("lint: `make -C ../.. lint`"), "{told}");
    assert!(told.contains("test: `pnpm test`"), "{told}");
    // Another package has its own.
    assert_eq!(at("/web", event("session_start", "")), "");
}

#[test]
fn who_only_looks_begins_no_session() {
    let stage = stage();
    let lines = |session: Value| {
        let mut start = event("session_start", "");
        start["session"] = session;
        start["context"] = json!({"cwd": "/work/api", "root": "/work/api", "repo": "git:acme/api"});
        let told = stage.react(&start)["text"].take();
        told.as_str().unwrap_or_default().lines().count()
    };
    let told = [Value::Null, Value::Null, json!("s1")].map(lines);
    assert_eq!(told, [3; 3]);
}
