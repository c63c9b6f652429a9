//! Configs that are broken, foreign, linked, or not there at all.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::home::{BINARY, HOSTS, Home};

/// The file of a host.
fn config_of(host: &str) -> &'static str {
    let mut known = HOSTS.iter();
    known.find(|(known, ..)| *known == host).unwrap().2
}

#[test]
fn a_broken_config_is_named_with_its_place_and_left_as_it_is() {
    for (host, text, place) in [
        (
            "claude",
            "{\n  \"a\": 1\n  \"b\": 2\n}",
            "line 2, column 9: expected comma",
        ),
        ("gemini", "{ \"a\": [1, 2 }", "line 1, column "),
        (
            "cursor",
            "[]",
            "line 1, column 1: `the file` is not an object",
        ),
        (
            "vscode",
            "{\n\"servers\": []}",
            "line 2, column 1: `servers` is not an object",
        ),
        (
            "opencode",
            "{\"mcp\": {}, \"mcp\": {}}",
            "line 1, column 13: `mcp` is there twice",
        ),
        ("codex", "a = 1\nb = \n", "line 2, column "),
        (
            "codex",
            "a = 1\nmcp_servers = 7\n",
            "line 2, column 1: `mcp_servers` is not a table",
        ),
    ] {
        let home = Home::with_hosts();
        let path = home.write(config_of(host), text);
        let before = home.everything();
        for line in ["install", "uninstall", "install --dry-run"] {
            let said = home.nudge(&format!("{line} {host}")).refused();
            assert!(said.contains(path.to_str().unwrap()), "{said}");
            assert!(said.contains(place), "{said}");
        }
        assert_eq!(home.everything(), before, "{host}");
    }
}

/// Does something to a home.
type Prepare = fn(&Home);

#[test]
fn what_cannot_be_changed_is_said_and_left_as_it_is() {
    let rows: [(&str, Prepare); 3] = [
        ("is not UTF-8 at byte 7", |home| {
            home.write(".claude.json", b"{\"a\": \"\xff\"}");
        }),
        ("is a link to nothing", |home| {
            symlink("nowhere", home.path(".claude.json")).unwrap();
        }),
        ("is read-only", |home| {
            let path = home.write(".claude.json", "{}");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        }),
    ];
    for (why, prepare) in rows {
        let home = Home::with_hosts();
        prepare(&home);
        let before = home.everything();
        let said = home.nudge("install claude").refused();
        assert!(said.contains(why), "{said}");
        assert_eq!(home.everything(), before, "{why}");
    }
    let said = Home::with_hosts().with("HOME", "").nudge("install claude");
    let said = said.refused();
    assert!(said.contains("HOME names no folder"), "{said}");
}

#[test]
fn a_broken_config_does_not_keep_the_other_hosts_waiting() {
    let home = Home::with_hosts();
    home.write(".claude.json", "{");
    let typed = home.nudge("install claude cursor");
    assert_eq!(typed.status, 2);
    assert!(typed.stdout.contains("✔ Cursor: installed"), "{typed:?}");
}

#[test]
fn an_entry_of_another_product_is_named_with_its_line_and_left_alone() {
    for (host, text, line) in [
        (
            "claude",
            "{\"mcpServers\": {\n  \"nudge\": {\"command\": \"/opt/nudge\", \"args\": [\"mcp\"]}}}",
            2,
        ),
        (
            "cursor",
            "{\"mcpServers\": {\n\n  \"nudge\": {\"url\": \"https://nudge.example\"}}}",
            3,
        ),
        (
            "codex",
            "# mine\n[mcp_servers.nudge]\ncommand = \"other\"\nargs = [\"serve\"]\n",
            2,
        ),
        (
            "opencode",
            "{\"mcp\":{\"nudge\":{\"command\":[\"npx\",\"nudge\",\"serve\"]}}}",
            1,
        ),
    ] {
        let home = Home::with_hosts();
        home.write(config_of(host), text);
        let before = home.everything();
        for verb in ["install", "uninstall"] {
            let said = home.nudge(&format!("{verb} {host}")).refused();
            let place = format!("at line {line} that start");
            let is_named = said.contains(&place) && said.contains("is not ours");
            assert!(is_named, "{said}");
        }
        assert_eq!(home.everything(), before, "{host}");
    }
}

#[test]
fn a_link_stays_a_link_and_its_target_is_written() {
    let home = Home::with_hosts();
    let target = home.write("dotfiles/claude.json", "{\n  \"a\": 1\n}\n");
    let link = home.path(".claude.json");
    symlink("dotfiles/claude.json", &link).unwrap();
    home.nudge("install claude").done();
    assert!(link.is_symlink());
    assert!(fs::read_to_string(&target).unwrap().contains(BINARY));
    assert!(!home.path("dotfiles/claude.json.nudge-backup").exists());
    home.nudge("uninstall claude").done();
    assert!(link.is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), "{\n  \"a\": 1\n}\n");
    assert!(!home.path(".claude.json.nudge-backup").exists());
}

#[test]
fn a_folder_that_is_a_link_is_followed() {
    let home = Home::empty();
    fs::create_dir_all(home.path("dotfiles/cursor")).unwrap();
    symlink("dotfiles/cursor", home.path(".cursor")).unwrap();
    home.nudge("install cursor").done();
    assert!(home.read("dotfiles/cursor/mcp.json").contains(BINARY));
    home.nudge("uninstall cursor").done();
    assert!(home.path(".cursor").is_symlink());
    assert_eq!(
        fs::read_dir(home.path("dotfiles/cursor")).unwrap().count(),
        0
    );
}

#[test]
fn a_link_into_a_folder_of_another_user_is_not_followed() {
    let home = Home::with_hosts();
    let foreign = crate::process::folder();
    let target = foreign.path().join("claude.json");
    fs::write(&target, "{}").unwrap();
    // Only the superuser can give a folder away; others have `/` for one that is not theirs.
    let given = std::os::unix::fs::chown(foreign.path(), Some(12_345), None);
    let target = if given.is_ok() {
        target
    } else {
        "/nudge.json".into()
    };
    symlink(&target, home.path(".claude.json")).unwrap();
    let said = home.nudge("install claude").refused();
    let why = if given.is_ok() {
        "in a folder of another user"
    } else {
        "a link to nothing"
    };
    assert!(said.contains(why), "{said}");
    assert!(given.is_err() || fs::read_to_string(&target).unwrap() == "{}");
    if given.is_ok() {
        let folder = home.path(".cursor");
        fs::remove_dir(&folder).unwrap();
        symlink(foreign.path(), &folder).unwrap();
        let said = home.nudge("install cursor").refused();
        assert!(said.contains("in a folder of another user"), "{said}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_not_passed_over_when_everything_is_to_go() {
    let home = Home::with_hosts();
    home.nudge("install cursor").done();
    home.write(".codex/config.toml", "broken");
    let typed = home.nudge("uninstall --yes");
    assert_eq!(typed.status, 2);
    assert!(typed.stderr.starts_with("Codex: "), "{typed:?}");
    assert!(!home.path(".cursor/mcp.json").exists());
}
