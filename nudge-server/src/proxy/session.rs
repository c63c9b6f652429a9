//! `Session`: the store as the surfaces of one process see it.

use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use nudge::{ErrorKind, Via};
use nudge_client::client::Client;
use nudge_client::folder::Runtime;
use nudge_client::start::Starter;
use tokio::sync::{broadcast, watch};

use super::task::Task;
use crate::config::Settings;
use crate::primary::Primary;
use crate::primary::call::{QUICK, call};
use crate::primary::member::Introduction;
use crate::primary::operations::Method;
use crate::proxy::changes::{Changes, Heard};
use crate::wire::sender::{Known, Sender};
use crate::wire::{Answer, Fault};

/// How long a PRIMARY that is started may take.
const STARTED_WITHIN: Duration = Duration::from_secs(5);

/// The store of this process, or that of the PRIMARY, to which calls are forwarded.
pub struct Session {
    me: Weak<Session>,
    /// The store of this process.
    own: OnceLock<Arc<Primary>>,
    /// The way to the PRIMARY; absent where the store was in this process from the start.
    remote: Option<Remote>,
    /// Shows true while the PRIMARY was heard of last.
    reached: watch::Sender<bool>,
    changes: Changes,
    /// The client that this process serves, once it has said who it is.
    client: OnceLock<String>,
}

struct Remote {
    client: Client<Task>,
    runtime: Runtime,
    settings: Settings,
}

impl Session {
    /// A session whose store is in this process, for good.
    #[must_use]
    pub fn local(primary: Arc<Primary>) -> Arc<Session> {
        Session::new(OnceLock::from(primary), None)
    }

    /// A session whose store the PRIMARY has. It is found, or started, by the first call.
    pub fn remote(settings: Settings) -> Result<Arc<Session>, Fault> {
        let starter = starter(&settings);
        Session::started_by(settings, starter)
    }

    fn started_by(settings: Settings, starter: Option<Starter>) -> Result<Arc<Session>, Fault> {
        let runtime = Runtime::open(settings.runtime_dir.as_deref())?;
        let client = Client::within(Task::default(), &runtime, starter);
        client.introduce(introduction(None));
        let remote = Remote {
            client,
            runtime,
            settings,
        };
        Ok(Session::new(OnceLock::new(), Some(remote)))
    }

    fn new(own: OnceLock<Arc<Primary>>, remote: Option<Remote>) -> Arc<Session> {
        Arc::new_cyclic(|me| Session {
            me: Weak::clone(me),
            own,
            remote,
            reached: watch::Sender::new(false),
            changes: Changes::default(),
            client: OnceLock::new(),
        })
    }

    /// Finds the PRIMARY, or starts it, and joins it.
    pub async fn settle(&self) -> Result<(), Fault> {
        match &self.remote {
            Some(remote) if self.own.get().is_none() => {
                let joined = remote.client.join().await;
                self.note(joined.is_ok());
                if joined.is_err() && self.is_alone(remote) {
                    return Ok(());
                }
                joined
            }
            _ => Ok(()),
        }
    }

    /// Calls a method with the text of its params, as some program.
    pub async fn call(&self, method: impl Into<Method>, params: &str) -> Answer {
        self.call_from(&Sender::default(), method, params).await
    }

    /// Calls a method, and says who calls.
    pub async fn call_from(
        &self,
        sender: &Sender,
        method: impl Into<Method>,
        params: &str,
    ) -> Answer {
        let method = method.into();
        if let (None, Some(remote)) = (self.own.get(), &self.remote) {
            let answer = remote.client.call(sender, method.into(), params).await;
            if self.is_answered(remote, &answer) {
                return answer;
            }
        }
        match self.own.get() {
            Some(primary) if params.len() <= QUICK && primary.is_quick(method.about().cost) => {
                call(primary, &sender.caller(), method, params)
            }
            Some(primary) => {
                let (sender, params) = (sender.clone(), params.to_owned());
                let made = primary
                    .in_bulk(move |primary| call(primary, &sender.caller(), method, &params));
                let failed = || Err(Fault::unavailable("the call was not made; call again"));
                made.await.unwrap_or_else(failed)
            }
            None => Err(nudge_client::client::no_server()),
        }
    }

    /// Calls a method with params that say where the caller is, as they follow from what is known.
    pub async fn call_knowing(
        &self,
        sender: &Sender,
        method: Method,
        mut params: impl FnMut(&Known) -> Result<String, Fault>,
    ) -> Answer {
        if let (None, Some(remote)) = (self.own.get(), &self.remote) {
            let client = &remote.client;
            let answer = client.call_knowing(sender, method.into(), &mut params);
            let answer = answer.await;
            if self.is_answered(remote, &answer) {
                return answer;
            }
        }
        let own = self.own.get();
        let known = own.map(|primary| primary.known(&sender.caller()));
        let params = params(&known.unwrap_or_default())?;
        self.call_from(sender, method, &params).await
    }

    /// Whether another process's store was asked, or should have been.
    fn is_answered(&self, remote: &Remote, answer: &Answer) -> bool {
        // A refusal is an answer too.
        let is_reached = !matches!(
            answer,
            Err(Fault::Core(error)) if error.kind() == ErrorKind::Unavailable
        );
        self.note(is_reached);
        is_reached || !self.is_alone(remote)
    }

    /// Whether this process has to serve a store of its own, because the system does not let
    /// it start another. That store begins now.
    fn is_alone(&self, remote: &Remote) -> bool {
        let is_alone = remote.client.transport().is_alone();
        if is_alone {
            self.own.get_or_init(|| {
                let settings = remote.settings.session_of_file_tightened();
                let mut primary = Primary::with_system_clock(settings.config(), 0);
                (primary.settings, primary.is_alone) = (settings, true);
                Arc::new(primary)
            });
        }
        is_alone
    }

    fn note(&self, is_reached: bool) {
        self.reached.send_if_modified(|reached| {
            let was = std::mem::replace(reached, is_reached);
            was != is_reached
        });
    }

    /// Whether what a client of this process sets applies only where it is.
    #[must_use]
    pub fn scopes_writes(&self) -> bool {
        let remote = self.remote.as_ref();
        remote.is_none_or(|remote| remote.settings.scope_writes)
    }

    /// Whether what happens is recorded, as far as the user's file says: a client asks for the
    /// tools before anybody has looked for the server.
    #[must_use]
    pub fn observes(&self) -> bool {
        match (self.own.get(), &self.remote) {
            (Some(primary), _) => primary.is_observing(),
            (None, remote) => remote
                .as_ref()
                .is_some_and(|remote| remote.settings.session_of_file.observe),
        }
    }

    /// The changes of the store from now on, whoever is PRIMARY. It must be called
    /// on a runtime. The value of a secret may be masked.
    pub fn changes(&self) -> broadcast::Receiver<Heard> {
        self.changes.subscribe(&self.me, self.own.get())
    }

    /// Says which client this process serves, by name and version. Members hear
    /// it; the first word stands.
    pub fn introduce(&self, client: String) {
        let said = introduction(Some(&client));
        if self.client.set(client).is_ok()
            && let Some(remote) = &self.remote
        {
            remote.client.introduce(said);
        }
    }

    /// The store of this process.
    pub(super) fn own(&self) -> Option<&Arc<Primary>> {
        self.own.get()
    }

    /// Another connection to the PRIMARY, if one answers, and what tells it who listens there.
    pub(super) async fn connect(&self) -> Option<(super::task::Connected, String)> {
        let client = &self.remote.as_ref()?.client;
        let stream = client.connect().await.ok()?;
        Some((stream, client.header_line(&self.listener())))
    }

    /// Who listens: an agent, which is where this process is if that was started for it.
    pub(super) fn listener(&self) -> Sender {
        let agent = Sender::new(Via::Mcp, self.client.get().cloned());
        match self.remote {
            Some(_) => agent.here(true),
            None => agent,
        }
    }

    /// Joins the next PRIMARY of a session that goes on, if there is a client to join for.
    pub(super) async fn rejoin(&self) -> bool {
        // Who ends a session takes away what says who serves it.
        let is_served = |remote: &Remote| remote.runtime.identity().is_some();
        let goes_on = self.client.get().is_some() && self.remote.as_ref().is_some_and(is_served);
        goes_on && self.settle().await.is_ok()
    }

    /// Waits until the PRIMARY is heard of again. Where one ended without its session, the
    /// next one is found or started now.
    pub(super) async fn reach_again(&self, look: Duration) {
        let mut reached = self.reached.subscribe();
        if self.rejoin().await {
            return;
        }
        // What is wrong is said by the next call.
        self.note(false);
        // The sender lives as long as we do.
        let _ = tokio::time::timeout(look, reached.wait_for(|reached| *reached)).await;
    }
}

/// How a PRIMARY is started by a process with these settings; not at all where they say so.
pub(crate) fn starter(settings: &Settings) -> Option<Starter> {
    let folder = settings.runtime_dir.as_deref();
    let starter = Starter::new(None, folder, STARTED_WITHIN);
    // What the flags of this process say, the server's variables do.
    let said = settings.flags.iter();
    let starter = said.fold(starter.on(settings.port), |starter, (name, value)| {
        starter.with(name, value)
    });
    settings.autostart.then_some(starter)
}

/// What this process says of itself and of its client.
fn introduction(client: Option<&str>) -> String {
    let said = Introduction::here(client);
    serde_json::to_string(&said).unwrap_or_else(|_| "{}".to_owned())
}

#[cfg(test)]
mod tests {
    use nudge::Operation;

    use super::*;
    use crate::primary::operations::ServerOperation;

    #[tokio::test]
    async fn where_no_process_can_be_started_the_store_is_our_own_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings {
            runtime_dir: Some(folder.path().to_owned()),
            ..Settings::default()
        };
        let nowhere = Starter::new(Some(folder.path().join("nothing")), None, STARTED_WITHIN);
        let session = Session::started_by(settings, Some(nowhere)).unwrap();
        let hint = r#"{"component": "api", "key": "build", "value": "make"}"#;
        session.call(Operation::SetHint, hint).await.unwrap();
        let found = session.call(Operation::Query, "{}").await.unwrap();
        assert!(found.get().contains("make"), "{found}");
        let status = session.call(ServerOperation::Status, "{}").await.unwrap();
        assert!(
            status.get().contains("no server could be started"),
            "{status}"
        );
    }
}
