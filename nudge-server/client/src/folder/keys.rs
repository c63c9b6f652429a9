//! The words of a session by which callers are let in or believed, in files of mode 0600.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nudge::Error;

use super::{Lock, MAX_FILE, Runtime, file, unusable};
use crate::random;

/// A word of the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// Lets a caller in whose user the kernel does not tell us.
    Token,
    /// Makes a caller believed who says whom it speaks for.
    Client,
}

impl Key {
    /// Where it is in a session folder.
    #[must_use]
    pub fn within(self, folder: &Path) -> PathBuf {
        folder.join(match self {
            Key::Token => "token",
            Key::Client => "client.key",
        })
    }
}

/// The word in a file.
#[must_use]
pub fn read_key(path: &Path) -> Option<String> {
    let word = String::from_utf8(file::read(path, MAX_FILE).ok()?).ok()?;
    let word = word.trim_ascii_end();
    let is_key = word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_key.then(|| word.to_owned())
}

impl Runtime {
    /// The word that lets a caller in whose user the kernel does not tell us.
    #[must_use]
    pub fn token(&self) -> Option<String> {
        read_key(&Key::Token.within(&self.folder))
    }

    /// A word of the session that a PRIMARY serves. One that goes on has it already, and its
    /// members show it.
    pub fn take_key(&self, _: &Lock, key: Key, goes_on: bool) -> Result<Arc<str>, Error> {
        let path = key.within(&self.folder);
        if let Some(kept) = read_key(&path).filter(|_| goes_on) {
            return Ok(kept.into());
        }
        let word = random::key();
        let made = file::replace(&path, word.as_bytes());
        made.map_err(|error| unusable(&path, &error.to_string()))?;
        Ok(word.into())
    }

    /// Puts a word back that is the session's already.
    pub fn keep_key(&self, key: Key, word: &str) {
        let path = key.within(&self.folder);
        if read_key(&path).as_deref() != Some(word) {
            // Until it is back, callers that the kernel tells of are let in as programs.
            let _ = file::replace(&path, word.as_bytes());
        }
    }
}
