//! Asking somebody who may never answer.

use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::platform::group::{Group, apart};

/// How often it is looked at whether a program may go on.
const LOOK: Duration = Duration::from_millis(50);

/// The most that is read of what a program complains of.
const MOST_COMPLAINTS: u64 = 64 << 10;

/// What comes of it, if it comes in time. What takes longer is left to itself,
/// and ends with this process.
pub(crate) fn within<T: Send + 'static>(
    patience: Duration,
    ask: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, answer) = mpsc::channel();
    let asking = thread::Builder::new().spawn(move || sender.send(ask()));
    asking.ok()?;
    answer.recv_timeout(patience).ok()
}

/// What a program that ended said.
pub(crate) struct Ran {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

/// Runs a program, by what it is called, to its end with something on its stdin, and reads so many
/// bytes of what it prints. It is ended with all that it started once `is_over` says why. The error says why there
/// is no answer.
pub(crate) fn run(
    name: &str,
    command: &mut Command,
    input: &[u8],
    most: u64,
    is_over: impl Fn() -> Option<String>,
) -> Result<Ran, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    // By itself, so that what it starts can be ended with it.
    let started = apart(command.stderr(Stdio::piped())).spawn();
    let mut child = started.map_err(|error| format!("{name} does not start: {error}"))?;
    let group = Group::of(&child);
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let input = input.to_owned();
    // It need not read what it is given.
    thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(&input)));
    let (done, ended) = mpsc::channel();
    thread::spawn(move || {
        let complaints = thread::spawn(move || read(stderr, MOST_COMPLAINTS));
        let stdout = read(stdout, most);
        let complaints = complaints.join().unwrap_or_default();
        let _ = done.send(child.wait().map(|status| Ran {
            status,
            stdout,
            stderr: String::from_utf8_lossy(&complaints).into_owned(),
        }));
    });
    loop {
        if let Ok(ran) = ended.recv_timeout(LOOK) {
            return ran.map_err(|error| format!("the end of {name} was not seen: {error}"));
        }
        if let Some(why) = is_over() {
            group.end();
            return Err(why);
        }
    }
}

fn read(pipe: Option<impl Read>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What cannot be read is not there.
    let _ = pipe.map(|pipe| pipe.take(most).read_to_end(&mut bytes));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(line: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", line]);
        command
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let over = || Some("it takes too long".to_owned());
        let ran = run("it", &mut shell("sleep 600 & wait"), b"", 1, over);
        assert_eq!(ran.err().as_deref(), Some("it takes too long"));
    }

    #[test]
    fn a_program_gets_its_input_and_its_output_is_read() {
        let mut command = shell("cat; echo err >&2; exit 3");
        let ran = run("it", &mut command, b"input", 2, || None).unwrap();
        assert_eq!((&*ran.stdout, &*ran.stderr), (&b"in"[..], "err\n"));
        assert_eq!(ran.status.code(), Some(3));
    }
}
