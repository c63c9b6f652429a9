//! Files that are not what they should be: each has a clear end, and nothing hangs.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::{TempDir, tempdir};

use super::super::aside::*;
use super::super::database::*;
use super::tamper;

const FIRST: Schema = Schema {
    name: "nudge.db",
    major: 2,
    tables: "CREATE TABLE hints (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL UNIQUE);
        CREATE INDEX by_length ON hints (length(text));",
    added: &[],
};

const SECOND: Schema = Schema {
    added: &["ALTER TABLE hints ADD COLUMN uses INTEGER; CREATE TABLE runs (command TEXT);"],
    ..FIRST
};

/// Opens a file, and looks whether anything is in it.
fn open(folder: &Path, schema: &Schema) -> Result<Opened<bool>, Refusal> {
    let sql = "SELECT EXISTS (SELECT 1 FROM hints)";
    super::super::database::open(folder, schema, |on| on.query_row(sql, [], |row| row.get(0)))
}

fn is_new(opened: &Opened<bool>) -> bool {
    !opened.loaded
}

/// A folder with a file of 2,000 hints.
fn filled() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let opened = open(folder.path(), &FIRST).unwrap();
    assert!(is_new(&opened) && opened.notices.is_empty());
    insert(&opened.connection, 0..2000);
    let path = folder.path().join(FIRST.name);
    (folder, path)
}

fn insert(connection: &Connection, numbers: std::ops::Range<usize>) {
    let transaction = connection.unchecked_transaction().unwrap();
    for number in numbers {
        let text = format!("hint-{number}-{}", "x".repeat(number % 97));
        let sql = "INSERT INTO hints (text) VALUES (?1)";
        transaction.execute(sql, [text]).unwrap();
    }
    transaction.commit().unwrap();
}

fn execute(connection: &Connection, sql: &str) {
    connection.execute_batch(sql).unwrap();
}

fn count(connection: &Connection) -> rusqlite::Result<usize> {
    let mut all = connection.prepare("SELECT text FROM hints NOT INDEXED")?;
    let all = all.query_map([], |row| row.get::<_, String>(0))?;
    Ok(all.map_while(Result::ok).count())
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let names = names.map(|it| it.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn a_file_is_private_has_no_index_of_its_log_beside_it_and_is_found_again() {
    let (folder, path) = filled();
    let opened = open(folder.path(), &FIRST).unwrap();
    assert!(!is_new(&opened) && opened.aside.is_none());
    assert_eq!(count(&opened.connection), Ok(2000));
    insert(&opened.connection, 2000..2001);
    assert_eq!(names(folder.path()), ["nudge.db", "nudge.db-wal"]);
    for name in names(folder.path()) {
        let mode = fs::metadata(folder.path().join(name))
            .unwrap()
            .permissions();
        assert_eq!(mode.mode() & 0o777, 0o600);
    }
    // Nobody else has it meanwhile, and a copy without the log is whole once it has settled.
    assert!(matches!(
        open(folder.path(), &FIRST),
        Err(Refusal::Unusable(_))
    ));
    settle(&opened.connection).unwrap();
    let copy = tempdir().unwrap();
    fs::copy(&path, copy.path().join(FIRST.name)).unwrap();
    let copied = open(copy.path(), &FIRST).unwrap();
    assert_eq!(count(&copied.connection), Ok(2001));
}

#[test]
fn what_is_no_plain_file_of_ours_is_refused_and_left_alone() {
    for end in ["", "-wal", "-shm", "-journal"] {
        for what in ["link", "device", "fifo", "folder", "two names", "read-only"] {
            let folder = tempdir().unwrap();
            let path = with_end(&folder.path().join(FIRST.name), end);
            let target = folder.path().join("target");
            fs::write(&target, "theirs").unwrap();
            match what {
                "link" => symlink(&target, &path).unwrap(),
                "device" => symlink("/dev/zero", &path).unwrap(),
                "fifo" => {
                    let made = std::process::Command::new("mkfifo").arg(&path).status();
                    assert!(made.unwrap().success());
                }
                "folder" => fs::create_dir(&path).unwrap(),
                "two names" => fs::hard_link(&target, &path).unwrap(),
                _ => {
                    fs::write(&path, "").unwrap();
                    fs::set_permissions(&path, Permissions::from_mode(0o400)).unwrap();
                }
            }
            let refused = open(folder.path(), &FIRST).unwrap_err();
            let said = refused.to_string();
            assert!(said.contains(path.to_str().unwrap()), "{what}{end}: {said}");
            assert_eq!(fs::read(&target).unwrap(), b"theirs", "{what}{end}");
        }
    }
    let (folder, _) = filled();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o500)).unwrap();
    let said = open(folder.path(), &FIRST).unwrap_err().to_string();
    assert!(said.contains("folder cannot be written to"), "{said}");
    assert_eq!(names(folder.path()), ["nudge.db"]);
}

#[test]
fn a_file_whose_tables_are_not_ours_is_moved_aside_and_nothing_of_it_is_used() {
    for hostile in [
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON hints BEGIN DELETE FROM hints; END",
        "CREATE INDEX more ON hints (id)",
        "CREATE TABLE more (id)",
        "DROP INDEX by_length",
        "ALTER TABLE hints ADD COLUMN more",
        "ALTER TABLE hints RENAME TO h; CREATE VIEW hints AS SELECT * FROM h",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 1000",
        "PRAGMA user_version = -1",
        "PRAGMA user_version = 2001; CREATE VIEW more AS SELECT 1",
        "PRAGMA user_version = 2001; DROP INDEX by_length",
        "PRAGMA user_version = 2001; ALTER TABLE hints RENAME COLUMN text TO texts",
        "PRAGMA user_version = 2001;
            CREATE TRIGGER t AFTER INSERT ON hints BEGIN DELETE FROM hints; END",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = x'ff' WHERE type = 'index'",
    ] {
        let (folder, _) = filled();
        tamper(folder.path(), hostile);
        let opened = open(folder.path(), &FIRST).unwrap();
        assert!(is_new(&opened), "{hostile}");
        assert_eq!(opened.notices.len(), 1, "{hostile}: {:?}", opened.notices);
        assert_eq!(count(&opened.connection), Ok(0), "{hostile}");
        let salvaged = opened.aside.and_then(|aside| salvage(&aside, &FIRST));
        assert!(salvaged.is_none(), "{hostile}");
        let aside = put_aside(folder.path(), FIRST.name).unwrap().unwrap();
        assert!(
            names(folder.path()).len() >= 2 && aside.exists(),
            "{hostile}"
        );
        assert!(remove_aside(folder.path(), FIRST.name).unwrap() >= 2);
        assert_eq!(names(folder.path()), [""; 0], "{hostile}");
    }
}

#[test]
fn a_later_major_version_is_left_as_it_is_with_its_log() {
    let (folder, path) = filled();
    let copy = tempdir().unwrap();
    let later = Connection::open(&path).unwrap();
    later
        .execute_batch("PRAGMA user_version = 7004; CREATE VIEW more AS SELECT 1")
        .unwrap();
    for name in names(folder.path()) {
        fs::copy(folder.path().join(&name), copy.path().join(&name)).unwrap();
    }
    let bytes = || {
        let names = names(copy.path()).into_iter();
        let read = |name: String| (fs::read(copy.path().join(&name)).unwrap(), name);
        names
            .filter(|name| !name.ends_with("-shm"))
            .map(read)
            .collect::<Vec<_>>()
    };
    let before = bytes();
    assert_eq!(before.len(), 2);
    assert_eq!(open(copy.path(), &FIRST).unwrap_err(), Refusal::Later(7));
    assert!(bytes() == before);
}

#[test]
fn a_minor_version_adds_what_is_missing_and_is_used_by_older_ones() {
    let (folder, path) = filled();
    let opened = open(folder.path(), &SECOND).unwrap();
    assert!(!is_new(&opened) && opened.notices.is_empty());
    execute(&opened.connection, "UPDATE hints SET uses = 1 WHERE id = 1");
    drop(opened);
    for schema in [&FIRST, &SECOND, &FIRST] {
        let opened = open(folder.path(), schema).unwrap();
        assert_eq!(
            (opened.notices.len(), count(&opened.connection)),
            (0, Ok(2000))
        );
        execute(
            &opened.connection,
            "INSERT INTO hints (text) VALUES ('a') ON CONFLICT DO NOTHING",
        );
        execute(&opened.connection, "DELETE FROM hints WHERE text = 'a'");
    }
    // A new file of that version is the same to the letter.
    fs::remove_file(&path).unwrap();
    assert!(is_new(&open(folder.path(), &SECOND).unwrap()));
    assert_eq!(open(folder.path(), &SECOND).unwrap().notices.len(), 0);
}

#[test]
fn a_damaged_file_is_moved_aside_and_what_can_be_read_of_it_is() {
    for (what, readable) in [
        ("header", 0..=0),
        ("torn", 100..=1900),
        ("middle", 100..=1900),
        ("garbage", 0..=0),
        ("some bytes", 0..=0),
    ] {
        let (folder, path) = filled();
        let mut bytes = fs::read(&path).unwrap();
        let half = bytes.len() / 2;
        match what {
            "header" => bytes[..100].fill(0xff),
            "torn" => bytes.truncate(half),
            "middle" => bytes[half..half + 4096].fill(0xff),
            "garbage" => bytes.fill(b'g'),
            _ => bytes.truncate(77),
        }
        fs::write(&path, bytes).unwrap();
        let mut opened = open(folder.path(), &FIRST).unwrap();
        if what == "middle" {
            // It shows when it is read, and whoever reads it moves it aside.
            let sql = "SELECT sum(length(text)) FROM hints NOT INDEXED";
            let read = opened.connection.query_row(sql, [], |_| Ok(()));
            assert!(is_damage(&read.unwrap_err()), "{what}");
            drop(opened);
            let aside = put_aside(folder.path(), FIRST.name).unwrap();
            opened = Opened {
                aside,
                ..open(folder.path(), &FIRST).unwrap()
            };
        } else {
            assert_eq!(opened.notices.len(), 1, "{what}");
        }
        let salvaged = opened.aside.and_then(|aside| salvage(&aside, &FIRST));
        let read = salvaged.map_or(Ok(0), |salvaged| count(&salvaged)).unwrap();
        assert!(readable.contains(&read), "{what}: {read}");
        assert_eq!(count(&opened.connection), Ok(0), "{what}");
    }
}

#[test]
fn a_torn_log_loses_only_what_was_torn() {
    for what in ["torn", "garbage", "empty", "of another file"] {
        let (folder, path) = filled();
        let opened = open(folder.path(), &FIRST).unwrap();
        insert(&opened.connection, 2000..2001);
        insert(&opened.connection, 2001..2002);
        let (copy, log) = (tempdir().unwrap(), with_end(&path, "-wal"));
        fs::copy(&path, copy.path().join(FIRST.name)).unwrap();
        let mut bytes = fs::read(log).unwrap();
        let end = bytes.len() - 100;
        let (expected, bytes) = match what {
            "torn" => (2001, bytes.drain(..end).collect()),
            "garbage" => (2000, b"garbage ".repeat(9000)),
            "empty" => (2000, Vec::new()),
            _ => (0, bytes),
        };
        if what == "of another file" {
            File::create(copy.path().join(FIRST.name)).unwrap();
        }
        fs::write(copy.path().join("nudge.db-wal"), bytes).unwrap();
        let opened = open(copy.path(), &FIRST).unwrap();
        assert_eq!(opened.notices, [""; 0], "{what}");
        assert_eq!(count(&opened.connection), Ok(expected), "{what}");
    }
}

#[test]
fn nothing_that_was_deleted_or_replaced_is_in_the_file_or_its_log() {
    let (folder, _) = filled();
    let connection = open(folder.path(), &FIRST).unwrap().connection;
    let bytes = || {
        let names = names(folder.path()).into_iter();
        names
            .flat_map(|name| fs::read(folder.path().join(name)).unwrap())
            .collect::<Vec<u8>>()
    };
    for sql in [
        "UPDATE hints SET text = 'again-' || id || '-' || hex(zeroblob(id % 211)) WHERE id % 3 = 0",
        "DELETE FROM hints WHERE id % 2 = 0",
    ] {
        connection.execute_batch(sql).unwrap();
    }
    shed(&connection).unwrap();
    let stored = bytes();
    let stored = String::from_utf8_lossy(&stored);
    let left: Vec<&str> = stored.split("hint-").skip(1).collect();
    for id in 1..=2000_usize {
        let is_left = left
            .iter()
            .any(|it| it.starts_with(&format!("{}-", id - 1)));
        assert_eq!(is_left, id % 2 == 1 && id % 3 != 0, "{id}");
        let again = stored.contains(&format!("again-{id}-"));
        assert_eq!(again, id % 2 == 1 && id % 3 == 0, "{id}");
    }
}

#[test]
fn what_was_moved_aside_is_forgotten_after_a_week() {
    let folder = tempdir().unwrap();
    let week = 7 * 24 * 3600 * 1000;
    for name in [
        "nudge.db.damaged-1000",
        "nudge.db.damaged-1000-wal",
        "nudge.db.damaged-x",
        "nudge.db",
        "history.db.damaged-1",
    ] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    assert_eq!(
        forget_old_aside(folder.path(), "nudge.db", week + 1000).unwrap(),
        0
    );
    assert_eq!(
        forget_old_aside(folder.path(), "nudge.db", week + 1001).unwrap(),
        2
    );
    assert_eq!(names(folder.path()).len(), 3);
}
