//! Files that others write as well.

use std::os::unix::fs::MetadataExt;

use super::*;
use crate::install::add::install;
use crate::install::remove::uninstall;
use crate::install::report::Outcome;
use crate::install::table::HOSTS;

fn location(folder: &Path) -> Location {
    Location {
        base: folder.to_owned(),
        name: "config.json",
    }
}

#[test]
fn a_file_that_somebody_else_wrote_meanwhile_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let location = location(folder.path());
    for before in [None, Some("{}")] {
        if let Some(text) = before {
            fs::write(location.path(), text).unwrap();
        }
        let file = ConfigFile::open(&location, Scope::User).unwrap();
        fs::write(location.path(), "{\"theirs\": 1}").unwrap();
        let words = file.write("{\"ours\": 1}").unwrap_err();
        assert!(words.contains("was changed by another program"), "{words}");
        assert!(file.remove().is_err());
        assert_eq!(
            fs::read_to_string(location.path()).unwrap(),
            "{\"theirs\": 1}"
        );
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1,
            "nothing is left behind"
        );
        fs::remove_file(location.path()).unwrap();
    }
}

#[test]
fn a_file_of_another_user_stays_theirs() {
    let folder = tempfile::tempdir().unwrap();
    let location = location(folder.path());
    fs::write(location.path(), "{}").unwrap();
    // Only the superuser can give a file away.
    if std::os::unix::fs::chown(location.path(), Some(12_345), Some(23_456)).is_err() {
        return;
    }
    let file = ConfigFile::open(&location, Scope::User).unwrap();
    file.write("{\"a\": 1}").unwrap();
    let now = location.path().metadata().unwrap();
    assert_eq!((now.uid(), now.gid()), (12_345, 23_456));
}

#[test]
fn a_file_of_too_many_parts_is_refused_and_a_long_text_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let location = location(folder.path());
    let taken = |text: String| {
        fs::write(location.path(), text).unwrap();
        ConfigFile::open(&location, Scope::User).map(|_| ())
    };
    let keys = |count: usize| (0..count).map(|key| format!("\"k{key}\": 1,\n"));
    assert_eq!(
        taken(format!("{{{}}}", keys(19_000).collect::<String>())),
        Ok(())
    );
    let words = "it's \\\"one\\\", {[two]}; \\\\".repeat(310_000);
    assert!(words.len() > 7 << 20);
    assert_eq!(
        taken(format!("{{\"history\": [\"{words}\"], \"a\": 1}}")),
        Ok(())
    );
    for text in [
        keys(21_000).collect::<String>(),
        "[".repeat(400_000),
        "a\n".repeat(400_000),
        "a b ".repeat(200_000),
        "\"\" ".repeat(400_000),
        "# don't\na = 1\n\"\n".repeat(60_000),
    ] {
        let words = taken(text).unwrap_err();
        assert!(words.contains("too many to edit safely"), "{words}");
        assert!(words.contains("`nudge install --print`"), "{words}");
    }
}

#[test]
fn what_is_installed_can_be_taken_out_again_however_large_the_file_is() {
    let place = tempfile::tempdir().unwrap();
    let (home, bin) = (place.path().join("home"), place.path().join("bin"));
    let machine = Machine::made_up(&home, &bin, &home, &bin.join("nudge"));
    let host = HOSTS.iter().find(|host| host.id == "cursor").unwrap();
    let file = home.join(".cursor/mcp.json");
    fs::create_dir_all(home.join(".cursor")).unwrap();
    let mut outcomes = Vec::new();
    // From one below the most to what has room for our entry.
    for fewer in [0, 1, 100] {
        let keys = (0..MOST_PARTS / 5 - 1 - fewer).map(|key| format!("\"k{key}\": 1,\n"));
        let text = format!("{{{}}}", keys.collect::<String>());
        fs::write(&file, &text).unwrap();
        let installed = install(host, Scope::User, &machine, false);
        let left = uninstall(host, Scope::User, &machine, false);
        assert_ne!(left.outcome, Outcome::Refused, "{}", left.message);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        outcomes.push(installed.outcome);
    }
    let expected = [Outcome::Refused, Outcome::Refused, Outcome::Installed];
    assert_eq!(outcomes, expected);
}
