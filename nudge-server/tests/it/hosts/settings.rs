//! The file for the user's settings, and the one question that its first lines answer.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::Value;

use super::home::Home;

const FILE: &str = ".config/nudge-hints/config.toml";

const QUESTION: &str = "Keep what works for the next session? [Y/n]";

fn kept(home: &Home) -> String {
    let shown = home.path(FILE).display().to_string();
    format!(
        "what works is kept for the next session, unless you write `keep = false` into `{shown}`\n"
    )
}

fn mode(home: &Home, name: &str) -> u32 {
    let seen = fs::metadata(home.path(name)).unwrap();
    seen.permissions().mode() & 0o777
}

#[test]
fn where_nobody_can_be_asked_hints_are_kept_and_that_is_said_once() {
    let home = Home::with_hosts();
    let said = home.nudge("install cursor claude").done();
    assert_eq!(said.matches(&kept(&home)).count(), 1, "{said}");
    let written = home.read(FILE);
    assert!(written.contains("\n# max_hints = 5000\n"), "{written}");
    assert!(written.contains("\nkeep = true\n"), "{written}");
    assert_eq!(mode(&home, FILE), 0o600);
    assert_eq!(mode(&home, ".config/nudge-hints"), 0o700);
    let config = home.nudge("config --json").done();
    let config: Value = serde_json::from_str(&config).unwrap();
    assert_eq!(config["settings"]["keep"]["value"], true);
    assert_eq!(config["settings"]["keep"]["from"], "config.toml");
    assert!(!home.nudge("install --yes").done().contains("kept"));
    let said = home.nudge("uninstall --yes").done();
    let note = format!("left your settings in `{}`", home.path(FILE).display());
    assert_eq!(said.matches(&note).count(), 1, "{said}");
    assert_eq!(home.read(FILE), written);
}

#[test]
fn at_a_terminal_it_is_asked_once_and_only_a_no_is_a_no() {
    for (answers, line) in [
        ("\n", "keep = true"),
        ("y\n", "keep = true"),
        ("n\n", "keep = false"),
        ("No\n", "keep = false"),
    ] {
        let home = Home::with_hosts();
        let said = home.answered("install cursor claude", answers);
        assert_eq!(said.matches(QUESTION).count(), 1, "{said}");
        assert!(
            home.read(FILE).contains(&format!("\n{line}\n")),
            "{answers}"
        );
        let said = home.answered("install gemini", "");
        assert!(
            said.contains("installed") && !said.contains(QUESTION),
            "{said}"
        );
    }
}

#[test]
fn it_is_asked_after_the_hosts_and_not_where_there_are_none() {
    let home = Home::empty();
    fs::create_dir(home.path(".claude")).unwrap();
    let said = home.answered("install", "n\nn\n");
    assert!(said.contains("[y/N]") && !said.contains(QUESTION), "{said}");
    assert!(!home.path(FILE).exists());
    let said = home.answered("install", "y\nn\n");
    assert!(said.contains(QUESTION), "{said}");
    assert!(home.read(FILE).contains("\nkeep = false\n"));
}

#[test]
fn flags_answer_it() {
    for (flags, line) in [
        ("--keep", "keep = true"),
        ("--no-keep", "keep = false"),
        ("--yes", "keep = true"),
        ("--yes --no-keep", "keep = false"),
        ("--json", "keep = true"),
    ] {
        let home = Home::with_hosts();
        let said = home.answered(&format!("install claude {flags}"), "n\n");
        assert!(!said.contains(QUESTION), "{said}");
        assert!(home.read(FILE).contains(&format!("\n{line}\n")), "{flags}");
    }
    let home = Home::with_hosts();
    let said = home.nudge("install claude --keep --no-keep").refused();
    assert!(said.contains("cannot be used with"), "{said}");
    let done = home.nudge("install claude --no-keep --json").done();
    let done: Value = serde_json::from_str(&done).unwrap();
    let notes = done[0]["notes"].to_string();
    assert!(
        notes.contains("nothing is kept for the next session, unless"),
        "{notes}"
    );
}

#[test]
fn all_else_in_the_file_stays() {
    for (before, after) in [
        ("max_hints = 9\n", "max_hints = 9\nkeep = true\n"),
        ("# mine", "# mine\nkeep = true\n"),
        ("", "keep = true\n"),
        (
            "max_hints = 9 # few\r\n\r\n# keep = true\r\n",
            "max_hints = 9 # few\r\n\r\n# keep = true\r\nkeep = true\r\n",
        ),
    ] {
        let home = Home::with_hosts();
        let path = home.write(FILE, before);
        fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
        home.nudge("install claude").done();
        assert_eq!(home.read(FILE), after);
        assert_eq!(mode(&home, FILE), 0o644);
        let folder = home.path(FILE);
        assert_eq!(fs::read_dir(folder.parent().unwrap()).unwrap().count(), 1);
    }
}

#[test]
fn what_the_file_says_already_is_never_touched() {
    let home = Home::with_hosts();
    home.write(FILE, "keep = false\n");
    let said = home.answered("install claude", "y\n");
    assert!(
        said.contains("installed") && !said.contains("keep"),
        "{said}"
    );
    let said = home.nudge("install claude --keep").done();
    assert!(
        said.contains("says `keep` already; change it there"),
        "{said}"
    );
    assert_eq!(home.read(FILE), "keep = false\n");
}

#[test]
fn a_file_that_is_not_used_is_not_written_either() {
    let home = Home::with_hosts();
    let elsewhere = home.write("elsewhere", "max_hints = 9\n");
    home.write(FILE, "");
    fs::remove_file(home.path(FILE)).unwrap();
    symlink(elsewhere, home.path(FILE)).unwrap();
    let said = home.nudge("install claude").done();
    let note = "cannot be written: it is a link; nothing is kept for the next session";
    assert!(said.contains(note), "{said}");
    assert_eq!(home.read("elsewhere"), "max_hints = 9\n");
}

#[test]
fn what_changes_nothing_of_the_user_s_writes_none() {
    let home = Home::with_hosts();
    for line in [
        "install claude --dry-run --keep",
        "install claude --print --keep",
        "install claude --scope project --keep",
    ] {
        let said = home.nudge(line).done();
        assert!(
            !home.path(FILE).exists() && !said.contains("kept"),
            "{said}"
        );
    }
    let home = Home::empty();
    home.nudge("install claude").refused();
    assert!(!home.path(FILE).exists());
}

#[test]
fn an_agent_does_not_answer_for_the_user() {
    let home = Home::with_hosts().with("CLAUDECODE", "1");
    for line in ["install claude", "install claude --keep", "install --yes"] {
        let said = home.nudge(line).done();
        let note = "nothing is kept for the next session until the user types `nudge install`\n";
        assert_eq!(said.matches(note).count(), 1, "{said}");
        assert!(!home.path(FILE).exists());
    }
}

#[test]
fn a_session_that_has_begun_goes_on_as_it_is_and_that_is_said() {
    let home = Home::with_hosts();
    let session = home.path(".local/state/nudge-hints/session");
    home.write(".local/state/nudge-hints/session/session.journal", "");
    fs::set_permissions(session, fs::Permissions::from_mode(0o700)).unwrap();
    let said = home.nudge("install claude").done();
    let note = "`; `nudge restart` applies it to the session that has begun\n";
    assert!(said.contains(note), "{said}");
}
