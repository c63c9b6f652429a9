//! What of a session is there for whoever comes next.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use nudge_server::primary::operations::ServerOperation;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::{keys, kill_primary, member, nudge, place, printed, result, set};
use crate::mcp::origin::typed;
use crate::process::until;

fn journal(runtime: &Path) -> PathBuf {
    runtime.join("session.journal")
}

/// Makes a file look as if it had been written so long ago.
fn age(path: &Path, by: Duration) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - by).unwrap();
}

#[test]
fn a_session_is_there_days_later_and_then_it_is_not() {
    for (hours, is_there) in [(95, true), (97, false)] {
        let runtime = crate::process::folder();
        let mut host = member(runtime.path());
        set(&mut host, "build", "make");
        let before = place(&mut host);
        host.hang_up();
        kill_primary(runtime.path());
        age(&journal(runtime.path()), Duration::from_hours(hours));
        let mut next = member(runtime.path());
        assert_eq!(!keys(&mut next).is_empty(), is_there, "after {hours} hours");
        assert_eq!(place(&mut next) == before, is_there);
        if is_there {
            continue;
        }
        // The user is told once, and has it back.
        let said = |words: &[&str]| String::from_utf8(nudge(runtime.path(), words).stderr).unwrap();
        assert!(said(&["ls"]).contains("`nudge restore`"));
        assert_eq!(said(&["ls"]), "");
        set(&mut next, "new", "here");
        printed(runtime.path(), &["restore"]);
        assert_eq!(keys(&mut next), ["build", "new"]);
        assert_eq!(nudge(runtime.path(), &["restore"]).status.code(), Some(1));
    }
}

#[test]
fn what_was_stopped_can_be_brought_back_and_what_was_purged_cannot() {
    let runtime = crate::process::folder();
    let path = runtime.path();
    let mut host = member(path);
    set(&mut host, "build", "make");
    let said = printed(path, &["stop"]);
    assert!(
        said.contains("1 hint with it") && said.contains("`nudge restore`"),
        "{said}"
    );
    assert!(keys(&mut host).is_empty());
    set(&mut host, "test", "make test");
    let restored = printed(path, &["restore", "--json"]);
    let restored: Value = serde_json::from_str(&restored).unwrap();
    assert_eq!(restored["imported"], 1);
    assert_eq!(keys(&mut host), ["build", "test"]);
    printed(path, &["stop"]);
    keys(&mut host);
    printed(path, &["stop", "--purge"]);
    until("nothing is left", || {
        let names = fs::read_dir(path).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        names == ["lock"]
    });
    assert_eq!(nudge(path, &["restore"]).status.code(), Some(1));
}

#[test]
fn what_there_is_no_room_for_can_be_brought_back_later() {
    let runtime = crate::process::folder();
    let path = runtime.path();
    for key in ["a", "b", "c"] {
        printed(path, &["set", "faults", key, "make", "--everywhere"]);
    }
    printed(path, &["stop"]);
    printed(path, &["restart", "--max-hints", "2"]);
    assert_eq!(nudge(path, &["restore"]).status.code(), Some(2));
    printed(path, &["restart", "--max-hints", "9"]);
    printed(path, &["restore"]);
    assert_eq!(printed(path, &["ls", "faults"]), "a\nb\nc\n");
}

#[test]
fn settings_that_mean_nothing_do_not_end_a_server() {
    let runtime = crate::process::folder();
    printed(runtime.path(), &["set", "faults", "build", "make"]);
    let pid = super::primary(runtime.path());
    let client = nudge_client::Client::unix(&runtime.path().join("nudge.sock")).unwrap();
    let bad = json!({"settings": {"max_hints": "many"}}).to_string();
    let refused = client.call_blocking(ServerOperation::Restart, &bad);
    let words = serde_json::to_string(&refused.unwrap_err()).unwrap();
    assert!(words.contains("E_INVALID"), "{words}");
    assert_eq!(super::primary(runtime.path()), pid);
}

#[test]
fn a_secret_is_not_in_the_journal_and_leaves_a_mark() {
    let runtime = crate::process::folder();
    let mut one = member(runtime.path());
    let mut other = member(runtime.path());
    let secret = ["set", "faults", "secret", "swordfish", "--allow-secret"];
    typed(runtime.path(), &secret);
    for writer in [&mut one, &mut other] {
        let only = json!({"component": "faults", "key": "secret"});
        result(writer, "nudge.bump", only);
    }
    typed(runtime.path(), &secret);
    set(&mut other, "open", "tuna");
    assert_eq!(keys(&mut other), ["open", "secret"]);
    for entry in fs::read_dir(runtime.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap_or_default();
        let told = bytes.windows(9).any(|bytes| bytes == b"swordfish");
        assert!(!told, "{}", path.display());
        if path == journal(runtime.path()) {
            assert!(bytes.windows(4).any(|bytes| bytes == b"tuna"));
        }
    }
    kill_primary(runtime.path());
    assert_eq!(keys(&mut other), ["open"]);
    let get = json!({"component": "faults", "key": "secret"});
    let said = other.request("nudge.get_hint", get);
    assert_eq!(said["error"]["data"]["reason"], "E_NOT_FOUND", "{said}");
    assert!(
        said.to_string().contains("a secret was here; set it again"),
        "{said}"
    );
}

#[test]
fn a_restart_asks_before_secrets_are_lost() {
    let runtime = crate::process::folder();
    let secret = ["set", "faults", "secret", "swordfish", "--allow-secret"];
    printed(runtime.path(), &secret);
    let refused = nudge(runtime.path(), &["restart"]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("--yes"), "{said}");
    printed(runtime.path(), &["restart", "--yes"]);
    assert_eq!(nudge(runtime.path(), &["ls"]).status.code(), Some(1));
}

#[test]
fn a_restart_takes_the_users_settings_and_others_take_the_sessions() {
    let runtime = crate::process::folder();
    let limit = || {
        let status = printed(runtime.path(), &["status", "--json"]);
        let status: Value = serde_json::from_str(&status).unwrap();
        status["limits"]["hints"].clone()
    };
    printed(runtime.path(), &["set", "faults", "build", "make"]);
    assert_eq!(limit(), 5000);
    printed(runtime.path(), &["restart", "--max-hints", "77"]);
    assert_eq!(limit(), 77);
    kill_primary(runtime.path());
    assert_eq!(limit(), 77);
}

#[test]
fn an_agent_that_serves_by_hand_can_only_tighten_it_too() {
    for (shell, guard) in [("1", true), ("", false)] {
        let runtime = crate::process::folder();
        let mut command = crate::process::serve(runtime.path());
        command
            .args(["--foreground", "--no-secret-guard"])
            .env("CLAUDECODE", shell);
        let _server = crate::process::Server::spawn(command);
        let status = printed(runtime.path(), &["status", "--json"]);
        let status: Value = serde_json::from_str(&status).unwrap();
        assert_eq!(status["settings"]["secret_guard"], guard);
    }
}

#[test]
fn whoever_starts_a_session_can_only_tighten_it() {
    let runtime = crate::process::folder();
    let mut command = crate::process::nudge();
    command.args(["set", "faults", "build", "make"]);
    command.env("NUDGE_RUNTIME_DIR", runtime.path());
    command
        .env("NUDGE_MAX_HINTS", "9000000")
        .env("NUDGE_SECRET_GUARD", "0");
    command.env("NUDGE_MAX_VALUE_BYTES", "99");
    assert!(command.output().unwrap().status.success());
    let status = printed(runtime.path(), &["status", "--json"]);
    let status: Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["settings"]["secret_guard"], true);
    assert_eq!(status["limits"]["hints"], 5000);
    assert_eq!(status["limits"]["value_bytes"], 99);
}

#[test]
fn a_journal_of_another_version_is_left_alone_and_said_so() {
    let runtime = crate::process::folder();
    let mut host = member(runtime.path());
    set(&mut host, "build", "make");
    kill_primary(runtime.path());
    let json = br#"{"format":9,"session_id":"s-other"}"#;
    let mut foreign = format!("\u{1e}{:08x}", crc32fast::hash(json)).into_bytes();
    foreign.extend(json);
    foreign.push(b'\n');
    fs::write(journal(runtime.path()), &foreign).unwrap();
    // However often it is tried.
    for _ in 0..5 {
        let said = host.request("nudge.query", json!({}));
        assert_eq!(said["error"]["data"]["reason"], "E_UNAVAILABLE", "{said}");
        assert!(said.to_string().contains("the format `9`"), "{said}");
    }
    assert_eq!(fs::read(journal(runtime.path())).unwrap(), foreign);
    // A host that waits does not start one server after the other; each notes its start here.
    let mut seen = std::collections::BTreeSet::new();
    let end = Instant::now() + Duration::from_millis(1500);
    while Instant::now() < end {
        seen.insert(fs::metadata(runtime.path()).unwrap().modified().unwrap());
        std::thread::sleep(Duration::from_millis(1));
    }
    // A start changes the folder a few times.
    assert!(seen.len() <= 8, "{}", seen.len());
}

#[test]
fn damage_loses_what_it_hit_and_is_told_once() {
    let runtime = crate::process::folder();
    let mut host = member(runtime.path());
    for key in ["a", "b", "c"] {
        set(&mut host, key, &format!("value-{key}"));
    }
    kill_primary(runtime.path());
    let mut bytes = fs::read(journal(runtime.path())).unwrap();
    let hit = bytes
        .windows(7)
        .position(|window| window == b"value-b")
        .unwrap();
    bytes[hit] ^= 1;
    fs::write(journal(runtime.path()), bytes).unwrap();
    assert_eq!(keys(&mut host), ["a", "c"]);
    let said = String::from_utf8(nudge(runtime.path(), &["ls"]).stderr).unwrap();
    assert!(said.contains("session.journal.damaged"), "{said}");
    assert_eq!(nudge(runtime.path(), &["ls"]).stderr, b"");
}

#[test]
fn a_session_that_kills_its_servers_is_moved_aside_after_three_starts() {
    let runtime = crate::process::folder();
    let path = runtime.path();
    printed(path, &["set", "faults", "build", "make", "--everywhere"]);
    kill_primary(path);
    let callers: Vec<_> = (0..16)
        .map(|_| {
            let mut command = crate::process::nudge();
            command
                .args(["get", "faults", "build"])
                .env("NUDGE_RUNTIME_DIR", path);
            command
                .env("NUDGE_POISON", "1")
                .stdout(Stdio::null())
                .stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    let said: Vec<String> = callers
        .into_iter()
        .map(|caller| {
            let output = caller.wait_with_output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{said}");
            said
        })
        .collect();
    // Three starts failed, and the fourth did not; one of the callers was told.
    let told = said
        .iter()
        .filter(|said| said.contains("three times in a minute"));
    assert_eq!(told.count(), 1, "{said:?}");
    printed(path, &["restore"]);
    assert_eq!(
        printed(path, &["get", "faults", "build", "--raw"]),
        "make\n"
    );
}

#[test]
fn a_crash_in_the_middle_of_a_restart_leaves_the_old_or_the_new_settings() {
    let runtime = crate::process::folder();
    let path = runtime.path();
    printed(path, &["set", "faults", "build", "make"]);
    let mut known = 5000;
    for round in 1..=10 {
        let new = 100 + round;
        let mut command = crate::process::nudge();
        command.args(["restart", "--max-hints", &new.to_string()]);
        command
            .env("NUDGE_RUNTIME_DIR", path)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut restarting = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(round));
        if let Some(pid) = crate::process::primary(path) {
            crate::process::kill(pid, Signal::KILL);
        }
        restarting.wait().unwrap();
        let status = printed(path, &["status", "--json"]);
        let status: Value = serde_json::from_str(&status).unwrap();
        let hints = status["limits"]["hints"].as_u64().unwrap();
        assert!(
            hints == known || hints == new,
            "{hints} is neither {known} nor {new}"
        );
        assert_eq!(status["stats"]["hints"], 1);
        known = hints;
    }
}
