//! A surface in another language: a child process that speaks lines.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::driver::Surface;
use crate::process::NO_HOME;

/// A running adapter. It ends with its input.
pub(crate) struct Adapter {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    caller: String,
}

impl Adapter {
    /// Starts the adapter of a language, if it was built.
    pub(crate) fn start(command: &[PathBuf]) -> Option<Adapter> {
        let (program, arguments) = command.split_first().unwrap();
        if !program.exists() {
            return None;
        }
        let mut child = Command::new(program)
            .args(arguments)
            .env("HOME", NO_HOME)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Some(Adapter {
            child,
            input,
            output: BufReader::new(output),
            caller: String::new(),
        })
    }

    pub(crate) fn say(&mut self, word: &str, json: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{word}\t{json}").unwrap();
    }

    fn answer(&mut self) -> Result<Value, Value> {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let (word, json) = line
            .trim_end_matches('\n')
            .split_once('\t')
            .unwrap_or_else(|| panic!("this is no answer: {line:?}; the adapter may have died"));
        let json = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {line}"));
        match word {
            "ok" => Ok(json),
            "error" => Err(json),
            _ => panic!("this is no answer: {line:?}"),
        }
    }
}

impl Surface for Adapter {
    fn open(&mut self, config: &Value, _: &str) {
        self.say("open", config);
        "user".clone_into(&mut self.caller);
    }

    fn at(&mut self, time: &str) {
        self.say("at", &json!(time));
    }

    fn caller(&mut self, words: Option<&str>) {
        let words = words.unwrap_or("user");
        if words != self.caller {
            let mut parts = words.split(' ');
            let [actor, client, session] = [(); 3].map(|()| parts.next());
            let caller = json!({"actor": actor, "client": client, "session": session});
            self.say("as", &caller);
            words.clone_into(&mut self.caller);
        }
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        self.say(method, params);
        self.answer()
    }
}

impl Drop for Adapter {
    fn drop(&mut self) {
        drop(self.input.take());
        let status = self.child.wait();
        if !std::thread::panicking() {
            assert!(status.unwrap().success(), "the adapter did not end well");
        }
    }
}

/// A file of this repository.
pub(crate) fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Whether what is missing is a failure, as on the machine that decides.
pub(crate) fn nothing_may_be_missing() -> bool {
    env::var_os("CI").is_some_and(|ci| ci == "true")
}
