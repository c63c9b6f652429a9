//! The command, as a process: what it prints, and what is left where it is killed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::bare;
use crate::checkout::git;
use crate::kept::Desk;
use crate::process::{Folder, folder};
use crate::says::Says;

/// A repository that all can push to, its address, and two desks.
struct Shared {
    _folder: Folder,
    bare: PathBuf,
    url: String,
    desks: [Desk; 2],
}

fn shared() -> Shared {
    let folder = folder();
    let bare = bare(folder.path());
    Shared {
        url: format!("file://{}", bare.display()),
        desks: [(); 2].map(|()| Desk::bare()),
        bare,
        _folder: folder,
    }
}

fn said(desk: &Desk, line: &str) -> String {
    desk.ends(&desk.home(), line).1
}

#[test]
fn two_homes_share_what_is_kept_and_say_so() {
    let shared = shared();
    let ([a, b], url) = (&shared.desks, &shared.url);
    said(a, "set api build 'make all' --everywhere");
    let on = said(a, &format!("sync on {url}"));
    on.says("no other machine yet; 0 hints came; what is new here was pushed")
        .says("speaks as you");
    said(b, &format!("sync on {url}")).says("1 hint came");
    assert_eq!(said(b, "get api build --raw"), "make all\n");
    let deleted = said(b, "delete api build --everywhere");
    deleted.says("may keep what was pushed before");
    said(b, "sync");
    said(a, "sync").says("1 deleted elsewhere; ");
    assert_eq!(a.status(&a.home(), "get api build"), 1, "it is gone");
    for line in ["status", "doctor"] {
        said(a, line).says("in step");
    }
    let is_left = a.runtime().join("sync.git").exists();
    assert!(!is_left, "nothing is left of a round");
    said(a, "sync on file:///nowhere/at-all.git").says("git:");
    // The one that works stays.
    said(a, "sync").says("in step");
    said(a, "sync off").says("stays at");
    said(a, "sync").says("sync is off");
    said(a, "purge --all --yes");
    assert!(!a.runtime().join("sync.json").exists());
}

#[test]
fn a_push_that_is_killed_is_taken_up_by_the_next() {
    let real = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .map(|folder| folder.join("git"))
        .find(|git| git.exists())
        .unwrap();
    // Before the push, and after it: in both cases nobody knows whether it is there.
    for push in ["kill -9 $PPID", "\"$real\" \"$@\"; kill -9 $PPID"] {
        let shared = shared();
        let ([a, _], bare) = (&shared.desks, &shared.bare);
        said(a, "set api build make --everywhere");
        said(a, &format!("sync on {}", shared.url));
        said(a, "set api build 'make all' --everywhere");
        let programs = a.home().join("bin");
        fs::create_dir(&programs).unwrap();
        let script = format!(
            "#!/bin/sh\nreal={}\ncase \" $* \" in *' push '*) {push}; exit;; esac\nexec \"$real\" \"$@\"\n",
            real.display()
        );
        fs::write(programs.join("git"), script).unwrap();
        let runs = PermissionsExt::from_mode(0o755);
        fs::set_permissions(programs.join("git"), runs).unwrap();
        let mut killed = a.command(&a.home(), &["sync"]);
        killed.env("PATH", format!("{}:/usr/bin:/bin", programs.display()));
        assert!(!killed.status().unwrap().success());
        said(a, "sync").says("in step");
        let branches = git(bare, "for-each-ref --format=%(objectname)");
        let branches: Vec<&str> = branches.lines().collect();
        assert_eq!(branches.len(), 1, "it has one name: {branches:?}");
        let file = format!("show {}:everywhere.json", branches[0]);
        git(bare, &file).says("make all");
    }
}

#[test]
fn a_sandbox_that_only_reads_writes_no_branch() {
    let shared = shared();
    let ([a, b], bare) = (&shared.desks, &shared.bare);
    let on = format!("sync on {}", shared.url);
    said(a, "set api build make --everywhere");
    said(a, &on);
    let only_reads = ("NUDGE_SYNC", "read");
    assert_eq!(b.ends_in_shell(&b.home(), only_reads, &on).0, 0);
    assert_eq!(said(b, "get api build --raw"), "make\n");
    assert_eq!(git(bare, "for-each-ref").lines().count(), 1);
    let name = git(bare, "for-each-ref --format=%(refname:lstrip=3)");
    said(b, &format!("sync forget {name}")).says("forgot");
    assert_eq!(b.ends_in_shell(&b.home(), only_reads, "sync").0, 0);
    assert_eq!(git(bare, "for-each-ref"), "");
    // What it has not said so far it says once it may.
    said(b, "sync").says("in step");
    assert_eq!(git(bare, "for-each-ref").lines().count(), 1);
}
