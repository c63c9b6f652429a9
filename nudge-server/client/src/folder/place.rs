//! Which folder is the memory: the one that was meant, or one in its place.

use std::io;
use std::path::{Path, PathBuf};

use nudge::{Context, Error};

use super::{Lock, Runtime, file, unusable};
use crate::platform::{self, machine_id};

/// The file with the hints of a folder.
pub const STORE: &str = "nudge.db";

/// The git worktree that a folder is in, or would be. A home that is one does not count.
#[must_use]
pub fn worktree(folder: &Path) -> Option<PathBuf> {
    let there = folder.ancestors().find(|folder| folder.is_dir())?;
    let root = PathBuf::from(Context::at(there.to_str()?).facts().root.as_deref()?);
    let real = root.canonicalize().ok();
    let is_home = std::env::home_dir().is_some_and(|home| home.canonicalize().ok() == real);
    (!is_home).then_some(root)
}

/// Copies the store in the folder of a home to the folder that stands in for it, unless that
/// has one; says whether it did.
pub fn stand_in(home_folder: &Path, folder: &Path) -> io::Result<bool> {
    let [from, to] = [home_folder, folder].map(|folder| folder.join(STORE));
    let is_due = !file::check(&to)? && file::check(&from)?;
    if is_due {
        file::replace(&to, &file::read(&from, u32::MAX.into())?)?;
    }
    Ok(is_due)
}

impl Runtime {
    /// The folder that was asked for, or the default one, be it ours or not. Where a server on
    /// another machine holds it, as in a home on a network, it is one below it.
    #[must_use]
    pub fn meant(asked_for: Option<&Path>) -> Runtime {
        let (folder, stands_in_for) = match asked_for {
            // With a slash at its end the name of a link would mean what it leads to.
            Some(folder) => (folder.components().collect(), None),
            None => platform::session_folder(),
        };
        let mut runtime = Runtime {
            folder,
            is_default: asked_for.is_none(),
            stands_in_for,
        };
        let own = runtime.folder.join("machines").join(machine_id());
        // A server that has begun there goes on there.
        let is_own = Runtime::as_it_is(&own).is_locked() || runtime.is_elsewhere();
        if is_own && Runtime::check(&runtime.folder, asked_for.is_some()).is_ok() {
            runtime.folder = own;
        }
        runtime
    }

    /// Whether a server on another machine holds the lock. That of a container is reached.
    fn is_elsewhere(&self) -> bool {
        let machine = self.identity().map(|holder| holder.machine);
        machine.is_some_and(|machine| !machine.is_empty() && machine != machine_id())
            && self.is_locked()
            && platform::connect(&self.socket()).is_err()
    }

    /// The same folder, unless it was asked for in a git worktree, whose files are others' too.
    pub(super) fn allowed(asked_for: Option<&Path>) -> Result<Runtime, Error> {
        if let Some((folder, root)) = asked_for.and_then(|asked| Some((asked, worktree(asked)?))) {
            let words = format!("it is inside the git worktree `{}`", root.display());
            return Err(unusable(folder, &words));
        }
        Ok(Runtime::meant(asked_for))
    }

    /// Whether it stands in for the folder in a home that cannot be written to.
    #[must_use]
    pub fn is_stand_in(&self) -> bool {
        self.stands_in_for.is_some()
    }

    /// Whether what is in it is gone after a reboot, as far as the system tells.
    #[must_use]
    pub fn is_volatile(&self) -> bool {
        platform::is_in_memory(&self.folder)
    }

    /// Takes over the store that it stands in for.
    pub fn take_over(&self, _: &Lock) -> io::Result<bool> {
        let home = self.stands_in_for.as_deref();
        home.map_or(Ok(false), |home| stand_in(home, &self.folder))
    }

    /// What the user is to know of where it is.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let (folder, above) = (self.folder.display(), self.folder.parent()?);
        if self.is_stand_in() {
            let words = "the home cannot be written to, so hints end with the session; they are in";
            return Some(format!("{words} `{folder}`"));
        }
        let shared = above.parent().filter(|_| above.ends_with("machines"))?;
        let words = format!("another machine uses `{}`", shared.display());
        Some(format!(
            "{words}, so the hints of this one are in `{folder}`"
        ))
    }
}
