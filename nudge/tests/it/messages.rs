//! Every sentence that a person can read, to be read here by one.

mod reasons;
mod refusals;
mod scopes;
mod wire;

use std::sync::Arc;

use nudge::{Error, ErrorKind, ManualClock, Nudge, SetHint};

/// A store on a clock that stands still.
fn store() -> (Nudge, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::at("2025-11-04T10:00:00Z".parse().unwrap()));
    (Nudge::default().with_clock(Arc::clone(&clock)), clock)
}

fn set() -> SetHint {
    SetHint::new("api", "build", "make")
}

/// What a call says when it is refused, in a line.
fn said<T>(outcome: Result<T, Error>) -> String {
    let Err(error) = outcome else {
        panic!("nothing was refused");
    };
    let message = error.to_string();
    let first = message.chars().next().unwrap();
    assert!(!first.is_uppercase(), "starts with a capital: {message}");
    assert!(
        !message.ends_with(['.', '!', ' ']),
        "ends as a sentence: {message}"
    );
    assert!(!message.contains(". "), "more than one sentence: {message}");
    assert!(
        !message.chars().any(char::is_control),
        "not one line: {message:?}"
    );
    message + "\n"
}

/// What a store that is empty says to a set.
fn set_says(set: SetHint) -> String {
    said(store().0.set_hint(set))
}

#[test]
fn every_kind_has_its_code_and_reason() {
    let table: Vec<String> = ErrorKind::ALL
        .iter()
        .map(|kind| format!("{} {} {kind:?}", kind.code(), kind.reason()))
        .collect();
    insta::assert_snapshot!(table.join("\n"), @"
    40401 E_NOT_FOUND NotFound
    40001 E_INVALID Invalid
    40002 E_SECRET_REJECTED SecretRejected
    40003 E_SCOPE_INVALID ScopeInvalid
    40301 E_FORBIDDEN Forbidden
    40901 E_CONFLICT Conflict
    42901 E_QUOTA Quota
    50301 E_UNAVAILABLE Unavailable
    50001 E_INTERNAL Internal
    ");
}
