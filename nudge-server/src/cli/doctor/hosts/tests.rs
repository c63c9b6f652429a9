//! Entries of hosts, good and bad.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::install::add::{as_plugin, install};

struct Place {
    root: TempDir,
    machine: Machine,
}

impl Place {
    /// A home with Claude Code, and a binary that says it is Nudge.
    fn new() -> Place {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        for folder in ["home/.claude", "bin", "project/.git"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        let binary = script(&at("bin/nudge"), &format!("echo nudge {VERSION}"));
        let machine = Machine::made_up(&at("home"), &at("bin"), &at("project"), &binary);
        Place { root, machine }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Writes the entry of a file.
    fn entry(&self, file: &str, entry: &serde_json::Value) {
        let config = json!({"mcpServers": {"nudge": entry}});
        fs::write(self.at(file), config.to_string()).unwrap();
    }

    /// Whether this is found and nothing else, with some of its words.
    #[track_caller]
    fn finds(&self, state: State, words: &str, fix: Option<&str>) {
        let findings = look(&self.machine);
        let [found] = &findings[..] else {
            panic!("{findings:?}");
        };
        assert!(found.words.contains(words), "{}", found.words);
        assert_eq!((found.state, found.fix.as_deref()), (state, fix), "{words}");
    }
}

const INSTALL: Option<&str> = Some("nudge install claude");

/// Writes a script that can be started at once. A process of its own writes
/// it: a child of another test may still hold a file that this one had open,
/// and such a file cannot be started.
fn script(path: &Path, line: &str) -> PathBuf {
    let mut shell = Command::new("/bin/sh");
    shell.args([
        "-c",
        "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"",
        "sh",
    ]);
    assert!(shell.arg(path).arg(line).status().unwrap().success());
    path.to_owned()
}

fn starts(program: &Path) -> serde_json::Value {
    json!({"command": program, "args": ["serve"]})
}

fn claude() -> &'static Host {
    Host::named("claude").unwrap()
}

#[test]
fn what_install_writes_is_good() {
    let place = Place::new();
    for scope in [Scope::User, Scope::Project] {
        install(claude(), scope, &place.machine, false);
        place.finds(State::Good, "starts", None);
    }
}

#[test]
fn a_program_that_is_gone_or_is_no_nudge_is_bad_and_another_version_odd() {
    let place = Place::new();
    fs::create_dir(place.at("other")).unwrap();
    let program = place.at("other/nudge");
    place.entry("home/.claude.json", &starts(&program));
    place.finds(State::Bad, "is not there", INSTALL);
    fs::write(&program, "").unwrap();
    place.finds(State::Bad, "cannot be started", INSTALL);
    for line in ["echo nudge-the-other 1.0", "exit 1"] {
        script(&program, line);
        place.finds(State::Bad, "does not say that it is Nudge", INSTALL);
    }
    script(&program, "echo nudge 0.0.1");
    place.finds(State::Odd, "starts version 0.0.1", INSTALL);
}

#[test]
fn an_entry_that_names_no_folder_is_odd_where_the_host_needs_one() {
    let place = Place::new();
    place.entry("home/.claude.json", &starts(&place.at("bin/nudge")));
    place.finds(State::Good, "starts", None);
    fs::remove_dir(place.at("home/.claude")).unwrap();
    fs::create_dir(place.at("home/.cursor")).unwrap();
    place.entry("home/.cursor/mcp.json", &starts(&place.at("bin/nudge")));
    place.finds(State::Odd, "`cwd`", Some("nudge install cursor"));
}

#[test]
fn two_entries_that_start_two_programs_are_odd() {
    let place = Place::new();
    fs::create_dir(place.at("project/bin")).unwrap();
    let ran = place.at("ran");
    let line = format!("touch '{}'", ran.display());
    let theirs = script(&place.at("project/bin/nudge"), &line);
    place.entry("home/.claude.json", &starts(&place.at("bin/nudge")));
    place.entry("project/.mcp.json", &starts(&theirs));
    let fix = Some("nudge uninstall claude --scope project");
    place.finds(State::Odd, "starts", fix);
    assert!(!ran.exists(), "a program of a project was started");
}

#[test]
fn a_broken_config_is_bad_and_a_foreign_entry_odd() {
    let place = Place::new();
    fs::write(place.at("home/.claude.json"), "{").unwrap();
    place.finds(State::Bad, "line 1, column 1", None);
    place.entry("home/.claude.json", &json!({"command": "other"}));
    place.finds(State::Odd, "is not ours", None);
}

#[test]
fn a_plugin_is_enough_and_an_entry_beside_it_is_one_too_many() {
    let place = Place::new();
    let settings = place.at("home/.claude/settings.json");
    for (name, is_on) in [("nudge@nudge", false), ("nudge-light@nudge", true)] {
        let text = json!({"enabledPlugins": {name: is_on}});
        fs::write(&settings, serde_json::to_string_pretty(&text).unwrap()).unwrap();
        place.finds(State::Odd, "no entry yet", INSTALL);
    }
    fs::write(&settings, "{\n  \"nudge@nudge\": true\n}\n").unwrap();
    place.finds(State::Good, "a plugin", None);
    let report = as_plugin(claude(), Scope::User, &place.machine).unwrap();
    let words = &report.message;
    assert!(words.contains("already a plugin"), "{words}");
    assert!(as_plugin(claude(), Scope::Project, &place.machine).is_none());
    install(claude(), Scope::User, &place.machine, false);
    place.finds(State::Odd, "twice", Some("nudge uninstall claude"));
}

#[test]
fn each_host_writes_down_a_plugin_in_its_own_way() {
    let place = Place::new();
    for row in [
        "codex|.codex/config.toml|[plugins.\"nudge@nudge\"]\nenabled = true\n",
        "gemini|.gemini/extensions/nudge/gemini-extension.json|{\"name\": \"nudge\"}",
        "opencode|.config/opencode/opencode.jsonc|{\"plugin\": [\"nudge-hints-opencode\"]}",
        "copilot|.copilot/settings.json|{\"enabledPlugins\": {\"nudge@nudge\": true}}",
    ] {
        let parts: Vec<&str> = row.split('|').collect();
        let host = Host::named(parts[0]).unwrap();
        assert_eq!(place.machine.plugin(host), None);
        let path = place.at("home").join(parts[1]);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, parts[2]).unwrap();
        assert_eq!(place.machine.plugin(host), Some(path));
    }
}
