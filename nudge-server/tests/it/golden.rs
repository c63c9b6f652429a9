//! Files that others depend on byte for byte. `UPDATE=1` updates them.

use std::env;
use std::fs;

use crate::conformance::file;

/// Fails when a file of the repository is not what it would be if it were made now.
pub(crate) fn is_as_written_down(path: &str, today: &str) {
    let full = file(path);
    let is_stale = || fs::read_to_string(&full).unwrap_or_default() != today;
    // A test beside this one may be reading it: what is up to date is left alone.
    if env::var_os("UPDATE").is_some_and(|update| update == "1") && is_stale() {
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        fs::write(&full, today).unwrap();
    }
    assert!(
        !is_stale(),
        "{path} is stale; `UPDATE=1 cargo test -p nudge-hints-server --test it` updates it"
    );
}
