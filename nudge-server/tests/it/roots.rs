//! Which clones of a repository are known: those that share a commit with one that is, and
//! those where the user types a command. A folder that only names the remote is none.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use nudge::Projects;
use nudge_server::project::ProjectFiles;
use serde_json::json;

use crate::checkout::{checkout, git, write};
use crate::kept::Desk;
use crate::need::need;
use crate::process::{folder, until};
use crate::says::Says;

const REPO: &str = "git:github.com/acme/shop";
const CONFIG: &str = "[remote \"origin\"]\n\turl = git@github.com:acme/shop.git\n";

/// A folder that names the remote and has nothing else of it.
fn archive(root: &Path) -> PathBuf {
    checkout(root, "shop", "main");
    root.to_owned()
}

/// A clone of one file, with a commit.
fn clone(root: &Path) -> PathBuf {
    fs::create_dir_all(root).unwrap();
    git(root, "init -q -b main");
    // Of the same files, two commits of one second would be the same.
    let text = format!("# {}\ntest all:\n\ttrue\n", root.display());
    write(&root.join("Makefile"), text);
    git(root, "add .");
    git(root, "commit -q -m one");
    git(root, "remote add origin git@github.com:acme/shop.git");
    root.to_owned()
}

fn copy_of(root: &Path, to: &Path) -> PathBuf {
    let (from, to) = (root.to_str().unwrap(), to.to_str().unwrap());
    git(root, &format!("clone -q file://{from} {to}"));
    let remote = "remote set-url origin git@github.com:acme/shop.git";
    git(Path::new(to), remote);
    to.into()
}

/// Whether a root is known where one other is.
fn is_known(first: &Path, then: &Path) -> bool {
    let files = ProjectFiles::default();
    assert!(files.knows(first.to_str().unwrap(), REPO));
    files.knows(then.to_str().unwrap(), REPO)
}

#[test]
fn a_clone_is_known_by_a_commit_wherever_git_keeps_it() {
    if !need("git", "git") {
        return;
    }
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let first = clone(&at("first"));
    // The new one is ahead, so that only its objects have what the first one names.
    let ahead = copy_of(&first, &at("ahead"));
    write(&ahead.join("new"), "");
    git(&ahead, "add .");
    git(&ahead, "commit -q -m two");
    let packed = copy_of(&ahead, &at("packed"));
    for name in ["refs/remotes", "packed-refs"] {
        let _ = fs::remove_dir_all(packed.join(".git").join(name));
        let _ = fs::remove_file(packed.join(".git").join(name));
    }
    assert!(is_known(&first, &ahead));
    assert!(is_known(&first, &packed), "in a pack");
    assert!(is_known(&packed, &first), "the other way round");
    git(&first, "checkout -q --detach");
    git(&first, "pack-refs --all");
    assert!(is_known(&ahead, &first), "loose objects, packed references");
    git(&first, "worktree add -q ../linked");
    assert!(is_known(&first, &at("linked")));
    let own = first.join(".git/modules/sub");
    fs::create_dir_all(&own).unwrap();
    fs::copy(first.join(".git/HEAD"), own.join("HEAD")).unwrap();
    let sub = format!("[core]\n\tworktree = {}\n", at("sub").display());
    write(&own.join("config"), sub + CONFIG);
    write(&at("sub/.git"), format!("gitdir: {}\n", own.display()));
    assert!(is_known(&first, &at("sub")));
    // Two that have no objects but name the same commit, and one folder by two names.
    let packed = fs::read(first.join(".git/packed-refs")).unwrap();
    let [named, alike, bare] = ["named", "alike", "bare"].map(|name| archive(&at(name)));
    for root in [&named, &alike] {
        write(&root.join(".git/packed-refs"), &packed);
    }
    assert!(is_known(&named, &alike) && !is_known(&named, &bare));
    symlink(&bare, at("link")).unwrap();
    assert!(is_known(&bare, &at("link")));
    let other = clone(&at("other"));
    git(&other, "commit -q --amend -m another");
    assert!(!is_known(&first, &other), "another history");
}

#[test]
fn a_clone_that_was_moved_is_known_by_the_commit_that_it_had() {
    if !need("git", "git") {
        return;
    }
    let folder = folder();
    let (first, moved) = (folder.path().join("first"), folder.path().join("moved"));
    let files = ProjectFiles::default();
    assert!(files.knows(clone(&first).to_str().unwrap(), REPO));
    fs::rename(&first, &moved).unwrap();
    assert!(files.knows(moved.to_str().unwrap(), REPO));
}

#[test]
fn what_leads_to_anothers_files_or_is_too_large_shares_nothing() {
    if !need("git", "git") {
        return;
    }
    let folder = folder();
    let first = clone(&folder.path().join("first"));
    let theirs = first.join(".git");
    let strange = |name: &str, change: &dyn Fn(&Path)| {
        let root = archive(&folder.path().join(name));
        change(&root.join(".git"));
        assert!(!is_known(&first, &root), "{name}");
    };
    strange("archive", &|_| {});
    for name in ["refs", "objects", "packed-refs", "logs", "HEAD"] {
        git(&first, "pack-refs --all");
        strange(&format!("link-{name}"), &|git| {
            let _ = fs::remove_file(git.join(name));
            symlink(theirs.join(name), git.join(name)).unwrap();
        });
    }
    strange("pack", &|git| {
        fs::create_dir_all(git.join("objects")).unwrap();
        symlink(theirs.join("objects/pack"), git.join("objects/pack")).unwrap();
    });
    strange("alternates", &|git| {
        let objects = theirs.join("objects").to_str().unwrap().to_owned();
        write(&git.join("objects/info/alternates"), objects);
    });
    strange("commondir", &|git| {
        write(&git.join("commondir"), theirs.to_str().unwrap());
    });
    for (name, link) in [("gitdir", false), ("linked", true)] {
        strange(name, &|git| {
            fs::remove_dir_all(git).unwrap();
            if link {
                symlink(&theirs, git).unwrap();
            } else {
                write(git, format!("gitdir: {}\n", theirs.display()));
            }
        });
    }
    strange("sizes", &|git| {
        let tip = fs::read_to_string(theirs.join("packed-refs")).unwrap();
        write(&git.join("packed-refs"), " ".repeat(5 << 20) + &tip);
        // Counts that no file has, and one that ends in the middle.
        let index = [vec![0xff, b't', b'O', b'c', 0, 0, 0, 2], vec![0xff; 1024]].concat();
        write(&git.join("objects/pack/pack-a.idx"), &index);
        write(&git.join("objects/pack/pack-b.idx"), &index[..40]);
        fs::create_dir_all(git.join("objects/pack/pack-c.idx")).unwrap();
    });
}

#[test]
fn an_unpacked_archive_neither_reads_nor_teaches_until_the_user_comes() {
    if !need("git", "git") {
        return;
    }
    let desk = Desk::with_config("keep = true\nobserve = true\n");
    let work = desk.home().join("../work").canonicalize().unwrap();
    let first = clone(&work.join("shop"));
    let second = copy_of(&first, &work.join("second"));
    let unpacked = work.join("unpacked");
    write(&unpacked.join("Makefile"), "test all:\n\ttrue\n");
    archive(&unpacked);
    desk.types(&first, "set shop build 'make all'");
    desk.ran(&first, "s1", "make test");
    let start = json!({"hook_event_name": "SessionStart", "source": "startup"});
    let starts = |cwd: &Path| desk.event(cwd, "s2", &start);
    let learned = "worked 1×] shop/test: `make test`";
    for known in [&first, &second] {
        let told = starts(known);
        told.says(learned).says("make all");
    }
    // The shell of the user asks what is told wherever the user goes.
    let told = desk.types(&unpacked, "prime") + &starts(&unpacked);
    told.says("make all").hides(learned);
    desk.ran(&unpacked, "s3", "make lint");
    desk.ran(&first, "s1", "make later");
    let log = || desk.ends(&first, "log").1;
    until("it is recorded", || log().contains("make later"));
    for shown in [log(), desk.types(&first, "ls -l")] {
        shown.hides("make lint");
    }
    for (cwd, is_told) in [(&unpacked, false), (&second, true)] {
        let (_, told) = desk.agent_ends(cwd, "log");
        assert_eq!(told.contains("make later"), is_told, "{told}");
    }
    // The next server knows it as well.
    desk.reboot();
    desk.types(&desk.home(), "status");
    starts(&unpacked).hides(learned);
    starts(&second).says(learned);
    desk.types(&unpacked, "get shop build");
    starts(&unpacked).says(learned);
    desk.ran(&unpacked, "s4", "make lint");
    desk.types(&first, "ls -l").says("make lint");
}

#[test]
fn a_miss_where_the_remote_is_new_says_how_hints_follow() {
    let desk = Desk::new();
    let root = desk.repository("shop", &[("Makefile", "test:\n\ttrue\n")]);
    desk.types(&root, "set shop test 'make test'");
    let config = CONFIG.replace("shop", "store");
    fs::write(root.join(".git/config"), config).unwrap();
    let get = "get shop test";
    let mv = "mv --repo git:github.com/acme/shop git:github.com/acme/store";
    let (_, said) = desk.ends(&root, get);
    said.says(&format!("nudge {mv}"));
    desk.agent_ends(&root, get).1.hides("acme/shop");
    desk.types(&root, mv);
    desk.types(&root, get);
}
