//! `Primary`: the one process that owns the store, and what it says of itself.

pub mod call;
mod ending;
pub mod events;
mod heard;
pub(crate) mod keep_requests;
mod keeper;
mod keeping;
pub mod member;
mod names;
pub(crate) mod notices;
mod observing;
pub mod operations;
mod owner;
mod page;
pub(crate) mod past;
mod presence;
pub(crate) mod program;
mod project_hints;
mod recovery;
mod status;
pub mod surfaces;
pub(crate) mod week;
pub(crate) mod why;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use chrono::{DateTime, SecondsFormat, Utc};
use nudge::{Answer, Caller, Change, Clock, Config, Error, Nudge, Sink, SystemClock, Via};
use nudge_client::platform::machine_id;
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};

use crate::config::{LogLevel, SessionSettings};
use crate::log::log;
use crate::observe::Observer;
use crate::platform::random::{key, nonce};
use crate::primary::events::Events;
use crate::primary::member::Folders;
use crate::primary::notices::Notices;
pub(crate) use crate::primary::owner::{Owner, Times};
use crate::primary::page::Page;
pub(crate) use crate::primary::page::PageAddress;
pub(crate) use crate::primary::presence::Joined;
use crate::primary::presence::Presence;
use crate::primary::program::Program;
use crate::primary::project_hints::ProjectHints;
use crate::primary::recovery::as_json;
use crate::project::ProjectFiles;
use crate::project::roots::Roots;
use crate::store::{Loaded, Memory, Session};
use crate::wire::identity::{Identity, PRODUCT, PROTOCOL, VERSION};

/// Writes changes down before they are made, then tells those who watch.
#[derive(Clone, Default)]
struct Recorder {
    events: Arc<Events>,
    /// Absent until it is known which memory the store is that of.
    memory: Arc<OnceLock<Memory>>,
}

impl Sink for Recorder {
    fn accept(
        &self,
        by: &Caller<'_>,
        changes: &[Change],
        answer: &Answer<'_>,
    ) -> Result<(), Error> {
        // What a project's file says is there for the next server too.
        let memory = self.memory.get().filter(|_| by.via != Via::Project);
        memory.map_or(Ok(()), |memory| memory.accept(by, changes, answer))?;
        self.events.note(changes);
        Ok(())
    }
}

fn rfc3339(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The owner of the store.
pub struct Primary {
    /// The store.
    pub nudge: Nudge,
    /// What happened in it.
    pub events: Arc<Events>,
    recorder: Recorder,
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
    presence: Presence,
    notices: Notices,
    /// The day on which a hook of a host was last heard, of those that this server has heard.
    heard: Mutex<BTreeMap<String, u64>>,
    /// Held by every call that may take long.
    pub(crate) bulk: Arc<()>,
    /// Which event comes next.
    pub(crate) turns: call::Turns,
    project_hints: ProjectHints,
    roots: Arc<Roots>,
    folders: Folders,
    /// What happened, where there is a folder for it, and whether hooks' events are recorded.
    observer: OnceLock<Arc<Observer>>,
    is_observing: AtomicBool,
    /// How the session is set up.
    pub settings: SessionSettings,
    program: Option<Program>,
    folder: Option<PathBuf>,
    /// What the user is to know of where that is.
    folder_warning: Option<String>,
    is_over: AtomicBool,
    /// Whether no other process could be started to be what this one is.
    pub(crate) is_alone: bool,
    /// Rung when there is something to do with the memory in a while.
    due: Notify,
    /// The variables that scopes mentioned at a change of the store, and its number.
    mentioned: Mutex<(u64, Arc<[String]>)>,
    stopped: watch::Sender<bool>,
}

impl Primary {
    /// Makes an empty store and its owner. The clock is a parameter so that
    /// tests can set the time; a server gives [`SystemClock`].
    #[must_use]
    pub fn new(config: Config, clock: impl Clock + 'static, port: u16) -> Primary {
        let recorder = Recorder::default();
        let started = rfc3339(clock.now());
        let nudge = Nudge::new(config).with_clock(clock);
        let nudge = nudge.with_sink(recorder.clone());
        let projects = ProjectFiles::default();
        let roots = projects.roots();
        let nudge = nudge.with_projects(projects).with_undo();
        let identity = Identity {
            product: PRODUCT.to_owned(),
            version: VERSION.to_owned(),
            protocol: PROTOCOL.to_owned(),
            pid: std::process::id(),
            machine: machine_id().to_owned(),
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
            presence: Presence::default(),
            notices: Notices::default(),
            heard: Mutex::default(),
            bulk: Arc::default(),
            turns: call::Turns::default(),
            project_hints: ProjectHints::default(),
            roots,
            folders: Folders::default(),
            observer: OnceLock::new(),
            is_observing: AtomicBool::new(false),
            settings: SessionSettings::default(),
            program: None,
            folder: None,
            folder_warning: None,
            is_over: AtomicBool::new(false),
            is_alone: false,
            due: Notify::new(),
            mentioned: Mutex::default(),
            stopped: watch::Sender::new(false),
        }
    }

    /// An owner for this machine's time.
    #[must_use]
    pub fn with_system_clock(config: Config, port: u16) -> Primary {
        Primary::new(config, SystemClock, port)
    }

    /// Tells it where its session is, as the process that serves it.
    #[must_use]
    pub(crate) fn in_folder(self, folder: &Path) -> Primary {
        let observer = Arc::new(Observer::new(folder));
        let runs = Arc::clone(&observer);
        Primary {
            nudge: self.nudge.with_runs(runs),
            observer: OnceLock::from(observer),
            folder: Some(folder.to_owned()),
            program: Program::this(),
            ..self
        }
    }

    /// The variables that live scopes mention. Finding them walks the store, so it
    /// is done only when something has changed.
    #[must_use]
    pub fn env_names(&self) -> Arc<[String]> {
        let latest = self.nudge.last_change();
        let mut mentioned = self.mentioned.lock();
        if mentioned.0 != latest {
            *mentioned = (latest, self.nudge.env_names().into());
        }
        Arc::clone(&mentioned.1)
    }

    /// Takes what another PRIMARY has left.
    pub(crate) fn load(&self, loaded: Loaded) {
        self.project_hints.trust(loaded.trusted);
        self.roots.load(loaded.roots);
        self.nudge.replay_kinds(loaded.changes);
        self.nudge
            .resume(self.nudge.created_at(), loaded.last_change);
    }

    /// Writes every change to a memory from now on.
    pub(crate) fn keep(&self, memory: Memory) {
        // A server has one for life.
        let _ = self.recorder.memory.set(memory);
    }

    pub(crate) fn memory(&self) -> Option<&Memory> {
        self.recorder.memory.get()
    }

    pub(crate) fn session(&self) -> Session {
        Session {
            id: self.nudge.session_id().to_owned(),
            created_at: self.nudge.created_at(),
            active_at: self.nudge.now(),
            settings: as_json(&self.settings),
        }
    }

    pub(crate) fn put_memory_back(&self) {
        let Some(memory) = self.memory().filter(|memory| !memory.file().is_in_place()) else {
            return;
        };
        let made = self.nudge.standing(|changes| {
            if self.is_over() {
                return Ok(());
            }
            memory.make_again(&self.session(), &changes, &self.project_hints.trusted())
        });
        self.save_roots(true);
        if let Err(error) = made {
            log(LogLevel::Warn, &error.to_string());
        }
    }

    /// Asks the server to end; the session goes on with the next one.
    pub fn stop(&self) {
        self.stopped.send_replace(true);
    }

    /// Shows true once the server was asked to end.
    #[must_use]
    pub fn stopped(&self) -> watch::Receiver<bool> {
        self.stopped.subscribe()
    }
}
