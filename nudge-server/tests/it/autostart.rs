//! A command that needs a server starts one where none runs.

use std::time::Duration;

use nudge_client::Client;
use nudge_client::folder::Runtime;
use nudge_client::start::Starter;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde_json::Value;

use crate::faults::{command, json, nudge, printed};
use crate::process::{folder, printed as ended};
use crate::says::Says;

const SET: [&str; 4] = ["set", "api", "build", "make"];

#[test]
fn a_port_that_is_named_must_be_the_one_of_the_folder() {
    let (folder, other) = (folder(), folder());
    printed(folder.path(), &SET);
    let port = json(folder.path(), &["status", "--json"])["port"].to_string();
    let get = ["-p", &port, "get", "api", "build", "--raw"];
    assert_eq!(printed(folder.path(), &get), "make\n");
    let (status, said) = ended(&mut command(other.path(), &get));
    assert_eq!(status, 3);
    said.says("another server's");
}

#[test]
fn a_server_that_was_started_so_has_a_session_of_its_own_and_ends_when_told() {
    let folder = folder();
    printed(folder.path(), &SET);
    let status = json(folder.path(), &["status", "--json"]);
    let pid = i32::try_from(status["pid"].as_i64().unwrap()).unwrap();
    let pid = Pid::from_raw(pid).unwrap();
    assert_eq!(rustix::process::getpgid(Some(pid)).unwrap(), pid);

    let server = pidfd_open(pid, PidfdFlags::empty()).unwrap();
    printed(folder.path(), &["stop"]);
    let mut waited_for = [PollFd::new(&server, PollFlags::IN)];
    let deadline = Timespec {
        tv_sec: 60,
        tv_nsec: 0,
    };
    assert_eq!(poll(&mut waited_for, Some(&deadline)).unwrap(), 1);
    assert_eq!(nudge(folder.path(), &["status"]).status.code(), Some(3));
}

#[test]
fn a_folder_that_cannot_be_used_is_named_before_a_server_is_started() {
    let folder = folder();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(folder.path(), &link).unwrap();
    let said = |arguments: &[&str]| ended(&mut command(&link, arguments));
    let set = said(&SET);
    assert_eq!(set, said(&["status"]));
    set.1.says("link");
}

#[test]
fn who_only_looks_for_a_server_starts_none_and_leaves_no_folder_behind() {
    let folder = folder();
    let none = "no server is running; start one with `nudge serve`\n";
    for runtime in [folder.path(), &folder.path().join("absent")] {
        for word in ["status", "stop"] {
            let asked = ended(&mut command(runtime, &[word]));
            assert_eq!(asked, (3, none.to_owned()));
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn one_at_a_time_starts_a_server_and_one_that_was_stopped_in_it_is_not_waited_for_twice() {
    let folder = folder();
    let runtime = Runtime::as_it_is(folder.path());
    let said = |patience| {
        let starter = Starter::new(Some("/absent/nudge".into()), Some(folder.path()), patience);
        let client = Client::of(&runtime, Some(starter));
        format!("{:?}", client.reach().unwrap_err())
    };
    let turn = runtime.try_start().unwrap();
    assert!(runtime.try_start().is_none());
    said(Duration::ZERO).says("no server is running");
    let patient = Duration::from_mins(1);
    said(patient).says("there is no program `/absent/nudge`");
    drop(turn);
    said(Duration::ZERO).says("there is no program `/absent/nudge`");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn nudge_alone_starts_a_server_and_says_what_an_agent_is_told() {
    let folder = folder();
    let alone = |flags: &[&str]| {
        let mut typed = command(&folder.path().join("session"), flags);
        let (status, said) = ended(typed.current_dir(folder.path()));
        assert_eq!(status, 0, "{said}");
        said
    };
    let nothing = "an agent is told nothing here, outside of any repository; `nudge --help` lists the commands\n";
    assert_eq!(alone(&[]), nothing);
    alone(&["set", "vim", "tabs", "4", "--everywhere"]);
    alone(&[]).says("- [user] vim/tabs: 4\n").says("tokens");
    let told: Value = serde_json::from_str(&alone(&["--json"])).unwrap();
    assert!(told["text"].as_str().unwrap().contains("vim/tabs: 4"));
    alone(&["stop", "--yes"]);
}
