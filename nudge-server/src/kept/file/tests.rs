//! A medium that fails, writers at the same time, and files that are not ours.

mod steps;

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::thread;

use rustix::fs::{CWD, Mode, mkfifoat};
use tempfile::TempDir;

use super::*;

/// Why a file is refused, and how it is made.
type Case = (&'static str, fn(&Path));

/// A home with a file of kept hints in it, and where that is.
struct Stage {
    home: TempDir,
    file: KeptFile,
    path: PathBuf,
}

impl Stage {
    fn new() -> Stage {
        let home = tempfile::tempdir().unwrap();
        let file = Stage::file(home.path());
        let path = home.path().join(".config/nudge-hints/hints.json");
        file.place.folder(true).unwrap();
        Stage { home, file, path }
    }

    fn file(home: &Path) -> KeptFile {
        KeptFile {
            patience: Duration::from_mins(1),
            ..Place::everywhere(home)
        }
    }

    fn with(bytes: &[u8]) -> Stage {
        let stage = Stage::new();
        stage.file.update(to(bytes)).unwrap();
        stage
    }

    /// The names beside the file and the lock.
    fn others(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path.parent().unwrap()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names
            .filter(|name| name != "hints.json" && name != "lock")
            .collect();
        names.sort();
        names
    }
}

/// A change to these bytes, whatever was there.
fn to(bytes: &[u8]) -> impl FnOnce(Option<Vec<u8>>) -> Result<Option<Vec<u8>>, String> {
    move |_| Ok(Some(bytes.to_vec()))
}

#[test]
fn an_update_sees_what_is_there_and_leaves_it_where_it_says_nothing() {
    let stage = Stage::new();
    assert_eq!(stage.file.read(), Ok(None));
    for (seen, said, is_written) in [
        (None, None, false),
        (None, Some("one"), true),
        (Some("one"), Some(""), true),
        (Some(""), None, false),
    ] {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        let updated = stage.file.update(|current| {
            assert_eq!(current, bytes(seen));
            Ok::<_, String>(bytes(said))
        });
        assert_eq!(updated, Ok(is_written));
        assert_eq!(stage.file.read(), Ok(bytes(said.or(seen))));
    }
    let refused = stage.file.update(|_| Err("no".to_owned()));
    assert_eq!(refused, Err("no".to_owned()));
    let mode = fs::metadata(&stage.path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(stage.others(), [""; 0]);
}

#[test]
fn writers_at_the_same_time_lose_nothing() {
    let stage = Stage::new();
    let rounds = 100;
    thread::scope(|scope| {
        for writer in [b'a', b'b', b'c'] {
            let home = stage.home.path();
            scope.spawn(move || {
                for _ in 0..rounds {
                    let file = Stage::file(home);
                    let appended = file.update(|current| {
                        let mut bytes = current.unwrap_or_default();
                        bytes.push(writer);
                        Ok::<_, String>(Some(bytes))
                    });
                    assert_eq!(appended, Ok(true));
                }
            });
        }
    });
    let mut bytes = stage.file.read().unwrap().unwrap();
    bytes.sort_unstable();
    let expected = [b'a', b'b', b'c'].map(|writer| vec![writer; rounds]);
    assert_eq!(bytes, expected.concat());
}

#[test]
fn a_lock_that_is_held_is_not_waited_for_without_end() {
    let stage = Stage::with(b"old");
    let held = Runtime::as_it_is(stage.path.parent().unwrap());
    let _held = held.try_lock().unwrap().unwrap();
    let file = KeptFile {
        patience: Duration::ZERO,
        ..stage.file.clone()
    };
    let shown = stage.path.display();
    let words = format!("`{shown}` cannot be written: another process is writing it");
    assert_eq!(file.update(to(b"new")), Err(words.clone()));
    assert_eq!(file.put_aside(b"old"), Err(words));
    // Reading needs none.
    assert_eq!(file.read(), Ok(Some(b"old".to_vec())));
}

#[test]
fn what_is_not_a_file_of_ours_alone_is_neither_read_nor_replaced() {
    let spoilt: [Case; 6] = [
        ("it is a link", |path| {
            let elsewhere = path.with_file_name("elsewhere");
            fs::write(&elsewhere, "theirs").unwrap();
            symlink(elsewhere, path).unwrap();
        }),
        ("it is a link", |path| symlink("nowhere", path).unwrap()),
        ("it is not a regular file", |path| {
            fs::create_dir(path).unwrap();
        }),
        ("it is not a regular file", |path| {
            mkfifoat(CWD, path, Mode::RWXU).unwrap();
        }),
        ("others may write to it", |path| {
            fs::write(path, "theirs").unwrap();
            fs::set_permissions(path, Permissions::from_mode(0o602)).unwrap();
        }),
        ("it has more than 67108864 bytes", |path| {
            let file = fs::File::create(path).unwrap();
            file.set_len(MAX_BYTES + 1).unwrap();
        }),
    ];
    let foreign: Case = ("it belongs to somebody else", |path| {
        fs::write(path, "theirs").unwrap();
        chown(path, Some(12_345), None).unwrap();
    });
    let is_root = rustix::process::geteuid().is_root();
    for (why, spoil) in spoilt.into_iter().chain(is_root.then_some(foreign)) {
        let stage = Stage::new();
        spoil(&stage.path);
        let before = fs::symlink_metadata(&stage.path).unwrap();
        let words = format!("`{}` cannot be read: {why}", stage.path.display());
        let refused = [
            stage.file.read().unwrap_err(),
            stage.file.update(to(b"new")).unwrap_err(),
            stage.file.put_aside(b"theirs").unwrap_err(),
        ];
        for refused in refused {
            assert!(refused.starts_with(&words), "{refused}");
        }
        let after = fs::symlink_metadata(&stage.path).unwrap();
        assert_eq!(before.modified().unwrap(), after.modified().unwrap());
        assert_eq!(before.file_type(), after.file_type());
        assert!(!stage.path.with_added_extension("new").exists());
    }
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let stage = Stage::with(b"old");
    let most = usize::try_from(MAX_BYTES).unwrap();
    let words = stage.file.update(to(&vec![b' '; most + 1])).unwrap_err();
    assert!(words.ends_with("it would be too long"), "{words}");
    assert_eq!(stage.file.read(), Ok(Some(b"old".to_vec())));
}

#[test]
fn damaged_files_are_moved_aside_and_three_of_them_stay() {
    let stage = Stage::new();
    for (bytes, ending) in [
        ("a", "damaged"),
        ("b", "damaged.2"),
        ("c", "damaged.3"),
        ("d", "damaged.3"),
    ] {
        stage.file.update(to(bytes.as_bytes())).unwrap();
        let aside = stage.path.with_added_extension(ending);
        let other = stage.file.put_aside(b"what was there before");
        assert_eq!(other, Ok(None));
        assert_eq!(
            stage.file.put_aside(bytes.as_bytes()),
            Ok(Some(aside.clone()))
        );
        assert_eq!(fs::read(aside).unwrap(), bytes.as_bytes());
        assert_eq!(stage.file.read(), Ok(None));
        assert_eq!(stage.file.put_aside(bytes.as_bytes()), Ok(None));
    }
    let names = DAMAGED.map(|ending| format!("hints.json.{ending}"));
    assert_eq!(stage.others(), names);
    stage.file.remove_damaged().unwrap();
    assert_eq!(stage.others(), [""; 0]);
}
