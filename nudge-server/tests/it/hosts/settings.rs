//! The file for the user's settings, and the one question before anything is written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::Value;

use super::home::Home;

const FILE: &str = ".config/nudge-hints/config.toml";

const QUESTION: &str = "Do all of this? [Y/n]";

fn kept(home: &Home) -> String {
    let shown = home.path(FILE).display().to_string();
    format!("what you set and what works is kept, unless you write `keep = false` into `{shown}`\n")
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
fn at_a_terminal_all_is_listed_and_asked_once() {
    for (line, answer) in [("install claude", "\n"), ("install", "y\n")] {
        let home = Home::empty();
        fs::create_dir(home.path(".claude")).unwrap();
        let said = home.answered(line, answer);
        let (offer, done) = said.split_once(QUESTION).unwrap();
        let path = |name: &str| home.path(name).display().to_string();
        let lines = [
            format!("Claude Code: would install in `{}`\n", path(".claude.json")),
            format!(
                "Claude Code: would put hooks and a status line into `{}`\n",
                path(".claude/settings.json")
            ),
            "what you set and what works is kept; `--no-keep` turns that off\n".to_owned(),
            "(what agents do would not be recorded; add `--observe` for that)\n".to_owned(),
            "(a command that cannot run here would be warned of; after `nudge config before stop` it is \
             held back, once)\n"
                .to_owned(),
        ];
        assert!(offer.replace('\r', "").ends_with(&lines.concat()), "{said}");
        assert!(!done.contains("[Y/n]") && !said.contains("[y/N]"), "{said}");
        assert!(home.read(FILE).contains("\nkeep = true\n"));
        assert!(home.read(".claude/settings.json").contains("hook claude"));
        let learns = "nothing is known here yet; it learns from the commands that agents run";
        assert!(done.contains(learns), "{said}");
        assert!(
            !home.answered(line, "").contains(QUESTION),
            "nothing is left to ask"
        );
    }
}

#[test]
fn who_says_no_or_nothing_changes_nothing_and_hears_how_to_take_less() {
    for answer in ["n\n", "No\n", ""] {
        for line in ["install", "install claude cursor"] {
            let home = Home::with_hosts();
            let before = home.everything();
            let said = home.answered(line, answer);
            assert_eq!(said.matches(QUESTION).count(), 1, "{said}");
            let how = "nothing was changed; name the agents";
            assert!(said.contains(how), "{said}");
            assert_eq!(home.everything(), before);
            assert!(!home.path(FILE).exists());
        }
    }
}

#[test]
fn what_flags_decide_is_not_asked() {
    let home = Home::with_hosts();
    let mut said = String::new();
    for (line, words, is_wired) in [
        ("install claude --no-hooks --keep", "installed", false),
        ("install claude --hooks", "put hooks and", true),
        ("install cursor --no-hooks --keep", "installed", true),
        // What a project's file says holds for others too.
        ("install gemini --scope project", "installed", true),
    ] {
        said = home.answered(line, "");
        let is_done = said.contains(words) && !said.contains(QUESTION);
        assert!(is_done, "{line}: {said}");
        assert_eq!(home.path(".claude/settings.json").exists(), is_wired);
    }
    assert!(!said.contains("hooks"), "{said}");
}

#[test]
fn what_would_be_refused_is_not_offered() {
    let home = Home::with_hosts();
    home.write(".claude.json", "{ \"mcpServers\": ");
    let said = home.answered("install claude --keep", "");
    assert!(said.contains("is broken at line"), "{said}");
    let is_offered = said.contains(QUESTION) || said.contains("hooks");
    assert!(!is_offered, "{said}");
}

#[test]
fn hooks_come_by_themselves_only_where_somebody_says_yes() {
    let hooks = ".claude/settings.json";
    for (line, is_wired) in [
        ("install claude", false),
        ("install claude --yes", true),
        ("install claude --yes --no-hooks", false),
    ] {
        let home = Home::with_hosts();
        home.nudge(line).done();
        assert_eq!(home.path(hooks).exists(), is_wired, "{line}");
        let home = Home::with_hosts().with("CLAUDECODE", "1");
        home.nudge(line).done();
        assert!(!home.path(hooks).exists(), "{line}");
    }
    let said = Home::with_hosts()
        .nudge("install claude --hooks --no-hooks")
        .refused();
    assert!(said.contains("exclude each other"), "{said}");
}

#[test]
fn it_ends_with_what_an_agent_is_told_here_now() {
    let home = Home::with_hosts();
    home.nudge("set api build make").done();
    let said = home.answered("install claude --yes", "");
    let (_, told) = said
        .split_once("an agent that starts here now is told:")
        .unwrap();
    assert!(told.contains("- [user] api/build: make"), "{said}");
    assert!(!said.contains("nudge learn"), "{said}");
    home.write(".claude/projects/api/s1.jsonl", "");
    let said = home.answered("install claude --yes", "");
    let (_, last) = said.split_once("api/build: make").unwrap();
    assert!(last.contains("`nudge learn` fills it"), "{said}");
    for line in [
        "install claude --dry-run",
        "install claude --json",
        "install claude --print",
    ] {
        assert!(!home.answered(line, "").contains("api/build"), "{line}");
    }
    assert!(!home.nudge("install claude").done().contains("api/build"));
}

#[test]
fn flags_answer_it() {
    for (flags, line) in [
        ("--no-hooks --keep", "keep = true"),
        ("--no-hooks --no-keep", "keep = false"),
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
    assert!(said.contains("exclude each other"), "{said}");
    let done = home.nudge("install claude --no-keep --json").done();
    let done: Value = serde_json::from_str(&done).unwrap();
    let notes = done[0]["notes"].to_string();
    let words = "what is set from then on ends with the session, unless";
    assert!(notes.contains(words), "{notes}");
}

#[test]
fn what_agents_do_is_recorded_only_where_the_user_says_so() {
    let home = Home::with_hosts();
    let said = home.answered("install claude --observe", "\n");
    let (offer, done) = said.split_once(QUESTION).unwrap();
    let offered = "what agents do would be recorded, to be searched";
    assert!(offer.contains(offered), "{said}");
    let recorded = "what agents do is recorded, to be searched, unless you write `observe = false`";
    assert!(done.contains(recorded), "{said}");
    let written = home.read(FILE);
    assert!(written.contains("\nkeep = true\n") && written.contains("\nobserve = true\n"));
    assert!(!written.contains("# observe"), "{written}");
    let said = home.nudge("install claude --observe").done();
    let known = "says `observe` already; change it there";
    assert!(said.contains(known), "{said}");
    home.nudge("uninstall --yes").done();
    assert_eq!(home.read(FILE), written);

    for line in ["install claude --yes", "install claude --observe --dry-run"] {
        let home = Home::with_hosts();
        home.nudge(line).done();
        assert!(!home.path(FILE).exists() || !home.read(FILE).contains("\nobserve"));
    }
    let home = Home::with_hosts().with("CLAUDECODE", "1");
    let said = home.nudge("install claude --observe").done();
    let open = "nothing is recorded until the user types `nudge install --observe`";
    assert!(said.contains(open), "{said}");
    assert!(!home.path(FILE).exists());
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
    let is_done = said.contains("installed") && !said.contains("keep");
    assert!(is_done, "{said}");
    let said = home.nudge("install claude --keep").done();
    let known = "says `keep` already; change it there";
    assert!(said.contains(known), "{said}");
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
    let note = "cannot be written: it is a link; what you set and what works is kept";
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
        assert!(!home.path(FILE).exists(), "{line}");
        assert!(!said.contains("kept"), "{said}");
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
        let note =
            "what you set and what works is kept until the user types `nudge install --no-keep`\n";
        assert_eq!(said.matches(note).count(), 1, "{said}");
        assert!(!home.path(FILE).exists());
    }
}

#[test]
fn a_session_that_has_begun_goes_on_as_it_is_and_that_is_said() {
    let home = Home::with_hosts();
    let session = home.path(".local/state/nudge-hints");
    let identity = r#"{"product": "nudge", "version": "0.1.0", "protocol": "1.0", "pid": 1,
        "port": 0, "started": "2025-11-04T10:00:00Z", "session_id": "s-1", "nonce": "x"}"#;
    home.write(".local/state/nudge-hints/server.pid", identity);
    fs::set_permissions(session, fs::Permissions::from_mode(0o700)).unwrap();
    let said = home.nudge("install claude").done();
    let note = "`; `nudge restart` applies it to the session that has begun\n";
    assert!(said.contains(note), "{said}");
}
