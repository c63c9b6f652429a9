//! `nudge install --hooks` and `nudge uninstall`. The files before and after are
//! in `tests/hooks/golden`; `UPDATE=1` updates those after.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::conformance::adapter::file;
use crate::golden::is_as_written_down;
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
fn each_host_s_hooks_are_wired_as_written_down() {
    for (host, name) in HOOKS {
        let home = Home::with_hosts();
        if let Some(before) = before(host) {
            home.write(name, before);
        }
        let untouched = home.everything();
        home.nudge(&format!("install {host} --hooks")).done();
        let end = if host == "opencode" { "js" } else { "json" };
        let path = |state: &str| format!("tests/hooks/golden/{host}/{state}.{end}");
        is_as_written_down(&path("after"), &home.as_installed(name));
        let wired = home.read(name);

        // A second time changes no byte.
        let once = home.everything();
        let said = home.nudge(&format!("install {host} --hooks")).done();
        assert!(said.contains("hooks already in"), "{said}");
        assert_eq!(home.everything(), once, "{host}");

        // Whoever knows what was before gives it back, to the byte.
        home.nudge(&format!("uninstall {host}")).done();
        assert_eq!(home.everything(), untouched, "{host}");

        // And without that knowledge the hooks of others stay.
        home.write(name, wired);
        home.nudge(&format!("uninstall {host}")).done();
        if before(host).is_some() {
            is_as_written_down(&path("uninstalled"), &home.read(name));
        }
    }
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
fn all_hosts_are_wired_at_once_and_vs_code_has_none() {
    let home = Home::with_hosts();
    let untouched = home.everything();
    let said = home.nudge("install --hooks --yes").done();
    assert_eq!(said.matches("put hooks").count(), HOOKS.len(), "{said}");
    assert!(said.contains("Nudge knows no hooks of VS Code"), "{said}");
    for (host, name) in HOOKS {
        let text = home.read(name);
        assert!(text.contains(BINARY), "{host}: {text}");
    }
    home.nudge("uninstall --yes").done();
    assert_eq!(home.everything(), untouched);
}

#[test]
fn a_project_gets_hooks_of_its_own() {
    let home = Home::empty();
    let untouched = home.everything();
    for (host, _) in HOOKS {
        home.nudge(&format!("install {host} --hooks --scope project"))
            .done();
    }
    for name in [
        ".claude/settings.json",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".cursor/hooks.json",
        ".opencode/plugins/nudge.js",
        ".github/hooks/nudge.json",
    ] {
        let text = fs::read_to_string(home.project(name)).unwrap();
        // Others have the binary elsewhere.
        assert!(text.contains("nudge") && !text.contains(BINARY), "{name}");
    }
    home.nudge("uninstall --scope project --yes").done();
    assert_eq!(home.everything(), untouched);
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let home = Home::with_hosts();
    home.write(".claude/settings.json", before("claude").unwrap());
    let untouched = home.everything();
    let said = home.nudge("install claude --hooks --dry-run").done();
    let offer = "would put hooks and a status line into";
    assert!(said.contains(offer) && said.contains('+'), "{said}");
    assert_eq!(home.everything(), untouched);
    home.nudge("install claude --hooks").done();
    let wired = home.everything();
    let said = home.nudge("uninstall claude --dry-run").done();
    assert!(said.contains("would remove the hooks from"), "{said}");
    assert_eq!(home.everything(), wired);
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
