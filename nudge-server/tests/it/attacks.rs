//! What SECURITY.md promises, as attacks: each part of a file in `tests/attacks` is a script that
//! is run against a server of its own.

use std::fs;
use std::process::{Command, Stdio};

use nudge::Config;

use crate::conformance::adapter::file;
use crate::folder_server::FolderServer;
use crate::process::{folder, within};

/// Runs all attacks of a file, and says which went through.
#[track_caller]
fn attack(name: &str) {
    let read = |name: &str| fs::read_to_string(file(&format!("tests/attacks/{name}.sh"))).unwrap();
    let (stage, scripts) = (read("stage"), read(name));
    let mut parts = scripts.split("#: ");
    assert_eq!(parts.next(), Some(""));
    let through: Vec<String> = parts
        .filter_map(|part| {
            let (title, script) = part.split_once('\n').unwrap();
            let said = run(&format!("{stage}\n{script}"))?;
            Some(format!("{title}: {said}"))
        })
        .collect();
    assert!(through.is_empty(), "\n{}", through.join("\n"));
}

/// Runs a script; what it said, unless it ended well.
fn run(script: &str) -> Option<String> {
    let config = Config {
        keep: true,
        ..Config::default()
    };
    let server = FolderServer::start(config, "2025-11-04T10:00:00Z");
    server.observe();
    let home = folder();
    let here = home.path().join("api");
    fs::create_dir(&here).unwrap();
    let mut command = Command::new("sh");
    command
        .args(["-euc", &format!("{script}\n"), "attack"])
        .env("HOME", home.path())
        .env("NUDGE", env!("CARGO_BIN_EXE_nudge"))
        .env("RUNTIME", server.folder())
        .current_dir(&here)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let output = within(move || child.wait_with_output().unwrap());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (!output.status.success()).then_some(said)
}

#[test]
fn the_users_word() {
    attack("users-word");
}

#[test]
fn the_shells_of_agents() {
    attack("agents-shell");
}

#[test]
fn reads() {
    attack("reads");
}

#[test]
fn requests_over_http() {
    attack("http");
}

#[test]
fn secrets() {
    attack("secrets");
}

#[test]
fn values() {
    attack("values");
}

#[test]
fn projects() {
    attack("projects");
}

#[test]
fn forged_endings() {
    attack("forged");
}

#[test]
fn bounds() {
    attack("bounds");
}
