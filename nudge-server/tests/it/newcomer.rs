//! The way of somebody new: install, a first hint at the terminal and one by an agent, the page,
//! and out again with nothing left; and what `make run` shows.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::checkout::files_of;
use crate::conformance::adapter::file;
use crate::hooks::told;
use crate::kept::Desk;
use crate::mcp::host::{Ends, Host};
use crate::process::{folder, signal, status, within};
use crate::says::Says;

fn json_of(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// What the agent's host runs when a session starts, by the settings that `nudge install` wrote.
fn starts_session(desk: &Desk, cwd: &Path) -> String {
    let settings = json_of(&desk.home().join(".claude/settings.json"));
    let wired = &settings["hooks"]["SessionStart"][0]["hooks"][0]["command"];
    let mut command = desk.program("sh", cwd);
    command.args(["-c", wired.as_str().unwrap()]);
    command.stdin(Stdio::piped());
    let event = json!({"session_id": "one", "cwd": cwd, "hook_event_name": "SessionStart", "source": "startup"});
    let output = told(&mut command, event.to_string());
    String::from_utf8(output.stdout).unwrap()
}

/// What the agent sets over MCP, with the server that its host starts.
fn agent_sets(desk: &Desk, cwd: &Path, hint: Value) {
    let server = &json_of(&desk.home().join(".claude.json"))["mcpServers"]["nudge"];
    let mut command = desk.program(server["command"].as_str().unwrap(), cwd);
    let words = server["args"].as_array().unwrap();
    command.args(words.iter().map(|word| word.as_str().unwrap()));
    let mut host = Host::run(command, Ends::Pipes).opened();
    assert_eq!(host.call("nudge_set_hint", hint)["created"], true);
    assert!(host.hang_up().success());
}

#[test]
fn somebody_new_installs_it_uses_it_and_is_rid_of_it() {
    let desk = Desk::bare();
    let shop = desk.repository("shop", &[]);
    let settings = "{\n  \"theme\": \"dark\"\n}\n";
    fs::write(desk.home().join(".claude/settings.json"), settings).unwrap();
    let before = files_of(&desk.home());
    desk.types(&shop, "install claude --yes");
    desk.types(&shop, "set shop test 'make test'");
    assert_eq!(desk.types(&shop, "get shop test --raw"), "make test\n");
    let told = starts_session(&desk, &shop);
    told.says("[user] shop/test: make test");
    let hint = json!({"component": "shop", "key": "lint", "value": "make lint"});
    agent_sets(&desk, &shop, hint);
    assert_eq!(desk.types(&shop, "get shop lint --raw"), "make lint\n");
    let page = desk.types(&shop, "ui --no-open");
    let page = page.trim().strip_prefix("file://").unwrap();
    fs::read_to_string(page).unwrap().says("http");
    desk.types(&shop, "uninstall --yes");
    desk.types(&shop, "stop --purge");
    let mut after = files_of(&desk.home());
    // What somebody gave to Nudge is theirs; docs/upgrade.md names both folders.
    let is_theirs = |path: &Path| path.iter().any(|part| part == "nudge-hints");
    after.retain(|path, _| !is_theirs(path));
    assert_eq!(after, before);
}

#[test]
fn make_run_shows_a_hint_that_applies_what_an_agent_is_told_and_the_page() {
    let home = folder();
    let mut command = Command::new("sh");
    command.arg(file("examples/serve.sh"));
    command.env("NUDGE_BIN", env!("CARGO_BIN_EXE_nudge"));
    command.env("HOME", home.path()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let shown = BufReader::new(child.stdout.take().unwrap());
    let shown = within(move || {
        let mut text = String::new();
        for line in shown.lines().map(Result::unwrap) {
            text = text + &line + "\n";
            if line.starts_with("Ctrl-C") {
                break;
            }
        }
        text
    });
    signal(&child, Signal::TERM);
    assert!(status(child).success(), "{shown}");
    for part in ["make test", "[user]", "page.html", "tokens"] {
        shown.says(part);
    }
    shown.hides("out of scope");
}
