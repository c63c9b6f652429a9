//! The changes of the store as this process hears of them, whoever is PRIMARY.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use nudge::Change;
use nudge_client::exchange::Events;
use tokio::sync::broadcast;
use tokio::time::Instant;

use super::task::Connected;
use crate::primary::Primary;
use crate::proxy::session::Session;
use crate::wire::sender::Sender as Listener;

/// How many changes a slow listener may be behind.
const BEHIND: usize = 256;

/// How long a stream that ended as soon as it began is left alone.
const PAUSE: Duration = Duration::from_millis(100);

/// How often a PRIMARY is looked for that others may have started.
const LOOK: Duration = Duration::from_secs(2);

/// A change; `None` stands for those that nobody could tell us of.
pub type Heard = Option<Arc<Change>>;

type Sender = broadcast::Sender<Heard>;

/// Tells every listener in this process what happens. Nothing is read before
/// somebody listens.
pub(super) struct Changes {
    sender: Sender,
    is_followed: AtomicBool,
}

impl Default for Changes {
    fn default() -> Changes {
        Changes {
            sender: broadcast::Sender::new(BEHIND),
            is_followed: AtomicBool::new(false),
        }
    }
}

impl Changes {
    /// Listens from now on. The PRIMARY may come and go meanwhile.
    pub(super) fn subscribe(
        &self,
        session: &Weak<Session>,
        own: Option<&Arc<Primary>>,
    ) -> broadcast::Receiver<Heard> {
        let receiver = self.sender.subscribe();
        if !self.is_followed.swap(true, Ordering::Relaxed) {
            // Known now and not when the task gets its turn: a change may be
            // made in between.
            let since = own.map(|primary| *primary.events.bell().borrow());
            tokio::spawn(follow(Weak::clone(session), self.sender.clone(), since));
        }
        receiver
    }
}

/// Follows whoever has the store, until the session is gone.
async fn follow(weak: Weak<Session>, sender: Sender, since: Option<u64>) {
    while let Some(session) = weak.upgrade() {
        if let Some(primary) = session.own().map(Arc::clone) {
            let by = session.listener();
            drop(session);
            return follow_own(&primary, &by, &sender, since.unwrap_or(0)).await;
        }
        let start = Instant::now();
        if let Some((stream, who)) = session.connect().await {
            drop(session);
            // However it ends, somebody may go on.
            let _ = read_events(stream, &who, &sender).await;
            if start.elapsed() < PAUSE {
                tokio::time::sleep(PAUSE).await;
            }
            // Not only to listen: the next server is to know who is there.
            if let Some(session) = weak.upgrade() {
                session.rejoin().await;
            }
        } else {
            session.reach_again(LOOK).await;
        }
    }
}

async fn follow_own(primary: &Primary, by: &Listener, sender: &Sender, since: u64) {
    let mut bell = primary.events.bell();
    let mut last = since;
    loop {
        for change in primary.events.after(last) {
            last = change.seq;
            if change.may_be_told_to(&by.caller()) {
                // Nobody may be listening just now.
                let _ = sender.send(Some(Arc::new(change)));
            }
        }
        if bell.changed().await.is_err() {
            return;
        }
    }
}

async fn read_events(stream: Connected, who: &str, sender: &Sender) -> io::Result<()> {
    let mut events = Events::open(stream, who, None).await?;
    // What happened while the stream was not open is unknown, and a listener who is to
    // miss nothing takes it that anything may have.
    let _ = sender.send(None);
    loop {
        let event = match events.next().await {
            Err(error) if error.kind() == io::ErrorKind::TimedOut => continue,
            event => event?,
        };
        // A server of another version may tell what this one cannot read.
        let change = serde_json::from_str::<Change>(&event.data).ok();
        let _ = sender.send(change.map(Arc::new));
    }
}
