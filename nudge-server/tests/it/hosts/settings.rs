//! The file for the user's settings, which comes with the first host and goes with it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::home::Home;

const FILE: &str = ".config/nudge-hints/config.toml";

#[test]
fn it_is_written_once_and_goes_if_nobody_changed_it() {
    let home = Home::with_hosts();
    let untouched = home.everything();
    let said = home.nudge("install cursor claude").done();
    let shown = home.path(FILE).display().to_string();
    let note = format!("your settings go into `{shown}`");
    assert_eq!(said.matches(&note).count(), 1, "{said}");
    let written = home.read(FILE);
    assert!(written.contains("\n# max_hints = 5000\n"), "{written}");
    let mode = fs::metadata(home.path(FILE)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    home.nudge("uninstall --yes").done();
    assert_eq!(home.everything(), untouched);
}

#[test]
fn one_that_says_something_is_never_touched() {
    let home = Home::with_hosts();
    home.write(FILE, "max_hints = 9\n");
    let said = home.nudge("install cursor claude").done();
    assert!(!said.contains("your settings"), "{said}");
    let said = home.nudge("uninstall --yes").done();
    let note = format!("left your settings in `{}`", home.path(FILE).display());
    assert_eq!(said.matches(&note).count(), 1, "{said}");
    assert_eq!(home.read(FILE), "max_hints = 9\n");
}

#[test]
fn what_changes_nothing_of_the_user_s_writes_none() {
    let home = Home::with_hosts();
    for line in [
        "install claude --dry-run",
        "install claude --print",
        "install claude --scope project",
    ] {
        home.nudge(line).done();
        assert!(!home.path(FILE).exists(), "{line}");
    }
    home.nudge("install claude").done();
    home.nudge("uninstall claude --dry-run").done();
    home.nudge("uninstall claude --scope project").done();
    assert!(home.path(FILE).exists());
}
