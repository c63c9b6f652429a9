//! A running `nudge watch`, whose lines a test waits for.

use nudge::Operation;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use nudge_client::Client;
use serde_json::json;

use crate::process::{PATIENCE, status};

/// What is set until the watcher has heard of it, and then counts for nothing.
const WARM: &str = "warm";

/// Sets a hint, as any program would.
pub(crate) fn set(runtime: &Path, component: &str, key: &str, value: &str) {
    let client = Client::unix(&runtime.join("nudge.sock")).unwrap();
    let params = json!({"component": component, "key": key, "value": value});
    let done = client.call_blocking(Operation::SetHint, &params.to_string());
    done.unwrap();
}

pub(crate) struct Watcher {
    child: Option<Child>,
    lines: Receiver<String>,
    notes: Receiver<String>,
}

impl Watcher {
    /// Starts a command with the word `watch`, and waits until it follows.
    pub(crate) fn start(command: Command, runtime: &Path) -> Watcher {
        Watcher::asked(command, &[], runtime)
    }

    /// The same with flags.
    pub(crate) fn asked(mut command: Command, flags: &[&str], runtime: &Path) -> Watcher {
        command.arg("watch").args(flags).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = lines_of(child.stdout.take().unwrap());
        let notes = lines_of(child.stderr.take().unwrap());
        let watcher = Watcher {
            child: Some(child),
            lines,
            notes,
        };
        // What happens before it follows is not heard, so it happens until it is.
        loop {
            set(runtime, WARM, WARM, WARM);
            match watcher.lines.try_recv() {
                Ok(_) => return watcher,
                Err(TryRecvError::Empty) => thread::yield_now(),
                Err(TryRecvError::Disconnected) => panic!("it ended"),
            }
        }
    }

    /// The next line.
    #[track_caller]
    pub(crate) fn line(&self) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap();
            if !line.contains(WARM) {
                return line;
            }
        }
    }

    /// Waits for the next line, which begins and ends so.
    #[track_caller]
    pub(crate) fn line_says(&self, start: &str, end: &str) {
        let line = self.line();
        let is_so = line.starts_with(start) && line.ends_with(end);
        assert!(is_so, "{line}");
    }

    /// The next line on the side.
    #[track_caller]
    pub(crate) fn note(&self) -> String {
        self.notes.recv_timeout(PATIENCE).unwrap()
    }

    /// Waits for its end: its status, and the lines that were left.
    pub(crate) fn ended(mut self) -> (Option<i32>, Vec<String>, Vec<String>) {
        let status = status(self.child.take().unwrap());
        let lines = self.lines.iter().filter(|line| !line.contains(WARM));
        (status.code(), lines.collect(), self.notes.iter().collect())
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Runs a command with the word `watch` whose reader goes away after the first
/// line: how it ended, and what it said on the side.
pub(crate) fn read_once(mut command: Command, runtime: &Path) -> (Option<i32>, Vec<String>) {
    command.arg("watch").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let notes = lines_of(child.stderr.take().unwrap());
    let (heard, gone) = channel();
    thread::spawn(move || {
        output.read_line(&mut String::new()).unwrap();
        drop(output);
        heard.send(())
    });
    while gone.try_recv().is_err() {
        set(runtime, WARM, WARM, WARM);
        thread::yield_now();
    }
    (status(child).code(), notes.iter().collect())
}

/// The data of events, from the first one on, for who shows some headers.
pub(crate) fn events(socket: &Path, headers: &str) -> impl Iterator<Item = String> + use<> {
    let mut stream = UnixStream::connect(socket).unwrap();
    let head = "GET /events HTTP/1.0\r\nHost: localhost\r\nLast-Event-ID: 0\r\n";
    let request = format!("{head}{headers}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let lines = BufReader::new(stream).lines().map(Result::unwrap);
    lines.filter_map(|line| Some(line.strip_prefix("data: ")?.to_owned()))
}

pub(crate) fn lines_of(output: impl Read + Send + 'static) -> Receiver<String> {
    let (told, lines) = channel();
    thread::spawn(move || {
        let mut output = BufReader::new(output).lines().map_while(Result::ok);
        output.all(|line| told.send(line).is_ok())
    });
    lines
}
