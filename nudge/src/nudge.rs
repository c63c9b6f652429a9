//! `Nudge`: what it is made of, and the eight operations.

mod context_sets;
mod lifecycle;
mod proposals;
mod replay;
mod transaction;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64};

use crossbeam_utils::sync::ShardedLock;
use parking_lot::Mutex;

use crate::api::answer::{
    Bumped, Components, Deleted, Exported, Found, HintMatch, HintSet, Imported, Ineligible, Ranked,
};
use crate::api::import_export::{Export, Import, ListComponents};
use crate::api::payload::Snapshot;
use crate::api::prompt_block::{Block, PromptBlock};
use crate::api::request::{GetHint, Query};
use crate::api::selector::{Bump, DeleteHint};
use crate::api::set_hint::SetHint;
use crate::clock::Monotone;
use crate::config::Config;
use crate::hint::Hint;
use crate::model::error::Error;
use crate::model::name::Name;
use crate::model::number::in_range;
use crate::rank::answer::explain;
use crate::rank::query::Filters;
use crate::rank::select;
use crate::store::Store;
use crate::store::interner::Interner;
use crate::store::pattern::Patterns;
use crate::write::import::{Checked, Checker};
use crate::write::plan::WriteContext;
use crate::write::sink::Sink;

/// A store of hints, shared by reference between threads.
///
/// All methods take `&self`; clone an `Arc<Nudge>` to share it. A read holds
/// one lock for as long as it looks at the maps, and never while it compiles a
/// glob or a regex, words a reason, writes JSON or runs code of yours. Writes
/// wait for each other, and hold readers up only while the maps change.
///
/// # Examples
///
/// ```
/// use nudge::{Context, GetHint, Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(
///     SetHint::new("http-proxy", "build", "docker compose build router")
///         .branch("dev"),
/// )?;
///
/// let here = Context::new().branch("dev");
/// let found = nudge.get_hint(GetHint::new("http-proxy", "build").context(here))?;
/// assert_eq!(found.hint.value.as_str(), Some("docker compose build router"));
/// assert_eq!(found.match_explain.reasons(), ["branch=dev allowed"]);
/// # Ok::<(), nudge::Error>(())
/// ```
///
/// A hint whose scope does not match is as absent as one that was never set:
///
/// ```
/// # use nudge::{Context, ErrorKind, GetHint, Nudge, SetHint};
/// # let nudge = Nudge::default();
/// # nudge.set_hint(SetHint::new("http-proxy", "build", "make").branch("dev"))?;
/// let elsewhere = Context::new().branch("main");
/// let error = nudge.get_hint(GetHint::new("http-proxy", "build").context(elsewhere)).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// # Ok::<(), nudge::Error>(())
/// ```
pub struct Nudge {
    pub(crate) config: Config,
    pub(crate) session_id: Arc<str>,
    pub(crate) clock: Monotone,
    /// In milliseconds since 1970; a clock that is pinned at the start moves it.
    pub(crate) created_at: AtomicI64,
    pub(crate) interner: Interner,
    pub(crate) patterns: Patterns,
    /// Whoever holds this is the only writer.
    pub(crate) writing: Mutex<()>,
    /// The number of the last change.
    pub(crate) last_change: AtomicU64,
    pub(crate) sink: Option<Box<dyn Sink>>,
    /// Readers of different threads take different parts of this lock and do
    /// not slow each other down; a writer takes them all.
    pub(crate) store: ShardedLock<Store>,
}

/// The eight operations.
#[expect(
    clippy::needless_pass_by_value,
    reason = "every operation takes its request, whether or not it uses it up"
)]
impl Nudge {
    /// Sets a hint: a new one, or a variant that is there already.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// let set = nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// assert!(set.created);
    /// assert_eq!(nudge.set_hint(SetHint::new("api", "build", "make all"))?.hint.version, 2);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn set_hint(&self, request: SetHint) -> Result<HintSet, Error> {
        self.write(request.origin.clone(), |on| request.plan_as(on, None))
    }

    /// Finds the hint of a slot that fits best where the caller is.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{GetHint, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// let found = nudge.get_hint(GetHint::new("api", "build"))?;
    /// assert_eq!(found.hint.value.text(), "make");
    ///
    /// let error = nudge.get_hint(GetHint::new("api", "biuld")).unwrap_err();
    /// assert_eq!(error.to_string(), "`api` has no `biuld`; it has `build`");
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn get_hint(&self, request: GetHint) -> Result<HintMatch, Error> {
        let GetHint {
            component,
            key,
            context,
            alternatives,
        } = request;
        let more = in_range("alternatives", alternatives, 0, 20)?;
        let now = self.clock.now();
        let at = self.query_context(&context, now);
        let store = self.read();
        let Some(slot) = store.slot(&component, &key) else {
            return Err(select::missing(&store, (&component, &key), now));
        };
        if more > 0 {
            let ranked = slot.ranked(at, more + 1);
            let mut ranked = ranked.iter().map(|c| Ranked::new(c, &context, now));
            if let Some(best) = ranked.next() {
                let alternatives = ranked.collect();
                return Ok(best.into_match(alternatives));
            }
        } else if let Some(best) = slot.best(at) {
            return Ok(HintMatch {
                component,
                key,
                hint: Arc::clone(best.hint),
                match_explain: explain(&best, context, now),
                alternatives: Vec::new(),
            });
        }
        let live: Vec<Arc<Hint>> = slot.live(now).cloned().collect();
        if live.is_empty() {
            return Err(select::missing(&store, (&component, &key), now));
        }
        drop(store);
        Err(select::out_of_scope(
            (&component, &key),
            &live,
            context.facts(),
        ))
    }

    /// Finds all hints that fit some filters, the best first.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Nudge, Query, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "build", "make").tags(["build"]))?;
    /// assert_eq!(nudge.query(Query::new().component("api").tag("build"))?.total, 1);
    /// assert_eq!(nudge.query(Query::new().regex("^cargo"))?.total, 0);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn query(&self, request: Query) -> Result<Found, Error> {
        let most = in_range("limit", request.limit.unwrap_or(10), 1, 100)?;
        let regex = request
            .regex
            .as_deref()
            .map(|regex| self.patterns.get(regex))
            .transpose()?;
        let filters = Filters::new(&request, regex);
        let now = self.clock.now();
        let at = self.query_context(&request.context, now);
        let listed = if request.include_ineligible { most } else { 0 };
        let store = self.read();
        let passed = filters.run(&store, at, most, listed);
        let ranked = passed
            .best
            .iter()
            .map(|best| Ranked::new(best, &request.context, now));
        let ineligible: Vec<_> = passed
            .ineligible
            .iter()
            .map(|(slot, hint)| slot.with_names(hint))
            .collect();
        let (hints, total, scoped_out) = (ranked.collect(), passed.total, passed.scoped_out);
        drop(store);
        let explain = |(component, key, hint): (Name, Name, Arc<Hint>)| Ineligible {
            component,
            key,
            near_misses: hint.near_misses(at.facts),
        };
        let ineligible = request
            .include_ineligible
            .then(|| ineligible.into_iter().map(explain).collect());
        Ok(Found {
            hints,
            total,
            scoped_out,
            ineligible,
        })
    }

    /// Deletes a hint.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{DeleteHint, ErrorKind, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// nudge.delete_hint(DeleteHint::new("api", "build"))?;
    /// let error = nudge.delete_hint(DeleteHint::new("api", "build")).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotFound);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn delete_hint(&self, request: DeleteHint) -> Result<Deleted, Error> {
        self.write(request.origin.clone(), |on| request.plan(on))
    }

    /// Lists the components.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{ListComponents, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("web", "build", "npm run build"))?;
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// let listed = nudge.list_components(ListComponents::new())?;
    /// let names: Vec<&str> = listed.components.iter().map(|entry| &*entry.name).collect();
    /// assert_eq!(names, ["api", "web"]);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn list_components(&self, request: ListComponents) -> Result<Components, Error> {
        let now = self.clock.now();
        let store = self.read();
        Ok(request.list(&store, now))
    }

    /// Counts a use of a hint, which makes it come first more often.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Bump, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// assert_eq!(nudge.bump(Bump::new("api", "build").delta(3))?.hint.use_count, 3);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn bump(&self, request: Bump) -> Result<Bumped, Error> {
        self.write(request.origin.clone(), |on| request.plan(on))
    }

    /// Gives the store, or a part of it, as a payload.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Export, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// nudge.set_hint(SetHint::new("api", "token", "xyz").secret())?;
    /// assert_eq!(nudge.export(Export::new())?.secrets_left_out, 1);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn export(&self, request: Export) -> Result<Exported, Error> {
        let now = self.clock.now();
        let (components, secrets_left_out) = request.collect(&self.read(), now);
        let payload = Snapshot {
            created_at: self.created_at(),
            session_id: Arc::clone(&self.session_id),
            components,
        };
        Ok(Exported {
            payload,
            secrets_left_out,
        })
    }

    /// Takes over the hints of a payload.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Import, Nudge};
    ///
    /// let seed = r#"{"schema_version": "1.0",
    ///                "components": {"api": {"hints": {"build": {"value": "make"}, "run": {"value": 7}}}}}"#;
    /// let imported = Nudge::default().import(Import::new(seed))?;
    /// assert_eq!((imported.imported, imported.skipped), (1, 1));
    /// assert_eq!(imported.problems[0].key, "run");
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn import(&self, request: Import) -> Result<Imported, Error> {
        let Import {
            payload,
            mode,
            dry_run,
            origin,
            by_program,
        } = request;
        let by = Checker {
            interner: &self.interner,
            config: &self.config,
            now: self.clock.now(),
            origin: origin.as_deref(),
        };
        let mut checked = Checked::new(payload, &by)?;
        self.write(origin.clone(), |on| {
            let on = WriteContext { now: by.now, ..on };
            if by_program {
                checked.spare_user(on, mode)?;
            }
            checked.plan(on, mode, dry_run)
        })
    }

    /// Writes the hints that apply here as a block of text for a prompt.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Nudge, PromptBlock};
    ///
    /// assert_eq!(Nudge::default().prompt_block(PromptBlock::new())?.text, "");
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn prompt_block(&self, request: PromptBlock) -> Result<Block, Error> {
        let at = self.query_context(&request.context, self.clock.now());
        let picked = request.pick(&self.read(), at)?;
        Ok(picked.write())
    }
}
