//! What was learned by one manager of packages, once the project has another.

use nudge::{Anchor, AnchorState, FoundCommand, Nudge, Projects};
use serde_json::json;

use super::{Stage, event};

struct ByPnpm;

impl Projects for ByPnpm {
    fn folder(&self, _: &str, _: &str) -> String {
        String::new()
    }

    fn found(&self, _: &str, folder: &str) -> Vec<FoundCommand> {
        let found = |kind, command| FoundCommand::new(folder, kind, command, "package.json");
        vec![found("build", "pnpm run build"), found("test", "pnpm test")]
    }

    fn anchors(&self, _: &str, _: &str, _: &str) -> Vec<Anchor> {
        Vec::new()
    }

    fn states(&self, _: &str, anchors: &[Anchor]) -> Vec<AnchorState> {
        anchors.iter().map(|_| AnchorState::Holds).collect()
    }

    fn has_branch(&self, _: &str, _: &str) -> Option<bool> {
        Some(true)
    }

    fn knows(&self, _: &str, _: &str) -> bool {
        true
    }
}

#[test]
fn the_same_script_is_told_by_the_manager_whose_lock_file_is_there() {
    let stage = Stage {
        nudge: Nudge::default().with_projects(ByPnpm),
    };
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
