//! The runtime folder and its files.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use super::{Findings, Patient, chmod};
use crate::process::Server;

#[test]
fn a_folder_that_is_not_there_is_fine_and_not_made() {
    let patient = Patient::new();
    let findings = patient.looked_at();
    let words = format!(
        "`{}` is not there yet; the first server makes it",
        patient.runtime().display()
    );
    assert_eq!(findings.one("store"), ["good", &words, ""]);
    assert!(
        !findings.any("odd") && !findings.any("bad"),
        "{:?}",
        findings.all
    );
    assert_eq!(findings.exit, 0);
    assert!(!patient.runtime().exists());
}

#[test]
fn a_folder_is_for_its_owner_alone() {
    let patient = Patient::with_folder();
    let path = patient.runtime().display().to_string();
    let told = |mode| {
        chmod(&patient.runtime(), mode);
        patient.looked_at().told("store").replace(&path, "PATH")
    };
    assert_eq!(told(0o700), "0: good: `PATH` is yours alone []");
    let fix = "[chmod 700 PATH]";
    // An empty one is made private by the first server; one in use is not touched.
    for mode in [0o755, 0o777] {
        let odd = format!("0: odd: `PATH` is not for you alone (mode 0{mode:o}) {fix}");
        assert_eq!(told(mode), odd);
    }
    fs::write(patient.file("note"), "").unwrap();
    for mode in [0o777, 0o500] {
        let why = format!("is not for you alone (mode 0{mode:o}), so no server uses it");
        assert_eq!(told(mode), format!("2: bad: `PATH` {why} {fix}"));
    }
    assert_eq!(mode(&patient.runtime()), 0o500);
    chmod(&patient.runtime(), 0o700);
}

#[test]
fn a_link_in_the_place_of_the_folder_is_not_followed() {
    let patient = Patient::new();
    symlink("/tmp", patient.runtime()).unwrap();
    let findings = patient.looked_at();
    let path = patient.runtime().display().to_string();
    let words = format!("`{path}` is a link, no folder, or not yours, so no server can be");
    assert_eq!(
        findings.one("store"),
        ["bad", &words, "unset NUDGE_RUNTIME_DIR"]
    );
    assert_eq!(findings.exit, 2);
    assert!(findings.about("port").is_empty());
}

#[test]
fn every_file_is_for_its_owner_alone() {
    let patient = Patient::new();
    let server = Server::start(&patient.runtime());
    let path = patient.runtime().display().to_string();
    let private = ["good", &format!("`{path}` is yours alone"), ""];
    assert_eq!(patient.looked_at().one("store"), private);

    for (name, state, exit) in [
        ("lock", "odd", 0),
        ("server.pid", "odd", 0),
        ("nudge.db", "odd", 0),
        ("token", "bad", 2),
    ] {
        let file = patient.file(name);
        chmod(&file, 0o640);
        let findings = patient.looked_at();
        let words = format!("others may use `{}` (mode 0640)", file.display());
        let fix = format!("chmod 600 {}", file.display());
        assert_eq!(findings.one("store"), [state, &words, &fix]);
        assert_eq!(findings.exit, exit, "{name}");
        chmod(&file, 0o600);
    }
    drop(server);
}

#[test]
fn a_file_that_is_a_link_or_of_another_kind_keeps_a_server_away() {
    let patient = Patient::with_folder();
    symlink("/etc/passwd", patient.file("lock")).unwrap();
    fs::create_dir(patient.file("token")).unwrap();
    let findings = patient.looked_at();
    let (lock, token) = (patient.file("lock"), patient.file("token"));
    let said = [
        (lock, "it is a link, and not followed"),
        (token, "it is not a regular file"),
    ];
    for ([state, words, fix], (file, why)) in findings.about("store").into_iter().zip(said) {
        let file = file.display();
        assert_eq!(words, format!("`{file}` cannot be used ({why})"));
        assert_eq!([state, fix], ["bad", &format!("rm -r {file}")]);
    }
    assert_eq!(findings.about("store").len(), 2);
    assert_eq!(findings.exit, 2);
}

#[test]
fn nothing_is_changed_by_looking() {
    let patient = Patient::new();
    let server = Server::start(&patient.runtime());
    server.kill();
    fs::write(patient.file("server.pid"), "garbage").unwrap();
    chmod(&patient.file("token"), 0o644);
    chmod(&patient.runtime(), 0o750);
    let before = everything(&patient.runtime());
    assert!(before.len() > 4);
    let findings = patient.looked_at();
    assert_eq!(everything(&patient.runtime()), before);
    // What a crash left behind is no server.
    let none = ["good", "none runs; the first command starts one", ""];
    assert_eq!(findings.one("server"), none);
}

#[test]
fn a_path_is_shown_and_not_obeyed() {
    let patient = Patient::new();
    let hostile = patient.root.path().join("a\u{1b}[31m\nb");
    let mut doctor = patient.doctor();
    let output = doctor.env("NUDGE_RUNTIME_DIR", &hostile).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains(r"a\x1b[31m\nb` is not there yet"), "{shown}");
    assert!(!shown.contains('\u{1b}'));
    let findings = Findings::of(patient.doctor().env("NUDGE_RUNTIME_DIR", &hostile));
    assert!(findings.one("store")[1].contains("\u{1b}[31m\nb"));
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o777
}

/// Name, mode and bytes of the folder and all that is in it.
fn everything(folder: &Path) -> Vec<(String, u32, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap();
    let mut all: Vec<_> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap_or_default();
            (path.display().to_string(), mode(&path), bytes)
        })
        .collect();
    all.push((String::new(), mode(folder), Vec::new()));
    all.sort();
    all
}
