//! Entries of hosts, good and bad.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::install::add::{as_plugin, install};
use crate::install::table::HOSTS;

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

    fn look(&self) -> Finding {
        let mut findings = look(&self.machine);
        assert_eq!(findings.len(), 1, "{findings:?}");
        findings.remove(0)
    }
}

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
    HOSTS.iter().find(|host| host.id == "claude").unwrap()
}

#[test]
fn a_host_without_an_entry_is_told_how_to_get_one() {
    let finding = Place::new().look();
    assert_eq!(finding.state, State::Odd);
    assert_eq!(finding.fix.as_deref(), Some("nudge install claude"));
}

#[test]
fn what_install_writes_is_good() {
    let place = Place::new();
    install(claude(), Scope::User, &place.machine, false);
    let finding = place.look();
    assert_eq!(
        (finding.state, finding.fix),
        (State::Good, None),
        "{}",
        finding.words
    );
    install(claude(), Scope::Project, &place.machine, false);
    assert_eq!(place.look().state, State::Good);
}

#[test]
fn a_program_that_is_gone_or_is_no_nudge_is_bad() {
    let place = Place::new();
    let other = place.at("other");
    fs::create_dir(&other).unwrap();
    let program = other.join("nudge");
    let says = |words: &str| {
        place.entry("home/.claude.json", &starts(&program));
        let finding = place.look();
        assert_eq!(finding.state, State::Bad, "{}", finding.words);
        assert!(finding.words.contains(words), "{}", finding.words);
        assert_eq!(finding.fix.as_deref(), Some("nudge install claude"));
    };
    says("is not there");
    fs::write(&program, "").unwrap();
    says("cannot be started");
    script(&program, "echo nudge-the-other 1.0");
    says("does not say that it is Nudge");
    script(&program, "exit 1");
    says("does not say that it is Nudge");
}

#[test]
fn another_version_is_odd() {
    let place = Place::new();
    fs::create_dir(place.at("old")).unwrap();
    let old = script(&place.at("old/nudge"), "echo nudge 0.0.1");
    place.entry("home/.claude.json", &starts(&old));
    let finding = place.look();
    assert_eq!(finding.state, State::Odd);
    assert!(
        finding.words.contains("starts version 0.0.1"),
        "{}",
        finding.words
    );
}

#[test]
fn an_entry_that_names_no_folder_is_odd_where_the_host_needs_one() {
    let place = Place::new();
    place.entry("home/.claude.json", &starts(&place.at("bin/nudge")));
    assert_eq!(place.look().state, State::Good);
    fs::remove_dir(place.at("home/.claude")).unwrap();
    fs::create_dir(place.at("home/.cursor")).unwrap();
    place.entry("home/.cursor/mcp.json", &starts(&place.at("bin/nudge")));
    let finding = place.look();
    assert_eq!(finding.state, State::Odd);
    assert!(finding.words.contains("`cwd`"), "{}", finding.words);
}

#[test]
fn two_entries_that_start_two_programs_are_odd() {
    let place = Place::new();
    fs::create_dir(place.at("project/bin")).unwrap();
    let ran = place.at("ran");
    let theirs = script(
        &place.at("project/bin/nudge"),
        &format!("touch '{}'", ran.display()),
    );
    place.entry("home/.claude.json", &starts(&place.at("bin/nudge")));
    place.entry("project/.mcp.json", &starts(&theirs));
    let finding = place.look();
    assert_eq!(finding.state, State::Odd);
    let fix = Some("nudge uninstall claude --scope project");
    assert_eq!(finding.fix.as_deref(), fix);
    assert!(!ran.exists(), "a program of a project was started");
}

#[test]
fn a_broken_config_is_bad_and_a_foreign_entry_odd() {
    let place = Place::new();
    fs::write(place.at("home/.claude.json"), "{").unwrap();
    let finding = place.look();
    assert_eq!(finding.state, State::Bad);
    assert!(
        finding.words.contains("line 1, column 1"),
        "{}",
        finding.words
    );
    place.entry("home/.claude.json", &json!({"command": "other"}));
    let finding = place.look();
    assert_eq!((finding.state, finding.fix), (State::Odd, None));
}

#[test]
fn a_plugin_is_enough_and_an_entry_beside_it_is_one_too_many() {
    let place = Place::new();
    let settings = place.at("home/.claude/settings.json");
    for (name, is_on) in [
        ("nudge@nudge", true),
        ("nudge@nudge", false),
        ("nudge-light@nudge", true),
    ] {
        let text = json!({"enabledPlugins": {name: is_on}});
        fs::write(&settings, serde_json::to_string_pretty(&text).unwrap()).unwrap();
        let is_plugin = place.look().state == State::Good;
        assert_eq!(is_plugin, is_on && name == "nudge@nudge");
    }
    fs::write(&settings, "{\n  \"nudge@nudge\": true\n}\n").unwrap();
    let report = as_plugin(claude(), Scope::User, &place.machine).unwrap();
    assert!(
        report.message.contains("already a plugin"),
        "{}",
        report.message
    );
    assert!(as_plugin(claude(), Scope::Project, &place.machine).is_none());
    install(claude(), Scope::User, &place.machine, false);
    let finding = place.look();
    assert!(finding.words.contains("twice"), "{}", finding.words);
    assert_eq!(finding.fix.as_deref(), Some("nudge uninstall claude"));
}

#[test]
fn each_host_writes_down_a_plugin_in_its_own_way() {
    let place = Place::new();
    for (id, path, text) in [
        (
            "codex",
            ".codex/config.toml",
            "[plugins.\"nudge@nudge\"]\nenabled = true\n",
        ),
        (
            "gemini",
            ".gemini/extensions/nudge/gemini-extension.json",
            "{\"name\": \"nudge\"}",
        ),
        (
            "opencode",
            ".config/opencode/opencode.jsonc",
            "{\"plugin\": [\"nudge-hints-opencode\"]}",
        ),
        (
            "copilot",
            ".copilot/settings.json",
            "{\"enabledPlugins\": {\"nudge@nudge\": true}}",
        ),
    ] {
        let host = HOSTS.iter().find(|host| host.id == id).unwrap();
        assert_eq!(place.machine.plugin(host), None);
        let path = place.at("home").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        assert_eq!(place.machine.plugin(host), Some(path));
    }
}
