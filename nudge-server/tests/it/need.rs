//! Programs of the system that a test cannot do without.

use std::process::Command;
use std::sync::{Mutex, PoisonError};

use crate::conformance::adapter::{file, nothing_may_be_missing};

/// Whether a program is there, or can be installed. Where it is not, the caller
/// skips what needs it, which is said aloud, and no choice under `CI=true`.
pub(crate) fn need(program: &str, package: &str) -> bool {
    // Packages are installed one after the other.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut need = Command::new(file("tests/need"));
    let is_there = need.args([program, package]).status().unwrap().success();
    assert!(is_there || !nothing_may_be_missing(), "{program} is needed");
    is_there
}
