//! The session folder: where it is, whose it is, and who may look into it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use crate::cli::shell::SHELL;
use nudge_client::folder::{Runtime, worktree};
use nudge_client::platform::{mode, owner, user};

const ABOUT: &str = "folder";

/// What may be at a place.
enum Place {
    Nothing,
    /// A folder of ours, and its mode.
    Ours(u32),
    /// Something that Nudge does not touch, and what would take it away.
    Other(String, Option<String>),
}

/// Looks at the folder that a server would use, and gives it back if it is there.
pub(super) fn look(place: &Path, asked_for: bool) -> (Option<Runtime>, Finding) {
    let shown = place.display();
    let root = asked_for.then(|| worktree(place)).flatten();
    let inside = |root: PathBuf| {
        let words = format!("is inside the git worktree `{}`", root.display());
        Place::Other(words, None)
    };
    match root.map_or_else(|| seen(place), inside) {
        Place::Other(what, removal) => {
            let words = format!("`{shown}` {what}, so no server can be");
            let fix = match removal {
                _ if asked_for => SHELL.unset("NUDGE_RUNTIME_DIR"),
                Some(removal) => removal,
                None => SHELL.set_below_home("NUDGE_RUNTIME_DIR", ".cache/nudge"),
            };
            (None, Finding::bad(ABOUT, words).fixed_by(fix))
        }
        Place::Nothing => {
            let words = format!("`{shown}` is not there yet; the first server makes it");
            (None, Finding::good(ABOUT, words))
        }
        Place::Ours(mode) => {
            let runtime = Runtime::as_it_is(place);
            (Some(runtime), private(place, mode, asked_for))
        }
    }
}

fn seen(place: &Path) -> Place {
    let seen = match fs::symlink_metadata(place) {
        Ok(seen) => seen,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Place::Nothing,
        Err(error) => return Place::Other(format!("cannot be looked at ({error})"), None),
    };
    let removal = (owner(&seen) == user()).then(|| format!("rm {}", SHELL.path(place)));
    if seen.is_symlink() {
        Place::Other("is a link, which is not followed".to_owned(), removal)
    } else if !seen.is_dir() {
        Place::Other("is not a folder".to_owned(), removal)
    } else if owner(&seen) != user() {
        Place::Other(format!("belongs to the user {}", owner(&seen)), None)
    } else {
        Place::Ours(mode(&seen))
    }
}

/// Whether a folder is for its owner, and for nobody else.
fn private(place: &Path, mode: u32, asked_for: bool) -> Finding {
    let (path, shown) = (place.to_string_lossy(), format!("mode {mode:04o}"));
    let fix = format!("chmod 700 {}", SHELL.path(place));
    let is_used = || fs::read_dir(place).is_ok_and(|mut found| found.next().is_some());
    if mode & 0o700 != 0o700 {
        let words = format!("`{path}` does not let you in yourself ({shown})");
        Finding::bad(ABOUT, words).fixed_by(fix)
    } else if mode == 0o700 {
        Finding::good(ABOUT, format!("`{path}` is yours alone ({shown})"))
    } else if asked_for && mode & 0o022 != 0 && is_used() {
        let words = format!("others may write to `{path}` ({shown}), so no server uses it");
        Finding::bad(ABOUT, words).fixed_by(fix)
    } else {
        let words = format!("others may look into `{path}` ({shown})");
        Finding::odd(ABOUT, words).fixed_by(fix)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::super::finding::State;
    use super::*;

    fn made(folder: &Path, mode: u32) {
        fs::create_dir(folder).unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_is_no_folder_of_ours_serves_nobody() {
        let below = tempfile::tempdir().unwrap();
        let place = below.path().join("session");
        let (runtime, finding) = look(&place, false);
        assert!(runtime.is_none());
        assert_eq!(finding.state, State::Good);

        symlink("/nowhere", &place).unwrap();
        let (runtime, finding) = look(&place, false);
        assert!(runtime.is_none());
        assert_eq!(finding.state, State::Bad);
        assert!(finding.words.contains("is a link, which is not followed"));
        assert_eq!(finding.fix.unwrap(), format!("rm {}", place.display()));

        fs::remove_file(&place).unwrap();
        made(&place, 0o700);
        let (runtime, finding) = look(&place, false);
        assert_eq!(runtime.unwrap().folder(), place);
        assert!(finding.words.contains("is yours alone (mode 0700)"));
        // Only root can give a folder away; for others there is none to try it with.
        if std::os::unix::fs::chown(&place, Some(65534), None).is_ok() {
            let fix = |asked_for| look(&place, asked_for).1.fix.unwrap();
            assert_eq!(fix(true), "unset NUDGE_RUNTIME_DIR");
            assert_eq!(
                fix(false),
                "export NUDGE_RUNTIME_DIR=\"$HOME/.cache/nudge\""
            );
        }
    }
}
