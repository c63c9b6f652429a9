//! What a config was before Nudge came: a file beside it, until Nudge leaves.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::PathBuf;

use nudge_client::folder::file::{read_linked, replace_when};

use super::config_file::{BYTE_ORDER_MARK, ConfigFile, LARGEST};

/// How the note starts that stands for a config that was not there. No config
/// reads so: what is neither JSON nor TOML is refused before it gets a backup.
const NOTE: &str = "nudge install made this file; folders made with it: ";

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Before {
    Bytes(Vec<u8>),
    /// No file, nor so many of the folders above it.
    Nothing(usize),
}

impl Before {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Before::Bytes(bytes) => {
                let text = std::str::from_utf8(bytes).ok()?;
                Some(text.trim_start_matches(BYTE_ORDER_MARK))
            }
            Before::Nothing(_) => None,
        }
    }
}

/// The file beside a config that says what was there before.
#[derive(Debug)]
pub(crate) struct Backup {
    pub(crate) path: PathBuf,
}

impl Backup {
    /// The backup of a config. It is beside the path that the host names, also
    /// where that is a link: a folder of dotfiles is no place for it.
    pub(crate) fn of(file: &ConfigFile) -> Backup {
        let mut path = file.path.clone().into_os_string();
        path.push(".nudge-backup");
        Backup { path: path.into() }
    }

    /// What was there before; nothing is known without a backup.
    pub(crate) fn read(&self) -> Option<Before> {
        let bytes = read_linked(&self.path, LARGEST).ok()?;
        let text = std::str::from_utf8(&bytes).ok();
        match text.and_then(|text| text.strip_prefix(NOTE)) {
            Some(count) => Some(Before::Nothing(count.trim().parse().unwrap_or(0))),
            None => Some(Before::Bytes(bytes)),
        }
    }

    /// Notes what is there now. An older note is of an entry that somebody took
    /// out by hand, and is replaced.
    pub(crate) fn write(&self, before: &Before) -> Result<(), String> {
        let bytes = match before {
            Before::Bytes(bytes) => bytes,
            Before::Nothing(folders) => &format!("{NOTE}{folders}\n").into_bytes(),
        };
        // A config may hold keys of other servers.
        replace_when(&self.path, bytes, 0o600, File::sync_all)
            .map_err(|error| format!("`{}` cannot be written: {error}", self.path.display()))
    }

    pub(crate) fn remove(&self) -> Result<(), String> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(format!(
                "`{}` cannot be removed: {error}",
                self.path.display()
            )),
            _ => Ok(()),
        }
    }
}
