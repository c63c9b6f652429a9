//! What is there tomorrow: hints that are kept, learned, and a project's own, with a home and
//! repositories of their own for each test.

mod days;
mod found;
mod project;
mod whole;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::checkout::{checkout, write};
use crate::hooks::told;
use crate::process::{Folder, folder, kill, primary, printed, until};

/// A home, a session folder and a place for repositories.
pub(crate) struct Desk(Folder);

/// The words of a line; those between single quotes are one.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.collect()
}

impl Desk {
    /// A desk whose user was asked by `nudge install`, and said yes.
    pub(crate) fn new() -> Desk {
        Desk::with_config("keep = true\n")
    }

    /// One whose user has said more.
    pub(crate) fn with_config(text: &str) -> Desk {
        let desk = Desk::bare();
        fs::write(desk.config(), text).unwrap();
        desk
    }

    /// One at which nobody has installed anything.
    pub(crate) fn bare() -> Desk {
        let desk = Desk(folder());
        for part in ["home/.config/nudge-hints", "home/.claude", "run", "work"] {
            fs::create_dir_all(desk.0.path().join(part)).unwrap();
        }
        desk
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.0.path().join("home")
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.home().join(".config/nudge-hints/config.toml")
    }

    pub(crate) fn runtime(&self) -> PathBuf {
        self.0.path().join("run")
    }

    /// A clone with a remote, on a branch, and what is in it.
    pub(crate) fn repository(&self, name: &str, files: &[(&str, &str)]) -> PathBuf {
        let root = self.0.path().join("work").join(name);
        checkout(&root, name, "main");
        fs::create_dir_all(root.join(".git/refs/heads")).unwrap();
        for (path, text) in files {
            write(&root.join(path), text);
        }
        root
    }

    /// A program that the user starts in a folder.
    pub(crate) fn program(&self, program: &str, cwd: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(cwd)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", self.home())
            .env("TZ", "UTC")
            .env("NUDGE_RUNTIME_DIR", self.runtime())
            .env("NUDGE_HOOK_MS", "60000")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// A command of the user's, in a folder.
    pub(crate) fn command(&self, cwd: &Path, words: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_nudge"), cwd);
        command.args(words);
        command
    }

    pub(crate) fn run(&self, cwd: &Path, words: &[&str]) -> Output {
        self.command(cwd, words).output().unwrap()
    }

    /// What a command prints that is done.
    #[track_caller]
    pub(crate) fn printed(&self, cwd: &Path, words: &[&str]) -> String {
        let output = self.run(cwd, words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a line prints that somebody types after `nudge`, and that is done.
    #[track_caller]
    pub(crate) fn types(&self, cwd: &Path, line: &str) -> String {
        self.printed(cwd, &words(line))
    }

    /// How a line ends that may be refused: its status, and all that it prints.
    pub(crate) fn ends(&self, cwd: &Path, line: &str) -> (i32, String) {
        printed(&mut self.command(cwd, &words(line)))
    }

    pub(crate) fn status(&self, cwd: &Path, line: &str) -> i32 {
        self.ends(cwd, line).0
    }

    /// How a line ends in the shell of an agent.
    pub(crate) fn agent_ends(&self, cwd: &Path, line: &str) -> (i32, String) {
        self.ends_in_shell(cwd, ("CLAUDECODE", "1"), line)
    }

    /// How a line ends where a variable is set.
    pub(crate) fn ends_in_shell(
        &self,
        cwd: &Path,
        (name, value): (&str, &str),
        line: &str,
    ) -> (i32, String) {
        printed(self.command(cwd, &words(line)).env(name, value))
    }

    /// Tells the hook of an event in an agent session, and gives what the agent is told.
    pub(crate) fn event(&self, cwd: &Path, session: &str, event: &Value) -> String {
        let mut event = event.clone();
        event["session_id"] = json!(session);
        event["cwd"] = json!(cwd);
        let mut hook = self.command(cwd, &["hook", "claude"]);
        hook.stdin(Stdio::piped());
        let output = told(&mut hook, event.to_string());
        let said: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let text = &said["hookSpecificOutput"]["additionalContext"];
        text.as_str().unwrap_or_default().to_owned()
    }

    /// A session starts, and the agent is told this. A hook that starts a server waits for it
    /// no longer than its host would, so on a busy machine one is there before.
    pub(crate) fn starts(&self, cwd: &Path, session: &str) -> String {
        self.run(cwd, &["ls"]);
        let event = json!({"hook_event_name": "SessionStart", "source": "startup"});
        self.event(cwd, session, &event)
    }

    /// The agent runs a command that succeeds.
    pub(crate) fn ran(&self, cwd: &Path, session: &str, command: &str) -> String {
        let event = json!({"hook_event_name": "PostToolUse", "tool_name": "Bash",
            "tool_input": {"command": command}, "tool_response": {"stdout": "done"}});
        self.event(cwd, session, &event)
    }

    /// The agent runs a command that fails.
    pub(crate) fn failed(&self, cwd: &Path, session: &str, command: &str, error: &str) -> String {
        let event = json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
            "tool_input": {"command": command}, "error": error});
        self.event(cwd, session, &event)
    }

    /// The server is killed, and the next command starts another one.
    pub(crate) fn crash(&self) {
        kill(primary(&self.runtime()).unwrap(), Signal::KILL);
        until("the server ends", || primary(&self.runtime()).is_none());
    }

    /// The machine is off and on again. As a system does that goes down, it asks the server to
    /// end first.
    pub(crate) fn reboot(&self) {
        if let Some(server) = primary(&self.runtime()) {
            kill(server, Signal::TERM);
            until("the server ends", || primary(&self.runtime()).is_none());
        }
    }

    /// The session ends, and the machine is off until the next day.
    pub(crate) fn next_day(&self) {
        self.types(&self.home(), "stop --yes");
        self.reboot();
    }

    /// Whether a text is in a file of the server's.
    pub(crate) fn holds(&self, text: &str) -> bool {
        crate::faults::holds(&self.runtime(), text)
    }
}
