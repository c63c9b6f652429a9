//! Programs of others: finding them, and running them with a deadline.

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use nudge_client::platform::names_of_program;

pub(crate) use nudge_client::platform::is_executable;

use crate::platform::group::{Group, apart};

/// The program that a word starts on a search path. Folders that are not
/// absolute are passed over: they mean something else in every folder.
pub(crate) fn find(word: &str, search: &OsStr) -> Option<PathBuf> {
    let folders = std::env::split_paths(search).filter(|folder| folder.is_absolute());
    let mut programs = folders.flat_map(|folder| {
        let names = names_of_program(word);
        names.map(move |name| folder.join(name))
    });
    programs.find(|path| is_executable(path))
}

/// Runs a command to its end with something on its stdin, and ends it with all
/// that it started when it takes longer than `deadline`. The error says why there
/// is no answer.
pub(crate) fn run(
    command: &mut Command,
    input: &str,
    deadline: Duration,
) -> Result<Output, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    // By itself, so that what it starts can be ended with it.
    let started = apart(command.stderr(Stdio::null())).spawn();
    let mut child = started.map_err(|error| format!("it does not start: {error}"))?;
    let (stdin, input) = (child.stdin.take(), input.to_owned());
    let group = Group::of(&child);
    let (done, ended) = mpsc::channel();
    // A program need not read what it is given.
    thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(input.as_bytes())));
    thread::spawn(move || done.send(child.wait_with_output()));
    if let Ok(ran) = ended.recv_timeout(deadline) {
        return ran.map_err(|error| format!("its end was not seen: {error}"));
    }
    group.end();
    Err(format!("it did not end within {} s", deadline.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "sleep 600 & wait"]);
        let ran = run(&mut command, "", Duration::from_millis(50));
        assert!(ran.unwrap_err().starts_with("it did not end within"));
    }

    #[test]
    fn a_program_gets_its_input_and_its_output_is_read() {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "cat; echo err >&2; exit 3"]);
        let ran = run(&mut command, "in", Duration::from_mins(1)).unwrap();
        assert_eq!((ran.stdout, ran.status.code()), (b"in".to_vec(), Some(3)));
    }

    #[test]
    fn only_absolute_folders_are_searched() {
        assert_eq!(find("sh", OsStr::new("bin:.:/bin")), Some("/bin/sh".into()));
        assert_eq!(find("sh", OsStr::new(".:bin")), None);
    }
}
