//! What is known of runs, with observations off.

use std::cell::Cell;

use serde_json::json;

use crate::kept::Desk;
use crate::process::until;

#[test]
fn what_helped_and_what_cannot_run_is_known_to_the_next_server_without_observations() {
    let desk = Desk::bare();
    let api = desk.repository("api", &[]);
    desk.starts(&api, "s0");
    let failed = |command: &str, error: &str| {
        json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
            "tool_input": {"command": command}, "error": format!("Exit code 1\n{error}")})
    };
    let unlinked = failed("./link.sh", "error: linker `mold` not found anywhere");
    for session in ["s1", "s2"] {
        assert_eq!(desk.event(&api, session, &unlinked), "");
        desk.ran(&api, session, "make mold");
        desk.ran(&api, session, "./link.sh");
    }
    let missing = failed("rtk bun x", "error: unrecognized subcommand 'bun'");
    desk.event(&api, "s1", &missing);
    assert!(desk.run(&api, &["restart"]).status.success());
    let helped = "Nudge: [seen 2×] after this error, `make mold` helped here";
    assert_eq!(desk.event(&api, "s3", &unlinked), helped);
    let before = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "rtk bun x"}});
    let warned = desk.event(&api, "s6", &before);
    assert_eq!(
        warned,
        "Nudge: `rtk bun x` could not run in an earlier session here"
    );
    let said = |words: &[&str]| {
        let output = desk.run(&api, words);
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let listed = said(&["ls", "--pitfalls"]);
    assert_eq!(listed, "`rtk bun x` could not run in 1 session\n");
    // What is known of a kind is told with its hint.
    desk.event(
        &api,
        "s1",
        &failed("npm run test", "npm error Missing script: \"test\""),
    );
    desk.run(&api, &["set", "api", "test", "make check"]);
    let why = said(&["why", "api", "test"]);
    assert!(
        why.ends_with("`npm test` could not run in 1 session\n"),
        "{why}"
    );
    said(&["delete", "--pitfall", "npm test"]);
    said(&["delete", "api", "test"]);
    // A repository that has another name takes them along.
    let store = desk.repository("store", &[]);
    let names = ["git:github.com/acme/api", "git:github.com/acme/store"];
    assert_eq!(
        desk.run(&store, &["ls", "--pitfalls"]).stdout,
        b"nothing is known not to run here\n"
    );
    desk.run(&api, &["set", "api", "linker", "make mold"]);
    desk.run(&api, &["mv", "--repo", names[0], names[1]]);
    assert_eq!(
        desk.run(&store, &["ls", "--pitfalls"]).stdout,
        listed.as_bytes()
    );
    desk.run(&api, &["mv", "--repo", names[1], names[0]]);
    let forgotten = said(&["delete", "--pitfall", "rtk bun x"]);
    assert!(
        forgotten.contains("no agent is warned of it any more"),
        "{forgotten}"
    );
    assert_eq!(desk.event(&api, "s4", &before), "");
    // What the user deletes is gone from them, too.
    desk.run(&api, &["delete", "api", "linker"]);
    let session = Cell::new(10);
    until("what held the value is forgotten", || {
        session.set(session.get() + 1);
        let session = format!("s{}", session.get());
        desk.event(&api, &session, &unlinked).is_empty()
    });
    // Of what others did nothing else is told at a start.
    assert_eq!(desk.starts(&desk.repository("web", &[]), "s5"), "");
}
