//! `Recorder`: who hears of every change before it is made.

use std::sync::{Arc, OnceLock};

use nudge::{Answer, Caller, Change, Error, Sink};

use crate::primary::events::Events;
use crate::primary::journal::Journal;

/// Writes changes to the journal, then tells those who watch.
#[derive(Default)]
pub(super) struct Recorder {
    pub(super) events: Arc<Events>,
    /// Absent until it is known which session the store is that of.
    pub(super) journal: OnceLock<Journal>,
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
        if let Some(journal) = self.0.journal.get() {
            journal.accept(by, changes, answer)?;
        }
        self.0.events.note(changes);
        Ok(())
    }
}
