//! Moments at which two processes could misunderstand each other.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nudge_client::folder::Runtime;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};

use super::{keys, kill_primary, member, member_by, place, primary, printed, result, set, stop};
use crate::process::{nudge, serve, until};

/// What a get says of how often a hint was used.
fn uses(host: &mut crate::mcp::host::Host, key: &str) -> u64 {
    let params = json!({"component": "faults", "key": key});
    let found = result(host, "nudge.get_hint", params);
    found["hint"]["use_count"].as_u64().unwrap()
}

#[test]
fn a_call_that_comes_when_an_idle_primary_ends_is_answered_once() {
    let runtime = crate::process::folder();
    let path = runtime.path();
    printed_by(&mut idle(
        path,
        &["set", "faults", "k", "x", "--everywhere"],
    ));
    // Commands join nobody, so the PRIMARY may end between any two of them.
    let callers: Vec<_> = (0..4)
        .map(|number| {
            let path = path.to_owned();
            thread::spawn(move || {
                let start = Instant::now();
                let mut sets = 0;
                while start.elapsed() < Duration::from_secs(3) {
                    let key = format!("k{number}");
                    let words = ["set", "faults", &key, "x", "--everywhere", "--json"];
                    let said = printed_by(&mut idle(&path, &words));
                    let said: Value = serde_json::from_str(&said).unwrap();
                    sets += 1;
                    assert_eq!(said["hint"]["version"], sets, "{said}");
                }
                sets
            })
        })
        .collect();
    for caller in callers {
        assert!(caller.join().unwrap() > 1);
    }
}

/// A command in a session whose PRIMARY ends as soon as nobody calls.
fn idle(runtime: &Path, words: &[&str]) -> Command {
    let mut command = super::command(runtime, words);
    command.env("NUDGE_IDLE_MS", "1");
    command
}

fn printed_by(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{said}{printed}");
    printed
}

#[test]
fn a_primary_that_nobody_uses_ends_and_its_session_does_not() {
    let runtime = crate::process::folder();
    let mut command = serve(runtime.path());
    command.env("NUDGE_IDLE_MS", "1");
    let mut host = member_by(command);
    set(&mut host, "build", "make");
    let (before, pid) = (place(&mut host), primary(runtime.path()));
    thread::sleep(Duration::from_millis(100));
    assert_eq!(primary(runtime.path()), pid, "somebody has joined");
    host.hang_up();
    until("it has ended", || {
        crate::process::primary(runtime.path()).is_none()
    });
    assert!(!runtime.path().join("nudge.sock").exists());
    let mut next = member(runtime.path());
    assert_eq!(keys(&mut next), ["build"]);
    assert_eq!(place(&mut next), before);
}

#[test]
fn a_primary_that_holds_a_secret_stays() {
    let runtime = crate::process::folder();
    let secret = ["set", "faults", "s", "swordfish", "--allow-secret"];
    printed_by(&mut idle(runtime.path(), &secret));
    let pid = primary(runtime.path());
    thread::sleep(Duration::from_millis(100));
    assert_eq!(primary(runtime.path()), pid);
    let gone = ["delete", "faults", "s"];
    printed_by(&mut idle(runtime.path(), &gone));
    until("it has ended", || {
        crate::process::primary(runtime.path()).is_none()
    });
}

/// A shell in a process group of its own that runs a command of the CLI.
fn in_a_group(runtime: &Path, words: &str) -> Child {
    let script = format!("\"$0\" {words}; :");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).arg(nudge().get_program());
    shell.env("NUDGE_RUNTIME_DIR", runtime).process_group(0);
    shell
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    shell.spawn().unwrap()
}

#[test]
fn a_group_that_is_stopped_at_any_moment_of_a_start_starts_a_server_all_the_same() {
    let runtime = crate::process::folder();
    for round in 0..40 {
        let mut shell = in_a_group(runtime.path(), "set faults build make --everywhere");
        let group = Pid::from_child(&shell);
        thread::sleep(Duration::from_micros(round * 250));
        let _ = kill_process_group(group, Signal::STOP);
        thread::sleep(Duration::from_millis(2));
        let _ = kill_process_group(group, Signal::CONT);
        shell.wait().unwrap();
        let said = printed(runtime.path(), &["get", "faults", "build", "--raw"]);
        assert_eq!(said, "make\n", "in round {round}");
        stop(runtime.path());
        until("it has ended", || {
            crate::process::primary(runtime.path()).is_none()
        });
    }
}

#[test]
fn after_a_stop_a_proxy_that_goes_on_is_in_another_session() {
    let runtime = crate::process::folder();
    let mut proxies = [member(runtime.path()), member(runtime.path())];
    set(&mut proxies[0], "build", "make");
    let (old, _) = place(&mut proxies[0]);
    let path = runtime.path().to_owned();
    let stopping = thread::spawn(move || stop(&path));
    // One of them repeats while the session ends.
    let [one, other] = &mut proxies;
    until("the session has ended", || place(one).0 != old);
    stopping.join().unwrap();
    assert!(keys(one).is_empty());
    assert_eq!(place(other).0, place(one).0);
    set(one, "test", "make test");
    assert_eq!(keys(other), ["test"]);
}

#[test]
fn a_command_right_after_a_stop_is_answered() {
    let runtime = crate::process::folder();
    for _ in 0..10 {
        let set = |key: &str| {
            let words = ["set", "faults", key, "make", "--everywhere"];
            printed(runtime.path(), &words);
        };
        set("build");
        printed(runtime.path(), &["stop"]);
        // Whoever begins no session says that there is none.
        let said = super::said(runtime.path(), &["status"]);
        assert_eq!(said, "no server is running; start one with `nudge serve`\n");
        set("test");
        // What is kept stays.
        assert_eq!(printed(runtime.path(), &["ls", "faults"]), "build\ntest\n");
    }
}

#[test]
fn a_bump_whose_primary_dies_is_counted_once() {
    let runtime = crate::process::folder();
    let mut host = member(runtime.path());
    set(&mut host, "build", "make");
    let here = nudge::Context::here();
    let id = json!({"component": "faults", "key": "build", "context": here});
    let socket = runtime.path().join("nudge.sock");
    let bump = || {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "nudge.bump", "params": id});
        crate::client::posted(&socket, "Nudge-Request-Id: somebody-7\r\n", &body)
    };
    assert_eq!(bump()["result"]["hint"]["use_count"], 1);
    kill_primary(runtime.path());
    assert_eq!(uses(&mut host, "build"), 1);
    assert_eq!(bump()["result"]["hint"]["use_count"], 1);
    assert_eq!(uses(&mut host, "build"), 1);
}

#[test]
fn calls_in_parallel_through_one_proxy_are_each_made_once_while_primaries_die() {
    let runtime = crate::process::folder();
    let mut host = member(runtime.path());
    set(&mut host, "build", "make");
    let (path, answered) = (runtime.path().to_owned(), Arc::new(AtomicU64::new(0)));
    let heard = Arc::clone(&answered);
    let killing = thread::spawn(move || {
        for _ in 0..5 {
            // A call during which three have died is given up.
            let before = heard.load(Ordering::Relaxed);
            until("a call is answered", || {
                heard.load(Ordering::Relaxed) > before
            });
            if let Some(pid) = crate::process::primary(&path) {
                crate::process::kill(pid, Signal::KILL);
            }
        }
    });
    let mut count = 0;
    while count < 2 || !killing.is_finished() {
        let asked: Vec<u64> = (0..8)
            .map(|number| {
                let id = 1000 + count * 8 + number;
                // A component for each round: however fast it goes, none is full.
                let component = format!("faults{count}");
                let params = json!({"component": component, "key": format!("p{id}"), "value": "x"});
                host.say(&json!({"jsonrpc": "2.0", "id": id, "method": "nudge.set_hint", "params": params}));
                id
            })
            .collect();
        for _ in &asked {
            let said = loop {
                let said = host.hear();
                if said.get("method").is_none() {
                    break said;
                }
            };
            assert_eq!(said["result"]["created"], true, "{said}");
            assert_eq!(said["result"]["hint"]["version"], 1, "{said}");
            answered.fetch_add(1, Ordering::Relaxed);
        }
        count += 1;
    }
    killing.join().unwrap();
}

#[test]
fn a_dying_primary_leaves_its_successors_socket_alone() {
    let runtime = crate::process::folder();
    let mut host = member(runtime.path());
    for round in 0..10 {
        let old = primary(runtime.path());
        crate::process::kill(old, Signal::TERM);
        set(&mut host, &format!("k{round}"), "x");
        until("the old one has ended", || {
            !Path::new(&format!("/proc/{old}/exe")).exists()
        });
        set(&mut host, &format!("again{round}"), "x");
        assert!(runtime.path().join("nudge.sock").exists());
    }
}

#[test]
fn a_call_waits_for_a_lock_that_is_still_held_by_one_that_has_closed_its_socket() {
    let runtime = crate::process::folder();
    let words = ["set", "faults", "build", "make", "--everywhere"];
    printed(runtime.path(), &words);
    kill_primary(runtime.path());
    // This process is the server that has not let go of it yet.
    let folder = Runtime::open(Some(runtime.path())).unwrap();
    let lock = folder.try_lock().unwrap().unwrap();
    let path = runtime.path().to_owned();
    let calling = thread::spawn(move || printed(&path, &["get", "faults", "build", "--raw"]));
    thread::sleep(Duration::from_millis(300));
    assert!(!calling.is_finished());
    drop(lock);
    assert_eq!(calling.join().unwrap(), "make\n");
}

#[test]
fn a_call_at_any_moment_of_a_start_is_answered() {
    let runtime = crate::process::folder();
    for round in 0..40 {
        let mut first = in_a_group(runtime.path(), "set faults build make --everywhere");
        thread::sleep(Duration::from_micros(round * 250));
        let words = ["set", "faults", "test", "make test", "--everywhere"];
        printed(runtime.path(), &words);
        first.wait().unwrap();
        assert_eq!(printed(runtime.path(), &["ls", "faults"]), "build\ntest\n");
        printed(runtime.path(), &["stop", "--purge"]);
    }
}

#[test]
fn whoever_starts_a_server_is_not_held_up_by_it() {
    let runtime = crate::process::folder();
    // The shell waits for the end of what is written to the pipe.
    let script = "exec 5<>\"$1\"; x=$(\"$0\" get api build 2>/dev/null); echo done";
    let kept = runtime.path().join("kept");
    fs::write(&kept, "").unwrap();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", script])
        .arg(nudge().get_program())
        .arg(&kept);
    shell.env("NUDGE_RUNTIME_DIR", runtime.path());
    let output = shell.stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.stdout, b"done\n");
    let pid = primary(runtime.path());
    let process = |name: &str| format!("/proc/{pid}/{name}");
    assert_eq!(fs::read_link(process("cwd")).unwrap(), Path::new("/"));
    for entry in fs::read_dir(process("fd")).unwrap() {
        // One that was closed since is held by nobody.
        let held = fs::read_link(entry.unwrap().path()).ok();
        assert_ne!(held.as_deref(), Some(&*kept));
    }
    for standard in ["fd/0", "fd/1", "fd/2"] {
        let held = fs::read_link(process(standard)).unwrap();
        assert_eq!(held, Path::new("/dev/null"));
    }
    let stat = fs::read_to_string(process("stat")).unwrap();
    let after_name: Vec<&str> = stat
        .rsplit_once(')')
        .unwrap()
        .1
        .split_whitespace()
        .collect();
    let [_, parent, group, session, terminal] = after_name[..5] else {
        panic!("{stat}");
    };
    assert_eq!((parent, group, terminal), ("1", &*pid.to_string(), "0"));
    assert_ne!(session, std::process::id().to_string());
    let environment = fs::read(process("environ")).unwrap();
    let names = environment.split(|byte| *byte == 0).filter_map(|pair| {
        let text = str::from_utf8(pair).unwrap();
        text.split_once('=').map(|(name, _)| name)
    });
    for name in names {
        let known = ["HOME", "PATH", "TZ", "TMPDIR", "CI"].contains(&name);
        assert!(known || name.starts_with("NUDGE_"), "{name}");
    }
}
