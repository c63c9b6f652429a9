//! A host: `nudge serve` as its child, on the ends that hosts give.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use rustix::process::Signal;
use serde_json::{Value, json};

use super::client::opening;
use crate::process::{PATIENCE, serve, signal, status};
use crate::watch::follower::lines_of;

/// What a host hands over as standard input and output.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ends {
    Pipes,
    /// A socket for each, as hosts on Node do.
    Sockets,
    /// The same socket for both.
    OneSocket,
}

pub(crate) const ENDS: [Ends; 3] = [Ends::Pipes, Ends::Sockets, Ends::OneSocket];

pub(crate) struct Host {
    child: Option<Child>,
    input: Option<Input>,
    lines: Receiver<String>,
    id: u64,
}

enum Input {
    Pipe(Box<dyn Write + Send>),
    Socket(UnixStream),
}

impl Host {
    pub(crate) fn start(runtime: &Path, ends: Ends) -> Host {
        Host::run(serve(runtime), ends)
    }

    /// Runs a command that serves.
    pub(crate) fn run(mut command: Command, ends: Ends) -> Host {
        let (child, input, output): (Child, Input, Box<dyn Read + Send>) = match ends {
            Ends::Pipes => {
                let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
                let mut child = pipes.spawn().unwrap();
                let input = Box::new(child.stdin.take().unwrap());
                let output = Box::new(child.stdout.take().unwrap());
                (child, Input::Pipe(input), output)
            }
            Ends::Sockets | Ends::OneSocket => {
                let (input, theirs) = UnixStream::pair().unwrap();
                let (output, writes) = match ends {
                    Ends::OneSocket => (input.try_clone().unwrap(), theirs.try_clone().unwrap()),
                    _ => UnixStream::pair().unwrap(),
                };
                command.stdin(OwnedFd::from(theirs));
                command.stdout(OwnedFd::from(writes));
                let child = command.spawn().unwrap();
                (child, Input::Socket(input), Box::new(output))
            }
        };
        // The command keeps their ends open for another child.
        drop(command);
        Host {
            child: Some(child),
            input: Some(input),
            lines: lines_of(output),
            id: 0,
        }
    }

    /// Starts a server and opens a conversation of the older revisions.
    pub(crate) fn open(runtime: &Path, ends: Ends) -> Host {
        Host::start(runtime, ends).opened()
    }

    /// Opens a conversation of the older revisions.
    pub(crate) fn opened(self) -> Host {
        self.opened_as("host")
    }

    /// The same for a host of some name.
    pub(crate) fn opened_as(mut self, name: &str) -> Host {
        self.initialize(name);
        self.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        self
    }

    pub(crate) fn initialize(&mut self, name: &str) {
        let opened = self.request("initialize", opening("2025-11-25", Some(name)));
        assert_eq!(opened["result"]["serverInfo"]["name"], "nudge", "{opened}");
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.write(message).unwrap();
    }

    fn write(&mut self, message: &Value) -> std::io::Result<()> {
        let line = format!("{message}\n");
        match self.input.as_mut().unwrap() {
            Input::Pipe(pipe) => pipe.write_all(line.as_bytes()),
            Input::Socket(socket) => socket.write_all(line.as_bytes()),
        }
    }

    /// Makes a request; what comes back is the whole response.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let said = self.ask(method, params);
        said.unwrap_or_else(|| panic!("the server ended"))
    }

    /// Makes a request; `None` when the server has ended instead of answering.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Option<Value> {
        self.id += 1;
        let mut request = json!({"jsonrpc": "2.0", "id": self.id, "method": method});
        request["params"] = params;
        self.write(&request).ok()?;
        loop {
            let said = self.next()?;
            if said.get("method").is_none() {
                assert_eq!(said["id"], self.id, "{said}");
                return Some(said);
            }
        }
    }

    pub(crate) fn child(&self) -> &Child {
        self.child.as_ref().unwrap()
    }

    /// Calls a tool; what comes back is its structured content.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut params = json!({"name": tool});
        params["arguments"] = arguments;
        let said = self.request("tools/call", params);
        said["result"]["structuredContent"].clone()
    }

    /// Calls a tool; what comes back is all of its structured content.
    pub(crate) fn full(&mut self, tool: &str, mut arguments: Value) -> Value {
        arguments["full"] = json!(true);
        self.call(tool, arguments)
    }

    /// The next line.
    pub(crate) fn hear(&mut self) -> Value {
        let next = self.next();
        next.unwrap_or_else(|| panic!("the server ended"))
    }

    /// The next line; `None` when the server has ended.
    fn next(&self) -> Option<Value> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(serde_json::from_str(&line).unwrap_or_else(|_| json!(line))),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no word from the server"),
        }
    }

    /// Ends the input, and says how the server ended.
    pub(crate) fn hang_up(mut self) -> ExitStatus {
        match self.input.take().unwrap() {
            Input::Pipe(pipe) => drop(pipe),
            Input::Socket(socket) => socket.shutdown(Shutdown::Write).unwrap(),
        }
        status(self.child.take().unwrap())
    }

    /// Sends a signal while the input stays open, and says how the server ended.
    pub(crate) fn signal(mut self, sent: Signal) -> ExitStatus {
        signal(self.child.as_ref().unwrap(), sent);
        status(self.child.take().unwrap())
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
