//! What a store has from elsewhere: a session that ended, and projects' own files.

use std::cell::Cell;

use chrono::{DateTime, Utc};

use crate::api::answer::Imported;
use crate::api::caller::{Caller, Via};
use crate::api::import_export::{Import, ImportMode};
use crate::api::merge::{Merge, Merged};
use crate::api::payload::{Payload, Snapshot};
use crate::config::Config;
use crate::hint::lifetime::Lifetime;
use crate::hint::stamp::check_machine;
use crate::model::error::Error;
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::nudge::Nudge;
use crate::store::change::ChangeKind;
use crate::write::import::{Checked, Checker};
use crate::write::plan::WriteContext;

/// How many hints a session's end leaves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ending {
    /// Those that end with the session.
    pub ended: usize,
    /// Those that stay and that the caller may read, but for what projects' own files say.
    pub kept: usize,
    /// Of those that stay, how many have a time of their own.
    pub until: usize,
    /// Of those that end, how many are secrets.
    pub secrets: usize,
    /// Of those that end, how many somebody else than the caller has set.
    pub of_others: usize,
}

/// From elsewhere.
impl Nudge {
    /// Says what would become of the hints if the session ended now.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Caller, Config, Nudge, SetHint, Ttl};
    ///
    /// let nudge = Nudge::new(Config { keep: true, ..Config::default() });
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// nudge.set_hint(SetHint::new("api", "port", "8081").ttl(Ttl::SESSION))?;
    /// let ending = nudge.ending(&Caller::user());
    /// assert_eq!((ending.ended, ending.kept), (1, 1));
    /// # Ok::<(), nudge::Error>(())
    /// ```
    #[must_use]
    pub fn ending(&self, by: &Caller<'_>) -> Ending {
        let mut ending = Ending::default();
        let reach = self.reach(by, None);
        let (store, now) = (self.read(), self.clock.now());
        let live = store.slots().flat_map(|slot| slot.live(now));
        for hint in live.filter(|hint| !hint.is_projects()) {
            if hint.lifetime != Lifetime::Session {
                let is_known = usize::from(reach.has(hint));
                ending.kept += is_known;
                ending.until += is_known * usize::from(hint.lifetime == Lifetime::Until);
                continue;
            }
            ending.ended += 1;
            ending.secrets += usize::from(hint.is_secret());
            let is_own = by.is_user() || !hint.is_users() && by.has_set(hint);
            ending.of_others += usize::from(!is_own);
        }
        ending
    }

    /// Merges what an ended session had into this one: the newer hint stays, and what the user
    /// deleted since stays deleted.
    pub fn bring_back(&self, by: &Caller<'_>, ended: Snapshot) -> Result<Imported, Error> {
        let now = self.clock.now();
        let mut payload = Checked::new(Payload::from(ended), &self.checker(by, now))?;
        self.write(by, |on| {
            let on = WriteContext { now, ..on };
            payload.obey_marks(on);
            payload.plan(on, ImportMode::Merge, false)
        })
    }

    /// Takes a hint out of the store that stands elsewhere from now on. Nothing is remembered
    /// against it, as it would be if it were deleted.
    pub fn release(
        &self,
        by: &Caller<'_>,
        names: (Name, Name),
        scope: Option<&Scope>,
    ) -> Result<(), Error> {
        self.write(by, |on: WriteContext<'_>| {
            let hint = on.store.live_variant((&names.0, &names.1), scope, on.now);
            let hint = hint.filter(|hint| !hint.is_projects());
            let gone = hint.map(|hint| ChangeKind::delete(names, hint));
            Ok((gone.into_iter().collect(), ()))
        })
    }

    /// Loads what the user trusts of the file of hints at the root of a project, as JSON, in the
    /// place of what it said before.
    pub fn load_project(&self, root: &str, json: &str) -> Result<Imported, Error> {
        let by = Caller::user().via(Via::Project);
        let now = self.clock.now();
        let payload = Checked::new(Payload::from(json), &self.checker(&by, now))?;
        self.write(&by, |on| {
            let on = WriteContext { now, ..on };
            Ok(payload.plan_project(on, root))
        })
    }

    /// Loads the hints of a payload.
    pub(crate) fn load(&self, by: &Caller<'_>, request: Import) -> Result<Imported, Error> {
        let mode = request.mode;
        if mode == ImportMode::Replace && !by.is_user() {
            let words = "only the user may replace what is stored; merge the payload instead";
            return Err(Error::forbidden("replace", words));
        }
        let now = self.clock.now();
        let mut payload = Checked::new(request.payload, &self.checker(by, now))?;
        let imported = self.write(by, |on| {
            let on = WriteContext { now, ..on };
            payload.propose_instead(on);
            payload.plan(on, mode, request.dry_run)
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
        let named = |on: WriteContext<'_>| Ok((on.plan_named(&request.machine), ()));
        self.write_noting(&user, named, |_| ())?;
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
