//! What lies outside of the runtime folder: this program, its settings, proxies,
//! and where the caller is.

use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::path::Path;

use nudge_server::wire::identity::VERSION;

use super::{Findings, Patient, chmod};

const BINARY: &str = env!("CARGO_BIN_EXE_nudge");

#[test]
fn this_program_is_the_one_that_people_type_or_not() {
    let patient = Patient::new();
    let found = |path: &str| {
        let findings = Findings::of(patient.doctor().env("PATH", path));
        let [state, words, fix] = findings.one("binary");
        assert_eq!(findings.exit, 0);
        (state.to_owned(), words.to_owned(), fix.to_owned())
    };
    let folder = Path::new(BINARY).parent().unwrap().display().to_string();
    let this = format!("nudge {VERSION} at `{BINARY}`");
    let good = (
        "good".to_owned(),
        format!("{this}, which the PATH finds"),
        String::new(),
    );
    assert_eq!(found(&folder), good);

    let links = patient.root.path().join("links");
    fs::create_dir(&links).unwrap();
    symlink(BINARY, links.join("nudge")).unwrap();
    assert_eq!(found(&links.display().to_string()), good);

    let fix = format!("export PATH={folder}:\"$PATH\"");
    let words = format!("{this}, which the PATH does not find");
    assert_eq!(found("/nowhere"), ("odd".to_owned(), words, fix.clone()));

    // Another product has a `nudge` as well; it is not started to be asked.
    let others = patient.root.path().join("others");
    fs::create_dir(&others).unwrap();
    let other = others.join("nudge");
    fs::write(&other, "#!/bin/sh\ntouch \"$0.was-started\"\n").unwrap();
    chmod(&other, 0o755);
    let path = format!("{}:{folder}", others.display());
    let shown = other.display();
    let words = format!("{this}, but the PATH finds `{shown}` first, which is another");
    assert_eq!(found(&path), ("odd".to_owned(), words, fix));
    assert!(!others.join("nudge.was-started").exists());
}

#[test]
fn a_setting_that_means_nothing_is_bad_and_an_unknown_one_odd() {
    let patient = Patient::new();
    let findings = patient.looked_at();
    assert_eq!(
        findings.one("settings"),
        ["good", "NUDGE_RUNTIME_DIR understood", ""]
    );

    let mut doctor = patient.doctor();
    doctor.envs([("NUDGE_MAX_HINTS", "many"), ("NUDGE_LINGER", "P1M")]);
    let findings = Findings::of(doctor.env("NUDGE_MAXHINTS", "7"));
    let number = "NUDGE_MAX_HINTS is `many`; make it a whole number above 0";
    let linger = "NUDGE_LINGER is `P1M`; make it `session` or a duration such as `2h`, `P7D`";
    let unknown = "`NUDGE_MAXHINTS` is set, which Nudge does not listen to";
    let expected = [
        ["bad", number, "unset NUDGE_MAX_HINTS"],
        ["bad", linger, "unset NUDGE_LINGER"],
        ["odd", unknown, "unset NUDGE_MAXHINTS"],
    ];
    assert_eq!(findings.about("settings"), expected);
    assert_eq!(findings.exit, 2);
    // The rest is looked at all the same, in the folder that was asked for.
    assert!(findings.one("folder")[1].contains(&*patient.runtime().to_string_lossy()));
}

#[test]
fn where_no_folder_is_meant_none_is_looked_at() {
    let patient = Patient::new();
    let findings = Findings::of(patient.doctor().env("NUDGE_RUNTIME_DIR", "run"));
    let [state, _, fix] = findings.one("settings");
    assert_eq!([state, fix], ["bad", "unset NUDGE_RUNTIME_DIR"]);
    assert!(findings.about("folder").is_empty());
    assert!(findings.about("server").is_empty());
}

#[test]
fn a_proxy_that_takes_calls_to_this_machine_away_is_odd() {
    let patient = Patient::new();
    let proxied = |spared: Option<&str>| {
        let mut doctor = patient.doctor();
        doctor.env("http_proxy", "http://me:swordfish@proxy:3128");
        doctor.envs(spared.map(|spared| ("NO_PROXY", spared)));
        let findings = Findings::of(&mut doctor);
        let [state, words, fix] = findings.one("proxy");
        (state.to_owned(), words.to_owned(), fix.to_owned())
    };
    let (state, words, fix) = proxied(None);
    assert_eq!(state, "odd");
    assert!(!words.contains("swordfish"), "{words}");
    // What is said to fix it does, also where there is a list already.
    let mended = |before: &str| {
        let typed = format!("{before}; {fix}; printf %s \"$NO_PROXY\"");
        let mut shell = std::process::Command::new("/bin/sh");
        let output = shell.args(["-c", &typed]).env_clear().output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(mended(":"), "127.0.0.1,localhost");
    let list = mended("NO_PROXY=example.com");
    assert_eq!(list, "127.0.0.1,localhost,example.com");
    assert_eq!(proxied(Some(&list)).0, "good");
    assert!(patient.looked_at().about("proxy").is_empty());
}

#[test]
fn where_the_caller_is_taken_to_be_is_said() {
    let patient = Patient::new();
    let folder = patient.root.path().join("api");
    fs::create_dir_all(folder.join("src")).unwrap();
    let shown = folder.display();
    let inside = || Findings::of(patient.doctor().current_dir(folder.join("src")));
    let found = inside();
    let words = format!("you are at cwd={shown}/src os=linux");
    assert_eq!(found.one("context"), ["good", &words, ""]);

    fs::write(folder.join(".git"), "gitdir: /nowhere\n").unwrap();
    let found = inside();
    let words = format!(
        "`{shown}/.git` cannot be read as git's, so no repo and no branch is inferred here"
    );
    let fix = format!("git -C {shown} status");
    assert_eq!(found.one("context"), ["odd", &words, &fix]);
    assert_eq!(found.exit, 0);

    fs::remove_file(folder.join(".git")).unwrap();
    let git = folder.join(".git");
    fs::create_dir(&git).unwrap();
    fs::write(git.join("HEAD"), "ref: refs/heads/dev\n").unwrap();
    let config = "[remote \"origin\"]\n\turl = git@github.com:acme/api.git\n";
    fs::write(git.join("config"), config).unwrap();
    let found = inside();
    let place = format!(
        "you are at cwd={shown}/src root={shown} repo=git:github.com/acme/api branch=dev os=linux"
    );
    assert_eq!(found.one("context"), ["good", &place, ""]);

    // Only root can give a repository away.
    if chown(&git, Some(65534), None).is_ok() {
        let found = inside();
        let words = format!("{place}, in a repository of another user, which git refuses");
        let fix = format!("git config --global --add safe.directory {shown}");
        assert_eq!(found.one("context"), ["odd", &words, &fix]);
    }
}

#[test]
fn a_folder_that_is_gone_is_no_place_to_be() {
    let patient = Patient::new();
    let gone = patient.root.path().join("gone");
    fs::create_dir(&gone).unwrap();
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args([
        "-c",
        &format!("rmdir \"$PWD\"; exec {BINARY} doctor \"$@\""),
    ]);
    shell.arg("doctor").env_clear().current_dir(&gone);
    shell.env("NUDGE_RUNTIME_DIR", patient.runtime());
    shell.env("HOME", patient.root.path());
    let findings = Findings::of(&mut shell);
    let words = "the current folder is gone, so no cwd, repo or branch is inferred";
    assert_eq!(findings.one("context"), ["odd", words, "cd"]);
}

#[test]
fn what_version_0_1_left_is_named_once_with_how_to_read_it() {
    let patient = Patient::new();
    assert!(patient.looked_at().about("version 0.1").is_empty());
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
        format!("{} left and not read; {how}", shown.join(", "))
    };
    let journal = state.join("session/session.journal");
    write(&journal);
    let words = said(&[&journal]);
    let findings = patient.looked_at();
    assert_eq!(findings.one("version 0.1"), ["odd", &words, ""]);

    let everywhere = patient.root.path().join(".config/nudge-hints/hints.json");
    let repo = state.join("repos/github.com-acme-shop-d9537e622aac16c3.json");
    write(&everywhere);
    write(&repo);
    write(&state.join("repos/lock"));
    let findings = patient.looked_at();
    let words = said(&[&state.join("repos/*.json"), &everywhere, &journal]);
    let fix = format!("nudge import {}", repo.display());
    assert_eq!(findings.one("version 0.1"), ["odd", &words, &fix]);
    assert_eq!(findings.exit, 0);
}
