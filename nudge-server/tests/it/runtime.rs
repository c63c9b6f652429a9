//! The runtime folder, as it should be and as an enemy would leave it.

mod places;

use nudge_server::primary::operations::ServerOperation;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nudge::ErrorKind;
use nudge_client::Client;
use nudge_client::folder::Runtime;
use nudge_client::platform::{default_folder, machine_id};
use nudge_server::wire::identity::Identity;
use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::checkout::names_in;
use crate::process::{Server, nudge_in, printed, serve, until, within};
use crate::says::Says;

fn folder() -> (TempDir, PathBuf) {
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("nudge");
    (temporary, path)
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn fifo(path: &Path) {
    mkfifoat(CWD, path, Mode::from_raw_mode(0o600)).unwrap();
}

/// The sentence of a refusal, which must be one of the contract's.
fn refusal(runtime: Result<Runtime, nudge::Error>) -> String {
    let error = runtime.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.to_string().contains("NUDGE_RUNTIME_DIR"), "{error}");
    error.to_string()
}

#[test]
fn what_a_server_leaves_in_its_folder_is_for_this_user_alone() {
    let (_temporary, path) = folder();
    let server = Server::start(&path);
    assert!(server.is_primary());
    assert_eq!(mode(&path), 0o700);
    let names = names_in(&path);
    let expected = "client.key lock nudge.db nudge.db-wal nudge.sock server.pid token";
    assert_eq!(names.join(" "), expected);
    for name in names {
        assert_eq!(mode(&path.join(&name)), 0o600, "{name}");
    }
}

#[test]
fn the_pid_file_says_what_the_specification_wants_and_who_it_is() {
    let (_temporary, path) = folder();
    let server = Server::start(&path);
    let json = fs::read(path.join("server.pid")).unwrap();
    let said: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(said["pid"], server.pid());
    assert_eq!(said["product"], "nudge");
    let url = format!("http://127.0.0.1:{};", said["port"]);
    server.line.says(&url);
    assert_eq!(said["machine"], machine_id());
    for name in ["started", "version", "protocol", "session_id", "nonce"] {
        let is_said = said[name].as_str().is_some_and(|text| !text.is_empty());
        assert!(is_said, "{name}");
    }
}

#[test]
fn the_default_folder_is_in_the_home_unless_that_cannot_be_written() {
    let uid = rustix::process::geteuid().as_raw();
    let (home, base) = (tempfile::tempdir().unwrap(), Path::new("/nowhere"));
    let folder = |home: &Path| default_folder(Some(home.to_owned()), base);
    let in_home = home.path().join(".local/state/nudge-hints");
    let usual = (in_home.clone(), None);
    assert_eq!(folder(home.path()), usual);
    // What version 0.1 left there is left alone.
    fs::create_dir_all(in_home.join("session")).unwrap();
    assert_eq!(folder(home.path()), usual);

    let elsewhere = base.join(format!("nudge-{uid}"));
    let none = (elsewhere.clone(), Some(elsewhere.clone()));
    assert_eq!(folder(Path::new("relative")), none);
    assert_eq!(default_folder(None, base), none);
    let unmade = Path::new("/dev/null/home").join(".local/state/nudge-hints");
    let instead = (elsewhere.clone(), Some(unmade));
    assert_eq!(folder(Path::new("/dev/null/home")), instead);
    // Root writes where it likes.
    if uid != 0 {
        let server = Server::start(&in_home);
        chmod(&in_home, 0o500);
        // A sandbox that may only look there still finds the server.
        assert_eq!(folder(home.path()), usual);
        drop(server);
        assert_eq!(folder(home.path()), (elsewhere, Some(in_home.clone())));
        chmod(&in_home, 0o700);
    }
}

#[test]
fn a_folder_that_was_asked_for_and_is_not_ours_is_refused() {
    let (temporary, path) = folder();
    let real = temporary.path().join("real");
    fs::create_dir(&real).unwrap();
    symlink(&real, &path).unwrap();
    refusal(Runtime::open(Some(&path)));
    refusal(Runtime::open(Some(&path.join(""))));
    refusal(Runtime::open(Some(&path.join("."))));

    let file = temporary.path().join("file");
    fs::write(&file, "").unwrap();
    refusal(Runtime::open(Some(&file)));
    refusal(Runtime::open(Some(&file.join("below"))));

    // Of somebody else: as root we can make one, as anybody else the root is one.
    let foreign = if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&real, Some(1), None).unwrap();
        &real
    } else {
        Path::new("/usr")
    };
    refusal(Runtime::open(Some(foreign)));
}

#[test]
fn a_folder_that_others_may_write_to_is_refused_once_it_holds_something() {
    let (_temporary, path) = folder();
    fs::create_dir(&path).unwrap();
    chmod(&path, 0o777);
    Runtime::open(Some(&path)).unwrap();
    assert_eq!(mode(&path), 0o700);

    fs::write(path.join("something"), "").unwrap();
    chmod(&path, 0o1777);
    let words = refusal(Runtime::open(Some(&path)));
    words.says("chmod 700");
    chmod(&path, 0o755);
    Runtime::open(Some(&path)).unwrap();
    assert_eq!(mode(&path), 0o755);
}

#[test]
fn a_server_in_a_folder_that_is_a_link_says_why_it_does_not_start() {
    let (temporary, path) = folder();
    symlink(temporary.path(), &path).unwrap();
    let (status, said) = printed(serve(&path).stdin(Stdio::null()));
    assert_eq!(status, 3);
    said.says("is a link");
}

/// What may be found in the place of a file of ours, and how to put it there.
type Plant = (&'static str, fn(&Path));

const PLANTS: [Plant; 8] = [
    ("garbage", |path| fs::write(path, b"\xff\x00{{{").unwrap()),
    ("nothing", |path| fs::write(path, "").unwrap()),
    ("a long file", |path| {
        fs::write(path, vec![b'['; 1 << 20]).unwrap();
    }),
    ("a FIFO", fifo),
    ("an empty folder", |path| fs::create_dir(path).unwrap()),
    ("a folder with something in it", |path| {
        fs::create_dir(path).unwrap();
        fs::write(path.join("kept"), "kept").unwrap();
    }),
    ("a link to nothing", |path| {
        symlink("nowhere", path).unwrap();
    }),
    ("a socket", |path| drop(UnixListener::bind(path).unwrap())),
];

#[test]
fn whatever_is_in_the_place_of_a_file_of_ours_a_server_starts() {
    for name in ["server.pid", "nudge.sock", "token"] {
        for (what, plant) in PLANTS {
            let (_temporary, path) = folder();
            fs::create_dir(&path).unwrap();
            chmod(&path, 0o700);
            plant(&path.join(name));
            let server = Server::start(&path);
            assert!(server.is_primary(), "{what} as {name}: {}", server.line);
            let runtime = Runtime::open(Some(&path)).unwrap();
            let identity = runtime.identity().unwrap();
            assert_eq!(identity.pid, server.pid(), "{what} as {name}");
            let client = Client::unix(&runtime.socket()).unwrap();
            assert!(client.call_blocking(ServerOperation::Hello, "{}").is_ok());
            assert_eq!(mode(&path.join(name)), 0o600, "{what} as {name}");
        }
    }
}

#[test]
fn what_a_link_leads_to_is_neither_read_nor_written() {
    for name in ["server.pid", "token"] {
        let (temporary, path) = folder();
        let target = temporary.path().join("target");
        let kept = "0123456789abcdef".repeat(4);
        fs::write(&target, &kept).unwrap();
        fs::create_dir(&path).unwrap();
        chmod(&path, 0o700);
        symlink(&target, path.join(name)).unwrap();
        let runtime = Runtime::open(Some(&path)).unwrap();
        assert_eq!(runtime.identity(), None);
        assert_eq!(runtime.token(), None);
        let server = Server::start(&path);
        assert!(server.is_primary());
        assert_eq!(fs::read_to_string(&target).unwrap(), kept);
    }
}

#[test]
fn a_pid_file_that_names_another_process_does_it_no_harm() {
    let (_temporary, path) = folder();
    let mut other = Command::new("cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let runtime = Runtime::open(Some(&path)).unwrap();
    let forged = Identity {
        product: "nudge".into(),
        version: "0.1.0".into(),
        protocol: "1.0".into(),
        pid: other.id(),
        machine: machine_id().to_owned(),
        port: 1,
        started: "2025-11-04T10:00:00.000Z".into(),
        session_id: "s-1".into(),
        nonce: "0".repeat(32),
    };
    let json = serde_json::to_vec(&forged).unwrap();
    fs::write(path.join("server.pid"), json).unwrap();
    assert_eq!(runtime.identity(), Some(forged));
    let server = Server::start(&path);
    assert!(server.is_primary());
    assert_eq!(runtime.identity().unwrap().pid, server.pid());
    let client = Client::unix(&runtime.socket()).unwrap();
    client.call_blocking(ServerOperation::Stop, "{}").unwrap();
    // It ends because it may.
    drop(other.stdin.take());
    assert!(other.wait().unwrap().success());
}

#[test]
fn what_is_no_file_in_the_place_of_the_lock_is_refused_and_not_waited_for() {
    for (what, plant) in PLANTS.iter().filter(|(what, _)| !what.contains("file")) {
        let (_temporary, path) = folder();
        let runtime = Runtime::open(Some(&path)).unwrap();
        plant(&path.join("lock"));
        let locked = within(move || runtime.try_lock());
        if ["garbage", "nothing"].contains(what) {
            assert!(locked.unwrap().is_some(), "{what}");
        } else {
            let error = locked.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unavailable);
            assert!(error.to_string().contains("remove it"), "{error}");
        }
    }
}

#[test]
fn the_token_is_long_and_as_old_as_the_session() {
    let (_temporary, path) = folder();
    let runtime = Runtime::open(Some(&path)).unwrap();
    let typed = |word: &str| {
        let printed = nudge_in(&path).arg(word).output().unwrap();
        String::from_utf8(printed.stdout).unwrap().trim().to_owned()
    };
    let shown = || typed("token");
    assert_eq!(shown(), "");
    // One that somebody could have seen or made before is not taken.
    fs::write(path.join("token"), "0".repeat(64)).unwrap();
    let server = Server::start(&path);
    let token = runtime.token().unwrap();
    assert_eq!(shown(), token);
    assert_eq!(token.len(), 64);
    assert!(token.bytes().any(|byte| byte != b'0'));
    // After a crash the session goes on.
    server.kill();
    let server = Server::start(&path);
    assert_eq!(shown(), token);
    typed("stop");
    until("the token goes with its session", || {
        runtime.token().is_none()
    });
    assert_eq!(shown(), "");
    drop(server);
    let _server = Server::start(&path);
    assert_ne!(shown(), token);
    assert_eq!(shown().len(), 64);
}

#[test]
fn a_folder_with_a_path_that_no_socket_address_has_room_for_serves() {
    let (_temporary, path) = folder();
    let path = path.join("a".repeat(100)).join("b".repeat(100));
    let server = Server::start(&path);
    assert!(server.is_primary());
    assert!(!Server::start(&path).is_primary());
    let runtime = Runtime::open(Some(&path)).unwrap();
    assert!(!runtime.socket().starts_with(&path));
    let client = Client::of(&runtime, None);
    let hello = client.call_blocking(ServerOperation::Hello, "{}").unwrap();
    let hello: Value = serde_json::from_str(hello.get()).unwrap();
    assert_eq!(hello["product"], json!("nudge"));
}
