//! A PRIMARY that does not answer is named, and can be ended.

use nudge_client::platform::is_portable;
use rustix::process::Signal;
use serde_json::json;

use super::{command, keys, kill_primary, member, nudge, primary, printed, set};
use crate::process::kill;

#[test]
fn a_primary_that_was_stopped_is_named_and_ended_by_force() {
    let runtime = crate::process::folder();
    let mut host = member(runtime.path());
    set(&mut host, "build", "make");
    let pid = primary(runtime.path());
    kill(pid, Signal::STOP);
    let output = nudge(runtime.path(), &["get", "faults", "build"]);
    let said = String::from_utf8(output.stderr).unwrap();
    let who = if is_portable() {
        String::new()
    } else {
        format!(", process {pid},")
    };
    let words = format!("the server{who} does not answer; end it with `nudge stop --force`\n");
    assert_eq!((said, output.status.code()), (words, Some(3)));
    let said = host.request("nudge.query", json!({}));
    assert_eq!(said["error"]["data"]["reason"], "E_UNAVAILABLE", "{said}");
    // Nobody takes its place, and nobody ends it unasked.
    assert_eq!(primary(runtime.path()), pid);
    if is_portable() {
        // A number in a file is for the user to believe.
        let refused = nudge(runtime.path(), &["stop", "--force"]);
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(said.contains(&format!("`kill -KILL {pid}`")), "{said}");
        assert_eq!(refused.status.code(), Some(3));
        kill_primary(runtime.path());
        assert_eq!(keys(&mut host), ["build"]);
        return;
    }
    let said = printed(runtime.path(), &["stop", "--force"]);
    assert_eq!(said, "✔ stopped\n");
    assert!(keys(&mut host).is_empty());
    printed(runtime.path(), &["restore"]);
    assert_eq!(keys(&mut host), ["build"]);
}

#[test]
fn an_agent_does_not_use_force() {
    let runtime = crate::process::folder();
    let mut host = member(runtime.path());
    set(&mut host, "build", "make");
    let mut stop = command(runtime.path(), &["stop", "--force"]);
    let output = stop.env("CLAUDECODE", "1").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    let is_told = said.contains("CLAUDECODE") && said.contains("only the user");
    assert!(is_told, "{said}");
    assert_eq!(keys(&mut host), ["build"]);
}
