//! What an import does.

use std::cell::Cell;

use chrono::{DateTime, Utc};

use crate::api::answer::Imported;
use crate::api::caller::Caller;
use crate::api::import_export::{Import, ImportMode};
use crate::model::error::Error;
use crate::nudge::Nudge;
use crate::write::import::{Checked, Checker};
use crate::write::plan::WriteContext;

/// Importing.
impl Nudge {
    /// Loads the hints of a payload.
    pub(crate) fn load(&self, by: &Caller<'_>, request: Import) -> Result<Imported, Error> {
        let Import {
            payload,
            mode,
            dry_run,
        } = request;
        if mode == ImportMode::Replace && !by.is_user() {
            let words = "only the user may replace what is stored; merge the payload instead";
            return Err(Error::forbidden("replace", words));
        }
        let now = self.clock.now();
        let mut payload = Checked::new(payload, &self.checker(by, now))?;
        let imported = self.write(by, |on| {
            let on = WriteContext { now, ..on };
            payload.propose_instead(on);
            payload.plan(on, mode, dry_run)
        });
        // There may be much that was not imported.
        self.interner.matchers.tidy();
        imported
    }

    /// What hints are checked with that somebody imports.
    pub(crate) fn checker<'a>(&'a self, by: &'a Caller<'a>, now: DateTime<Utc>) -> Checker<'a> {
        Checker {
            interner: &self.interner,
            config: &self.config,
            now,
            by,
            room: Cell::new(self.config.limits.room(self.read().counts().bytes)),
        }
    }
}
