//! Files that others write as well.

use std::os::unix::fs::{MetadataExt, PermissionsExt};

use super::*;

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
fn a_new_file_of_a_user_is_nobody_else_s_business() {
    let folder = tempfile::tempdir().unwrap();
    let location = location(folder.path());
    let file = ConfigFile::open(&location, Scope::User).unwrap();
    file.write("{}").unwrap();
    let mode = location.path().metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
