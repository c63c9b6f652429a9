//! A server as a client starts it: a process that is spoken to in lines.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::{Value, json};

use crate::Outcome;
use crate::measure::number;

/// How long an answer may take; only what hangs takes that long.
const PATIENCE: Timespec = Timespec {
    tv_sec: 60,
    tv_nsec: 0,
};

/// A running server. It is ended with this value; and should this program be
/// killed, the end of its stdin tells it so.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
}

impl Process {
    pub(crate) fn start(mut command: Command) -> Outcome<Process> {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.stderr(Stdio::null()).spawn()?;
        Ok(Process {
            input: child.stdin.take().ok_or("it has no stdin")?,
            output: BufReader::new(child.stdout.take().ok_or("it has no stdout")?),
            child,
            line: Vec::new(),
        })
    }

    /// Starts an MCP server and shakes hands with it.
    pub(crate) fn open(command: Command) -> Outcome<Process> {
        let mut process = Process::start(command)?;
        process.open_session()?;
        Ok(process)
    }

    /// Shakes hands, and gives back when the answer to `initialize` is there.
    pub(crate) fn open_session(&mut self) -> Outcome<()> {
        let who = json!({"name": "bench", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": who});
        let opening = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        self.ask(&format!("{opening}\n"))?;
        self.say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n")
    }

    /// Sends a line, which has its end already.
    fn say(&mut self, line: &str) -> Outcome<()> {
        Ok(self.input.write_all(line.as_bytes())?)
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn ask(&mut self, line: &str) -> Outcome<&[u8]> {
        self.say(line)?;
        self.hear()
    }

    /// Waits for the next line that is no notification.
    pub(crate) fn hear(&mut self) -> Outcome<&[u8]> {
        loop {
            if self.output.buffer().is_empty() {
                let mut waited_for = [PollFd::new(self.output.get_ref(), PollFlags::IN)];
                if poll(&mut waited_for, Some(&PATIENCE))? == 0 {
                    return Err("it does not answer".into());
                }
            }
            self.line.clear();
            if self.output.read_until(b'\n', &mut self.line)? == 0 {
                return Err("it ended".into());
            }
            if !is_notification(&self.line) {
                return Ok(&self.line);
            }
        }
    }

    /// Calls a tool and gives back its result, which must be none of an error.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Outcome<Value> {
        result(self.ask(&call_line(tool, arguments))?)
    }

    /// Where the PRIMARY listens for HTTP.
    pub(crate) fn url(&mut self) -> Outcome<String> {
        let status = json!({"jsonrpc": "2.0", "id": 1, "method": "nudge.status"});
        let status = result(self.ask(&format!("{status}\n"))?)?;
        Ok(status["url"].as_str().ok_or("it has no url")?.to_owned())
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The processor time that all threads of a process have had, in seconds.
pub(crate) fn processor_time(pid: u32) -> Outcome<f64> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir(format!("/proc/{pid}/task"))? {
        let times = std::fs::read_to_string(thread?.path().join("schedstat"))?;
        let running = times.split(' ').next().ok_or("its time is not told")?;
        nanoseconds += running.parse::<u64>()?;
    }
    Ok(number(nanoseconds) / 1e9)
}

/// The memory of a process that is really there, in bytes.
pub(crate) fn resident(pid: u32) -> Outcome<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    Ok(kilobytes.ok_or("its memory is not told")?.parse::<u64>()? * 1024)
}

/// The line of a call of a tool.
pub(crate) fn call_line(tool: &str, arguments: &Value) -> String {
    let params = json!({"name": tool, "arguments": arguments});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    format!("{call}\n")
}

/// The result of an answer; a refusal is an error.
pub(crate) fn result(answer: &[u8]) -> Outcome<Value> {
    let mut answer: Value = serde_json::from_slice(answer)?;
    match answer.get_mut("result") {
        Some(result) if result["isError"] != true => Ok(result.take()),
        _ => Err(format!("it refused: {answer}").into()),
    }
}

/// Whether a line is none of an answer. Every server writes the method of a
/// notification before what may be long.
fn is_notification(line: &[u8]) -> bool {
    let start = line.get(..40).unwrap_or(line);
    start.windows(9).any(|word| word == b"\"method\":")
}
