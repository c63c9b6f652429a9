//! What an import does.

use std::cell::Cell;

use chrono::{DateTime, Utc};

use crate::api::answer::Imported;
use crate::api::caller::{Caller, Via};
use crate::api::import_export::{Import, ImportMode};
use crate::api::merge::{Merge, Merged};
use crate::config::Config;
use crate::hint::stamp::check_machine;
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

    /// Merges what another machine keeps, and gives what this one does. The guard is on, whatever
    /// the settings are: what goes from one machine to another goes by somebody else's.
    pub(crate) fn merge(&self, by: &Caller<'_>, request: Merge) -> Result<Merged, Error> {
        check_machine(&request.machine, "machine")?;
        let (by, now) = (by.via(Via::Sync), self.clock.now());
        let config = Config {
            secret_guard: true,
            ..self.config.clone()
        };
        // What these do is not done twice if the call is made again.
        let user = Caller::user();
        self.write_noting(
            &user,
            |on| Ok((on.plan_named(&request.machine), ())),
            |_| (),
        )?;
        self.write_noting(&user, |on| Ok((on.plan_shared(), ())), |_| ())?;
        let mut merged = Merged::default();
        if let Some(payload) = request.payload {
            let checker = Checker {
                config: &config,
                ..self.checker(&by, now)
            };
            let mut hints = Checked::new(payload, &checker)?;
            // Apart, so that each is compared with what stands then.
            let mut marks = Checked::default();
            std::mem::swap(&mut marks.marks, &mut hints.marks);
            let merge = |from, by| {
                let plan = |on: WriteContext<'_>| Ok(on.plan_merge(&request.machine, from));
                self.write_noting(by, plan, |_| ())
            };
            merged = merge(hints, &user.via(Via::Sync))?.and(merge(marks, &by)?);
            self.interner.matchers.tidy();
        }
        if !request.brief {
            let on = WriteContext {
                store: &self.read(),
                interner: &self.interner,
                config: &config,
                now,
                by: &by,
                knows: &|_| true,
            };
            let (files, left_out) = on.carried();
            (merged.files, merged.left_out) = (Some(files), left_out);
        }
        Ok(merged)
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
