//! What lies outside of the runtime folder: this program, its settings, and what is old.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use nudge_server::wire::identity::VERSION;

use super::{Findings, Patient, chmod};

const BINARY: &str = env!("CARGO_BIN_EXE_nudge");

#[test]
fn this_program_is_the_one_that_people_type_or_not() {
    let patient = Patient::new();
    let found = |path: &str| Findings::of(patient.doctor().env("PATH", path)).told("binary");
    let folder = Path::new(BINARY).parent().unwrap().display().to_string();
    let this = format!("nudge {VERSION} at `{BINARY}`");
    let good = format!("0: good: {this}, which the PATH finds []");
    assert_eq!(found(&folder), good);

    let links = patient.root.path().join("links");
    fs::create_dir(&links).unwrap();
    symlink(BINARY, links.join("nudge")).unwrap();
    assert_eq!(found(&links.display().to_string()), good);

    let fix = format!("[export PATH={folder}:\"$PATH\"]");
    let odd = format!("0: odd: {this}, which the PATH does not find {fix}");
    assert_eq!(found("/nowhere"), odd);

    // Another product has a `nudge` as well; it is not started to be asked.
    let others = patient.root.path().join("others");
    fs::create_dir(&others).unwrap();
    let other = others.join("nudge");
    fs::write(&other, "#!/bin/sh\ntouch \"$0.was-started\"\n").unwrap();
    chmod(&other, 0o755);
    let shown = other.display();
    let odd = format!("0: odd: {this}, but the PATH finds `{shown}` first, which is another {fix}");
    assert_eq!(found(&format!("{}:{folder}", others.display())), odd);
    assert!(!others.join("nudge.was-started").exists());
}

#[test]
fn a_setting_that_means_nothing_is_bad() {
    let patient = Patient::new();
    let mut doctor = patient.doctor();
    doctor.envs([("NUDGE_MAX_HINTS", "many"), ("NUDGE_LINGER", "P1M")]);
    let findings = Findings::of(&mut doctor);
    let number = "NUDGE_MAX_HINTS is `many`; make it a whole number above 0";
    let linger = "NUDGE_LINGER is `P1M`; make it `session` or a duration such as `2h`, `P7D`";
    let none = "none runs; the first command starts one";
    let expected = [
        ["bad", number, "unset NUDGE_MAX_HINTS"],
        ["bad", linger, "unset NUDGE_LINGER"],
        ["good", none, ""],
    ];
    assert_eq!(findings.about("server"), expected);
    assert_eq!(findings.exit, 2);
    // The rest is looked at all the same, in the folder that was asked for.
    assert!(findings.one("store")[1].contains(&*patient.runtime().to_string_lossy()));
}

#[test]
fn what_version_0_1_left_is_named_once_with_how_to_read_it() {
    let patient = Patient::new();
    assert_eq!(patient.looked_at().about("store").len(), 1);
    let state = patient.root.path().join(".local/state/nudge-hints");
    let write = |path: &Path| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{}").unwrap();
    };
    let said = |paths: &[&Path]| {
        let shown: Vec<_> = paths
            .iter()
            .map(|it| format!("`{}`", it.display()))
            .collect();
        let how = "`nudge import FILE` takes its kept files and exports";
        format!("version 0.1 left {}, not read; {how}", shown.join(", "))
    };
    let journal = state.join("session/session.journal");
    write(&journal);
    let words = said(&[&journal]);
    let findings = patient.looked_at();
    assert_eq!(findings.about("store")[1], ["odd", &words, ""]);

    let everywhere = patient.root.path().join(".config/nudge-hints/hints.json");
    let repo = state.join("repos/github.com-acme-shop-d9537e622aac16c3.json");
    write(&everywhere);
    write(&repo);
    write(&state.join("repos/lock"));
    let findings = patient.looked_at();
    let words = said(&[&state.join("repos/*.json"), &everywhere, &journal]);
    let fix = format!("nudge import {}", repo.display());
    assert_eq!(findings.about("store")[1], ["odd", &words, &fix]);
    assert_eq!(findings.exit, 0);
}
