//! Folders that are not ours alone, and names of repositories.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown, symlink};

use tempfile::TempDir;

use super::*;

/// Why a folder is refused, and how it is made.
type Case = (&'static str, fn(&Path));

/// A home that is ours alone.
fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    chmod(home.path(), 0o700);
    home
}

fn chmod(path: &Path, mode: u32) {
    set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn folders_are_made_for_us_alone_and_not_to_read() {
    let home = home();
    let place = Place::new(home.path(), OF_REPOSITORIES);
    assert_eq!(place.folder(false), Ok(None));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    let folder = home.path().join(OF_REPOSITORIES);
    assert_eq!(place.folder(true), Ok(Some(folder.clone())));
    assert_eq!(place.folder(false), Ok(Some(folder.clone())));
    let four = folder.ancestors().take(4);
    assert!(four.into_iter().all(|folder| {
        let mode = fs::metadata(folder).unwrap().permissions().mode();
        mode & 0o777 == 0o700
    }));
}

#[test]
fn a_folder_that_others_could_change_is_not_used() {
    let spoilt: [Case; 5] = [
        ("it is a link", |path| {
            let elsewhere = path.with_file_name("elsewhere");
            fs::create_dir(&elsewhere).unwrap();
            symlink(elsewhere, path).unwrap();
        }),
        ("it is a link", |path| symlink("nowhere", path).unwrap()),
        ("it is not a folder", |path| fs::write(path, "").unwrap()),
        ("others may write to it", |path| {
            fs::create_dir(path).unwrap();
            chmod(path, 0o702);
        }),
        ("others may write to it", |path| {
            fs::create_dir(path).unwrap();
            // A group that is not the user's own: only the superuser can give it any.
            let is_given = chown(path, None, Some(54_321)).is_ok();
            chmod(path, if is_given { 0o770 } else { 0o707 });
        }),
    ];
    for (why, spoil) in spoilt {
        for part in [".local", ".local/state", ".local/state/nudge-hints/repos"] {
            let home = home();
            let path = home.path().join(part);
            let mut above = fs::DirBuilder::new();
            above.recursive(true).mode(0o700);
            above.create(path.parent().unwrap()).unwrap();
            spoil(&path);
            let words = format!("`{}` cannot be used: {why}", path.display());
            let place = Place::new(home.path(), OF_REPOSITORIES);
            for is_made in [false, true] {
                let refused = place.folder(is_made).unwrap_err();
                assert!(refused.starts_with(&words), "{refused}");
            }
        }
    }
}

#[test]
fn the_group_of_a_user_alone_may_write() {
    let home = home();
    let seen = fs::metadata(home.path()).unwrap();
    if seen.gid() == seen.uid() {
        chmod(home.path(), 0o775);
        assert_eq!(check_home(home.path()), Ok(()));
    }
}

#[test]
fn a_home_that_cannot_be_used_keeps_nothing_and_says_why() {
    let home = home();
    assert_eq!(check_home(home.path()), Ok(()));
    let link = home.path().join("link");
    symlink(home.path(), &link).unwrap();
    assert_eq!(check_home(&link), Ok(()));
    let mut refused = vec![
        ("", "it is not an absolute path"),
        (".", "it is not an absolute path"),
    ];
    refused.push(("/nowhere/at/all", "No such file"));
    refused.push(("/dev/null", "it is not a folder"));
    refused.push(("/tmp", "it belongs to somebody else"));
    if rustix::process::geteuid().is_root() {
        refused.pop();
        let given = home.path().join("given");
        fs::create_dir(&given).unwrap();
        chown(&given, Some(12_345), None).unwrap();
        let words = check_home(&given).unwrap_err();
        assert!(words.ends_with("it belongs to somebody else"), "{words}");
    }
    for (path, why) in refused {
        let words = check_home(Path::new(path)).unwrap_err();
        assert!(words.contains(why), "{words}");
        let file = Place::everywhere(Path::new(path));
        assert_eq!(file.read(), Err(words.clone()));
        assert_eq!(file.update(|_| Ok(None)), Err(words));
    }
}

#[test]
fn each_repository_has_a_name_of_its_own_on_every_disk() {
    let long = format!("git:github.com/{}/mailer", "o".repeat(900));
    let repos = [
        ("git:github.com/globex/mailer", "github.com-globex-mailer-"),
        ("git:github.com/Globex/Mailer", "github.com-globex-mailer-"),
        ("git:github.com/globex-mailer", "github.com-globex-mailer-"),
        ("git:github.com-globex/mailer", "github.com-globex-mailer-"),
        ("git:github.com/globex/mailer ", "github.com-globex-mailer-"),
        ("file:///home/x/api", "home-x-api-"),
        (
            "file:///home/x/../../etc/passwd",
            "home-x-..-..-etc-passwd-",
        ),
        ("file:///E:/dev/chat", "e-dev-chat-"),
        ("file:///", ""),
        ("file:///é", ""),
        ("file:///.ssh", "ssh-"),
        ("git:h/../a\0\n*?\"<>|:\\b", "h-..-a-b-"),
        ("", ""),
    ];
    let mut seen = Vec::new();
    for (repo, start) in repos {
        let id = repo_id(repo);
        let hash = id
            .strip_prefix(start)
            .unwrap_or_else(|| panic!("{repo:?}: {id}"));
        assert_eq!(hash.len(), 16, "{id}");
        assert!(hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        seen.push(id);
    }
    let id = repo_id(&long);
    assert!(id.contains("-mailer-") && id.len() == MAX_NAME + 17, "{id}");
    seen.push(id);
    assert!(seen.iter().all(|id| *id == id.to_lowercase()));
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), repos.len() + 1);
    // Every version of Nudge must find the files of the last.
    let id = repo_id("git:github.com/globex/mailer");
    assert_eq!(id, "github.com-globex-mailer-f270ad89f28fa0d2");
}

#[test]
fn the_files_are_where_they_are_said_to_be() {
    let home = home();
    for (file, path) in [
        (
            Place::of_repository(home.path(), "git:h/a"),
            format!("{OF_REPOSITORIES}/{}.json", repo_id("git:h/a")),
        ),
        (
            Place::everywhere(home.path()),
            ".config/nudge-hints/hints.json".to_owned(),
        ),
    ] {
        let said = |_| Ok::<_, String>(Some(b"{}".to_vec()));
        assert_eq!(file.update(said), Ok(true));
        assert_eq!(fs::read(home.path().join(path)).unwrap(), b"{}");
    }
}
