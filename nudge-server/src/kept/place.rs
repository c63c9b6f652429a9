//! Where the files of kept hints are, below the user's home.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use nudge_client::platform::{folders, has_own_group, mode, owner, user};

use super::file::KeptFile;
use super::medium::Disk;
use super::{refusal, sha256};

/// Where the files of repositories are. Like the other one it does not depend on the XDG
/// variables: hosts filter those, and the same user would have two.
const OF_REPOSITORIES: &str = ".local/state/nudge-hints/repos";

/// Where the file is of what applies everywhere.
const EVERYWHERE: &str = ".config/nudge-hints";

/// The most bytes of a repository's name in the name of its file.
const MAX_NAME: usize = 100;

/// A folder of kept hints, below a home.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    home: PathBuf,
    below: &'static str,
}

impl Place {
    /// The file of a repository, by its canonical name.
    pub(crate) fn of_repository(home: &Path, repo: &str) -> KeptFile {
        let name = format!("{}.json", repo_id(repo));
        KeptFile::new(Place::new(home, OF_REPOSITORIES), name, Disk)
    }

    /// The file of what applies everywhere.
    pub(crate) fn everywhere(home: &Path) -> KeptFile {
        let name = "hints.json".to_owned();
        KeptFile::new(Place::new(home, EVERYWHERE), name, Disk)
    }

    pub(crate) fn new(home: &Path, below: &'static str) -> Place {
        let home = home.to_owned();
        Place { home, below }
    }

    /// The folder if it is there, or else made. From the home on each one must be ours alone,
    /// so that nobody can put another in its place before it is used.
    pub(crate) fn folder(&self, is_made: bool) -> Result<Option<PathBuf>, String> {
        let mut folder = self.home.clone();
        check_home(&folder)?;
        for part in Path::new(self.below) {
            folder.push(part);
            let mut seen = fs::symlink_metadata(&folder);
            let is_missing = |error: &std::io::Error| error.kind() == ErrorKind::NotFound;
            if seen.as_ref().is_err_and(is_missing) {
                if !is_made {
                    return Ok(None);
                }
                // If somebody else was quicker, what they made is looked at.
                let made = folders(0o700).create(&folder);
                seen = fs::symlink_metadata(&folder).or_else(|error| made.and(Err(error)));
            }
            let seen = seen.map_err(|error| refusal(&folder, "used", error))?;
            check(&folder, &seen)?;
        }
        Ok(Some(folder))
    }
}

/// Why nothing can be kept in a home, if so. That it leads elsewhere is its owner's affair.
pub(crate) fn check_home(home: &Path) -> Result<(), String> {
    if !home.is_absolute() {
        return Err(refusal(home, "used", "it is not an absolute path"));
    }
    let seen = fs::metadata(home).map_err(|error| refusal(home, "used", error))?;
    check(home, &seen)
}

fn check(folder: &Path, seen: &Metadata) -> Result<(), String> {
    let checked = if seen.is_symlink() {
        Err("it is a link")
    } else if !seen.is_dir() {
        Err("it is not a folder")
    } else {
        is_ours_alone(seen)
    };
    checked.map_err(|why| refusal(folder, "used", why))
}

/// Refuses what others own or may write to. A group with the number of its user is that
/// user's alone; where there are such groups, the usual umask lets them write.
pub(super) fn is_ours_alone(seen: &Metadata) -> Result<(), &'static str> {
    let others = if has_own_group(seen) { 0o002 } else { 0o022 };
    if owner(seen) != user() {
        return Err("it belongs to somebody else");
    }
    if mode(seen) & others != 0 {
        return Err("others may write to it; `chmod go-w` keeps them out");
    }
    Ok(())
}

/// What a repository is called as a file: the end of its name, in letters that every disk
/// takes and tells apart, and a hash of the whole.
pub(crate) fn repo_id(repo: &str) -> String {
    let name = repo.trim_start_matches("git:").trim_start_matches("file:");
    let name = name.to_ascii_lowercase();
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    let words = words.filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("-");
    let end = name.get(name.len().saturating_sub(MAX_NAME)..);
    let hash = sha256(repo);
    let id = [end.unwrap_or_default(), hash.get(..16).unwrap_or_default()].join("-");
    id.trim_start_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests;
