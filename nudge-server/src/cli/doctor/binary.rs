//! This program: which it is, and whether it is the one that people type.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Finding;
use crate::cli::shell::SHELL;
use crate::install::program;
use crate::wire::identity::{PRODUCT, VERSION};

const ABOUT: &str = "binary";

/// Compares the program that runs with the one that the PATH finds. Another
/// product ships a `nudge` as well, so that one is not started to be asked.
pub(super) fn look(own: io::Result<PathBuf>, path: Option<OsString>) -> Finding {
    let own = match own {
        Ok(own) => own,
        Err(error) => {
            let words = format!("{PRODUCT} {VERSION}, but where it lies cannot be told ({error})");
            return Finding::odd(ABOUT, words);
        }
    };
    let this = format!("{PRODUCT} {VERSION} at `{}`", own.display());
    let folder = own.parent().unwrap_or(Path::new("/"));
    let fix = SHELL.put_on_path(folder);
    match program::find(PRODUCT, &path.unwrap_or_default()) {
        Some(found) if is_same(&found, &own) => {
            Finding::good(ABOUT, format!("{this}, which the PATH finds"))
        }
        Some(found) => {
            let found = found.display();
            let words = format!("{this}, but the PATH finds `{found}` first, which is another");
            Finding::odd(ABOUT, words).fixed_by(fix)
        }
        None => Finding::odd(ABOUT, format!("{this}, which the PATH does not find")).fixed_by(fix),
    }
}

/// Whether two paths lead to the same file, by whatever links.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(one).is_some_and(|one| Some(one) == real(other))
}
