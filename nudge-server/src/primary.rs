//! `Primary`: the one process that owns the store, and what it says of itself.

pub mod call;
mod discover;
pub mod events;
pub mod journal;
pub mod member;
pub mod operations;
mod page;
mod recorder;
mod staging;
mod status;
pub mod sweep;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use nudge::{Clock, Config, Nudge, SystemClock};
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::platform::random::{key, nonce};
use crate::platform::runtime::Runtime;
use crate::primary::events::Events;
use crate::primary::journal::{Journal, Recovered};
use crate::primary::member::{Folders, Introduced, Introduction, Member};
use crate::primary::page::Page;
pub(crate) use crate::primary::page::PageAddress;
use crate::primary::recorder::{Recorder, Recording};
use crate::primary::staging::Staging;
use crate::wire::identity::{Identity, PRODUCT, PROTOCOL, VERSION};

/// The variables that scopes mentioned at a change of the store.
#[derive(Default)]
struct Mentioned {
    as_of: u64,
    names: Arc<[String]>,
}

/// The owner of the store.
pub struct Primary {
    /// The store.
    pub nudge: Nudge,
    /// What happened in it.
    pub events: Arc<Events>,
    recorder: Arc<Recorder>,
    /// Who this is.
    pub identity: Identity,
    /// What a caller shows whose claims of who it is are to count.
    pub client_key: Arc<str>,
    /// Its page for people.
    pub page: Page,
    /// Since when it serves.
    pub since: Instant,
    /// How many calls came in; while it stands still, nobody calls.
    pub calls: AtomicU64,
    /// Where the members of the session meet, if this one has any others.
    runtime: Option<Runtime>,
    /// Held by every call that may take long.
    pub(crate) bulk: Arc<()>,
    staging: Staging,
    introduced: Introduced,
    folders: Folders,
    /// Whether the session ends with this server.
    is_over: AtomicBool,
    mentioned: Mutex<Mentioned>,
    stopped: watch::Sender<bool>,
}

impl Primary {
    /// Makes an empty store and its owner. The clock is a parameter so that
    /// tests can set the time; a server gives [`SystemClock`].
    #[must_use]
    pub fn new(config: Config, clock: impl Clock + 'static, port: u16) -> Primary {
        let recorder = Arc::new(Recorder::default());
        let started = clock
            .now()
            .to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        let nudge = Nudge::new(config).with_clock(clock);
        let nudge = nudge.with_sink(Recording(Arc::clone(&recorder)));
        let identity = Identity {
            product: PRODUCT.to_owned(),
            version: VERSION.to_owned(),
            protocol: PROTOCOL.to_owned(),
            pid: std::process::id(),
            port,
            started,
            session_id: nudge.session_id().to_owned(),
            nonce: nonce(),
        };
        Primary {
            nudge,
            events: Arc::clone(&recorder.events),
            recorder,
            identity,
            client_key: key().into(),
            page: Page::new(),
            since: Instant::now(),
            calls: AtomicU64::new(0),
            runtime: None,
            bulk: Arc::default(),
            staging: Staging::default(),
            introduced: Introduced::default(),
            folders: Folders::default(),
            is_over: AtomicBool::new(false),
            mentioned: Mutex::default(),
            stopped: watch::Sender::new(false),
        }
    }

    /// An owner for this machine's time.
    #[must_use]
    pub fn with_system_clock(config: Config, port: u16) -> Primary {
        Primary::new(config, SystemClock, port)
    }

    /// Lets it know where the members of its session meet, and what they show.
    #[must_use]
    pub fn in_folder(self, runtime: Runtime, client_key: Arc<str>) -> Primary {
        Primary {
            runtime: Some(runtime),
            client_key,
            ..self
        }
    }

    /// The variables that live scopes mention. Finding them walks the store, so it
    /// is done only when something has changed.
    #[must_use]
    pub fn env_names(&self) -> Arc<[String]> {
        let latest = self.nudge.last_change();
        let mut mentioned = self.mentioned.lock();
        if mentioned.as_of != latest {
            *mentioned = Mentioned {
                as_of: latest,
                names: self.nudge.env_names().into(),
            };
        }
        Arc::clone(&mentioned.names)
    }

    /// The processes that share the session, this one first.
    #[must_use]
    pub fn members(&self) -> Vec<Member> {
        let own = self.identity.pid;
        let others = self.member_pids().into_iter().filter(|pid| *pid != own);
        let proxies = others.map(|pid| self.introduced.member(pid, "proxy"));
        std::iter::once(self.introduced.member(own, "primary"))
            .chain(proxies)
            .collect()
    }

    /// Remembers what a process says of itself.
    pub(crate) fn meet(&self, said: Introduction) {
        self.introduced.note(said, || self.member_pids());
    }

    fn member_pids(&self) -> Vec<u32> {
        let members = self.runtime.as_ref().map(Runtime::members);
        members.unwrap_or_default()
    }

    /// Goes on where another PRIMARY left the session, whose id the store has already.
    pub(crate) fn resume(&self, recovered: Recovered) {
        self.nudge.replay(recovered.changes);
        self.nudge
            .resume(recovered.created_at, recovered.last_change);
    }

    /// Writes every change to a journal from now on.
    pub(crate) fn keep(&self, journal: Journal) {
        // A server has one journal for life.
        let _ = self.recorder.journal.set(journal);
    }

    /// The journal, where the session outlives this server.
    pub(crate) fn journal(&self) -> Option<&Journal> {
        self.recorder.journal.get()
    }

    /// Makes the journal short again where it has grown too long.
    pub(crate) fn tidy_journal(&self) {
        let due = self.journal().and_then(Journal::compaction_due);
        if due.is_some_and(|due| due <= Instant::now()) {
            self.rewrite_journal();
        }
    }

    /// Puts the journal back where it was taken away.
    pub(crate) fn put_journal_back(&self) {
        if self.journal().is_some_and(|journal| !journal.is_in_place()) {
            self.rewrite_journal();
        }
    }

    fn rewrite_journal(&self) {
        if let Some(journal) = self.journal() {
            self.nudge.standing(|changes| journal.compact(&changes));
        }
    }

    /// Asks the server to end; the session goes on if it has other members.
    pub fn stop(&self) {
        self.stopped.send_replace(true);
    }

    /// Asks the server to end and the session with it, as `nudge stop` does.
    pub fn end_session(&self) {
        self.is_over.store(true, Ordering::Release);
        self.stop();
    }

    /// Whether the session was asked to end.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Shows true once the server was asked to end.
    #[must_use]
    pub fn stopped(&self) -> watch::Receiver<bool> {
        self.stopped.subscribe()
    }
}
