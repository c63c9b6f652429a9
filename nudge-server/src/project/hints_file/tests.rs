//! Files that anybody may have committed, and when one counts as changed.

use std::fs::{File, Permissions, set_permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::time::Duration;

use rustix::fs::{CWD, Mode, mkfifoat};
use tempfile::TempDir;

use super::*;

/// Why a file is refused, and how it is made at a root.
type Hostile = (&'static str, fn(&Path, &Path));

/// What is done to a file, and how.
type Change = (&'static str, fn(&Path));

fn root() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn write(root: &TempDir, bytes: &[u8]) -> PathBuf {
    let path = root.path().join(NAME);
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_file_is_read_wherever_it_is_below_the_root() {
    let root = root();
    assert_eq!(read(root.path()).content, Content::Absent);
    assert_eq!(read(&root.path().join("missing")).content, Content::Absent);
    let path = write(&root, b"{}");
    // Whose it is does not matter: only trust does.
    let _ = chown(&path, Some(12_345), None);
    assert_eq!(read(root.path()).content, Content::Bytes(b"{}".to_vec()));
    fs::create_dir(root.path().join("hints")).unwrap();
    fs::rename(&path, root.path().join("hints/all.json")).unwrap();
    for target in ["hints/all.json", "./hints/./all.json"] {
        symlink(target, &path).unwrap();
        assert_eq!(read(root.path()).content, Content::Bytes(b"{}".to_vec()));
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn what_is_no_file_of_the_repository_is_refused_and_not_waited_for() {
    let outside = "it is a link that leads out of the repository, or to a link";
    let no_file = "it is not a regular file";
    let hostile: [Hostile; 11] = [
        (outside, |path, root| {
            let outside = root.with_file_name("outside");
            fs::write(&outside, "theirs").unwrap();
            symlink(outside, path).unwrap();
        }),
        (outside, |path, _| symlink("../outside", path).unwrap()),
        (outside, |path, _| symlink("a/../../outside", path).unwrap()),
        (outside, |path, root| {
            symlink("/etc/passwd", root.join("link")).unwrap();
            symlink("link", path).unwrap();
        }),
        (outside, |path, root| {
            symlink("/etc", root.join("folder")).unwrap();
            symlink("folder/passwd", path).unwrap();
        }),
        (outside, |path, _| symlink(NAME, path).unwrap()),
        ("No such file", |path, _| symlink("nowhere", path).unwrap()),
        (no_file, |path, _| fs::create_dir(path).unwrap()),
        (no_file, |path, _| mkfifoat(CWD, path, Mode::RWXU).unwrap()),
        (no_file, |path, root| {
            mkfifoat(CWD, root.join("fifo"), Mode::RWXU).unwrap();
            symlink("fifo", path).unwrap();
        }),
        ("it has more than 1048576 bytes", |path, _| {
            let file = File::create(path).unwrap();
            file.set_len(MAX_BYTES + 1).unwrap();
        }),
    ];
    for (why, make) in hostile {
        let parent = root();
        let root = parent.path().join("root");
        fs::create_dir(&root).unwrap();
        let path = root.join(NAME);
        make(&path, &root);
        let Content::Refused(words) = read(&root).content else {
            panic!("{why}: it was read")
        };
        let start = format!("`{}` cannot be read: {why}", path.display());
        assert!(words.starts_with(&start), "{words}");
        // It is not written either, if it is not a file.
        let is_file = fs::symlink_metadata(&path).unwrap().is_file();
        assert_eq!(replace(&root, b"{}").is_ok(), is_file, "{why}");
    }
}

#[test]
fn a_change_is_seen_without_reading() {
    let root = root();
    // Long after everything that is done here.
    let later = SystemTime::now() + Duration::from_hours(1);
    let read = || read_at(root.path(), later);
    let absent = read();
    assert!(absent.is_current(&stamp(root.path())));
    let changes: [Change; 6] = [
        ("made", |path| fs::write(path, "{}").unwrap()),
        ("longer", |path| fs::write(path, "{  }").unwrap()),
        ("other times", |path| {
            let file = File::options().write(true).open(path).unwrap();
            file.set_modified(UNIX_EPOCH).unwrap();
        }),
        ("another file", |path| {
            let made = path.with_file_name("made");
            fs::write(&made, "{ }").unwrap();
            fs::rename(made, path).unwrap();
        }),
        ("a link", |path| {
            fs::rename(path, path.with_file_name("a")).unwrap();
            fs::write(path.with_file_name("b"), "{ }").unwrap();
            symlink("a", path).unwrap();
        }),
        ("behind the link", |path| {
            fs::write(path.with_file_name("a"), "{     }").unwrap();
        }),
    ];
    for (what, change) in changes {
        let before = read();
        assert!(before.is_current(&stamp(root.path())), "{what}");
        change(&root.path().join(NAME));
        assert!(!before.is_current(&stamp(root.path())), "{what}");
    }
    assert!(!absent.is_current(&stamp(root.path())));
}

#[test]
fn what_was_changed_when_it_was_read_counts_as_changed() {
    let root = root();
    let path = write(&root, b"{}");
    let changed =
        UNIX_EPOCH + Duration::from_secs(fs::metadata(&path).unwrap().ctime().unsigned_abs());
    for (seconds, is_current) in [(0, false), (2, false), (3, true), (3600, true)] {
        let file = read_at(root.path(), changed + Duration::from_secs(seconds));
        assert_eq!(
            file.is_current(&stamp(root.path())),
            is_current,
            "{seconds}"
        );
    }
    // Times before the epoch, and long after today, are those of archives.
    for modified in [
        UNIX_EPOCH - Duration::from_hours(1),
        changed + Duration::from_hours(9999),
    ] {
        let file = File::options().write(true).open(&path).unwrap();
        file.set_modified(modified).unwrap();
        let read = read_at(root.path(), changed + Duration::from_hours(1));
        assert!(read.is_current(&stamp(root.path())));
    }
}

#[test]
fn a_file_is_replaced_whole_and_keeps_its_mode() {
    let root = root();
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o7777;
    replace(root.path(), b"{}").unwrap();
    let path = root.path().join(NAME);
    assert_eq!(mode(&path), 0o644);
    for kept in [0o600, 0o664, 0o755] {
        set_permissions(&path, Permissions::from_mode(kept)).unwrap();
        replace(root.path(), format!("{kept}").as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{kept}"));
        assert_eq!(mode(&path), kept);
    }
    let most = usize::try_from(MAX_BYTES).unwrap();
    assert!(replace(root.path(), &vec![b' '; most + 1]).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), format!("{}", 0o755));
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    assert!(replace(&root.path().join("missing"), b"{}").is_err());
}
