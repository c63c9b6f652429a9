//! What is the same for every host: nothing is left, nothing is done twice.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::{Value, json};

use super::home::{BINARY, HOSTS, Home};
use crate::hooks::wiring::HOOKS;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn what_install_made_is_gone_after_uninstall() {
    let home = Home::with_hosts();
    let before = home.everything();
    let said = home.nudge("install --yes --hooks").done();
    let hooks = HOOKS.map(|(host, name)| (host, "", name));
    for (host, _, name) in HOSTS.into_iter().chain(hooks) {
        assert!(home.read(name).contains(BINARY), "{host}");
        assert_eq!(mode(&home.path(name)), 0o600, "{host}");
    }
    assert_eq!(said.matches("put hooks").count(), HOOKS.len(), "{said}");
    assert!(said.contains("Nudge knows no hooks of VS Code"), "{said}");
    // A second time changes no byte.
    let once = home.everything();
    let said = home.nudge("install --yes").done();
    let known = said.matches("already installed").count();
    assert_eq!(known, HOSTS.len(), "{said}");
    assert_eq!(home.everything(), once);
    home.nudge("uninstall --yes").done();
    assert_eq!(home.everything(), before);
}

#[test]
fn folders_that_install_made_go_when_they_are_empty() {
    let home = Home::empty();
    // A command on the PATH is enough.
    home.command("cursor-agent", "exit 1");
    home.command("opencode", "exit 1");
    home.nudge("install cursor opencode").done();
    home.write(".config/opencode/mine.md", "mine");
    home.nudge("uninstall cursor opencode").done();
    let left: Vec<_> = home.everything().into_keys().collect();
    let mine = home.path(".config/opencode/mine.md");
    assert!(left.contains(&mine));
    assert!(!left.contains(&home.path(".cursor")));
}

#[test]
fn a_dry_run_shows_what_would_change_and_changes_nothing() {
    let home = Home::with_hosts();
    home.write(".cursor/mcp.json", "{\n  \"mcpServers\": {}\n}\n");
    let before = home.everything();
    let said = home.nudge("install cursor --hooks --dry-run").done();
    let hooks = "would put hooks into";
    for line in ["--- ", "+++ ", "@@ ", "+    \"nudge\": {", hooks] {
        assert!(said.contains(line), "{line} is not in {said}");
    }
    assert_eq!(home.everything(), before);
    home.nudge("install cursor --hooks").done();
    let installed = home.everything();
    let said = home.nudge("uninstall cursor --dry-run").done();
    for line in ["-    \"nudge\": {", "would remove the hooks from"] {
        assert!(said.contains(line), "{line} is not in {said}");
    }
    assert_eq!(home.everything(), installed);
}

#[test]
fn an_entry_of_ours_that_names_another_path_is_updated_and_keeps_the_rest() {
    let home = Home::with_hosts();
    let old = json!({"mcpServers": {"nudge": {
        "command": "/old/bin/nudge", "args": ["serve", "--linger", "PT8H"], "env": {"MINE": "1"}, "timeout": 9,
    }}});
    home.write(".claude.json", old.to_string());
    let said = home.nudge("install claude").done();
    let is_told = said.contains("updated") && said.contains("`/old/bin/nudge`");
    assert!(is_told, "{said}");
    let new: Value = serde_json::from_str(&home.read(".claude.json")).unwrap();
    assert_eq!(
        new["mcpServers"]["nudge"],
        json!({
            "command": BINARY, "args": ["serve", "--linger", "PT8H"],
            "env": {"MINE": "1"}, "timeout": 9, "type": "stdio",
        })
    );
    home.nudge("uninstall claude").done();
    assert_eq!(home.read(".claude.json"), r#"{"mcpServers":{}}"#);
}

#[test]
fn an_entry_as_version_0_1_wrote_it_is_ours_and_stays_as_it_is() {
    for (host, _, name) in HOSTS {
        let home = Home::with_hosts();
        let (before, variables) = match host {
            "codex" => ("a = 1\n", "\nenv = { NUDGE_SCOPE_WRITES = \"repo\" }"),
            "opencode" => ("{}", r#", "environment": {"NUDGE_SCOPE_WRITES": "repo"}"#),
            _ => ("{}", r#", "env": {"NUDGE_SCOPE_WRITES": "repo"}"#),
        };
        home.write(name, before);
        let untouched = home.everything();
        home.nudge(&format!("install {host}")).done();
        let arguments = r#""serve"]"#;
        let old = (home.read(name)).replace(arguments, &format!("{arguments}{variables}"));
        assert!(old.contains(variables), "{host}: {old}");
        home.write(name, &old);
        let said = home.nudge(&format!("install {host}")).done();
        assert!(said.contains("already installed"), "{said}");
        assert_eq!(home.read(name), old);
        home.nudge(&format!("uninstall {host}")).done();
        assert_eq!(home.everything(), untouched, "{host}");
    }
}

#[test]
fn what_the_user_wrote_after_the_install_stays() {
    let home = Home::with_hosts();
    home.write(".gemini/settings.json", "{\"ui\": {}}\n");
    home.nudge("install gemini").done();
    let more = home.read(".gemini/settings.json");
    let more = more.replace("\"ui\": {},", "\"ui\": {}, // mine");
    home.write(".gemini/settings.json", more);
    home.nudge("uninstall gemini").done();
    let left = home.read(".gemini/settings.json");
    let is_left = left.contains("// mine") && !left.contains("mcpServers");
    assert!(is_left, "{left}");
    assert!(!home.path(".gemini/settings.json.nudge-backup").exists());
}

#[test]
fn a_backup_is_made_once_and_of_what_was_there_first() {
    let home = Home::with_hosts();
    let first = "{\n  \"first\": true\n}\n";
    home.write(".claude.json", first);
    home.nudge("install claude").done();
    let moved = home.read(".claude.json").replace(BINARY, "/old/nudge");
    home.write(".claude.json", moved);
    home.nudge("install claude").done();
    assert_eq!(home.read(".claude.json.nudge-backup"), first);
    let backup = home.path(".claude.json.nudge-backup");
    assert_eq!(mode(&backup), 0o600);
    home.nudge("uninstall claude").done();
    assert_eq!(home.read(".claude.json"), first);
}

#[test]
fn an_entry_that_was_taken_out_by_hand_leaves_no_backup() {
    let home = Home::with_hosts();
    home.nudge("install cursor").done();
    home.write(".cursor/mcp.json", "{}\n");
    let said = home.nudge("uninstall --yes").done();
    assert!(said.contains("as the entry was gone"), "{said}");
    assert_eq!(home.nudge("uninstall cursor").status, 1);
    assert!(!home.path(".cursor/mcp.json.nudge-backup").exists());
    assert_eq!(home.read(".cursor/mcp.json"), "{}\n");
}

#[test]
fn mode_and_byte_order_mark_and_line_ends_are_kept() {
    let home = Home::with_hosts();
    let path = home.write(".cursor/mcp.json", "\u{feff}{\r\n  \"a\": 1\r\n}\r\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    home.nudge("install cursor").done();
    let text = home.read(".cursor/mcp.json");
    assert!(text.starts_with('\u{feff}'));
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert_eq!(mode(&path), 0o640);
    let toml = home.write(".codex/config.toml", "a = 1\r\n");
    home.nudge("install codex").done();
    let text = fs::read_to_string(toml).unwrap();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
}

#[test]
fn a_file_keeps_its_mode_and_no_command_of_a_host_is_run() {
    for mode in [0o640, 0o664, 0o600] {
        let home = Home::with_hosts();
        for command in ["claude", "codex", "gemini", "cursor", "code", "copilot"] {
            home.command(command, "echo ran > ran");
        }
        for (_, _, name) in HOSTS {
            let path = home.write(name, "");
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        for line in ["install --hooks --yes", "uninstall --yes"] {
            home.nudge(line).done();
            for (host, _, name) in HOSTS {
                let now = self::mode(&home.path(name));
                assert_eq!(now, mode, "{host}: {line}");
            }
        }
        assert!(!home.project("ran").exists());
    }
}

#[test]
fn the_path_of_the_binary_is_the_link_on_the_path_that_leads_to_it() {
    let home = Home::with_hosts();
    let link = home.command("nudge", "");
    fs::remove_file(&link).unwrap();
    symlink(BINARY, &link).unwrap();
    home.nudge("install claude").done();
    assert!(home.read(".claude.json").contains(link.to_str().unwrap()));
    // The same binary by its other name is no change.
    fs::remove_file(&link).unwrap();
    home.nudge("uninstall claude").done();
    home.nudge("install claude").done();
    symlink(BINARY, &link).unwrap();
    let said = home.nudge("install claude").done();
    assert!(said.contains("already installed"), "{said}");
}

#[test]
fn programs_get_a_list_of_what_was_done() {
    let home = Home::with_hosts();
    home.write(".codex/config.toml", "broken");
    let typed = home.nudge("install claude codex --json");
    assert_eq!((typed.status, typed.stderr.as_str()), (2, ""));
    let done: Value = serde_json::from_str(&typed.stdout).unwrap();
    assert_eq!(done[0]["host"], "claude");
    assert_eq!(done[0]["outcome"], "installed");
    assert_eq!(done[0]["file"], home.path(".claude.json").to_str().unwrap());
    assert_eq!(done[1]["outcome"], "refused");
}
