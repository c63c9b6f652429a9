//! `Recorder`: who hears of every change before it is made.

use std::sync::{Arc, OnceLock};

use nudge::{Answer, Caller, Change, Error, Sink, Via};

use crate::primary::events::Events;
use crate::primary::journal::Journal;
use crate::primary::layers::Layers;

/// Writes changes to the journal, then tells those who watch.
#[derive(Default)]
pub(super) struct Recorder {
    pub(super) events: Arc<Events>,
    /// Absent until it is known which session the store is that of.
    pub(super) journal: OnceLock<Journal>,
    /// Absent in a session that keeps nothing.
    pub(super) layers: OnceLock<Layers>,
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
        // What was loaded from a file is there for the next server too.
        let journal = self.0.journal.get().filter(|_| by.via != Via::Layer);
        if let Some(journal) = journal {
            journal.accept(by, changes, answer)?;
        }
        if let Some(layers) = self.0.layers.get() {
            layers.note(by, changes);
        }
        self.0.events.note(changes);
        Ok(())
    }
}
