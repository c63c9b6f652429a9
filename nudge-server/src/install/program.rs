//! Programs of others: finding them.

use std::ffi::OsStr;
use std::path::PathBuf;

use nudge_client::platform::names_of_program;

pub(crate) use nudge_client::platform::is_executable;

/// The program that a word starts on a search path. Folders that are not
/// absolute are passed over: they mean something else in every folder.
pub(crate) fn find(word: &str, search: &OsStr) -> Option<PathBuf> {
    let folders = std::env::split_paths(search).filter(|folder| folder.is_absolute());
    let mut programs = folders.flat_map(|folder| {
        let names = names_of_program(word);
        names.map(move |name| folder.join(name))
    });
    programs.find(|path| is_executable(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_absolute_folders_are_searched() {
        assert_eq!(find("sh", OsStr::new("bin:.:/bin")), Some("/bin/sh".into()));
        assert_eq!(find("sh", OsStr::new(".:bin")), None);
    }
}
