//! Telling subscribers that a resource changed.

use std::collections::BTreeMap;
use std::sync::Arc;

use nudge::Change;
use parking_lot::Mutex;
use rmcp::RoleServer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, SubscriptionContext};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::watch;

use super::Surface;
use super::resources::Address;
use crate::proxy::changes::Heard;

/// The resources that a client of the older revisions watches, by the address
/// it gave, and whether somebody tells it of changes already.
#[derive(Default)]
pub(super) struct Watched {
    pub(super) addresses: BTreeMap<String, Address>,
    is_told: bool,
}

impl Surface {
    /// Adds a resource to those that the client at the other end watches.
    pub(super) fn watch(&self, uri: String, address: Address, peer: Peer<RoleServer>) {
        let mut watched = self.watched.lock();
        watched.addresses.insert(uri, address);
        if !std::mem::replace(&mut watched.is_told, true) {
            drop(watched);
            let (watched, changes) = (Arc::clone(&self.watched), self.session.changes());
            tokio::spawn(tell(watched, changes, peer));
        }
    }

    /// Serves one `subscriptions/listen` of the newest revision until it ends.
    pub(super) async fn listen_to_changes(&self, context: &SubscriptionContext) {
        let uris = context.accepted().resource_subscriptions.iter().flatten();
        let addresses = uris.filter_map(|uri| Some((uri.clone(), Address::read(uri)?)));
        let addresses: BTreeMap<String, Address> = addresses.collect();
        let mut changes = self.session.changes();
        let mut suggestions = match context.accepted().resources_list_changed {
            Some(true) => self.suggestions(),
            _ => None,
        };
        self.settle().await;
        loop {
            let touched = tokio::select! {
                touched = touched(&mut changes, || addresses.clone()) => touched,
                () = rung(&mut suggestions) => {
                    if context.sink().notify_resource_list_changed().await.is_err() {
                        return;
                    }
                    continue;
                }
                () = context.cancelled() => None,
                () = self.hung_up() => None,
            };
            let Some(touched) = touched else { return };
            for uri in touched {
                if context.sink().notify_resource_updated(uri).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// Waits for the next suggestion; for good where there are none.
async fn rung(suggestions: &mut Option<watch::Receiver<()>>) {
    if let Some(bell) = suggestions
        && bell.changed().await.is_ok()
    {
        return;
    }
    std::future::pending::<()>().await;
}

/// Tells a client of the older revisions, until it is gone.
async fn tell(watched: Arc<Mutex<Watched>>, mut changes: Receiver<Heard>, peer: Peer<RoleServer>) {
    while let Some(touched) = touched(&mut changes, || watched.lock().addresses.clone()).await {
        for uri in touched {
            let notice = ResourceUpdatedNotificationParam::new(uri);
            if peer.notify_resource_updated(notice).await.is_err() {
                return;
            }
        }
    }
}

/// Waits for a change and says which addresses it and those right behind it
/// touch, each once: an import is thousands of changes. `None` when there will
/// be no more.
async fn touched(
    changes: &mut Receiver<Heard>,
    addresses: impl Fn() -> BTreeMap<String, Address>,
) -> Option<Vec<String>> {
    let first = match changes.recv().await {
        Ok(change) => change,
        Err(RecvError::Lagged(_)) => None,
        Err(RecvError::Closed) => return None,
    };
    let mut heard = vec![first];
    loop {
        match changes.try_recv() {
            Ok(change) => heard.push(change),
            Err(TryRecvError::Lagged(_)) => heard.push(None),
            Err(TryRecvError::Empty | TryRecvError::Closed) => break,
        }
    }
    // What was missed may have been anything.
    let is_touched = |(_, address): &(String, Address)| {
        let touches = |change: &Arc<Change>| address.is_touched_by(&change.kind);
        heard.iter().any(|it| it.as_ref().is_none_or(touches))
    };
    let touched = addresses().into_iter().filter(is_touched);
    Some(touched.map(|(uri, _)| uri).collect())
}
