//! The files of the session folder: whose they are, and who may read them.

use std::fs;
use std::io;
use std::path::Path;

use super::finding::Finding;
use crate::cli::shell::SHELL;
use nudge_client::folder::STORE;
use nudge_client::platform::{is_socket, mode, owner, user};

/// The files that a server leaves alone once they are there.
const PLAIN: [&str; 4] = ["lock", "server.pid", "nudge.sock", "page.html"];

/// Looks at every file of a folder that Nudge reads.
pub(super) fn look(folder: &Path, is_served: bool) -> Vec<Finding> {
    let plain = PLAIN
        .iter()
        .filter_map(|name| seen("files", &folder.join(name)));
    let plain: Vec<Result<u64, Finding>> = plain.collect();
    let is_any = !plain.is_empty();
    let mut found: Vec<Finding> = plain.into_iter().filter_map(Result::err).collect();
    if found.is_empty() && is_any {
        found.push(Finding::good("files", "for you alone (mode 0600)"));
    }
    found.push(token(&folder.join("token")));
    found.push(store(&folder.join(STORE), is_served));
    found
}

/// The token is a password, so what it says is not looked at.
fn token(path: &Path) -> Finding {
    match seen("token", path) {
        None => Finding::good("token", "none; a session that runs has one"),
        Some(Ok(_)) => Finding::good("token", "for you alone (mode 0600)"),
        Some(Err(finding)) => Finding {
            state: super::State::Bad,
            ..finding
        },
    }
}

fn store(path: &Path, is_served: bool) -> Finding {
    match (seen("store", path), is_served) {
        (Some(Err(finding)), _) => finding,
        (Some(Ok(bytes)), _) => Finding::good("store", format!("`{STORE}`, {bytes} bytes")),
        (None, false) => Finding::good("store", "none yet; the first hint makes it"),
        (None, true) => {
            let words = format!(
                "`{STORE}` is gone, and is made again within ten seconds; is the disk full?"
            );
            let folder = path.parent().unwrap_or(Path::new("/"));
            Finding::odd("store", words).fixed_by(SHELL.room(folder))
        }
    }
}

/// The size of a file that is private; `None` for one that is not there.
fn seen(about: &str, path: &Path) -> Option<Result<u64, Finding>> {
    let (shown, typed) = (path.display(), SHELL.path(path));
    let seen = match fs::symlink_metadata(path) {
        Ok(seen) => seen,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            let words = format!("`{shown}` cannot be looked at ({error})");
            return Some(Err(
                Finding::bad(about, words).fixed_by(format!("ls {typed}"))
            ));
        }
    };
    let is_expected = if path.ends_with("nudge.sock") {
        is_socket(&seen)
    } else {
        seen.is_file()
    };
    if !is_expected || owner(&seen) != user() {
        let words = format!("`{shown}` is a link, of another kind, or not yours");
        return Some(Err(
            Finding::bad(about, words).fixed_by(format!("rm -r {typed}"))
        ));
    }
    let mode = mode(&seen);
    if mode & 0o077 != 0 {
        let words = format!("others may use `{shown}` (mode {mode:04o})");
        return Some(Err(
            Finding::odd(about, words).fixed_by(format!("chmod 600 {typed}"))
        ));
    }
    Some(Ok(seen.len()))
}
