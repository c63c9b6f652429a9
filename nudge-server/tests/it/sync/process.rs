//! The command, as a process: what it prints, and what is left where it is killed.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::{bare, git};
use crate::process::{Folder, folder, nudge};
use crate::says::Says;

/// Runs a command of a home; with a folder of programs that come before others'.
fn run(home: &Path, words: &[&str], programs: Option<&Path>) -> Output {
    let path = std::env::var("PATH").unwrap();
    let path = programs.map_or(path.clone(), |first| format!("{}:{path}", first.display()));
    let mut command = nudge();
    command
        .args(words)
        .env("NUDGE_RUNTIME_DIR", home.join("run"))
        .env("PATH", path);
    command.current_dir(home).output().unwrap()
}

fn said(home: &Path, words: &[&str]) -> String {
    let ran = run(home, words, None);
    let both = [ran.stdout, ran.stderr].concat();
    String::from_utf8(both).unwrap()
}

fn homes(all: &Folder) -> [std::path::PathBuf; 2] {
    ["a", "b"].map(|name| {
        let home = all.path().join(name);
        fs::create_dir_all(&home).unwrap();
        home
    })
}

#[test]
fn two_homes_share_what_is_kept_and_say_so() {
    let all = folder();
    let url = format!("file://{}", bare(all.path()).display());
    let [a, b] = homes(&all);
    said(&a, &["set", "api", "build", "make all", "--everywhere"]);
    let on = said(&a, &["sync", "on", &url]);
    on.says("no other machine yet").says("speaks as you");
    assert!(said(&b, &["sync", "on", &url]).contains("1 hint came"));
    assert_eq!(said(&b, &["get", "api", "build", "--raw"]), "make all\n");
    let deleted = said(&b, &["delete", "api", "build", "--everywhere"]);
    deleted.says("may keep what was pushed before");
    said(&b, &["sync"]);
    assert!(said(&a, &["sync"]).contains("1 went"));
    assert!(
        said(&a, &["get", "api", "build"]).contains("no"),
        "it is gone"
    );
    for words in [&["status"][..], &["doctor"]] {
        assert!(said(&a, words).contains("in step"), "{words:?}");
    }
    assert!(
        !a.join("run/sync.git").exists(),
        "nothing is left of a round"
    );
    let other = said(&a, &["sync", "on", "file:///nowhere/at-all.git"]);
    other.says("git:");
    assert!(
        said(&a, &["sync"]).contains("in step"),
        "the one that works stays"
    );
    assert!(said(&a, &["sync", "off"]).contains("stays at"));
    assert!(said(&a, &["sync"]).contains("sync is off"));
    said(&a, &["purge", "--all", "--yes"]);
    assert!(!a.join("run/sync.json").exists());
}

#[test]
fn a_push_that_is_killed_is_taken_up_by_the_next() {
    let real = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|folder| folder.join("git"))
        .find(|git| git.exists())
        .unwrap();
    // Before the push, and after it: in both cases nobody knows whether it is there.
    for push in ["kill -9 $PPID", "\"$real\" \"$@\"; kill -9 $PPID"] {
        let all = folder();
        let bare = bare(all.path());
        let url = format!("file://{}", bare.display());
        let [a, _] = homes(&all);
        said(&a, &["set", "api", "build", "make", "--everywhere"]);
        said(&a, &["sync", "on", &url]);
        said(&a, &["set", "api", "build", "make all", "--everywhere"]);
        let programs = all.path().join("bin");
        fs::create_dir(&programs).unwrap();
        let script = format!(
            "#!/bin/sh\nreal={}\ncase \" $* \" in *' push '*) {push}; exit;; esac\nexec \"$real\" \"$@\"\n",
            real.display()
        );
        fs::write(programs.join("git"), script).unwrap();
        fs::set_permissions(
            programs.join("git"),
            std::os::unix::fs::PermissionsExt::from_mode(0o755),
        )
        .unwrap();
        assert!(!run(&a, &["sync"], Some(&programs)).status.success());
        assert!(said(&a, &["sync"]).contains("in step"));
        let branches = git(&bare, &["for-each-ref", "--format=%(objectname)"]);
        let branches: Vec<&str> = branches.lines().collect();
        assert_eq!(branches.len(), 1, "it has one name: {branches:?}");
        let file = git(
            &bare,
            &["show", &format!("{}:everywhere.json", branches[0])],
        );
        file.says("make all");
    }
}

#[test]
fn a_sandbox_that_only_reads_writes_no_branch() {
    let all = folder();
    let bare = bare(all.path());
    let url = format!("file://{}", bare.display());
    let [a, b] = homes(&all);
    said(&a, &["set", "api", "build", "make", "--everywhere"]);
    said(&a, &["sync", "on", &url]);
    let mut command = nudge();
    command.args(["sync", "on", &url]).env("NUDGE_SYNC", "read");
    command
        .env("NUDGE_RUNTIME_DIR", b.join("run"))
        .current_dir(&b);
    assert!(command.output().unwrap().status.success());
    assert_eq!(said(&b, &["get", "api", "build", "--raw"]), "make\n");
    assert_eq!(git(&bare, &["for-each-ref"]).lines().count(), 1);
    let name = git(&bare, &["for-each-ref", "--format=%(refname:lstrip=3)"]);
    assert!(said(&b, &["sync", "forget", &name]).contains("forgot"));
    assert_eq!(git(&bare, &["for-each-ref"]), "");
}
