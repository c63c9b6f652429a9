//! Starting a server that outlives whoever starts it.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use nudge::{Error, ErrorKind};

use crate::platform::{SYSTEM_VARIABLES, is_variable, let_continue, this_program};

/// What a server says to its starter once it serves.
pub const READY: &str = "ready\n";

/// The variables that a server keeps of its starter's, beside its own; `CI` says that nothing
/// is kept. Another one's secrets, proxies and locales are none of its business.
const KEPT: [&str; 5] = ["HOME", "PATH", "TZ", "TMPDIR", "CI"];

/// How long a server may take before it is taken for stopped: a terminal may have
/// stopped it before it had left its starter's process group.
const SUSPICIOUS: Duration = Duration::from_millis(200);

/// Why no server was started.
#[derive(Debug)]
pub enum NotStarted {
    /// The system did not let us start a process.
    Refused(io::Error),
    /// There is no such program.
    NoProgram(PathBuf),
    /// It was started, and said why it cannot serve.
    Said(String),
}

impl From<NotStarted> for Error {
    fn from(why: NotStarted) -> Error {
        let words = match why {
            NotStarted::Refused(error) => format!("no server could be started: {error}"),
            NotStarted::NoProgram(program) => format!(
                "no server answers, and there is no program `{}` to start one; install Nudge \
                 (`pip install nudge-hints`, `cargo install --path nudge-server`), or say in \
                 `program` where it is",
                program.display()
            ),
            NotStarted::Said(words) => words,
        };
        Error::new(ErrorKind::Unavailable, words)
    }
}

/// How a server is started.
#[derive(Debug, Clone)]
pub struct Starter {
    /// This one when absent.
    program: Option<PathBuf>,
    /// The port that it tries first; the usual one when absent.
    port: Option<u16>,
    /// Variables of the server in place of those of this process.
    variables: Vec<(String, OsString)>,
    /// How long a server is waited for.
    pub(crate) patience: Duration,
}

impl Starter {
    /// Starts a program, which is `nudge`, or else this one, as a server of a session folder;
    /// the usual one where none is given.
    #[must_use]
    pub fn new(program: Option<PathBuf>, folder: Option<&Path>, patience: Duration) -> Starter {
        let folder = folder.map(|folder| ("NUDGE_RUNTIME_DIR".to_owned(), folder.into()));
        Starter {
            program,
            port: None,
            variables: folder.into_iter().collect(),
            patience,
        }
    }

    /// Says how long a server is waited for. Whoever has no time starts one and goes on.
    #[must_use]
    pub fn within(self, patience: Duration) -> Starter {
        Starter { patience, ..self }
    }

    /// Says which port the server tries first.
    #[must_use]
    pub fn on(self, port: Option<u16>) -> Starter {
        Starter { port, ..self }
    }

    /// Says a variable of the server.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<OsString>) -> Starter {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// Starts a server and waits until it serves, or has ended because another one does.
    /// The error is what it says about why it cannot.
    pub fn start(&self) -> Result<(), NotStarted> {
        let program = self.program.clone().map_or_else(this_program, Ok);
        let program = program.map_err(NotStarted::Refused)?;
        let server = self.command(&program).spawn();
        let mut server = server.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => NotStarted::NoProgram(program),
            _ => NotStarted::Refused(error),
        })?;
        let Some(mut pipe) = server.stdout.take() else {
            return Ok(());
        };
        if self.patience.is_zero() {
            // Whoever comes after us reaps it.
            return Ok(());
        }
        let pid = server.id();
        let (said, heard) = mpsc::channel();
        let listening = thread::Builder::new().spawn(move || {
            let mut words = String::new();
            let _ = pipe.read_to_string(&mut words);
            // It detaches by starting another, so it has ended long since.
            let _ = server.wait();
            let _ = said.send(words);
        });
        listening.map_err(NotStarted::Refused)?;
        let deadline = Instant::now() + self.patience;
        while Instant::now() < deadline {
            match heard.recv_timeout(SUSPICIOUS.min(self.patience)) {
                Ok(words) if words.is_empty() || words == READY => return Ok(()),
                Ok(words) => return Err(NotStarted::Said(words.trim_end().to_owned())),
                // A child of ours that has not been waited for: the number is its own.
                Err(RecvTimeoutError::Timeout) => let_continue(pid),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
        Ok(())
    }

    fn command(&self, program: &Path) -> Command {
        let kept = || KEPT.iter().chain(SYSTEM_VARIABLES);
        let is_kept = |name: &OsString| {
            let name = name.to_string_lossy();
            name.starts_with("NUDGE_") || kept().any(|kept| is_variable(&name, kept))
        };
        let mut command = Command::new(program);
        command
            .args(["serve", "--background"])
            .args(self.port.map(|port| format!("--port={port}")))
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, _)| is_kept(name)))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .current_dir("/");
        command
    }
}
