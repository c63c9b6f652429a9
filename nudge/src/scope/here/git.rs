//! Reading a repository and its branch from git's own files.
//!
//! Variables such as `GIT_DIR`, `safe.directory`, includes and `insteadOf` are
//! not considered: the answer depends on the folder alone.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::config::Config;
use super::stamp::Stamp;
use crate::scope::repo::Repo;

thread_local! {
    /// What was last read of a plain `.git`. A server infers where it is at every
    /// call, and to look at two files costs a third of reading them.
    static LAST: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// The most that is read of one file, in bytes; git's own bound for a `.git` file.
const LARGEST: u64 = 1024 * 1024;

/// What git's files say about a folder that lies in a repository.
///
/// All are absent for a repository that cannot be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Checkout {
    /// The worktree's root, in the spelling of the folder; a bare repository has none.
    pub(super) root: Option<PathBuf>,
    /// The repository of the remote, or the main worktree's folder.
    pub(super) repo: Option<Repo>,
    /// The branch that is checked out, also when it has no commit yet.
    pub(super) branch: Option<String>,
}

impl Checkout {
    /// Finds the repository that an absolute folder lies in; `None` outside git and for no folder.
    pub(super) fn around(start: &Path) -> Option<Checkout> {
        if !start.is_absolute() {
            return None;
        }
        // As git, which starts from the physical folder: the parent of a symbolic
        // link is not where the files are.
        let physical = fs::canonicalize(start).ok();
        let physical = physical.filter(|start| start.is_dir())?;
        let mut found = Checkout::above(&physical)?;
        if let Some(root) = found.root.as_mut().filter(|_| physical != start) {
            // A cwd by way of a link is below the root only as the link has it.
            let is_root = |folder: &&Path| fs::canonicalize(folder).is_ok_and(|it| it == *root);
            let linked = start.ancestors().find(is_root).map(Path::to_path_buf);
            *root = linked.unwrap_or_else(|| root.clone());
        }
        Some(found)
    }

    /// Like [`Checkout::around`], for a folder that is known to be there and physical.
    pub(super) fn above(start: &Path) -> Option<Checkout> {
        let mut bare: Option<&Path> = None;
        for folder in start.ancestors() {
            let dot_git = folder.join(".git");
            if let Some(found) = Checkout::at(&dot_git, folder) {
                // A repository may hold a folder that looks like another one, whose
                // config says what it likes. Only below `.git` nothing is committed.
                if bare.is_none_or(|bare| !bare.starts_with(&dot_git)) {
                    return Some(found);
                }
                break;
            }
            bare = bare.or_else(|| is_bare_looking(folder).then_some(folder));
        }
        let found = GitFolder::open(bare?.to_path_buf(), None);
        Some(found.and_then(|found| found.read()).unwrap_or_default())
    }

    /// Looks for a repository behind the `.git` of a folder.
    fn at(dot_git: &Path, folder: &Path) -> Option<Checkout> {
        let found = match fs::metadata(dot_git) {
            Ok(kind) if kind.is_dir() => return plain(dot_git, folder),
            Ok(_) => GitFolder::behind(dot_git, folder),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(_) => None,
        };
        // Git gives up at a `.git` that it cannot follow, and so do we: the folder
        // is not part of whatever repository lies further up.
        Some(found.and_then(|found| found.read()).unwrap_or_default())
    }
}

/// What a `.git` folder said, and what the files looked like that said so.
struct Known {
    dot_git: PathBuf,
    files: [Option<Stamp>; 3],
    checkout: Checkout,
}

/// Reads a `.git` folder, unless its files look as they did the last time; `None`
/// for one without a `HEAD`, which is nothing to git.
fn plain(dot_git: &Path, folder: &Path) -> Option<Checkout> {
    let files = ["HEAD", "config", "commondir"].map(|name| Stamp::of(&dot_git.join(name)));
    let [head, config, commondir] = &files;
    head.as_ref()?;
    let known = LAST.with_borrow(|last| {
        let last = last.as_ref();
        let same = last.filter(|last| last.dot_git == dot_git && last.files == files);
        same.map(|last| last.checkout.clone())
    });
    if known.is_some() {
        return known;
    }
    let found = GitFolder::open(dot_git.to_path_buf(), Some(folder));
    let checkout = found.and_then(|found| found.read()).unwrap_or_default();
    // What leads elsewhere, or has just been written, may change unseen.
    let settled = [head, config].into_iter().flatten().all(Stamp::is_settled);
    LAST.set((commondir.is_none() && settled).then(|| Known {
        dot_git: dot_git.to_path_buf(),
        files,
        checkout: checkout.clone(),
    }));
    Some(checkout)
}

/// Where a repository keeps its files.
struct GitFolder {
    /// The folder with `HEAD`, which a linked worktree has for itself.
    own: PathBuf,
    /// The folder with `config`, which all worktrees share.
    common: PathBuf,
    /// The folder whose `.git` file or folder led here.
    worktree: Option<PathBuf>,
}

impl GitFolder {
    /// Follows a `.git` file, once: git lets no file point at another.
    fn behind(file: &Path, folder: &Path) -> Option<GitFolder> {
        let text = read_utf8(file)?;
        let target = text
            .strip_prefix("gitdir: ")?
            .trim_end_matches(['\r', '\n']);
        GitFolder::open(fs::canonicalize(folder.join(target)).ok()?, Some(folder))
    }

    /// Takes `own` for a repository's folder, to which `worktree` led.
    fn open(own: PathBuf, worktree: Option<&Path>) -> Option<GitFolder> {
        let common = if has(&own, "commondir") {
            let text = read_utf8(&own.join("commondir"))?;
            fs::canonicalize(own.join(text.trim_end_matches(['\r', '\n']))).ok()?
        } else {
            own.clone()
        };
        let worktree = worktree.map(Path::to_path_buf);
        Some(GitFolder {
            own,
            common,
            worktree,
        })
    }

    /// Reads branch and remote; `None` when a file that must be read cannot be.
    fn read(&self) -> Option<Checkout> {
        let branch = branch_of(&self.head()?);
        let config = match read_bytes(&self.common.join("config")) {
            Ok(bytes) => Config::parse(&String::from_utf8_lossy(&bytes))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Config::default(),
            Err(_) => return None,
        };
        // To git a text without a colon is a path, although we would read `a/b` as
        // a group and its repository.
        let is_remote = |url: &&str| url.contains(':') || url.starts_with(['/', '\\']);
        let remote = config.remote().filter(is_remote).and_then(Repo::parse);
        // A bare repository may have worktrees, but is none.
        let has_files = self.own != self.common || !config.bare;
        Some(Checkout {
            root: self.worktree.clone().filter(|_| has_files),
            repo: remote.or_else(|| Repo::parse(&self.main_worktree(&config)?)),
            branch,
        })
    }

    /// Reads the reference that `HEAD` names, empty where it names an object; `None` when it names
    /// neither.
    fn head(&self) -> Option<String> {
        let path = self.own.join("HEAD");
        // Git once made HEAD a symbolic link to a branch, which may not exist yet.
        if let Ok(target) = fs::read_link(&path)
            && let Some(name) = target.to_str().filter(|name| name.starts_with("refs/"))
        {
            return Some(name.to_owned());
        }
        let text = read_utf8(&path)?;
        let text = text.trim_ascii_end();
        if let Some(name) = text.strip_prefix("ref:") {
            let name = name.trim_ascii_start();
            let fit = name.starts_with("refs/") && !name.contains(char::is_control);
            return fit.then(|| name.to_owned());
        }
        let object = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
        object.then(String::new)
    }

    /// The root of the main worktree, or the repository's own folder if it has none.
    fn main_worktree(&self, config: &Config) -> Option<String> {
        let shared = self.common.file_name().is_some_and(|name| name == ".git");
        let is_main = self.own == self.common && !config.bare;
        let root = match &self.worktree {
            _ if shared => self.common.parent()?,
            // The work tree of a submodule, or of a repository kept elsewhere.
            Some(root) if is_main => root,
            _ => &self.common,
        };
        // A folder's name is no URL: a percent sign in it stands for itself.
        Some(root.to_str()?.replace('%', "%25"))
    }
}

/// The branch that a reference is, if it is one.
///
/// A part that begins with a dot makes no branch: where references are kept
/// in tables, `HEAD` is a placeholder that names `.invalid`.
fn branch_of(reference: &str) -> Option<String> {
    let name = reference.strip_prefix("refs/heads/")?;
    let is_branch = !name.is_empty() && !name.split('/').any(|part| part.starts_with('.'));
    is_branch.then(|| name.to_owned())
}

/// Whether a folder that is not named `.git` is a repository all the same: a bare one, or a worktree's own files.
fn is_bare_looking(folder: &Path) -> bool {
    let is_whole = || folder.join("objects").is_dir() && folder.join("refs").is_dir();
    has(folder, "HEAD") && (is_whole() || has(folder, "commondir"))
}

/// Whether a folder has an entry of that name, be it a link to nowhere.
fn has(folder: &Path, name: &str) -> bool {
    fs::symlink_metadata(folder.join(name)).is_ok()
}

/// Reads a small regular file that must be Unicode.
fn read_utf8(path: &Path) -> Option<String> {
    String::from_utf8(read_bytes(path).ok()?).ok()
}

/// Reads a small regular file; anything else is an error, and never waited for.
fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    // Opening a pipe waits for its other end, so the kind is asked first.
    let kind = fs::metadata(path)?;
    if !kind.is_file() || kind.len() > LARGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    // With room for the end of the file to be seen in the same read.
    let mut bytes = Vec::with_capacity(usize::try_from(kind.len()).unwrap_or_default() + 64);
    File::open(path)?
        .take(LARGEST + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_git_there_is_no_checkout() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Checkout::around(folder.path()), None);
        assert_eq!(Checkout::around(&folder.path().join("absent")), None);
        assert_eq!(Checkout::around(Path::new("src")), None);
    }
}
