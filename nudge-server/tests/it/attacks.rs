//! What SECURITY.md promises, as attacks: each part of a file in `tests/attacks` is a script that
//! is run against a server of its own.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;

use nudge::Config;

use crate::conformance::adapter::file;
use crate::folder_server::FolderServer;
use crate::process::{folder, within};

/// Runs all attacks of a file, and says which went through.
fn attack(name: &str) -> Vec<String> {
    let read = |name: &str| fs::read_to_string(file(&format!("tests/attacks/{name}.sh"))).unwrap();
    let (stage, scripts) = (read("stage"), read(name));
    let mut parts = scripts.split("#: ");
    assert_eq!(parts.next(), Some(""));
    let through = parts.filter_map(|part| {
        let (title, script) = part.split_once('\n').unwrap();
        let said = run(&format!("{stage}\n{script}"))?;
        Some(format!("{name}: {title}: {said}"))
    });
    through.collect()
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
fn no_attack_goes_through() {
    let entries = fs::read_dir(file("tests/attacks")).unwrap();
    let names = entries.map(|entry| entry.unwrap().path().file_stem().unwrap().to_owned());
    let names = names.map(|name| name.into_string().unwrap());
    let files: Vec<String> = names.filter(|name| name != "stage").collect();
    assert!(files.len() > 8, "{files:?}");
    let through: Vec<String> = thread::scope(|scope| {
        let files = files.iter();
        let running: Vec<_> = files.map(|name| scope.spawn(|| attack(name))).collect();
        let done = running.into_iter().flat_map(|one| one.join().unwrap());
        done.collect()
    });
    assert!(through.is_empty(), "\n{}", through.join("\n"));
}
