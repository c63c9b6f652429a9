//! `Recorder`: who hears of every change before it is made.

use std::sync::{Arc, OnceLock};

use nudge::{Answer, Caller, Change, Error, Sink, Via};

use crate::primary::events::Events;
use crate::store::Memory;

/// Writes changes down, then tells those who watch.
#[derive(Clone, Default)]
pub(super) struct Recorder {
    pub(super) events: Arc<Events>,
    /// Absent until it is known which memory the store is that of.
    pub(super) memory: Arc<OnceLock<Memory>>,
}

impl Sink for Recorder {
    fn accept(
        &self,
        by: &Caller<'_>,
        changes: &[Change],
        answer: &Answer<'_>,
    ) -> Result<(), Error> {
        // What a project's file says is there for the next server too.
        let memory = self.memory.get().filter(|_| by.via != Via::Project);
        if let Some(memory) = memory {
            memory.accept(by, changes, answer)?;
        }
        self.events.note(changes);
        Ok(())
    }
}
