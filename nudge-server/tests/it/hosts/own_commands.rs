//! A host's own command on the PATH, played by a script.

use std::fs;

use super::home::{BINARY, Home};

/// What `codex mcp add` leaves behind.
fn codex(home: &Home) -> String {
    let config = home.path(".codex/config.toml");
    let entry = "[mcp_servers.nudge]\\ncommand = \"%s\"\\nargs = [\"serve\"]\\n\\n[mcp_servers.nudge.env]\\nNUDGE_SCOPE_WRITES = \"repo\"\\n";
    format!(
        "echo \"$@\" > '{}'; printf '{entry}' \"$7\" >> '{}'",
        home.path("asked").display(),
        config.display()
    )
}

#[test]
fn a_host_s_own_command_is_used_and_its_work_undone() {
    let home = Home::with_hosts();
    home.command("codex", &codex(&home));
    home.write(".codex/config.toml", "model = \"x\" # mine\n\n");
    let said = home.nudge("install codex").done();
    assert!(said.contains("installed by `codex mcp add`"), "{said}");
    let asked = format!("mcp add nudge --env NUDGE_SCOPE_WRITES=repo -- {BINARY} serve\n");
    assert_eq!(home.read("asked"), asked);
    let said = home.nudge("install codex").done();
    assert!(said.contains("already installed"), "{said}");
    home.nudge("uninstall codex").done();
    assert_eq!(home.read(".codex/config.toml"), "model = \"x\" # mine\n\n");
}

#[test]
fn a_dry_run_shows_the_command_and_does_not_run_it() {
    let home = Home::with_hosts();
    home.command("claude", "echo ran > ran");
    let said = home.nudge("install claude --dry-run").done();
    let command = format!(
        "  claude mcp add --scope user nudge -e NUDGE_SCOPE_WRITES=repo -- {BINARY} serve\n"
    );
    assert!(said.contains(&command), "{said}");
    assert!(!home.project("ran").exists());
}

#[test]
fn vs_code_is_given_the_entry_as_json() {
    let home = Home::with_hosts();
    home.command("code", "echo ran > ran");
    let said = home.nudge("install vscode --dry-run").done();
    let json = format!(
        r#"'{{"name":"nudge","type":"stdio","command":"{BINARY}","args":["serve"],"env":{{"NUDGE_SCOPE_WRITES":"repo"}}}}'"#
    );
    assert!(said.contains(&format!("code --add-mcp {json}")), "{said}");
}

#[test]
fn where_the_own_command_fails_the_file_is_edited_and_that_is_said() {
    for (script, why) in [
        (
            "echo 'not logged in' >&2; exit 1",
            "it says `not logged in`",
        ),
        ("exit 0", "no entry came of it"),
    ] {
        let home = Home::with_hosts();
        home.command("codex", script);
        home.write(".codex/config.toml", "a = 1\n");
        let said = home.nudge("install codex").done();
        assert!(
            said.contains(&format!("`codex mcp add` was tried first, but {why}")),
            "{said}"
        );
        assert!(home.read(".codex/config.toml").contains(BINARY));
        home.nudge("uninstall codex").done();
        assert_eq!(home.read(".codex/config.toml"), "a = 1\n");
    }
}

#[test]
fn an_own_command_that_changes_other_lines_is_undone() {
    for (before, script) in [
        (Some("a = 1\n"), "echo broken > {}"),
        (Some("a = 1\n"), "rm {}"),
        (Some("a = 1 # mine\n"), "{codex}; sed -i 's/ # mine//' {}"),
        (
            None,
            "{codex}; echo 'more = 1' > {}.new; cat {} >> {}.new; mv {}.new {}",
        ),
    ] {
        let home = Home::with_hosts();
        let config = home.path(".codex/config.toml");
        if let Some(before) = before {
            fs::write(&config, before).unwrap();
        }
        let untouched = home.everything();
        let script = script.replace("{codex}", &codex(&home));
        home.command("codex", &script.replace("{}", config.to_str().unwrap()));
        let said = home.nudge("install codex").done();
        assert!(
            said.contains("`codex mcp add` was tried first, but "),
            "{said}"
        );
        let text = home.read(".codex/config.toml");
        assert!(
            text.contains(BINARY) && text.starts_with(before.unwrap_or("[mcp_servers.nudge]")),
            "{text}"
        );
        home.nudge("uninstall codex").done();
        fs::remove_file(home.path("asked")).ok();
        assert_eq!(home.everything(), untouched, "{script}");
    }
}

#[test]
fn claude_code_may_take_notes_in_the_same_file() {
    let home = Home::with_hosts();
    let entry =
        r#"{"type":"stdio","command":"%s","args":["serve"],"env":{"NUDGE_SCOPE_WRITES":"repo"}}"#;
    let config = home.path(".claude.json");
    let script = format!(
        r#"printf '{{"userID": "1", "mcpServers": {{"nudge": {entry}}}}}' "$9" > '{}'"#,
        config.display()
    );
    home.command("claude", &script);
    let said = home.nudge("install claude").done();
    assert!(said.contains("installed by `claude mcp add`"), "{said}");
    home.nudge("uninstall claude").done();
    assert_eq!(home.read(".claude.json"), r#"{"userID": "1"}"#);
    // It stays so when the command fails after that.
    home.command(
        "claude",
        &format!(
            "echo '{{\"userID\": \"2\"}}' > '{}'; exit 1",
            config.display()
        ),
    );
    let said = home.nudge("install claude").done();
    assert!(said.contains("`claude mcp add` was tried first"), "{said}");
    assert!(home.read(".claude.json").contains(r#""userID": "2""#));
    home.nudge("uninstall claude").done();
    assert!(!home.path(".claude.json.nudge-backup").exists());
}

#[test]
fn an_own_command_is_not_let_near_a_link() {
    let home = Home::with_hosts();
    home.command("codex", "echo ran > ran");
    home.write("dotfiles/codex.toml", "a = 1\n");
    let link = home.path(".codex/config.toml");
    std::os::unix::fs::symlink("../dotfiles/codex.toml", &link).unwrap();
    home.nudge("install codex").done();
    assert!(link.is_symlink() && !home.project("ran").exists());
    assert!(home.read("dotfiles/codex.toml").contains(BINARY));
}

#[test]
fn a_command_on_the_path_is_enough_to_be_installed() {
    let home = Home::empty();
    home.command("cursor-agent", "");
    home.nudge("install cursor").done();
    assert!(fs::exists(home.path(".cursor/mcp.json")).unwrap());
}
