//! `Session`: who owns the store, as seen by this process.

mod agree;
mod call;
mod introduce;
mod leave;
mod own;
mod post;
mod search;
mod succeed;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use agree::agree;
use nudge::{Error, ErrorKind};
use tokio::sync::{Mutex, broadcast, watch};
use tokio::time::{Instant, sleep};

use crate::config::Settings;
use crate::platform::runtime::{Lock, Membership, Runtime};
use crate::primary::Primary;
use crate::primary::operations::ServerOperation;
use crate::proxy::backend::Backend;
use crate::proxy::changes::{Changes, Heard};
use crate::proxy::link::Link;
use crate::proxy::request_id::RequestIds;
use crate::proxy::surfaces::Surfaces;
use crate::wire::Fault;
use crate::wire::sender::Sender;

pub(crate) use agree::speaks;
pub(crate) use own::PORT;

/// How long a PRIMARY that comes or goes is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long one waits before one looks again, at first and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(5)];

/// How long a PRIMARY that ends lets its callers read their answers.
const GRACE: Duration = Duration::from_millis(50);

/// What this process is to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It owns the store.
    Primary,
    /// It forwards to the process that does.
    Proxy,
}

/// Who owns the store: this process, another one, or nobody yet.
///
/// It is settled by the first call, and again when the owner is gone.
pub struct Session {
    me: Weak<Session>,
    /// How a PRIMARY is set up; absent where there is nothing to settle.
    settings: Option<Settings>,
    /// How others reach a PRIMARY of ours; absent where there is nothing to settle.
    surfaces: Option<&'static dyn Surfaces>,
    /// How long a PRIMARY of ours stays without a caller; forever when absent.
    idle_limit: Option<Duration>,
    settled: watch::Sender<Option<Backend>>,
    settling: Mutex<()>,
    /// Our place among the members of the session, once it is settled.
    membership: parking_lot::Mutex<Option<Membership>>,
    /// The lock that a PRIMARY has left to us.
    inherited: parking_lot::Mutex<Option<Lock>>,
    /// Whether a thread of ours waits for that.
    is_heir: AtomicBool,
    ended: watch::Sender<bool>,
    changes: Changes,
    ids: RequestIds,
    /// The client that this process serves, once it has said who it is.
    client: OnceLock<String>,
}

impl Session {
    /// A session whose store is in this process, for good.
    #[must_use]
    pub fn local(primary: Arc<Primary>) -> Arc<Session> {
        Session::new(None, None, None, Some(Backend::Local(primary)))
    }

    /// A session of which nothing is settled yet. A PRIMARY that it becomes is
    /// reached over `surfaces`.
    #[must_use]
    pub fn joining(settings: Settings, surfaces: &'static dyn Surfaces) -> Arc<Session> {
        Session::new(Some(settings), Some(surfaces), None, None)
    }

    /// Like [`Session::joining`], but a PRIMARY ends when nobody has called for so long.
    #[must_use]
    pub fn joining_until_idle(
        settings: Settings,
        surfaces: &'static dyn Surfaces,
        idle_limit: Duration,
    ) -> Arc<Session> {
        Session::new(Some(settings), Some(surfaces), Some(idle_limit), None)
    }

    fn new(
        settings: Option<Settings>,
        surfaces: Option<&'static dyn Surfaces>,
        idle_limit: Option<Duration>,
        backend: Option<Backend>,
    ) -> Arc<Session> {
        Arc::new_cyclic(|me| Session {
            me: Weak::clone(me),
            settings,
            surfaces,
            idle_limit,
            settled: watch::Sender::new(backend),
            settling: Mutex::new(()),
            membership: parking_lot::Mutex::default(),
            inherited: parking_lot::Mutex::default(),
            is_heir: AtomicBool::new(false),
            ended: watch::Sender::new(false),
            changes: Changes::default(),
            ids: RequestIds::new(),
            client: OnceLock::new(),
        })
    }

    /// Joins the PRIMARY, or becomes it where there is none; what is settled stays.
    pub async fn settle(&self) -> Result<Backend, Fault> {
        if let Some(backend) = self.backend() {
            return Ok(backend);
        }
        let _turn = self.settling.lock().await;
        if let Some(backend) = self.backend() {
            return Ok(backend);
        }
        let backend = self.join_or_own().await?;
        if let Backend::Local(primary) = &backend {
            primary.meet(self.introduction());
        }
        self.settled.send_replace(Some(backend.clone()));
        Ok(backend)
    }

    /// The variables that live scopes mention, as far as this process has heard.
    #[must_use]
    pub fn env_names(&self) -> Arc<[String]> {
        match self.backend() {
            Some(Backend::Local(primary)) => primary.env_names(),
            Some(Backend::Remote(link)) => link.env_names(),
            None => Arc::default(),
        }
    }

    /// What this process is to the store, once that is settled.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        self.backend().map(|backend| match backend {
            Backend::Local(_) => Role::Primary,
            Backend::Remote(_) => Role::Proxy,
        })
    }

    /// Whether what a client of this process sets applies only where it is.
    #[must_use]
    pub fn scopes_writes(&self) -> bool {
        let settings = self.settings.as_ref();
        settings.is_none_or(|settings| settings.scope_writes)
    }

    /// The changes of the store from now on, whoever is PRIMARY. It must be called
    /// on a runtime. The value of a secret may be masked.
    pub fn changes(&self) -> broadcast::Receiver<Heard> {
        self.changes
            .subscribe(self.settled.subscribe(), self.me.clone())
    }

    /// Waits until a PRIMARY in this process has ended because it was asked to.
    pub async fn ended(&self) {
        let mut ended = self.ended.subscribe();
        // The sender lives as long as we do.
        let _ = ended.wait_for(|ended| *ended).await;
    }

    /// Waits until it is not settled any more, or otherwise, who the PRIMARY is.
    pub async fn unsettled(&self) {
        let mut settled = self.settled.subscribe();
        settled.mark_unchanged();
        // The sender lives as long as we do.
        let _ = settled.changed().await;
    }

    fn backend(&self) -> Option<Backend> {
        self.settled.borrow().clone()
    }

    fn runtime(&self) -> Result<Runtime, Error> {
        let asked_for = self
            .settings
            .as_ref()
            .and_then(|all| all.runtime_dir.as_deref());
        Runtime::open(asked_for)
    }

    /// Joins whoever answers on the socket; else takes the lock, looks once more,
    /// and serves. Who finds the lock taken waits for its holder to answer, or for
    /// the lock of one that is about to end.
    async fn join_or_own(&self) -> Result<Backend, Fault> {
        let runtime = self.runtime()?;
        let mut pauses = Pauses::new();
        let mut refused = None;
        loop {
            if let Some(link) = join(&runtime, &self.introduction_json()).await? {
                self.inherited.lock().take();
                return self.follow(&runtime, link);
            }
            let inherited = self.inherited.lock().take();
            let lock = inherited.map_or_else(|| runtime.try_lock(), |lock| Ok(Some(lock)))?;
            if let Some(lock) = lock {
                if let Some(link) = join(&runtime, &self.introduction_json()).await? {
                    drop(lock);
                    return self.follow(&runtime, link);
                }
                // One that lost its names puts them back, and must not find
                // another in its place.
                if self.is_member() || !search::lives_without_names(&runtime).await {
                    match self.recover(&runtime) {
                        Ok(recovery) => return self.own(&runtime, lock, recovery).await,
                        Err(fault) => refused = Some(fault),
                    }
                }
            }
            if !pauses.next().await {
                return Err(refused.unwrap_or_else(|| unanswered(&runtime).into()));
            }
        }
    }

    /// Is a member of the session of another process from now on, and its heir.
    fn follow(&self, runtime: &Runtime, link: Link) -> Result<Backend, Fault> {
        self.be_member(runtime)?;
        self.wait_to_inherit(runtime);
        Ok(Backend::Remote(Arc::new(link)))
    }

    fn be_member(&self, runtime: &Runtime) -> Result<(), Error> {
        let mut membership = self.membership.lock();
        let is_member = |membership: &Membership| runtime.is_member(membership);
        if !membership.as_ref().is_some_and(is_member) {
            *membership = Some(runtime.join_members()?);
        }
        Ok(())
    }

    /// Whether the file in which our place is has lost its name.
    fn has_lost_its_place(&self, runtime: &Runtime) -> bool {
        let membership = self.membership.lock();
        membership
            .as_ref()
            .is_some_and(|membership| !runtime.is_member(membership))
    }

    fn is_member(&self) -> bool {
        self.membership.lock().is_some()
    }
}

/// Pauses between looks at what is about to change, longer and longer.
struct Pauses {
    deadline: Instant,
    pause: Duration,
}

impl Pauses {
    fn new() -> Pauses {
        Pauses {
            deadline: Instant::now() + PATIENCE,
            pause: PAUSES[0],
        }
    }

    /// Waits a little; false when it has been long enough.
    async fn next(&mut self) -> bool {
        sleep(self.pause).await;
        self.pause = (self.pause * 2).min(PAUSES[1]);
        Instant::now() < self.deadline
    }
}

/// Joins the PRIMARY on the socket, if one answers there.
async fn join(runtime: &Runtime, introduction: &str) -> Result<Option<Link>, Fault> {
    use std::io::ErrorKind::{TimedOut, WouldBlock};
    let link = match Link::connect(&runtime.socket()).await {
        Ok(link) => link,
        Err(error) if matches!(error.kind(), TimedOut | WouldBlock) => {
            return Err(Fault::from(Error::new(
                ErrorKind::Unavailable,
                "the server does not take calls; end it with `nudge stop`, or its process",
            )));
        }
        Err(_) => return Ok(None),
    };
    let id = link.request_id();
    let (us, hello) = (Sender::process(), ServerOperation::Hello.into());
    match link.send(&id, &us, hello, introduction).await {
        Ok(hello) => agree(&hello?).map(|()| Some(link)),
        Err(gone) if gone.left() => Ok(None),
        Err(gone) => Err(gone.into()),
    }
}

fn unanswered(runtime: &Runtime) -> Error {
    let folder = runtime.folder().display();
    let words =
        format!("a server holds the lock in `{folder}` and does not answer; end that process");
    Error::new(ErrorKind::Unavailable, words)
}
