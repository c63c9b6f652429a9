//! `nudge install --hooks` and `nudge uninstall`; `hosts/golden.rs` compares the files.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::conformance::adapter::file;
use crate::hosts::home::{BINARY, Home};

/// Each host with hooks: the word for it, and the file that they are in.
pub(crate) const HOOKS: [(&str, &str); 6] = [
    ("claude", ".claude/settings.json"),
    ("codex", ".codex/hooks.json"),
    ("gemini", ".gemini/settings.json"),
    ("cursor", ".cursor/hooks.json"),
    ("opencode", ".config/opencode/plugins/nudge.js"),
    ("copilot", ".copilot/hooks/nudge.json"),
];

fn before(host: &str) -> Option<Vec<u8>> {
    fs::read(file(&format!("tests/hooks/golden/{host}/before.json"))).ok()
}

#[test]
fn server_and_hooks_in_one_file_go_in_any_order_without_a_trace() {
    for lines in [
        [
            "install gemini",
            "install gemini --hooks",
            "uninstall gemini",
        ],
        [
            "install gemini --hooks",
            "install gemini",
            "uninstall gemini",
        ],
    ] {
        let home = Home::with_hosts();
        home.write(".gemini/settings.json", before("gemini").unwrap());
        let untouched = home.everything();
        for line in lines {
            home.nudge(line).done();
        }
        assert_eq!(home.everything(), untouched, "{lines:?}");
    }
}

#[test]
fn an_event_that_is_wired_no_longer_leaves_no_trace() {
    let home = Home::with_hosts();
    home.write(".gemini/settings.json", before("gemini").unwrap());
    let untouched = home.everything();
    home.nudge("install gemini --hooks").done();
    let wired = home.read(".gemini/settings.json");
    // As an older version did it.
    home.write(
        ".gemini/settings.json",
        wired.replace("SessionEnd", "AfterModel"),
    );
    let said = home.nudge("install gemini --hooks").done();
    assert!(said.contains("updated the hooks"), "{said}");
    let text = home.read(".gemini/settings.json");
    let is_wired = !text.contains("AfterModel") && text.contains("SessionEnd");
    assert!(is_wired, "{text}");
    home.nudge("uninstall gemini").done();
    assert_eq!(home.everything(), untouched);
}

#[test]
fn hooks_that_are_left_alone_are_still_taken_out() {
    let home = Home::with_hosts();
    let untouched = home.everything();
    home.nudge("install gemini codex --hooks").done();
    let text = home.read(".gemini/settings.json");
    let mut config: Value = serde_json::from_str(&text).unwrap();
    config.as_object_mut().unwrap().remove("mcpServers");
    home.write(".gemini/settings.json", config.to_string());
    fs::remove_file(home.path(".codex/config.toml")).unwrap();
    home.nudge("uninstall --yes").done();
    assert_eq!(home.everything(), untouched);
}

#[test]
fn an_old_path_is_mended_and_what_is_not_ours_refused() {
    let home = Home::with_hosts();
    home.nudge("install --hooks claude opencode").done();
    for name in [".claude/settings.json", ".config/opencode/plugins/nudge.js"] {
        let old = home.read(name).replace(BINARY, "/gone/nudge");
        home.write(name, old);
    }
    let said = home.nudge("install --hooks claude opencode").done();
    assert_eq!(said.matches("updated the hooks in").count(), 2, "{said}");
    for name in [".claude/settings.json", ".config/opencode/plugins/nudge.js"] {
        assert!(!home.read(name).contains("/gone"), "{name}");
    }
    home.write(
        ".config/opencode/plugins/nudge.js",
        "export const Mine = 1;\n",
    );
    home.write(".claude/settings.json", "{\"hooks\": []}\n");
    let home_before = home.everything();
    let said = home.nudge("install --hooks claude opencode").refused();
    assert!(said.contains("`hooks` is not an object"), "{said}");
    assert!(said.contains("it is not the plugin of Nudge"), "{said}");
    assert_eq!(home.everything(), home_before);
}

#[test]
fn the_wired_command_runs_under_a_shell_also_from_a_folder_with_spaces() {
    let home = Home::with_hosts();
    let folder = home.path("it's a folder");
    fs::create_dir(&folder).unwrap();
    let binary = folder.join("nudge");
    // A process of its own writes it: a file that another test's child still
    // holds open for writing cannot be started.
    let mut copy = Command::new("cp");
    copy.args([BINARY.as_ref(), binary.as_os_str()]);
    assert!(copy.status().unwrap().success());
    home.run(&binary, "install claude --hooks").done();
    let config: Value = serde_json::from_str(&home.read(".claude/settings.json")).unwrap();
    let line = &config["hooks"]["SessionStart"][0]["hooks"][0]["command"];
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", line.as_str().unwrap()]);
    shell.env("NUDGE_RUNTIME_DIR", home.path("none"));
    shell.stdin(Stdio::piped()).stdout(Stdio::piped());
    super::silent(&super::told(shell.stderr(Stdio::piped()), "{}"));
}

#[test]
fn a_wired_command_is_no_refusal_where_the_program_is_gone_or_broken() {
    let home = Home::with_hosts();
    let binary = home.write("nudge", String::new());
    for (host, name, field) in [
        (
            "claude",
            ".claude/settings.json",
            "/SessionStart/0/hooks/0/command",
        ),
        (
            "gemini",
            ".gemini/settings.json",
            "/SessionStart/0/hooks/0/command",
        ),
        (
            "copilot",
            ".copilot/hooks/nudge.json",
            "/sessionStart/0/bash",
        ),
    ] {
        home.nudge(&format!("install {host} --hooks")).done();
        let config: Value = serde_json::from_str(&home.read(name)).unwrap();
        let line = config["hooks"].pointer(field).and_then(Value::as_str);
        let line = line.unwrap().replace(BINARY, binary.to_str().unwrap());
        for broken in ["exit 1", "exit 2", "exit 101", "exit 127", "kill -9 $$", ""] {
            // Without a line it is no program at all.
            let mode = if broken.is_empty() { 0o600 } else { 0o700 };
            fs::write(&binary, format!("#!/bin/sh\n{broken}\n")).unwrap();
            fs::set_permissions(&binary, fs::Permissions::from_mode(mode)).unwrap();
            let mut shell = Command::new("/bin/sh");
            let output = shell.args(["-c", &line]).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{host}: {broken}");
            assert_eq!(output.stdout, b"", "{host}: {broken}");
        }
    }
}

#[test]
fn a_doctor_looks_at_hooks_and_times_them() {
    let runtime = crate::process::folder();
    let home = Home::with_hosts().with("NUDGE_RUNTIME_DIR", runtime.path().to_str().unwrap());
    // All that is found about hooks: the state, what to type, and the words.
    let found = || {
        let found: Value = serde_json::from_str(&home.nudge("doctor --json").stdout).unwrap();
        let found = found["findings"].as_array().unwrap().iter();
        let told = found.filter(|it| it["about"] == "hooks").map(|it| {
            let parts = ["state", "fix", "words"].map(|name| it[name].as_str().unwrap_or("-"));
            parts.join(": ")
        });
        told.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(found(), "", "hooks are nobody's duty");
    home.nudge("install claude --hooks").done();
    let name = ".claude/settings.json";
    let wired = home.read(name);
    let mut twice: Value = serde_json::from_str(&wired).unwrap();
    let list = twice["hooks"]["PreToolUse"].as_array_mut().unwrap();
    list.push(list[0].clone());
    let again = "nudge install claude --hooks: ";
    for (text, told, words) in [
        (wired.clone(), "good: -: ".to_owned(), "which takes "),
        (
            wired.replace("PostToolUseFailure", "Stop"),
            format!("odd: {again}"),
            "",
        ),
        (twice.to_string(), "odd: ".to_owned(), ""),
        (
            wired.replace(BINARY, "/gone/nudge"),
            format!("bad: {again}"),
            "runs `/gone/nudge`, which cannot be started",
        ),
        ("{".to_owned(), "bad: ".to_owned(), "is broken at line 1"),
    ] {
        home.write(name, text);
        let found = found();
        let is_told = found.starts_with(&told) && found.contains(words);
        assert!(is_told && found.lines().count() == 1, "{told}: {found}");
    }
    home.write(name, wired);
    home.nudge("install claude --hooks --scope project").done();
    let both = "odd: nudge uninstall claude --scope project: ";
    assert!(found().starts_with(both), "{}", found());
}
