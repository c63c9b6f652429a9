//! `nudge hook`, as hosts run it, and the wiring that makes them.

mod generic;
mod held_back;
mod mishaps;
mod opencode;
mod status_line;
pub(crate) mod streams;
pub(crate) mod wiring;

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::process::{NO_HOME, within};

/// Long enough for a busy machine; how long a hook really takes, `make bench` tells.
const PATIENT: &str = "60000";

/// `nudge hook` and some words, with a runtime folder.
fn hook(runtime: &Path, words: &str) -> Command {
    let mut command = command("hook", runtime);
    command.args(words.split_whitespace());
    command
}

/// `nudge` and a word, as a host runs it.
fn command(word: &str, runtime: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nudge"));
    command
        .arg(word)
        .env_clear()
        .env("HOME", NO_HOME)
        .env("NUDGE_RUNTIME_DIR", runtime)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Gives an event to a hook, and waits for its end.
pub(crate) fn told(command: &mut Command, event: impl AsRef<[u8]>) -> Output {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let event = event.as_ref().to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(&event));
    let output = ended(child);
    // A hook that gave up has not read it all.
    let _ = writer.join().unwrap();
    output
}

fn ended(child: Child) -> Output {
    within(move || child.wait_with_output().unwrap())
}

/// The end of a hook that waits for a server in vain. It must come before a
/// client would give up by itself, which takes 10 s.
fn ended_soon(child: Child) -> Output {
    let pid = Pid::from_child(&child);
    let (done, output) = mpsc::channel();
    std::thread::spawn(move || done.send(child.wait_with_output()));
    output.recv_timeout(Duration::from_secs(8)).map_or_else(
        |_| {
            let _ = kill_process(pid, Signal::KILL);
            panic!("the hook did not end")
        },
        Result::unwrap,
    )
}

/// What it printed and said, of a hook that ended well as all do.
#[track_caller]
fn well(output: &Output) -> (String, String) {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_owned()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// Of a hook that had nothing to say.
#[track_caller]
fn silent(output: &Output) {
    assert_eq!(well(output), (String::new(), String::new()));
}
