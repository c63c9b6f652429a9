//! What an import does.

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
        let checker = Checker {
            interner: &self.interner,
            config: &self.config,
            now,
            by,
        };
        let mut payload = Checked::new(payload, &checker)?;
        self.write(by, |on| {
            let on = WriteContext { now, ..on };
            payload.propose_instead(on);
            payload.plan(on, mode, dry_run)
        })
    }
}
