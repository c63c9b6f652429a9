//! `Session`: who owns the store, as seen by this process.

mod own;

use std::sync::Arc;
use std::time::Duration;

use nudge::{Error, ErrorKind};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::{Mutex, broadcast, watch};
use tokio::time::{Instant, sleep, timeout};

use crate::config::{ScopeWrites, Settings};
use crate::door::rpc::{self, Answer, Fault};
use crate::session::backend::Backend;
use crate::session::changes::Changes;
use crate::session::link::Link;
use crate::session::primary::{PROTOCOL, Primary, VERSION};
use crate::session::runtime::{Membership, Runtime};

/// How long a PRIMARY that comes or goes is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long one waits before one looks again, at first and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(50)];

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
    /// How a PRIMARY is set up; absent where there is nothing to settle.
    settings: Option<Settings>,
    /// How long a PRIMARY of ours stays without a caller; forever when absent.
    idle_limit: Option<Duration>,
    settled: watch::Sender<Option<Backend>>,
    settling: Mutex<()>,
    /// Our place among the members of the session, once it is settled.
    membership: parking_lot::Mutex<Option<Membership>>,
    ended: watch::Sender<bool>,
    changes: Changes,
}

impl Session {
    /// A session whose store is in this process, for good.
    #[must_use]
    pub fn local(primary: Arc<Primary>) -> Arc<Session> {
        Session::new(None, None, Some(Backend::Local(primary)))
    }

    /// A session of which nothing is settled yet.
    #[must_use]
    pub fn joining(settings: Settings) -> Arc<Session> {
        Session::new(Some(settings), None, None)
    }

    /// Like [`Session::joining`], but a PRIMARY ends when nobody has called for so long.
    #[must_use]
    pub fn joining_until_idle(settings: Settings, idle_limit: Duration) -> Arc<Session> {
        Session::new(Some(settings), Some(idle_limit), None)
    }

    fn new(
        settings: Option<Settings>,
        idle_limit: Option<Duration>,
        backend: Option<Backend>,
    ) -> Arc<Session> {
        Arc::new(Session {
            settings,
            idle_limit,
            settled: watch::Sender::new(backend),
            settling: Mutex::new(()),
            membership: parking_lot::Mutex::default(),
            ended: watch::Sender::new(false),
            changes: Changes::default(),
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
        let membership = self.runtime()?.join_members()?;
        *self.membership.lock() = Some(membership);
        self.settled.send_replace(Some(backend.clone()));
        Ok(backend)
    }

    /// Calls a method by its name on the wire, such as `nudge.get_hint`.
    ///
    /// When the PRIMARY is gone, whoever is PRIMARY then is asked, be it this
    /// process: once more for a call that may have been heard, and until one
    /// answers for a call that was not. The call keeps its request id.
    pub async fn call(&self, method: &str, params: &str) -> Answer {
        let mut kept_id: Option<String> = None;
        let mut was_read = false;
        let mut pauses = Pauses::new();
        loop {
            let link = match self.settle().await? {
                Backend::Remote(link) => link,
                // The store is quick and waits for nothing but its own lock.
                Backend::Local(primary) => return rpc::call(&primary, method, params),
            };
            let id = kept_id.get_or_insert_with(|| link.request_id());
            match link.send(id, method, params).await {
                Ok(answer) => return answer,
                Err(gone) if gone.left() && !(was_read && gone.was_read()) => {
                    was_read |= gone.was_read();
                    self.unsettle(&link);
                    if !pauses.next().await {
                        return Err(gone.into());
                    }
                }
                Err(gone) => return Err(gone.into()),
            }
        }
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

    /// What a write through this process that names no scope is scoped to.
    #[must_use]
    pub fn scope_writes(&self) -> ScopeWrites {
        let settings = self.settings.as_ref();
        settings.map_or(ScopeWrites::Off, |settings| settings.scope_writes)
    }

    /// The changes of the store from now on, each as [`told`] has it, whoever is
    /// PRIMARY. It must be called on a runtime.
    ///
    /// [`told`]: crate::session::events::told
    pub fn changes(&self) -> broadcast::Receiver<Arc<Value>> {
        self.changes.subscribe(self.settled.subscribe())
    }

    /// Waits until a PRIMARY in this process has ended because it was asked to.
    pub async fn ended(&self) {
        let mut ended = self.ended.subscribe();
        // The sender lives as long as we do.
        let _ = ended.wait_for(|ended| *ended).await;
    }

    /// Waits until the PRIMARY, another process, is gone, and forgets it.
    pub async fn primary_gone(&self) -> Result<(), Fault> {
        let runtime = self.runtime()?;
        let waited = tokio::task::spawn_blocking(move || runtime.wait_for_lock().map(drop));
        waited.await.map_err(|error| internal(&error))??;
        self.settled.send_replace(None);
        Ok(())
    }

    /// Gives the place of a PRIMARY up, if this process has it, for a clean end.
    pub async fn leave(&self) {
        if self.settings.is_some()
            && let Some(Backend::Local(primary)) = self.backend()
        {
            primary.stop();
            // The names in the runtime folder are not worth more than this.
            let _ = timeout(GRACE * 2, self.ended()).await;
        }
    }

    fn backend(&self) -> Option<Backend> {
        self.settled.borrow().clone()
    }

    /// Forgets a PRIMARY that is gone, unless another one was found meanwhile.
    fn unsettle(&self, gone: &Arc<Link>) {
        self.settled.send_if_modified(|settled| match settled {
            Some(Backend::Remote(link)) if Arc::ptr_eq(link, gone) => {
                *settled = None;
                true
            }
            _ => false,
        });
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
        loop {
            if let Some(link) = join(&runtime).await? {
                return Ok(Backend::Remote(Arc::new(link)));
            }
            if let Some(lock) = runtime.try_lock()? {
                return match join(&runtime).await? {
                    Some(link) => Ok(Backend::Remote(Arc::new(link))),
                    None => self.own(runtime, lock),
                };
            }
            if !pauses.next().await {
                return Err(unanswered(&runtime).into());
            }
        }
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
async fn join(runtime: &Runtime) -> Result<Option<Link>, Fault> {
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
    match link.send(&link.request_id(), "nudge.hello", "{}").await {
        Ok(hello) => agree(&hello?).map(|()| Some(link)),
        Err(gone) if gone.left() => Ok(None),
        Err(gone) => Err(gone.into()),
    }
}

/// Refuses a server that speaks another language than we do. It is not ended: it
/// serves others, who may agree with it.
fn agree(hello: &RawValue) -> Result<(), Fault> {
    #[derive(Deserialize)]
    struct Hello {
        version: String,
        protocol: String,
    }
    let hello: Hello = nudge::from_json(hello.get().as_bytes())?;
    let major = |protocol: &str| protocol.split('.').next().map(str::to_owned);
    if major(&hello.protocol) == major(PROTOCOL) {
        return Ok(());
    }
    let words = format!(
        "the server that runs is nudge {} with protocol {}, this is nudge {VERSION} with protocol \
         {PROTOCOL}; end it with its own `nudge stop`, or use the same version",
        hello.version, hello.protocol
    );
    Err(Fault::Core(Error::new(ErrorKind::Unavailable, words)))
}

fn unanswered(runtime: &Runtime) -> Error {
    let folder = runtime.folder().display();
    let words =
        format!("a server holds the lock in `{folder}` and does not answer; end that process");
    Error::new(ErrorKind::Unavailable, words)
}

fn internal(error: &tokio::task::JoinError) -> Fault {
    Fault::Core(Error::new(ErrorKind::Internal, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(protocol: &str) -> Box<RawValue> {
        let json =
            serde_json::json!({"product": "nudge", "version": "9.9.9", "protocol": protocol});
        serde_json::value::to_raw_value(&json).unwrap()
    }

    #[test]
    fn servers_agree_by_the_first_number_of_the_protocol() {
        assert!(agree(&hello("1.7")).is_ok());
        for other in ["2.0", "11.0", "0.1", ""] {
            let Err(Fault::Core(error)) = agree(&hello(other)) else {
                panic!("{other:?} was agreed with");
            };
            assert_eq!(error.kind(), ErrorKind::Unavailable);
            let words = error.to_string();
            assert!(
                words.contains("9.9.9") && words.contains(VERSION),
                "{words}"
            );
        }
    }
}
