//! The session folder and its files: where they are, whose they are, and who may read them.

use std::fs;
use std::path::{Path, PathBuf};

use nudge_client::folder::{Runtime, STORE, file, worktree};
use nudge_client::platform::{mode, owner, user};

use super::Finding;
use crate::cli::shell::SHELL;

const ABOUT: &str = "store";

/// What others could read or put there.
const FILES: [&str; 5] = ["lock", "server.pid", "page.html", "token", STORE];

/// Looks at the folder that a server would use, and gives it back if one could.
pub(super) fn look(asked_for: Option<&Path>) -> (Option<Runtime>, Vec<Finding>) {
    let runtime = Runtime::meant(asked_for);
    let place = runtime.folder();
    let shown = place.display();
    let refused = |why: String| {
        let finding = Finding::bad(ABOUT, format!("`{shown}` {why}, so no server can be"));
        let fix = match asked_for {
            Some(_) => SHELL.unset("NUDGE_RUNTIME_DIR"),
            None => SHELL.set_below_home("NUDGE_RUNTIME_DIR", ".cache/nudge"),
        };
        (None, vec![finding.fixed_by(fix)])
    };
    if let Some(root) = asked_for.and_then(worktree) {
        return refused(format!("is inside the git worktree `{}`", root.display()));
    }
    let Ok(seen) = fs::symlink_metadata(place) else {
        let words = format!("`{shown}` is not there yet; the first server makes it");
        return (None, vec![Finding::good(ABOUT, words)]);
    };
    if !seen.is_dir() || owner(&seen) != user() {
        return refused("is a link, no folder, or not yours".to_owned());
    }
    let mode = mode(&seen);
    let is_used = || fs::read_dir(place).is_ok_and(|mut found| found.next().is_some());
    let words = format!("`{shown}` is not for you alone (mode {mode:04o})");
    let is_closed = mode & 0o700 != 0o700;
    let is_unusable = is_closed || asked_for.is_some() && mode & 0o022 != 0 && is_used();
    let open = match mode {
        _ if is_unusable => Some(Finding::bad(ABOUT, words + ", so no server uses it")),
        0o700 => None,
        _ => Some(Finding::odd(ABOUT, words)),
    };
    let fix = format!("chmod 700 {}", SHELL.path(place));
    let mut found = Vec::from_iter(open.map(|open| open.fixed_by(fix)));
    found.extend(FILES.iter().filter_map(|name| private(&place.join(name))));
    found.extend(runtime.warning().map(|words| Finding::odd(ABOUT, words)));
    if found.is_empty() {
        found.push(Finding::good(ABOUT, format!("`{shown}` is yours alone")));
    }
    (Some(runtime), found)
}

/// What is wrong with a file, if it is there. What it says is not looked at.
fn private(path: &Path) -> Option<Finding> {
    let (shown, typed) = (path.display(), SHELL.path(path));
    if let Err(error) = file::check(path) {
        let words = format!("`{shown}` cannot be used ({error})");
        return Some(Finding::bad(ABOUT, words).fixed_by(format!("rm -r {typed}")));
    }
    let mode = mode(&fs::symlink_metadata(path).ok()?);
    let words = format!("others may use `{shown}` (mode {mode:04o})");
    // A token is a password.
    let finding = if path.ends_with("token") {
        Finding::bad(ABOUT, words)
    } else {
        Finding::odd(ABOUT, words)
    };
    (mode & 0o077 != 0).then(|| finding.fixed_by(format!("chmod 600 {typed}")))
}

/// Names what version 0.1 left in the home, which nobody touches, with how to read it.
pub(super) fn old() -> Option<Finding> {
    let home = std::env::home_dir()?;
    let state = home.join(".local/state/nudge-hints");
    let repos = fs::read_dir(state.join("repos")).into_iter().flatten();
    let mut repos = repos.flatten().map(|entry| entry.path());
    let repo = repos.find(|path| path.extension().is_some_and(|end| end == "json"));
    let is_there = |path: PathBuf| path.is_file().then_some(path);
    let everywhere = is_there(home.join(".config/nudge-hints/hints.json"));
    let journal = is_there(state.join("session/session.journal"));
    let all = repo.as_ref().map(|_| state.join("repos/*.json"));
    let all = all.iter().chain(&everywhere).chain(&journal);
    let all: Vec<String> = all.map(|path| format!("`{}`", path.display())).collect();
    let words = format!(
        "version 0.1 left {}, not read; `nudge import FILE` takes its kept files and exports",
        all.join(", ")
    );
    let finding = (!all.is_empty()).then(|| Finding::odd(ABOUT, words))?;
    Some(match repo.or(everywhere) {
        Some(file) => finding.fixed_by(format!("nudge import {}", SHELL.path(&file))),
        None => finding,
    })
}
