//! What helped against an error.

use serde_json::{Value, json};

use super::super::requests::Fix;
use super::Desk;

const ERROR: &str = "Caused by:\n  error: failed to run custom build command for `openssl-sys v0.9.1`\n  could not find directory of OpenSSL installation at 12:01:44";

/// An agent fails, looks around, does something, and succeeds.
fn fixed(desk: &mut Desk, session: &str, output: &str, fix: &str) {
    desk.ran(session, "cargo build", 101, output);
    desk.ran(session, "ls -la", 0, "");
    desk.ran(session, "sed -n 1,20p Cargo.toml", 0, "");
    desk.ran(session, "make nothing", 2, "no rule");
    desk.ran(session, fix, 0, "");
    desk.ran(session, "cargo build", 0, "");
}

/// What helped, each with how often.
fn fixes(desk: &Desk, text: &str) -> Vec<(String, u64)> {
    let found = desk.answer::<Fix>(json!({ "text": text }));
    let found = found["fixes"].as_array().unwrap().iter();
    let fix = |it: &Value| {
        let content = it["content"].as_str().unwrap().to_owned();
        (content, it["times"].as_u64().unwrap())
    };
    found.map(fix).collect()
}

#[test]
fn a_command_that_prints_no_error_is_known_by_itself() {
    let mut desk = Desk::new();
    for session in ["s1", "s2"] {
        desk.ran(session, "cargo fmt --check 2>&1", 1, "Diff in /a/b.rs:1:");
        desk.ran(session, "cargo fmt", 0, "");
        desk.ran(session, "cargo fmt --check 2>&1", 0, "");
    }
    let helped = [("cargo fmt".to_owned(), 2)];
    assert_eq!(fixes(&desk, "cargo fmt --check"), helped);
    assert_eq!(fixes(&desk, "cargo fmt --check src"), []);
}

#[test]
fn a_fix_is_what_helped_twice_against_the_same_error() {
    let mut desk = Desk::new();
    let install = "apt install libssl-dev";
    fixed(&mut desk, "s1", ERROR, install);
    let other = "error[E0308]: mismatched types\nerror: could not compile `api`";
    fixed(&mut desk, "other", other, install);
    assert_eq!(fixes(&desk, ERROR), []);
    let later = ERROR
        .replace("0.9.1", "0.9.7")
        .replace("12:01:44", "23:59:59");
    fixed(&mut desk, "s2", &later, install);
    let text = format!("   Compiling api v1.0\n{later}\n");
    for text in [ERROR, &text] {
        assert_eq!(fixes(&desk, text), [(install.to_owned(), 2)]);
    }
    assert_eq!(fixes(&desk, other), []);
}

#[test]
fn an_error_is_known_again_whatever_its_numbers_hashes_and_paths() {
    let mut desk = Desk::new();
    let one =
        "fatal: bad object c0fa0c12 of d0fa0c13 and 1f9a0c77 in /a/x.rs:12:5, 12:01:33, 0.42s";
    let other =
        "fatal: bad object e1fa0c14 of f1fa0c15 and 20fa0c12 in /b/y/z.rs:977:1, 23:59:01, 7m";
    fixed(&mut desk, "s1", one, "git fetch");
    fixed(&mut desk, "s2", other, "git fetch");
    assert_eq!(fixes(&desk, one), [("git fetch".to_owned(), 2)]);
}

#[test]
fn failures_before_one_success_are_one() {
    let mut desk = Desk::new();
    for _ in 0..2 {
        desk.ran("s1", "cargo build", 101, ERROR);
        desk.ran("s1", "cargo clean", 0, "");
    }
    desk.edited("s1", "Cargo.toml");
    desk.ran("s1", "cargo build", 0, "");
    assert_eq!(fixes(&desk, ERROR), []);
    desk.ran("s2", "cargo build", 101, ERROR);
    desk.edited("s2", "Cargo.toml");
    // Of what never worked again nothing is known.
    desk.ran("s3", "cargo build", 101, ERROR);
    desk.ran("s3", "cargo update", 0, "");
    assert_eq!(fixes(&desk, ERROR), []);
    desk.ran("s2", "cargo build", 0, "");
    assert_eq!(fixes(&desk, ERROR), [("Cargo.toml".to_owned(), 2)]);
}
