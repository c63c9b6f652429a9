//! `--scope project`: files in the repository that one is in.

use std::fs;
use std::os::unix::fs::symlink;

use super::home::{BINARY, Home};
use crate::says::Says;

const FILES: [(&str, &str); 7] = [
    ("claude", ".mcp.json"),
    ("codex", ".codex/config.toml"),
    ("gemini", ".gemini/settings.json"),
    ("cursor", ".cursor/mcp.json"),
    ("vscode", ".vscode/mcp.json"),
    ("opencode", "opencode.json"),
    ("copilot", ".github/mcp.json"),
];

/// Where hooks are that a project has of its own.
const HOOKS: [(&str, &str); 6] = [
    ("claude", ".claude/settings.json"),
    ("codex", ".codex/hooks.json"),
    ("gemini", ".gemini/settings.json"),
    ("cursor", ".cursor/hooks.json"),
    ("opencode", ".opencode/plugins/nudge.js"),
    ("copilot", ".github/hooks/nudge.json"),
];

#[test]
fn a_project_s_files_are_written_without_the_host_and_leave_nothing_behind() {
    let home = Home::empty();
    let before = home.everything();
    let hooks = HOOKS.iter().map(|file| (" --hooks", file));
    for (flag, (host, name)) in FILES.iter().map(|file| ("", file)).chain(hooks) {
        home.nudge(&format!("install {host}{flag} --scope project"))
            .done();
        let text = fs::read_to_string(home.project(name)).unwrap();
        // Others have the binary elsewhere.
        text.says("nudge").hides(BINARY);
    }
    let notes = home
        .everything()
        .into_keys()
        .filter(|path| path.to_string_lossy().contains("backup"));
    assert_eq!(notes.count(), 0, "a project is no place for notes of ours");
    home.nudge("uninstall --scope project --yes").done();
    assert_eq!(home.everything(), before);
}

#[test]
fn a_project_is_the_repository_and_not_the_folder_one_is_in() {
    let home = Home::empty();
    let below = home.project("src/deep");
    fs::create_dir_all(&below).unwrap();
    let mut command = std::process::Command::new(BINARY);
    command.args(["install", "claude", "--scope", "project"]);
    command
        .env_clear()
        .env("HOME", home.path(""))
        .current_dir(below);
    assert!(command.status().unwrap().success());
    assert!(home.project(".mcp.json").exists());
}

#[test]
fn a_project_s_file_gets_back_its_bytes() {
    let home = Home::empty();
    let text = "{\n    \"servers\": {} // none yet\n}\n";
    fs::create_dir(home.project(".vscode")).unwrap();
    fs::write(home.project(".vscode/mcp.json"), text).unwrap();
    let before = home.everything();
    home.nudge("install vscode --scope project").done();
    home.nudge("uninstall vscode --scope project").done();
    assert_eq!(home.everything(), before);
}

#[test]
fn a_link_out_of_a_project_is_not_followed() {
    let home = Home::empty();
    let outside = home.write("outside.json", "{}");
    symlink(&outside, home.project(".mcp.json")).unwrap();
    let said = home.nudge("install claude --scope project").refused();
    assert!(said.contains("out of this project"), "{said}");
    assert_eq!(home.read("outside.json"), "{}");
}

#[test]
fn uninstalling_for_oneself_leaves_the_project_and_says_so() {
    let home = Home::with_hosts();
    home.nudge("install claude").done();
    home.nudge("install claude --scope project").done();
    let said = home.nudge("uninstall claude").done();
    said.says("`nudge uninstall claude --scope project`");
    assert!(home.project(".mcp.json").exists());
}
