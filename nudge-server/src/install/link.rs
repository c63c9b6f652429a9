//! Links: where a config really is, and whether it may be written there.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use nudge_client::platform::{owner, plain, user};

use super::machine::Location;
use super::table::Scope;

/// Where the bytes of a file are. A link is followed, because people keep their
/// dotfiles elsewhere; but not into a folder of another user, and not out of a
/// project, whose links may be anybody's.
pub(crate) fn followed(location: &Location, scope: Scope) -> Result<PathBuf, String> {
    let path = location.path();
    let shown = path.display();
    let real = |path: &Path| {
        let failed = |error| format!("`{shown}` cannot be looked at: {error}");
        match path.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(error)),
            Ok(_) => match path.canonicalize() {
                Ok(real) => Ok(Some(plain(real))),
                Err(error) if error.kind() == ErrorKind::NotFound => Err(format!(
                    "`{shown}` is a link to nothing; remove it, or make what it leads to"
                )),
                Err(error) => Err(failed(error)),
            },
        }
    };
    let existing = path
        .ancestors()
        .find(|above| above.symlink_metadata().is_ok());
    let existing = existing.unwrap_or(&path);
    let rest = path.strip_prefix(existing).unwrap_or(Path::new(""));
    let target = real(existing)?.unwrap_or_else(|| existing.to_owned());
    let target: PathBuf = target.join(rest).components().collect();
    if target == path {
        return Ok(target);
    }
    let base = location.base.canonicalize();
    let base = base.map_or_else(|_| location.base.clone(), plain);
    if scope == Scope::Project && !target.starts_with(&base) {
        let target = target.display();
        return Err(format!(
            "`{shown}` leads to `{target}`, out of this project; it was left as it is"
        ));
    }
    let folder = target
        .ancestors()
        .skip(1)
        .find_map(|above| above.metadata().ok());
    let is_own = folder.is_some_and(|folder| owner(&folder) == user());
    if is_own {
        return Ok(target);
    }
    let target = target.display();
    Err(format!(
        "`{shown}` leads to `{target}`, in a folder of another user; it was left as it is"
    ))
}
