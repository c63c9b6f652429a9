//! `AnyStore`: a store of one's own or the shared one, for languages that have one type for both.

use std::borrow::Cow;
use std::sync::Arc;

use nudge::{Context, Error, ErrorKind, Nudge, Operation, Request, Speaker, invalid_field};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::shared_store::SharedStore;

/// What only the server of a session does, without the prefix `nudge.`; its tests hold the list
/// against its own table.
pub const OF_THE_SERVER: &str = "hello status stop restart restore delete_hints mv undo keep kept \
    trust untrust why search get_observations timeline recent_context log session_trace file_history \
    fix pitfalls week observe purge learn_past page applying";

/// A store, wherever its hints are.
#[derive(Debug, Clone)]
pub enum AnyStore {
    /// In this process, and who calls.
    Own(Arc<Nudge>, Speaker),
    /// In the session of this machine.
    Shared(SharedStore),
}

impl AnyStore {
    /// Gives the same store to somebody else.
    pub fn speaking_as(&self, speaker: Speaker) -> Result<AnyStore, Error> {
        Ok(match self {
            AnyStore::Own(nudge, _) => AnyStore::Own(Arc::clone(nudge), speaker),
            AnyStore::Shared(shared) => AnyStore::Shared(shared.speaking_as(speaker)?),
        })
    }

    /// Asks for something.
    pub fn ask<R>(&self, request: R) -> Result<R::Answer, Error>
    where
        R: Request<Nudge, Answer: DeserializeOwned> + Serialize,
    {
        match self {
            AnyStore::Own(nudge, speaker) => nudge.ask(&speaker.caller(), request),
            AnyStore::Shared(shared) => shared.ask(&request),
        }
    }

    /// Does an operation, with JSON in and JSON out. `here` is where the caller is, if the
    /// params do not say.
    pub fn call(
        &self,
        here: Option<&Context>,
        operation: Operation,
        params: &[u8],
    ) -> Result<String, Error> {
        match self {
            AnyStore::Own(nudge, speaker) => {
                let mut by = speaker.caller();
                by.here = here;
                let mut answer = Vec::new();
                nudge.call(&by, operation, params, &mut answer)?;
                let answer = String::from_utf8(answer);
                answer.map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
            }
            AnyStore::Shared(shared) => shared.call(here, operation.name(), params),
        }
    }

    /// Does any operation by its name, with its prefix or without. What only the server of a
    /// session can do is for a store that is connected to it.
    pub fn call_named(
        &self,
        here: Option<&Context>,
        name: &str,
        params: &[u8],
    ) -> Result<String, Error> {
        let whole = if name.contains('.') {
            Cow::Borrowed(name)
        } else {
            Cow::Owned(format!("nudge.{name}"))
        };
        match (self, Operation::named(&whole)) {
            (_, Some(operation)) => self.call(here, operation, params),
            (AnyStore::Shared(shared), None) => shared.call(here, &whole, params),
            (AnyStore::Own(..), None) => Err(not_here(&whole)),
        }
    }

    /// The variables that live scopes mention.
    #[must_use]
    pub fn env_names(&self) -> Vec<String> {
        match self {
            AnyStore::Own(nudge, _) => nudge.env_names(),
            AnyStore::Shared(shared) => shared.env_names(),
        }
    }

    /// Removes expired hints; the server of a shared store does so by itself.
    pub fn sweep(&self) -> Result<usize, Error> {
        match self {
            AnyStore::Own(nudge, _) => nudge.sweep(),
            AnyStore::Shared(_) => Ok(0),
        }
    }

    /// The store in this process, for what no other can do.
    pub fn own(&self) -> Result<&Nudge, Error> {
        match self {
            AnyStore::Own(nudge, _) => Ok(nudge),
            AnyStore::Shared(_) => {
                let words = "this store is shared; clock and id exist only in-process";
                Err(Error::new(ErrorKind::Invalid, words))
            }
        }
    }
}

/// Why a store of one's own does not do that.
fn not_here(name: &str) -> Error {
    let word = name.strip_prefix("nudge.").unwrap_or(name);
    if OF_THE_SERVER.split(' ').any(|known| known == word) {
        let words = format!("`{name}` needs the session's server; call it on `connect()`");
        return Error::new(ErrorKind::Unavailable, words);
    }
    let name: String = name.chars().take(64).collect();
    let words = format!("there is no operation `{name}`; `docs/reference.md` lists them");
    invalid_field("operation", &words)
}
