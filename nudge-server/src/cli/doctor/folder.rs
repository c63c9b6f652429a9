//! The runtime folder: where it is, whose it is, and who may look into it.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use crate::cli::escape::quoted;
use crate::platform::runtime::Runtime;

const ABOUT: &str = "folder";

/// What may be at a place.
enum Place {
    Nothing,
    /// A folder of ours, and its mode.
    Ours(u32),
    /// Something that Nudge does not touch, and what would take it away.
    Other(String, Option<String>),
}

/// Looks at the places in the order in which a server would, and gives back the
/// folder that serves, if it is there.
pub(super) fn look(places: &[PathBuf], asked_for: bool) -> (Option<Runtime>, Finding) {
    let mut passed: Vec<String> = Vec::new();
    let mut fix = None;
    for place in places {
        let (runtime, finding) = match seen(place) {
            Place::Other(what, removal) => {
                passed.push(format!("`{}` {what}", place.display()));
                fix = fix.or(removal);
                continue;
            }
            Place::Nothing => {
                let words = format!(
                    "`{}` is not there yet; the first server makes it",
                    place.display()
                );
                (None, Finding::good(ABOUT, words))
            }
            Place::Ours(mode) => {
                let runtime = Runtime::as_it_is(place);
                (Some(runtime), private(place, mode, asked_for))
            }
        };
        return (runtime, because(finding, &passed, fix));
    }
    let words = format!("{}, so no server can be", passed.join(" and "));
    let fix = if asked_for {
        "unset NUDGE_RUNTIME_DIR".to_owned()
    } else {
        "export NUDGE_RUNTIME_DIR=\"$HOME/.cache/nudge\"".to_owned()
    };
    (None, Finding::bad(ABOUT, words).fixed_by(fix))
}

/// A finding about one place, with why the ones before it do not serve. That
/// somebody else came first is as it should be; a link is odd.
fn because(finding: Finding, passed: &[String], fix: Option<String>) -> Finding {
    if passed.is_empty() {
        return finding;
    }
    let words = format!("{}, because {}", finding.words, passed.join(" and "));
    match fix {
        Some(fix) if finding.fix.is_none() => Finding::odd(ABOUT, words).fixed_by(fix),
        _ => Finding { words, ..finding },
    }
}

fn seen(place: &Path) -> Place {
    let me = rustix::process::geteuid().as_raw();
    let seen = match fs::symlink_metadata(place) {
        Ok(seen) => seen,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Place::Nothing,
        Err(error) => return Place::Other(format!("cannot be looked at ({error})"), None),
    };
    let removal = (seen.uid() == me).then(|| format!("rm {}", quoted(&place.to_string_lossy())));
    if seen.is_symlink() {
        Place::Other("is a link, which is not followed".to_owned(), removal)
    } else if !seen.is_dir() {
        Place::Other("is no folder".to_owned(), removal)
    } else if seen.uid() != me {
        Place::Other(format!("belongs to the user {}", seen.uid()), None)
    } else {
        Place::Ours(seen.mode() & 0o777)
    }
}

/// Whether a folder is for its owner, and for nobody else.
fn private(place: &Path, mode: u32, asked_for: bool) -> Finding {
    let (path, shown) = (place.to_string_lossy(), format!("mode {mode:04o}"));
    let fix = format!("chmod 700 {}", quoted(&path));
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

    fn places(below: &Path) -> [PathBuf; 2] {
        [below.join("nudge"), below.join("nudge-1000")]
    }

    fn made(folder: &Path, mode: u32) {
        fs::create_dir(folder).unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_second_folder_serves_where_the_first_is_a_link() {
        let below = tempfile::tempdir().unwrap();
        let places = places(below.path());
        symlink("/nowhere", &places[0]).unwrap();
        let (runtime, finding) = look(&places, false);
        assert!(runtime.is_none());
        assert_eq!(finding.state, State::Odd);
        let first = places[0].to_string_lossy();
        let reason = format!("because `{first}` is a link, which is not followed");
        assert!(finding.words.ends_with(&reason), "{}", finding.words);
        assert_eq!(finding.fix.unwrap(), format!("rm {first}"));

        made(&places[1], 0o700);
        let (runtime, finding) = look(&places, false);
        assert_eq!(runtime.unwrap().folder(), places[1]);
        assert!(finding.words.contains("is yours alone (mode 0700)"));
    }

    #[test]
    fn without_a_place_there_can_be_no_server() {
        let below = tempfile::tempdir().unwrap();
        let places = places(below.path());
        for place in &places {
            fs::write(place, "").unwrap();
        }
        let (runtime, finding) = look(&places, false);
        assert!(runtime.is_none());
        assert_eq!(finding.state, State::Bad);
        let fix = finding.fix.unwrap();
        assert_eq!(fix, "export NUDGE_RUNTIME_DIR=\"$HOME/.cache/nudge\"");
    }

    #[test]
    fn a_folder_that_another_user_has_is_passed_over_and_that_is_fine() {
        let below = tempfile::tempdir().unwrap();
        let places = places(below.path());
        made(&places[0], 0o700);
        // Only root can give a folder away; for others there is none to try it with.
        if std::os::unix::fs::chown(&places[0], Some(65534), None).is_err() {
            return;
        }
        let (_, finding) = look(&places, false);
        assert_eq!((finding.state, finding.fix), (State::Good, None));
        assert!(finding.words.ends_with("belongs to the user 65534"));
        let (_, finding) = look(places.get(..1).unwrap(), true);
        assert_eq!(finding.state, State::Bad);
        assert_eq!(finding.fix.unwrap(), "unset NUDGE_RUNTIME_DIR");
    }
}
