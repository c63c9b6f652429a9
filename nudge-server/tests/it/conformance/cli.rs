//! The terminal: the real binary, one process for each step.

mod fields;
mod line;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use nudge::{Config, Host, from_json};
use serde_json::Value;

use self::line::Line;
use super::driver::Surface;
use crate::folder_server::FolderServer;

/// The binary, and the server it talks to.
pub(crate) struct Cli {
    server: FolderServer,
    /// Who types, where it is not the user.
    caller: Option<String>,
}

impl Cli {
    pub(crate) fn start() -> Cli {
        Cli {
            server: FolderServer::start(Config::default(), "2025-11-04T10:00:00Z"),
            caller: None,
        }
    }
}

impl Surface for Cli {
    fn open(&mut self, config: &Value, at: &str) {
        let config = from_json(config.to_string().as_bytes()).unwrap();
        self.server = FolderServer::start(config, at);
    }

    fn via(&self) -> Option<&'static str> {
        Some("cli")
    }

    fn at(&mut self, time: &str) {
        self.server.at(time);
    }

    fn caller(&mut self, words: Option<&str>) {
        let words = words.filter(|words| *words != "user");
        self.caller = words.map(str::to_owned);
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let line = match Line::of(method, params) {
            Ok(line) => line,
            // An answer that no vector expects: the case then fails, and has to be listed.
            Err(what) => return Err(Value::from(format!("cannot be typed: {what}"))),
        };
        let mut command = self.server.nudge();
        if let Some(words) = &self.caller {
            let Some(variables) = shell_of(words) else {
                return Err(Value::from(format!("nobody types as {words}")));
            };
            command.envs(variables);
        }
        command.arg("--json").args(&line.arguments);
        let output = run(command, line.input.as_deref());
        let mut answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            let said = String::from_utf8_lossy(&output.stderr);
            Value::from(format!("{error}: {said}"))
        });
        let status = output.status.code();
        if let Some(reason) = answer.pointer("/data/reason") {
            let expected = if reason == "E_NOT_FOUND" { 1 } else { 2 };
            assert_eq!(status, Some(expected), "{:?}: {answer}", line.arguments);
            return Err(answer);
        }
        if !answer.is_object() {
            return Err(answer);
        }
        assert_ne!(status, None, "{:?} was ended", line.arguments);
        // The context that was used is an echo of this surface.
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("context_used");
        }
        Ok(answer)
    }
}

/// What the shell of an agent is known by.
fn shell_of(words: &str) -> Option<Vec<(&'static str, String)>> {
    let mut words = words.split(' ');
    let (actor, client) = (words.next()?, words.next()?);
    let host = Host::named(client).filter(|_| actor == "agent")?;
    let session = words.next().unwrap_or("s");
    let variables = host.shell.iter().chain(host.session);
    Some(variables.map(|name| (*name, session.to_owned())).collect())
}

fn run(mut command: Command, input: Option<&str>) -> Output {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(if input.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    });
    let mut child = command.spawn().unwrap();
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        stdin.write_all(input.as_bytes()).unwrap();
    }
    child.wait_with_output().unwrap()
}
