//! Following what others add, and telling the client that started this process
//! of what applies here.

use std::sync::Arc;

use nudge::{ChangeKind, Context, HintMatch, Operation};
use parking_lot::Mutex;
use rmcp::RoleServer;
use rmcp::model::{JsonObject, Resource};
use rmcp::service::Peer;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use super::Surface;
use super::suggestion::{Added, Suggestions};
use crate::primary::operations::Method;
use crate::proxy::changes::Heard;

/// What is suggested to one client, and a bell that rings when that changes.
/// Nothing is followed before somebody hears the bell.
#[derive(Clone, Default)]
pub(super) struct Announcer {
    state: Arc<Mutex<State>>,
    bell: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    suggestions: Suggestions,
    is_followed: bool,
    /// Whether a client of the older revisions is told of it already.
    is_told: bool,
}

/// An answer, and the context that was inferred for it.
#[derive(Deserialize)]
struct FromHere {
    #[serde(flatten)]
    found: HintMatch,
    #[serde(default, rename = "context_used")]
    context: Context,
}

impl Surface {
    /// The hints that the client was told of, as resources.
    pub(super) fn suggested(&self) -> Vec<Resource> {
        let state = self.announcer.state.lock();
        state.suggestions.resources().collect()
    }

    /// Notes what the client is about to write, if it could be told of it.
    pub(super) fn know(&self, method: Method, params: &JsonObject) {
        let mut state = self.announcer.state.lock();
        if state.is_followed {
            state.suggestions.know(method, params);
        }
    }

    /// Tells a client of the older revisions of suggestions, until it is gone.
    pub(super) fn announce_to(&self, peer: Peer<RoleServer>) {
        if std::mem::replace(&mut self.announcer.state.lock().is_told, true) {
            return;
        }
        let Some(mut bell) = self.suggestions() else {
            return;
        };
        tokio::spawn(async move {
            while bell.changed().await.is_ok() && peer.notify_resource_list_changed().await.is_ok()
            {
            }
        });
    }

    /// A bell that rings for every suggestion; `None` for a client that is
    /// elsewhere, because what applies there is not known.
    pub(super) fn suggestions(&self) -> Option<watch::Receiver<()>> {
        if !self.is_here() {
            return None;
        }
        let bell = self.announcer.bell.subscribe();
        let mut state = self.announcer.state.lock();
        if !std::mem::replace(&mut state.is_followed, true) {
            tokio::spawn(self.clone().follow(self.session.changes()));
        }
        Some(bell)
    }

    /// Follows the changes for as long as somebody hears the bell.
    async fn follow(self, mut changes: Receiver<Heard>) {
        loop {
            let change = tokio::select! {
                change = changes.recv() => change,
                () = self.announcer.bell.closed() => {
                    let mut state = self.announcer.state.lock();
                    // Somebody may have come back since.
                    if self.announcer.bell.receiver_count() > 0 {
                        continue;
                    }
                    state.is_followed = false;
                    return;
                }
            };
            match change {
                Ok(Some(change)) => self.weigh(&change.kind).await,
                // What was missed is not worth a question: it may be thousands.
                Ok(None) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
        }
    }

    /// Makes a suggestion of a change, if it is one.
    async fn weigh(&self, change: &ChangeKind) {
        let may = |added: &Added| self.announcer.state.lock().suggestions.allow(added);
        self.announcer.state.lock().suggestions.follow(change);
        let Some(added) = Added::by(change).filter(may) else {
            return;
        };
        if self.is_told_here(&added).await {
            self.announcer.state.lock().suggestions.tell(added);
            self.announcer.bell.send_replace(());
        }
    }

    /// Asks the store whether a get from here would choose a hint, which may be told there.
    async fn is_told_here(&self, added: &Added) -> bool {
        let (component, key) = (&added.component, &added.key);
        let Value::Object(params) = json!({"component": component, "key": key}) else {
            return false;
        };
        let answer = self.call(Operation::GetHint, params, None).await;
        let found = answer.value(None).ok();
        let found = found.and_then(|found| FromHere::deserialize(found).ok());
        found.is_some_and(|FromHere { found, context }| {
            added.is(&found.hint) && added.hint.may_be_told(component, key, context.facts())
        })
    }
}
