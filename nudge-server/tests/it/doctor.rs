//! `nudge doctor`: every finding, in its good state and in its bad one.

mod quiet;
mod server;
mod trust;

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::process::Folder as TempDir;
use serde_json::Value;

use crate::client::result;

/// All that a doctor looks at.
const ABOUT: [&str; 7] = [
    "binary", "server", "store", "port", "hosts", "hooks", "trust",
];

/// A place to look at: a runtime folder that may be there, and nothing else.
struct Patient {
    root: TempDir,
}

impl Patient {
    /// One whose runtime folder is not there yet.
    fn new() -> Patient {
        Patient {
            root: crate::process::folder(),
        }
    }

    /// One whose runtime folder is there, and private.
    fn with_folder() -> Patient {
        let patient = Patient::new();
        fs::create_dir(patient.runtime()).unwrap();
        chmod(&patient.runtime(), 0o700);
        patient
    }

    fn runtime(&self) -> PathBuf {
        self.root.path().join("nudge")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.runtime().join(name)
    }

    /// The command, with nothing in its environment that it does not need.
    fn doctor(&self) -> Command {
        let binary = Path::new(env!("CARGO_BIN_EXE_nudge"));
        let mut command = Command::new(binary);
        command
            .arg("doctor")
            .env_clear()
            .env("PATH", binary.parent().unwrap())
            .env("HOME", self.root.path())
            .env("NUDGE_RUNTIME_DIR", self.runtime())
            .current_dir(self.root.path());
        command
    }

    fn looked_at(&self) -> Findings {
        Findings::of(&mut self.doctor())
    }
}

/// What was found, and how the command ended.
struct Findings {
    exit: i32,
    all: Vec<Value>,
}

impl Findings {
    fn of(doctor: &mut Command) -> Findings {
        let output = doctor.arg("--json").output().unwrap();
        assert!(output.stderr.is_empty(), "{output:?}");
        let mut json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let Value::Array(all) = json["findings"].take() else {
            panic!("there are no findings: {json}");
        };
        let known = |found: &Value| ABOUT.contains(&found["about"].as_str().unwrap());
        assert!(all.iter().all(known), "{all:?}");
        Findings {
            exit: output.status.code().unwrap(),
            all,
        }
    }

    /// The state, the words and the fix of all that was found about a thing.
    fn about(&self, about: &str) -> Vec<[&str; 3]> {
        let found = self.all.iter().filter(|found| found["about"] == about);
        found
            .map(|found| {
                let text = |name: &str| found[name].as_str().unwrap_or_default();
                [text("state"), text("words"), text("fix")]
            })
            .collect()
    }

    /// The same where there is one finding.
    #[track_caller]
    fn one(&self, about: &str) -> [&str; 3] {
        let found = self.about(about);
        let [one] = found.as_slice() else {
            panic!("{about}: {found:?}");
        };
        *one
    }

    /// The same in a line, with how the command ended.
    #[track_caller]
    fn told(&self, about: &str) -> String {
        let [state, words, fix] = self.one(about);
        format!("{}: {state}: {words} [{fix}]", self.exit)
    }

    /// Whether anything is as bad.
    fn any(&self, state: &str) -> bool {
        self.all.iter().any(|found| found["state"] == state)
    }
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// A server in this process that answers every call with the same result.
pub(crate) fn answering(socket: &Path, status: &Value) {
    let listener = UnixListener::bind(socket).unwrap();
    chmod(socket, 0o600);
    let body = result(status);
    let length = body.len();
    let response = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, response) = (stream.unwrap(), response.clone());
            thread::spawn(move || {
                let mut request = vec![0; 65536];
                // Who only looks whether somebody is there asks for nothing.
                while stream.read(&mut request).is_ok_and(|read| read > 0) {
                    if stream.write_all(response.as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
}
