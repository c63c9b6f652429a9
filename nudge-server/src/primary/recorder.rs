//! `Recorder`: who hears of every change before it is made.

use std::sync::{Arc, OnceLock};

use nudge::{Answer, Caller, Change, Error, Sink, Via};

use crate::primary::events::Events;
use crate::store::Memory;

/// Writes changes down, then tells those who watch.
#[derive(Default)]
pub(super) struct Recorder {
    pub(super) events: Arc<Events>,
    /// Absent until it is known which memory the store is that of.
    pub(super) memory: OnceLock<Memory>,
}

/// The recorder as the store has it.
pub(super) struct Recording(pub(super) Arc<Recorder>);

impl Sink for Recording {
    fn accept(
        &self,
        by: &Caller<'_>,
        changes: &[Change],
        answer: &Answer<'_>,
    ) -> Result<(), Error> {
        // What a project's file says is there for the next server too.
        let memory = self.0.memory.get().filter(|_| by.via != Via::Project);
        if let Some(memory) = memory {
            memory.accept(by, changes, answer)?;
        }
        self.0.events.note(changes);
        Ok(())
    }
}
