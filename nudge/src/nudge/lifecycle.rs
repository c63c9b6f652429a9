//! Setting up a store and looking after it: sweeping, counting.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use chrono::{DateTime, Utc};
use crossbeam_utils::sync::ShardedLock;
use parking_lot::Mutex;

use crate::api::caller::Caller;
use crate::api::projects::Projects;
use crate::api::reach::Reach;
use crate::api::runs::Runs;
use crate::clock::{Clock, Monotone, SystemClock, from_millis};
use crate::command::client::Clients;
use crate::config::Config;
use crate::model::error::Error;
use crate::model::rows::setters;
use crate::model::time;
use crate::nudge::Nudge;
use crate::scope::matcher::ScopeMatcher;
use crate::store::change::ChangeKind;
use crate::store::interner::Interner;
use crate::store::pattern::Patterns;
use crate::store::stats::Stats;
use crate::write::sink::Sink;

/// Setting up a store.
impl Nudge {
    /// Makes an empty store.
    #[must_use]
    pub fn new(config: Config) -> Nudge {
        let session_id = config.session_id.clone().unwrap_or_else(|| {
            let random = RandomState::new().hash_one("session");
            format!("s-{random:016x}")
        });
        let clock = Monotone::new(SystemClock);
        Nudge {
            config,
            session_id: session_id.into(),
            created_at: AtomicI64::new(clock.glance()),
            clock,
            interner: Interner::default(),
            patterns: Patterns::default(),
            writing: Mutex::new(()),
            last_change: AtomicU64::new(0),
            sink: None,
            projects: None,
            store: ShardedLock::default(),
            clients: Mutex::new(Clients::default()),
            runs: None,
            books: Mutex::default(),
            counted: Mutex::default(),
            undo_list: None,
        }
    }
}

setters! { Nudge:
    /// Takes the time from another clock.
    with_clock(clock: impl Clock + 'static) |it| {
        it.clock = Monotone::new(clock);
        it.created_at = AtomicI64::new(it.clock.now().timestamp_millis());
    };
    /// Asks `sink` before every change.
    with_sink(sink: impl Sink + 'static) |it| it.sink = Some(Box::new(sink));
    /// Asks `projects` what the projects declare that the store is used in; see [`Projects`].
    with_projects(projects: impl Projects + 'static) |it| it.projects = Some(Arc::new(projects));
    /// Writes down how commands ended, and reads it again.
    with_runs(runs: Arc<dyn Runs>) |it| it.runs = Some(runs);
    /// Remembers what the user deletes and overwrites, for [`Nudge::undo`].
    with_undo() |it| it.undo_list = Some(Mutex::default());
}

/// Looking after a store.
impl Nudge {
    /// Stops the clock at a time, written as RFC 3339 has it, for tests and
    /// replay; `None` lets it run again.
    ///
    /// Time still never runs backwards, so pin the clock before the first
    /// call: the store then counts as made at that time. In Rust a clock of
    /// your own ([`Nudge::with_clock`]) does more; this is for languages that
    /// cannot hand one over.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.pin_clock(Some("2025-11-04T10:00:00Z"))?;
    /// let set = nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// assert_eq!(set.hint.updated_at.to_rfc3339(), "2025-11-04T10:00:00+00:00");
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn pin_clock(&self, at: Option<&str>) -> Result<(), Error> {
        let at = at.map(time::read).transpose()?;
        let unread = self.clock.pin(at);
        if let Some(at) = at.filter(|_| unread) {
            self.created_at
                .store(at.timestamp_millis(), Ordering::Relaxed);
        }
        Ok(())
    }

    /// The time on the store's clock, which never runs backwards.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Lets go of the hints that have expired, and says how many they were.
    ///
    /// Reads never show them in any case; this gives their memory back.
    pub fn sweep(&self) -> Result<usize, Error> {
        self.write(&Caller::user(), |on| {
            let changes: Vec<ChangeKind> = on.store.expire(on.now).collect();
            let count = changes.len();
            Ok((changes, count))
        })
    }

    /// The limit by which a caller may not add anything, others than the user a tenth before the
    /// user: `hints`, or `bytes`, where nothing is learned either.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Caller, Config, Limits, Nudge, SetHint};
    ///
    /// let agent = Caller::agent("codex/0.166");
    /// let limits = Limits { hints: 10, ..Limits::default() };
    /// let nudge = Nudge::new(Config { limits, ..Config::default() });
    /// for number in 0..9 {
    ///     assert_eq!(nudge.reached(&agent), None);
    ///     nudge.set_hint(SetHint::new("api", format!("step-{number}"), "make"))?;
    /// }
    /// assert_eq!(nudge.reached(&agent), Some("hints"));
    /// assert_eq!(nudge.reached(&Caller::user()), None);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    #[must_use]
    pub fn reached(&self, by: &Caller<'_>) -> Option<&'static str> {
        let limits = &self.config.limits;
        self.read().counts().reached(limits, by.is_user())
    }

    /// Says how much the store holds and what is used most.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats::of(&self.read(), self.clock.now(), &Reach::ALL)
    }

    /// What exports call this session.
    #[must_use]
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// When the session began, as exports say.
    #[must_use]
    pub fn created_at(&self) -> DateTime<Utc> {
        from_millis(self.created_at.load(Ordering::Relaxed))
    }

    /// How the store was set up.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The environment variables that some scope mentions, sorted: all that a
    /// caller needs to state.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Nudge, Scope, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// let scope = Scope::new().env_match("NODE_ENV", "test");
    /// nudge.set_hint(SetHint::new("api", "port", "8081").scope(scope))?;
    /// assert_eq!(nudge.env_names(), ["NODE_ENV"]);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    #[must_use]
    pub fn env_names(&self) -> Vec<String> {
        let mentions = |matcher: &ScopeMatcher| matcher.env_names().next().is_some();
        if !self.interner.matchers.any(mentions) {
            return Vec::new();
        }
        let now = self.clock.now();
        let store = self.read();
        let live = store.slots().flat_map(|slot| slot.live(now));
        let matchers = live.filter_map(|hint| hint.meta.scope.as_deref());
        let names: BTreeSet<&String> = matchers.flat_map(ScopeMatcher::env_names).collect();
        names.into_iter().cloned().collect()
    }

    /// Whether it holds a secret, be it only proposed: what no file may have,
    /// so that it ends with this store.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{DeleteHint, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "token", "swordfish").secret())?;
    /// assert!(nudge.holds_secrets());
    /// nudge.delete_hint(DeleteHint::new("api", "token"))?;
    /// assert!(!nudge.holds_secrets());
    /// # Ok::<(), nudge::Error>(())
    /// ```
    #[must_use]
    pub fn holds_secrets(&self) -> bool {
        let now = self.clock.now();
        let store = self.read();
        let mut proposed = store.proposals(now).map(|proposal| &proposal.hint);
        let mut live = store.slots().flat_map(|slot| slot.live(now));
        proposed.any(|hint| hint.is_secret()) || live.any(|hint| hint.is_secret())
    }

    /// The number of the last change; 0 when there was none.
    #[must_use]
    pub fn last_change(&self) -> u64 {
        self.last_change.load(Ordering::Acquire)
    }
}

impl Default for Nudge {
    fn default() -> Nudge {
        Nudge::new(Config::default())
    }
}

impl fmt::Debug for Nudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nudge")
            .field("session_id", &self.session_id)
            .field("hints", &self.read().counts().hints)
            .finish_non_exhaustive()
    }
}
