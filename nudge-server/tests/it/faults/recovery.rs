//! What of a session is there for whoever comes next.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use nudge_server::primary::operations::ServerOperation;
use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::{Value, json};

use super::{command, holds, keys, kill_primary, member, nudge, place, printed, result, said, set};
use crate::mcp::origin::typed;
use crate::process::until;

fn store(runtime: &Path) -> PathBuf {
    runtime.join("nudge.db")
}

/// Changes the store of a server that does not run.
fn tamper(runtime: &Path, sql: &str) {
    let store = Connection::open(store(runtime)).unwrap();
    store.execute_batch(sql).unwrap();
}

fn status(runtime: &Path) -> Value {
    super::json(runtime, &["status", "--json"])
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
        let ago = hours * 3_600_000;
        let sql = format!("UPDATE session SET active_at = active_at - {ago}");
        tamper(runtime.path(), &sql);
        let mut next = member(runtime.path());
        assert_eq!(!keys(&mut next).is_empty(), is_there, "after {hours} hours");
        assert_eq!(place(&mut next) == before, is_there);
        if is_there {
            continue;
        }
        // The user is told once, and has it back.
        assert!(said(runtime.path(), &["ls"]).contains("`nudge restore`"));
        assert_eq!(said(runtime.path(), &["ls"]), "");
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
    let stopped = printed(path, &["stop"]);
    let expected = "✔ stopped; 0 kept hints stay, 1 of this session ended (nudge restore)\n";
    assert_eq!(stopped, expected);
    assert!(keys(&mut host).is_empty());
    set(&mut host, "test", "make test");
    let restored = super::json(path, &["restore", "--json"]);
    assert_eq!(restored["imported"], 1);
    assert_eq!(keys(&mut host), ["build", "test"]);
    printed(path, &["stop"]);
    keys(&mut host);
    printed(path, &["set", "faults", "kept", "stays", "--everywhere"]);
    let said = printed(path, &["stop", "--purge"]);
    assert!(said.starts_with("✔ stopped; 1 kept hint stays"), "{said}");
    until("nothing is left of it", || {
        let names = fs::read_dir(path).unwrap();
        let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names == ["lock", "nudge.db"] && !holds(path, "make")
    });
    assert!(holds(path, "stays"));
    assert_eq!(nudge(path, &["restore"]).status.code(), Some(1));
}

#[test]
fn what_there_is_no_room_for_can_be_brought_back_later() {
    let runtime = crate::process::folder();
    let path = runtime.path();
    for key in ["a", "b", "c"] {
        let lives = ["--everywhere", "--ttl", "session"];
        let words = [&["set", "faults", key, "make"], &lives[..]].concat();
        printed(path, &words);
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
fn a_secret_is_in_no_file_and_leaves_a_mark() {
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
    assert!(holds(runtime.path(), "tuna") && !holds(runtime.path(), "swordfish"));
    kill_primary(runtime.path());
    assert_eq!(keys(&mut other), ["open"]);
    let get = json!({"component": "faults", "key": "secret"});
    let said = other.request("nudge.get_hint", get);
    assert_eq!(said["error"]["data"]["reason"], "E_NOT_FOUND", "{said}");
    let words = "a secret was here; set it again";
    assert!(said.to_string().contains(words), "{said}");
}

#[test]
fn a_restart_asks_before_secrets_are_lost() {
    let runtime = crate::process::folder();
    let secret = ["set", "faults", "secret", "swordfish", "--allow-secret"];
    printed(runtime.path(), &secret);
    let refused = nudge(runtime.path(), &["restart"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let said = said(runtime.path(), &["restart"]);
    assert!(said.contains("--yes"), "{said}");
    printed(runtime.path(), &["restart", "--yes"]);
    assert_eq!(nudge(runtime.path(), &["ls"]).status.code(), Some(1));
}

#[test]
fn a_restart_takes_the_users_settings_and_others_take_the_sessions() {
    let runtime = crate::process::folder();
    let limit = || status(runtime.path())["limits"]["hints"].clone();
    printed(runtime.path(), &["set", "faults", "build", "make"]);
    assert_eq!(limit(), 5000);
    printed(runtime.path(), &["restart", "--max-hints", "77"]);
    assert_eq!(limit(), 77);
    kill_primary(runtime.path());
    assert_eq!(limit(), 77);
    // The user may loosen them, and whoever else writes into the store may not.
    printed(runtime.path(), &["restart", "--max-hints", "9000"]);
    for _ in 0..2 {
        assert_eq!(limit(), 9000);
        kill_primary(runtime.path());
    }
    let sql = "UPDATE session SET settings = replace(settings, '9000', '9001')";
    tamper(runtime.path(), sql);
    assert_eq!(limit(), 5000);
    kill_primary(runtime.path());
    let mut by_hand = crate::process::serve(runtime.path());
    by_hand.args(["--foreground", "--max-hints=8000"]);
    crate::process::Server::spawn(by_hand).kill();
    assert_eq!(limit(), 8000);
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
        let status = status(runtime.path());
        assert_eq!(status["settings"]["secret_guard"], guard);
    }
}

#[test]
fn whoever_starts_a_session_can_only_tighten_it() {
    let runtime = crate::process::folder();
    let mut command = command(runtime.path(), &["set", "faults", "build", "make"]);
    command.envs([
        ("NUDGE_MAX_HINTS", "9000000"),
        ("NUDGE_SECRET_GUARD", "0"),
        ("NUDGE_MAX_VALUE_BYTES", "99"),
    ]);
    assert!(command.output().unwrap().status.success());
    let status = status(runtime.path());
    assert_eq!(status["settings"]["secret_guard"], true);
    assert_eq!(status["limits"]["hints"], 5000);
    assert_eq!(status["limits"]["value_bytes"], 99);
}

#[test]
fn a_store_of_a_later_version_is_left_alone_and_said_so() {
    let runtime = crate::process::folder();
    let mut host = member(runtime.path());
    set(&mut host, "build", "make");
    kill_primary(runtime.path());
    tamper(runtime.path(), "PRAGMA user_version = 9004");
    let foreign = fs::read(store(runtime.path())).unwrap();
    // However often it is tried.
    for _ in 0..5 {
        let said = host.request("nudge.query", json!({}));
        assert_eq!(said["error"]["data"]["reason"], "E_UNAVAILABLE", "{said}");
        let said = said.to_string();
        let is_told = said.contains("(format 9)") && said.contains("`nudge export`");
        assert!(is_told, "{said}");
    }
    assert!(fs::read(store(runtime.path())).unwrap() == foreign);
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
    for is_torn in [false, true] {
        let runtime = crate::process::folder();
        let path = runtime.path();
        let mut host = member(path);
        for number in 0..150 {
            let value = format!("{}-{number}.", "x".repeat(300));
            set(&mut host, &format!("k{number}"), &value);
        }
        // Its proxy would start the next server before there is any damage.
        host.hang_up();
        kill_primary(path);
        // One whole file, in which each value stands once.
        tamper(path, "VACUUM");
        let mut bytes = fs::read(store(path)).unwrap();
        if is_torn {
            bytes.truncate(bytes.len() * 3 / 4 / 4096 * 4096);
        } else {
            let hit = bytes.windows(4).position(|bytes| bytes == b"-75.");
            let page = hit.unwrap() / 4096 * 4096;
            bytes[page..page + 4096].fill(0xff);
        }
        fs::write(store(path), bytes).unwrap();
        let mut host = member(path);
        let left = super::status(&mut host)["stats"]["hints"].as_u64().unwrap();
        assert!((5..150).contains(&left), "{left}, torn: {is_torn}");
        let told = said(path, &["ls"]);
        assert!(told.contains("nudge.db.damaged-"), "{told}");
        assert_eq!(said(path, &["ls"]), "");
        // What was put aside is gone with what the user deletes next.
        printed(path, &["delete", "faults", &keys(&mut host)[0]]);
        until("it is gone", || {
            let mut names = fs::read_dir(path).unwrap().map(|it| it.unwrap().path());
            names.all(|name| !name.to_string_lossy().contains(".damaged-"))
        });
    }
}

#[test]
fn a_deleted_value_leaves_all_files_within_a_second_also_after_overwrites() {
    let runtime = crate::process::folder();
    let path = runtime.path();
    printed(path, &["set", "faults", "other", "stays", "--everywhere"]);
    for value in ["swordfish1", "swordfish2", "swordfish3"] {
        printed(path, &["set", "faults", "pin", value, "--everywhere"]);
    }
    assert!(holds(path, "swordfish3"));
    printed(path, &["delete", "faults", "pin", "--everywhere"]);
    until("it is gone", || !holds(path, "swordfish"));
    assert!(holds(path, "stays"));
    // The same where it becomes a secret.
    printed(path, &["set", "faults", "fish", "tunafish", "--everywhere"]);
    let again = ["set", "faults", "fish", "tunafish", "--everywhere"];
    printed(path, &[&again[..], &["--allow-secret"]].concat());
    until("it is gone", || !holds(path, "tunafish"));
    let got = printed(path, &["get", "faults", "fish", "--raw"]);
    assert_eq!(got, "tunafish\n");
}

#[test]
fn a_session_that_kills_its_servers_is_moved_aside_after_three_starts() {
    let runtime = crate::process::folder();
    let path = runtime.path();
    printed(path, &["set", "faults", "build", "make", "--everywhere"]);
    kill_primary(path);
    let callers: Vec<_> = (0..16)
        .map(|_| {
            let mut get = command(path, &["get", "faults", "build"]);
            get.env("NUDGE_POISON", "1").stdout(Stdio::null());
            get.stderr(Stdio::piped()).spawn().unwrap()
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
    let got = printed(path, &["get", "faults", "build", "--raw"]);
    assert_eq!(got, "make\n");
}

#[test]
fn a_crash_in_the_middle_of_a_restart_leaves_the_old_or_the_new_settings() {
    let runtime = crate::process::folder();
    let path = runtime.path();
    printed(path, &["set", "faults", "build", "make"]);
    let mut known = 5000;
    for round in 1..=10 {
        let new = 100 + round;
        let mut restart = command(path, &["restart", "--max-hints", &new.to_string()]);
        restart.stdout(Stdio::null()).stderr(Stdio::null());
        let mut restarting = restart.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(round));
        if let Some(pid) = crate::process::primary(path) {
            crate::process::kill(pid, Signal::KILL);
        }
        restarting.wait().unwrap();
        let status = status(path);
        let hints = status["limits"]["hints"].as_u64().unwrap();
        assert!([known, new].contains(&hints), "{hints}");
        assert_eq!(status["stats"]["hints"], 1);
        known = hints;
    }
}
