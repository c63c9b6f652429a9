//! What is known of runs, with observations off.

use std::cell::Cell;

use serde_json::json;

use crate::kept::Desk;
use crate::process::until;
use crate::says::Says;

#[test]
fn what_helped_and_what_cannot_run_is_known_to_the_next_server_without_observations() {
    let desk = Desk::bare();
    let api = desk.repository("api", &[]);
    desk.starts(&api, "s0");
    let failed = |session: &str, command: &str, error: &str| {
        desk.failed(&api, session, command, &format!("Exit code 1\n{error}"))
    };
    let unlinked = "error: linker `mold` not found anywhere";
    for session in ["s1", "s2"] {
        assert_eq!(failed(session, "./link.sh", unlinked), "");
        desk.ran(&api, session, "make mold");
        desk.ran(&api, session, "./link.sh");
    }
    let missing = "error: unrecognized subcommand 'bun'";
    failed("s1", "rtk bun x", missing);
    desk.types(&api, "restart");
    let helped = "Nudge: [seen 2×] after this error, `make mold` helped here";
    assert_eq!(failed("s3", "./link.sh", unlinked), helped);
    let before = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "rtk bun x"}});
    let warned = desk.event(&api, "s6", &before);
    let expected = "Nudge: `rtk bun x` could not run in an earlier session here";
    assert_eq!(warned, expected);
    let listed = desk.ends(&api, "ls --pitfalls").1;
    assert_eq!(listed, "`rtk bun x` could not run in 1 session\n");
    // What is known of a kind is told with its hint.
    let missing = "npm error Missing script: \"test\"";
    failed("s1", "npm run test", missing);
    desk.types(&api, "set api test 'make check'");
    let why = desk.types(&api, "why api test");
    why.says("`npm test` could not run in 1 session\n");
    desk.types(&api, "delete --pitfall 'npm test'");
    desk.types(&api, "delete api test");
    // A repository that has another name takes them along.
    let store = desk.repository("store", &[]);
    let names = ["git:github.com/acme/api", "git:github.com/acme/store"];
    let there = || desk.ends(&store, "ls --pitfalls").1;
    assert_eq!(there(), "nothing is known not to run here\n");
    desk.types(&api, "set api linker 'make mold'");
    desk.printed(&api, &["mv", "--repo", names[0], names[1]]);
    assert_eq!(there(), listed);
    desk.printed(&api, &["mv", "--repo", names[1], names[0]]);
    let forgotten = desk.types(&api, "delete --pitfall 'rtk bun x'");
    forgotten.says("no agent is warned of it any more");
    assert_eq!(desk.event(&api, "s4", &before), "");
    // What the user deletes is gone from them, too.
    desk.types(&api, "delete api linker");
    let session = Cell::new(10);
    until("what held the value is forgotten", || {
        session.set(session.get() + 1);
        let session = format!("s{}", session.get());
        failed(&session, "./link.sh", unlinked).is_empty()
    });
    // Of what others did nothing else is told at a start.
    assert_eq!(desk.starts(&desk.repository("web", &[]), "s5"), "");
}
