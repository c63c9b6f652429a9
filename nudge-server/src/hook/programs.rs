//! Which programs of a command are on the PATH of whoever runs it.

use std::collections::BTreeMap;
use std::env::{split_paths, var_os};
use std::fs::metadata;
use std::path::Path;

use nudge::programs_of;
use nudge_client::platform::stamp;

/// How many are looked for.
const MOST: usize = 8;

/// The programs of a command that are on the PATH, each with what is another text once its file
/// has changed.
pub(super) fn on_path(command: &str) -> BTreeMap<String, String> {
    let folders = var_os("PATH").unwrap_or_default();
    let programs = programs_of(command).into_iter().take(MOST);
    let found = programs.filter_map(|program| {
        let mut files = split_paths(&folders).map(|folder| folder.join(Path::new(&program)));
        let seen = files.find_map(|file| metadata(file).ok().filter(std::fs::Metadata::is_file))?;
        Some((program, format!("{:?}", stamp(&seen))))
    });
    found.collect()
}
