//! A command that needs a server starts one where none runs.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::process::Folder as TempDir;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde_json::Value;

/// A runtime folder of the test's own; the server that was started there ends with it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(crate::process::folder())
    }

    fn nudge(&self, arguments: &[&str]) -> Output {
        command(self.0.path()).args(arguments).output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = self.nudge(&["stop"]);
    }
}

fn command(folder: &Path) -> Command {
    let mut command = crate::process::nudge();
    command.env("NUDGE_RUNTIME_DIR", folder);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn the_first_command_starts_a_server_and_the_next_one_finds_it() {
    let folder = Folder::new();
    let set = folder.nudge(&["set", "api", "build", "make", "--everywhere"]);
    assert_eq!(set.status.code(), Some(0), "{}", text(&set.stderr));
    assert_eq!(text(&set.stderr), "kept\n");
    let get = folder.nudge(&["get", "api", "build", "--raw"]);
    assert_eq!(
        (text(&get.stdout), text(&get.stderr)),
        ("make\n".into(), String::new())
    );
}

#[test]
fn a_port_that_is_named_must_be_the_one_of_the_folder() {
    let (folder, other) = (Folder::new(), Folder::new());
    folder.nudge(&["set", "api", "build", "make"]);
    let status = folder.nudge(&["status", "--json"]);
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    let port = status["port"].to_string();
    let get = ["-p", &port, "get", "api", "build", "--raw"];
    assert_eq!(text(&folder.nudge(&get).stdout), "make\n");
    let refused = other.nudge(&get);
    assert_eq!(refused.status.code(), Some(3));
    let words = text(&refused.stderr);
    assert!(words.contains("another server's"), "{words}");
}

#[test]
fn who_only_looks_for_a_server_leaves_no_folder_behind() {
    let folder = Folder::new();
    let absent = folder.0.path().join("absent");
    for look in [["status"], ["stop"]] {
        let seen = command(&absent).args(look).output().unwrap();
        assert_eq!(seen.status.code(), Some(3), "{look:?}");
        assert!(!absent.exists(), "{look:?}");
    }
}

#[test]
fn a_server_that_was_started_so_has_a_session_of_its_own_and_ends_when_told() {
    let folder = Folder::new();
    folder.nudge(&["set", "api", "build", "make"]);
    let status = folder.nudge(&["status", "--json"]);
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    let pid = i32::try_from(status["pid"].as_i64().unwrap()).unwrap();
    let pid = Pid::from_raw(pid).unwrap();
    assert_eq!(rustix::process::getpgid(Some(pid)).unwrap(), pid);

    let server = pidfd_open(pid, PidfdFlags::empty()).unwrap();
    assert_eq!(folder.nudge(&["stop"]).status.code(), Some(0));
    let mut waited_for = [PollFd::new(&server, PollFlags::IN)];
    let deadline = Timespec {
        tv_sec: 60,
        tv_nsec: 0,
    };
    assert_eq!(poll(&mut waited_for, Some(&deadline)).unwrap(), 1);
    assert_eq!(folder.nudge(&["status"]).status.code(), Some(3));
}

#[test]
fn a_folder_that_cannot_be_used_is_named_before_a_server_is_started() {
    let folder = crate::process::folder();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(folder.path(), &link).unwrap();
    let said = |arguments: &[&str]| {
        let output = command(&link).args(arguments).output().unwrap();
        (text(&output.stderr), output.status.code())
    };
    let (set, status) = (said(&["set", "api", "build", "make"]), said(&["status"]));
    assert_eq!(set, status);
    assert!(set.0.contains("link"), "{}", set.0);
}

#[test]
fn status_and_stop_never_start_one() {
    let folder = Folder::new();
    for word in ["status", "stop"] {
        let asked = folder.nudge(&[word]);
        assert_eq!(asked.status.code(), Some(3));
        assert_eq!(
            text(&asked.stderr),
            "no server is running; start one with `nudge serve`\n"
        );
    }
    assert!(!folder.0.path().join("nudge.sock").exists());
}

#[test]
fn commands_that_start_at_once_share_one_server() {
    let folder = Folder::new();
    let keys: Vec<String> = (0..8).map(|number| format!("key{number}")).collect();
    let children: Vec<_> = keys
        .iter()
        .map(|key| {
            let mut set = command(folder.0.path());
            set.args(["set", "api", key, "x"])
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            set.spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(
        text(&folder.nudge(&["ls", "api"]).stdout),
        keys.join("\n") + "\n"
    );
}

#[test]
fn nudge_alone_starts_a_server_and_says_what_an_agent_is_told() {
    let folder = Folder::new();
    let alone = |flags: &[&str]| {
        let mut command = command(&folder.0.path().join("session"));
        let typed = command.args(flags).current_dir(folder.0.path());
        let output = typed.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let nothing = "an agent is told nothing here, outside of any repository; `nudge --help` lists the commands\n";
    assert_eq!(alone(&[]), nothing);
    alone(&["set", "vim", "tabs", "4", "--everywhere"]);
    let told = alone(&[]);
    assert!(told.contains("- [user] vim/tabs: 4\n"), "{told}");
    assert!(told.contains("tokens"), "{told}");
    let told: Value = serde_json::from_str(&alone(&["--json"])).unwrap();
    assert!(told["text"].as_str().unwrap().contains("vim/tabs: 4"));
    alone(&["stop", "--yes"]);
}
