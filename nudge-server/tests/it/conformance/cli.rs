//! The terminal: the real binary, one process for each step.

mod fields;
mod line;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use nudge::{Config, from_json};
use serde_json::Value;

use self::line::Line;
use super::driver::Surface;
use crate::folder_server::FolderServer;

/// The binary, and the server it talks to.
pub(crate) struct Cli(FolderServer);

impl Cli {
    pub(crate) fn start() -> Cli {
        Cli(FolderServer::start(
            Config::default(),
            "2025-11-04T10:00:00Z",
        ))
    }
}

impl Surface for Cli {
    fn open(&mut self, config: &Value, at: &str) {
        let config = from_json(config.to_string().as_bytes()).unwrap();
        self.0 = FolderServer::start(config, at);
    }

    fn via(&self) -> Option<&'static str> {
        Some("cli")
    }

    fn at(&mut self, time: &str) {
        self.0.at(time);
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let line = match Line::of(method, params) {
            Ok(line) => line,
            // An answer that no vector expects: the case then fails, and has to be listed.
            Err(what) => return Err(Value::from(format!("cannot be typed: {what}"))),
        };
        let mut command = self.0.nudge();
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
