//! The settings: variables and a file that mean nothing, or that nobody reads, and a
//! guard that is off.

use std::ffi::OsString;

use super::finding::Finding;
use crate::cli::shell::SHELL;
use crate::config::{GUARD_IS_OFF, Refused, SessionSettings, UserFile, VARIABLES};

const ABOUT: &str = "settings";

/// Looks at the names of all variables, at the user's file, and at what was refused of both.
pub(super) fn look(
    names: impl Iterator<Item = OsString>,
    file: &UserFile,
    refused: &[Refused],
) -> Vec<Finding> {
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let mut ours: Vec<String> = names.filter(|name| name.starts_with("NUDGE_")).collect();
    ours.sort_unstable();
    let refused = refused.iter().map(|refused| {
        let finding = Finding::bad(ABOUT, &refused.words);
        match refused.variable {
            Some(name) => finding.fixed_by(SHELL.unset(name)),
            None => finding,
        }
    });
    let mut found: Vec<Finding> = refused.collect();
    let shown = file.path.display().to_string();
    if let Some(why) = &file.unused {
        let words = format!("`{shown}` is not used: {why}");
        found.push(Finding::odd(ABOUT, words));
    }
    let is_known = |name: &String| VARIABLES.contains(&name.as_str());
    for name in ours.iter().filter(|name| !is_known(name)) {
        let words = format!("`{name}` is set, which Nudge does not listen to");
        found.push(Finding::odd(ABOUT, words).fixed_by(SHELL.unset(name)));
    }
    if found.is_empty() {
        if VARIABLES.iter().any(|known| file.says(known)) {
            ours.push(format!("`{shown}`"));
        }
        found.push(Finding::good(
            ABOUT,
            match ours.as_slice() {
                [] => "nothing changes them".to_owned(),
                some => format!("{} understood", some.join(", ")),
            },
        ));
    }
    found
}

/// Says it where the guard of a session is off.
pub(super) fn guard(session: &SessionSettings) -> Option<Finding> {
    let finding = || Finding::odd("secret guard", GUARD_IS_OFF).fixed_by("nudge config");
    (!session.secret_guard).then(finding)
}
