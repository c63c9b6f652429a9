//! The way of somebody new: install, a first hint at the terminal and one by an agent, the page,
//! and out again with nothing left; and what `make run` shows.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::conformance::adapter::file;
use crate::hooks::told;
use crate::process::{Folder, folder, nudge, signal, status, within};

/// A home with an agent in it, and a project.
struct Newcomer {
    root: Folder,
}

impl Newcomer {
    fn new() -> Newcomer {
        let root = folder();
        fs::create_dir_all(root.path().join("home/.claude")).unwrap();
        fs::create_dir_all(root.path().join("shop/.git/refs")).unwrap();
        let newcomer = Newcomer { root };
        let settings = "{\n  \"theme\": \"dark\"\n}\n";
        fs::write(newcomer.home().join(".claude/settings.json"), settings).unwrap();
        let git = newcomer.root.path().join("shop/.git");
        let remote = "[remote \"origin\"]\n\turl = https://github.com/acme/shop.git\n";
        fs::write(git.join("config"), remote).unwrap();
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        newcomer
    }

    fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// What stands where somebody types in the project.
    fn stand(&self, command: &mut Command) {
        command.current_dir(self.root.path().join("shop"));
        command.env("HOME", self.home());
        command.env("NUDGE_RUNTIME_DIR", self.root.path().join("session"));
        command.env("NUDGE_HOOK_MS", "60000");
    }

    fn types(&self, words: &[&str]) -> String {
        let mut command = nudge();
        self.stand(command.args(words));
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        assert!(output.status.success(), "{words:?}: {text}");
        text
    }

    /// What the agent's host runs when a session starts, by the settings that `nudge install` wrote.
    fn starts_session(&self) -> String {
        let settings = fs::read_to_string(self.home().join(".claude/settings.json")).unwrap();
        let settings: Value = serde_json::from_str(&settings).unwrap();
        let wired = &settings["hooks"]["SessionStart"][0]["hooks"][0]["command"];
        let mut command = Command::new("sh");
        command.args(["-c", wired.as_str().unwrap()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        self.stand(&mut command);
        let event = json!({
            "session_id": "one",
            "cwd": self.root.path().join("shop"),
            "hook_event_name": "SessionStart",
            "source": "startup",
        });
        let output = told(&mut command, event.to_string());
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the agent sets over MCP, with the server that its host starts.
    fn agent_sets(&self) {
        let entry = fs::read_to_string(self.home().join(".claude.json")).unwrap();
        let entry: Value = serde_json::from_str(&entry).unwrap();
        let server = &entry["mcpServers"]["nudge"];
        let mut command = Command::new(server["command"].as_str().unwrap());
        let words = server["args"].as_array().unwrap();
        command.args(words.iter().map(|word| word.as_str().unwrap()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        self.stand(&mut command);
        let hint = json!({"component": "shop", "key": "lint", "value": "make lint"});
        let said = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": {"name": "claude-code", "version": "2"},
            }}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                "name": "nudge_set_hint", "arguments": hint,
            }}),
        ];
        let said = said.map(|line| line.to_string()).join("\n");
        let output = told(&mut command, said + "\n");
        assert!(output.status.success(), "{output:?}");
    }
}

/// Every file below a folder, with what is in it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            all.extend(files(&entry.path()));
        } else {
            all.insert(entry.path(), fs::read(entry.path()).unwrap());
        }
    }
    all
}

#[test]
fn somebody_new_installs_it_uses_it_and_is_rid_of_it() {
    let newcomer = Newcomer::new();
    let before = files(&newcomer.home());
    newcomer.types(&["install", "claude", "--yes"]);
    newcomer.types(&["set", "shop", "test", "make test"]);
    assert_eq!(
        newcomer.types(&["get", "shop", "test", "--raw"]),
        "make test\n"
    );
    let told = newcomer.starts_session();
    assert!(told.contains("[user] shop/test: make test"), "{told}");
    newcomer.agent_sets();
    assert_eq!(
        newcomer.types(&["get", "shop", "lint", "--raw"]),
        "make lint\n"
    );
    let page = newcomer.types(&["ui", "--no-open"]);
    let page = page.trim().strip_prefix("file://").unwrap();
    assert!(fs::read_to_string(page).unwrap().contains("http"), "{page}");
    newcomer.types(&["uninstall", "--yes"]);
    newcomer.types(&["stop", "--purge"]);
    let mut after = files(&newcomer.home());
    // What somebody gave to Nudge is theirs; docs/upgrade.md names both folders.
    let is_theirs = |path: &Path| {
        path.components()
            .any(|part| part.as_os_str() == "nudge-hints")
    };
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
        assert!(shown.contains(part), "no {part} in:\n{shown}");
    }
    assert!(!shown.contains("out of scope"), "{shown}");
}
