//! What helped against an error.

use nudge::ErrorKind;
use serde_json::{Value, json};

use super::super::requests::Fix;
use super::{Desk, place};

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

fn fixes(desk: &Desk, text: &str) -> Vec<(String, u64)> {
    let found = desk.ask::<Fix>(json!({ "text": text })).unwrap();
    let found = found["fixes"].as_array().unwrap().iter();
    let fix = |it: &Value| {
        (
            it["content"].as_str().unwrap().to_owned(),
            it["times"].as_u64().unwrap(),
        )
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
fn a_fix_is_what_helped_twice() {
    let mut desk = Desk::new();
    fixed(&mut desk, "s1", ERROR, "apt install libssl-dev");
    assert_eq!(fixes(&desk, ERROR), []);
    desk.ran(
        "other",
        "cargo build",
        101,
        "error[E0308]: mismatched types\nerror: could not compile `api`",
    );
    desk.ran("other", "apt install libssl-dev", 0, "");
    desk.ran("other", "cargo build", 0, "");
    assert_eq!(fixes(&desk, ERROR), []);
    let later = ERROR
        .replace("0.9.1", "0.9.7")
        .replace("12:01:44", "23:59:59");
    fixed(&mut desk, "s2", &later, "apt install libssl-dev");
    assert_eq!(
        fixes(&desk, ERROR),
        [("apt install libssl-dev".to_owned(), 2)]
    );
    let text = format!("   Compiling api v1.0\n{later}\n");
    let found = desk.ask::<Fix>(json!({"text": text})).unwrap();
    let fix = &found["fixes"][0];
    assert_eq!(
        (
            &fix["session_id"],
            &fix["command"],
            &fix["obs_type"],
            &found["seen"]
        ),
        (
            &json!("s2"),
            &json!("cargo build"),
            &json!("command"),
            &json!(2)
        )
    );
    assert_eq!(fixes(&desk, "error[E0308]: mismatched types"), []);
    let elsewhere = json!({"text": ERROR, "context": place("web")});
    assert_eq!(
        desk.ask::<Fix>(elsewhere).unwrap(),
        json!({"seen": 0, "fixes": []})
    );
}

#[test]
fn failures_before_one_success_are_one_and_edits_are_fixes_too() {
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

#[test]
fn a_text_without_a_word_is_refused() {
    let error = Desk::new()
        .ask::<Fix>(json!({"text": " 12 \n"}))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}
