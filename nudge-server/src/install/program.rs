//! Programs of others: finding them, and running them with a deadline.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

/// What a program printed, and whether it ended well.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) is_success: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The program that a word starts on a search path. Folders that are not
/// absolute are passed over: they mean something else in every folder.
pub(crate) fn find(word: &str, search: &OsStr) -> Option<PathBuf> {
    let folders = std::env::split_paths(search).filter(|folder| folder.is_absolute());
    folders
        .map(|folder| folder.join(word))
        .find(|path| is_executable(path))
}

/// Whether a file can be started.
pub(crate) fn is_executable(path: &Path) -> bool {
    let can_start =
        |file: std::fs::Metadata| file.is_file() && file.permissions().mode() & 0o111 != 0;
    path.metadata().is_ok_and(can_start)
}

/// Runs a command to its end, and ends it with all that it started when it
/// takes longer than `deadline`. The error says why there is no answer.
pub(crate) fn run(command: &mut Command, deadline: Duration) -> Result<Ran, String> {
    run_with(command, "", deadline)
}

/// The same with something on its stdin.
pub(crate) fn run_with(
    command: &mut Command,
    input: &str,
    deadline: Duration,
) -> Result<Ran, String> {
    let stdin = if input.is_empty() {
        Stdio::null()
    } else {
        Stdio::piped()
    };
    let started = command
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Of its own, so that what it starts can be ended with it.
        .process_group(0)
        .spawn();
    let mut child = started.map_err(|error| format!("it does not start: {error}"))?;
    let (stdin, input) = (child.stdin.take(), input.to_owned());
    let group = Pid::from_child(&child);
    let (done, ended) = mpsc::channel();
    // A program need not read what it is given.
    thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(input.as_bytes())));
    thread::spawn(move || done.send(read(child)));
    if let Ok(ran) = ended.recv_timeout(deadline) {
        return ran.map_err(|error| format!("its end was not seen: {error}"));
    }
    // It may have ended just now.
    let _ = kill_process_group(group, Signal::KILL);
    Err(format!("it did not end within {} s", deadline.as_secs()))
}

fn read(mut child: Child) -> std::io::Result<Ran> {
    let mut errors = child.stderr.take();
    // Two pipes are read by two threads, so that neither can fill up.
    let errors = thread::spawn(move || {
        let mut text = Vec::new();
        // What could be read before a failure is what there is to say.
        let _ = errors.as_mut().map(|pipe| pipe.read_to_end(&mut text));
        text
    });
    let mut text = Vec::new();
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_end(&mut text)?;
    }
    let errors = errors.join().unwrap_or_default();
    let status = child.wait()?;
    Ok(Ran {
        is_success: status.success(),
        stdout: String::from_utf8_lossy(&text).into_owned(),
        stderr: String::from_utf8_lossy(&errors).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "sleep 600 & wait"]);
        let ran = run(&mut command, Duration::from_millis(50));
        assert!(ran.unwrap_err().starts_with("it did not end within"));
    }

    #[test]
    fn both_pipes_of_a_program_are_read() {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let ran = run(&mut command, Duration::from_mins(1)).unwrap();
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str()),
            ("out\n", "err\n")
        );
        assert!(!ran.is_success);
    }

    #[test]
    fn only_absolute_folders_are_searched() {
        assert_eq!(find("sh", OsStr::new("bin:.:/bin")), Some("/bin/sh".into()));
        assert_eq!(find("sh", OsStr::new(".:bin")), None);
    }
}
