//! `AnyStore`: a store of one's own or the shared one, for languages that have one type for both.

use std::sync::Arc;

use nudge::{Context, Error, ErrorKind, Nudge, Operation, Request, Speaker};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::shared_store::SharedStore;

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

    /// The variables that live scopes mention.
    #[must_use]
    pub fn env_names(&self) -> Vec<String> {
        match self {
            AnyStore::Own(nudge, _) => nudge.env_names(),
            AnyStore::Shared(shared) => shared.env_names().to_vec(),
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
                let words = "only a store of one's own has a clock and an id to ask for; this one is \
                             shared, and its server has them";
                Err(Error::new(ErrorKind::Invalid, words))
            }
        }
    }
}
