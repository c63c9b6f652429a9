//! The client key of a session: who shows it to the PRIMARY is believed to be who it says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nudge::Error;

use super::{Lock, Runtime, file, known_token, unusable};
use crate::platform::random::key;

const NAME: &str = "client.key";

/// Where the key is of the session that a socket is for.
pub(crate) fn key_beside(socket: &Path) -> PathBuf {
    socket.with_file_name(NAME)
}

/// The key in a file.
pub(crate) fn client_key(file: &Path) -> Option<String> {
    known_token(file)
}

impl Runtime {
    /// The key of the session that a PRIMARY serves. One that goes on has its key already,
    /// which its members show.
    pub(crate) fn take_client_key(&self, _: &Lock, goes_on: bool) -> Result<Arc<str>, Error> {
        let path = key_beside(&self.socket());
        if let Some(kept) = client_key(&path).filter(|_| goes_on) {
            return Ok(kept.into());
        }
        let key = key();
        let made = file::replace(&path, key.as_bytes());
        made.map_err(|error| unusable(&path, &error.to_string()))?;
        Ok(key.into())
    }

    /// Puts a key back that is the session's already.
    pub(crate) fn keep_client_key(&self, key: &str) {
        let path = key_beside(&self.socket());
        if client_key(&path).as_deref() != Some(key) {
            // Until it is back, nobody who comes is taken for the user.
            let _ = file::replace(&path, key.as_bytes());
        }
    }
}
