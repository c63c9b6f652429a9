//! What a command rests on, and what became of it.

use nudge::{Anchor, AnchorState, Projects};
use serde_json::json;

use super::Project;

fn anchors(project: &Project, folder: &str, command: &str) -> Vec<Anchor> {
    project.files.anchors(project.root(), folder, command)
}

fn states(project: &Project, anchors: &[Anchor]) -> Vec<AnchorState> {
    project.files.states(project.root(), anchors)
}

fn gone(near: Option<&str>) -> AnchorState {
    AnchorState::Gone {
        near: near.map(str::to_owned),
    }
}

#[test]
fn a_script_rests_on_its_body_and_on_the_lock_file() {
    let project = Project::of(&[
        ("web/package.json", r#"{"scripts": {"test": "test"}}"#),
        ("pnpm-lock.yaml", ""),
    ]);
    let found = anchors(&project, "web", "pnpm test");
    let expected = json!([
        {"at": "web/package.json#scripts.test", "slice": "9f86d081884c7d65"},
        {"at": "pnpm-lock.yaml"},
        {"at": "yarn.lock", "is": "absent"},
        {"at": "bun.lock", "is": "absent"},
    ]);
    assert_eq!(serde_json::to_value(&found).unwrap(), expected);
    let holds = AnchorState::Holds;
    assert_eq!(states(&project, &found), vec![holds.clone(); 4]);

    project.write("web/package.json", r#"{"scripts": {"test": "other"}}"#);
    project.write("yarn.lock", "");
    let changed = AnchorState::Changed;
    assert_eq!(
        states(&project, &found),
        [changed.clone(), holds.clone(), changed, holds]
    );

    project.write("web/package.json", r#"{"scripts": {"test:unit": "x"}}"#);
    assert_eq!(states(&project, &found)[0], gone(Some("test:unit")));
    std::fs::remove_file(project.path("web/package.json")).unwrap();
    std::fs::remove_file(project.path("pnpm-lock.yaml")).unwrap();
    assert_eq!(
        states(&project, &found)[..2],
        [AnchorState::Unknown, AnchorState::Unknown]
    );
}

#[test]
fn every_runner_has_its_anchor() {
    let project = Project::of(&[
        ("Makefile", "build:\n\tx\n"),
        ("justfile", "x:\n"),
        ("tox.ini", "[testenv:lint]\n"),
        ("noxfile.py", "@nox.session\ndef tests(s):\n  1\n"),
        ("Taskfile.yml", "tasks:\n  build:\n    cmds: []\n"),
        ("mise.toml", "[tasks]\nx = 'y'\n"),
        ("scripts/test.sh", ""),
    ]);
    for (command, at) in [
        ("make build", "Makefile#build"),
        ("just x", "justfile#x"),
        ("tox -e lint", "tox.ini#testenv:lint"),
        ("nox -s tests", "noxfile.py#tests"),
        ("task build", "Taskfile.yml#build"),
        ("mise run x", "mise.toml#tasks.x"),
        ("bash scripts/test.sh", "scripts/test.sh"),
    ] {
        let found = anchors(&project, "", command);
        assert_eq!(found.len(), 1, "{command}");
        assert_eq!(found[0].at, at);
        assert_eq!(found[0].slice.is_some(), at.contains('#'), "{command}");
        assert_eq!(states(&project, &found), [AnchorState::Holds], "{command}");
    }
    for command in [
        "make gone",
        "cargo test",
        "npm test",
        "ls",
        "scripts/gone.sh",
    ] {
        assert_eq!(anchors(&project, "", command), [], "{command}");
    }
}

#[test]
fn what_an_anchor_says_leads_nowhere_else() {
    let project = Project::of(&[("Makefile", "build:\n"), ("scripts/a.sh", "")]);
    for (at, expected) in [
        ("../Makefile#build", AnchorState::Unknown),
        ("/etc/passwd#root", AnchorState::Unknown),
        ("/etc/passwd", AnchorState::Unknown),
        ("README.md#x", AnchorState::Unknown),
        ("", AnchorState::Holds),
        ("#", AnchorState::Unknown),
        ("Makefile", AnchorState::Holds),
        ("Makefile#", gone(None)),
        ("Makefile#biuld", gone(Some("build"))),
        ("scripts/b.sh", gone(Some("a.sh"))),
        ("old/scripts/b.sh", AnchorState::Unknown),
    ] {
        let anchor: Anchor = serde_json::from_value(json!({"at": at})).unwrap();
        assert_eq!(states(&project, &[anchor]), [expected], "{at}");
    }
}

#[test]
fn branches_are_those_of_the_clone() {
    let id = "0".repeat(40);
    let project = Project::of(&[
        (".git/refs/heads/main", &id),
        (".git/refs/heads/feature/x", &id),
        (
            ".git/packed-refs",
            &format!("# pack-refs\n{id} refs/heads/old\n{id} refs/tags/v1\n"),
        ),
        (".git/worktrees/w/commondir", "../..\n"),
        (".git/worktrees/w/gitdir", "../../../w/.git\n"),
    ]);
    project.write(
        "w/.git",
        &format!("gitdir: {}/.git/worktrees/w\n", project.root()),
    );
    let worktree = project.path("w");
    for root in [project.root(), worktree.to_str().unwrap()] {
        for (branch, expected) in [
            ("main", Some(true)),
            ("feature/x", Some(true)),
            ("old", Some(true)),
            ("v1", Some(false)),
            ("feature", Some(false)),
            ("gone", Some(false)),
            ("../../HEAD", None),
            ("", None),
            ("a\nb", None),
        ] {
            assert_eq!(project.files.has_branch(root, branch), expected, "{branch}");
        }
    }
    std::fs::create_dir(project.path(".git/reftable")).unwrap();
    assert_eq!(project.files.has_branch(project.root(), "main"), None);
    assert_eq!(Project::of(&[]).files.has_branch("/nowhere", "main"), None);
}
