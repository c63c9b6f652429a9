//! The variables of Nudge: those that mean nothing, and those that nobody knows.

use std::ffi::OsString;

use super::finding::Finding;
use crate::cli::escape::quoted;
use crate::config::VARIABLES;

const ABOUT: &str = "settings";

/// Looks at the names of all variables, and at those that were refused, each
/// with the sentence for it.
pub(super) fn look(
    names: impl Iterator<Item = OsString>,
    refused: &[(&'static str, String)],
) -> Vec<Finding> {
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let mut ours: Vec<String> = names.filter(|name| name.starts_with("NUDGE_")).collect();
    ours.sort_unstable();
    let unset = |name: &str| format!("unset {}", quoted(name));
    let refused = refused
        .iter()
        .map(|(name, words)| Finding::bad(ABOUT, words).fixed_by(unset(name)));
    let mut found: Vec<Finding> = refused.collect();
    let is_known = |name: &String| VARIABLES.contains(&name.as_str());
    for name in ours.iter().filter(|name| !is_known(name)) {
        let words = format!("`{name}` is set, which Nudge does not listen to");
        found.push(Finding::odd(ABOUT, words).fixed_by(unset(name)));
    }
    if found.is_empty() {
        found.push(Finding::good(
            ABOUT,
            match ours.as_slice() {
                [] => "no variable changes them".to_owned(),
                some => format!("{} understood", some.join(", ")),
            },
        ));
    }
    found
}
