//! Which folder is the memory: not one in a worktree, not one that another machine holds; and
//! what is checked before others open a file in it.

use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::path::Path;

use nudge_client::folder::{Runtime, file, stand_in};
use nudge_client::platform::machine_id;
use serde_json::{Value, json};

use super::{chmod, fifo, folder, mode, refusal};
use crate::process::{Server, nudge, nudge_in, until};
use crate::says::Says;

/// Makes a folder that git takes for a worktree.
fn worktree(root: &Path) {
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
}

/// What `nudge doctor` says of the folder.
fn diagnosed(home: &Path, asked_for: Option<&Path>) -> Value {
    let mut doctor = nudge();
    doctor.args(["doctor", "--json"]).env("HOME", home);
    match asked_for {
        Some(folder) => doctor.env("NUDGE_RUNTIME_DIR", folder),
        None => doctor.env_remove("NUDGE_RUNTIME_DIR"),
    };
    let said: Value = serde_json::from_slice(&doctor.output().unwrap().stdout).unwrap();
    let mut all = said["findings"].as_array().unwrap().iter();
    all.find(|found| found["about"] == "store").unwrap().clone()
}

#[test]
fn a_folder_that_was_asked_for_inside_a_worktree_is_refused() {
    let (temporary, path) = folder();
    let root = temporary.path().join("repository");
    worktree(&root);
    fs::create_dir(root.join("src")).unwrap();
    symlink(root.join("src"), &path).unwrap();
    for inside in [
        root.clone(),
        root.join("src"),
        root.join("a/b/c"),
        path.join("below"),
    ] {
        let words = refusal(Runtime::open(Some(&inside)));
        let why = format!("it is inside the git worktree `{}`", root.display());
        words.says(&why);
        refusal(Runtime::find(Some(&inside)).map(Option::unwrap));
        let finding = diagnosed(temporary.path(), Some(&inside));
        assert_eq!(finding["state"], "bad", "{finding}");
        assert_eq!(finding["fix"], "unset NUDGE_RUNTIME_DIR");
    }
    assert!(!root.join("a").exists());
    // A folder beside a repository is in none, and neither is one below what only looks like one.
    Runtime::open(Some(&temporary.path().join("beside"))).unwrap();
    fs::remove_file(root.join(".git/HEAD")).unwrap();
    Runtime::open(Some(&root.join("a"))).unwrap();
}

#[test]
fn a_home_may_be_a_worktree_itself() {
    let (temporary, _) = folder();
    worktree(temporary.path());
    let home = temporary.path();
    let in_home = home.join(".local/state/nudge-hints");
    for asked_for in [None, Some(home.join(".nudge-desk"))] {
        let finding = diagnosed(home, asked_for.as_deref());
        assert_eq!(finding["state"], "good", "{finding}");
        let folder = asked_for.unwrap_or_else(|| in_home.clone());
        let words = finding["words"].as_str().unwrap();
        words.says(folder.to_str().unwrap());
    }
}

#[test]
fn a_folder_whose_lock_another_machine_holds_has_one_for_this_machine_below_it() {
    let (_temporary, path) = folder();
    let shared = Runtime::open(Some(&path)).unwrap();
    let says = |machine: &str| {
        let identity = json!({
            "product": "nudge", "version": "0.1.0", "protocol": "1.0", "pid": 1, "port": 0,
            "machine": machine, "started": "", "session_id": "s-1", "nonce": "0",
        });
        fs::write(path.join("server.pid"), identity.to_string()).unwrap();
    };
    let opened = || Runtime::open(Some(&path)).unwrap().folder().to_owned();
    let own = path.join("machines").join(machine_id());
    says("another");
    assert_eq!(opened(), path, "nobody holds the lock");
    let lock = shared.try_lock().unwrap().unwrap();
    for here in ["", machine_id()] {
        says(here);
        assert_eq!(opened(), path, "{here}");
    }
    says("another");
    assert!(Runtime::find(Some(&path)).unwrap().is_none());
    assert_eq!(opened(), own);
    assert_eq!(mode(&own), 0o700);
    assert_eq!(Runtime::meant(Some(&path)).folder(), own);

    let server = Server::start(&path);
    assert!(server.is_primary(), "{}", server.line);
    let mut status = nudge_in(&path);
    let status = status.args(["status", "--json"]).output().unwrap();
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    let warning = format!(
        "another machine uses `{}`, so the hints of this one are in `{}`",
        path.display(),
        own.display()
    );
    assert_eq!(status["warnings"], json!([warning]));
    let looked = nudge_in(&path).arg("doctor").output().unwrap();
    String::from_utf8_lossy(&looked.stdout).says(&format!("! store: {warning}\n"));
    // It goes on there for all of this machine, until it ends.
    drop(lock);
    assert_eq!(opened(), own);
    assert!(!Server::start(&path).is_primary());
    drop(server);
    until("the folder is the shared one again", || opened() == path);
}

#[test]
fn a_container_that_reaches_the_server_of_another_has_no_folder_of_its_own() {
    let (_temporary, path) = folder();
    let server = Server::start(&path);
    let pid_file = path.join("server.pid");
    let said = fs::read_to_string(&pid_file).unwrap();
    fs::write(&pid_file, said.replace(machine_id(), "another")).unwrap();
    assert_eq!(Runtime::open(Some(&path)).unwrap().folder(), path);
    drop(server);
}

#[test]
fn a_file_is_checked_before_it_is_opened_by_its_name() {
    let (_temporary, path) = folder();
    fs::create_dir(&path).unwrap();
    let file = path.join("nudge.db");
    assert!(!file::check(&file).unwrap());
    fs::write(&file, "").unwrap();
    assert!(file::check(&file).unwrap());

    let refused = |path: &Path| file::check(path).unwrap_err().to_string();
    let other = path.join("other");
    fs::hard_link(&file, &other).unwrap();
    assert_eq!(refused(&file), "it has another name, a hard link");
    fs::remove_file(&other).unwrap();
    for target in [Path::new("nowhere"), &file] {
        symlink(target, &other).unwrap();
        assert_eq!(refused(&other), "it is a link, and not followed");
        fs::remove_file(&other).unwrap();
    }
    fifo(&other);
    for no_file in [&*other, &*path, Path::new("/dev/null")] {
        let words = refused(no_file);
        assert_eq!(words, "it is not a regular file", "{}", no_file.display());
    }
    // Of somebody else: as root we can make one, as anybody else this is one.
    let foreign = if chown(&file, Some(1), None).is_ok() {
        &file
    } else {
        Path::new("/etc/passwd")
    };
    assert_eq!(refused(foreign), "it belongs to somebody else");
}

#[test]
fn a_folder_that_stands_in_takes_the_store_of_the_home_once() {
    let (temporary, path) = folder();
    let home = temporary.path().join("home");
    for folder in [&home, &path] {
        fs::create_dir(folder).unwrap();
    }
    let [from, to] = [&home, &path].map(|folder| folder.join("nudge.db"));
    assert!(!stand_in(&home, &path).unwrap());
    assert!(!to.exists());

    let elsewhere = temporary.path().join("elsewhere");
    fs::write(&elsewhere, "another's").unwrap();
    symlink(&elsewhere, &from).unwrap();
    stand_in(&home, &path).unwrap_err();
    assert!(!to.exists());
    fs::remove_file(&from).unwrap();

    fs::write(&from, "hints").unwrap();
    chmod(&from, 0o400);
    assert!(stand_in(&home, &path).unwrap());
    assert_eq!(fs::read_to_string(&to).unwrap(), "hints");
    assert_eq!(mode(&to), 0o600);
    fs::write(&to, "more hints").unwrap();
    assert!(!stand_in(&home, &path).unwrap());
    assert_eq!(fs::read_to_string(&to).unwrap(), "more hints");
    assert_eq!(fs::read_dir(&path).unwrap().count(), 1);

    fs::remove_file(&to).unwrap();
    symlink(&elsewhere, &to).unwrap();
    stand_in(&home, &path).unwrap_err();
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "another's");
    // One that somebody asked for stands in for nothing.
    assert!(!Runtime::as_it_is(&path).is_stand_in());
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_in_memory_is_known_by_its_file_system() {
    let mounts = fs::read_to_string("/proc/mounts").unwrap();
    let mut mounts = mounts
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>());
    let in_memory = mounts.find(|mount| mount[2] == "tmpfs" && Path::new(mount[1]).is_dir());
    let is_volatile = |path: &str| Runtime::as_it_is(Path::new(path)).is_volatile();
    assert!(in_memory.is_none_or(|mount| is_volatile(mount[1])));
    assert!(!is_volatile("/proc"));
    assert!(!is_volatile("/nowhere"));
}
