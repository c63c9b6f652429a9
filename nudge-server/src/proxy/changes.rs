//! The changes of the store as this process hears of them, whoever is PRIMARY.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use nudge::Change;
use tokio::net::UnixStream;
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use crate::primary::Primary;
use crate::proxy::backend::Backend;
use crate::proxy::client::exchange::Events;
use crate::proxy::link::Link;
use crate::proxy::session::Session;

/// How many changes a slow listener may be behind.
const BEHIND: usize = 256;

/// How long a stream that ended as soon as it began is left alone.
const PAUSE: Duration = Duration::from_secs(1);

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
        settled: watch::Receiver<Option<Backend>>,
        session: Weak<Session>,
    ) -> broadcast::Receiver<Heard> {
        let receiver = self.sender.subscribe();
        if !self.is_followed.swap(true, Ordering::Relaxed) {
            // Known now and not when the task gets its turn: a change may be
            // made in between.
            let since = match &*settled.borrow() {
                Some(Backend::Local(primary)) => Some(*primary.events.bell().borrow()),
                _ => None,
            };
            tokio::spawn(follow(settled, session, self.sender.clone(), since));
        }
        receiver
    }
}

/// Follows whoever is PRIMARY, until the session is gone.
async fn follow(
    mut settled: watch::Receiver<Option<Backend>>,
    session: Weak<Session>,
    sender: Sender,
    mut since: Option<u64>,
) {
    loop {
        let backend = settled.borrow_and_update().clone();
        let followed = async {
            match backend {
                Some(Backend::Local(primary)) => follow_local(&primary, &sender, since).await,
                Some(Backend::Remote(link)) => {
                    follow_remote(&link, &sender).await;
                    if let Some(session) = session.upgrade() {
                        // By itself: what it finds ends this.
                        tokio::spawn(async move { session.look_for_successor(&link).await });
                    }
                }
                None => {}
            }
            // Whoever it was is gone, and so is its session; the next call starts
            // another.
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = followed => {}
            changed = settled.changed() => if changed.is_err() { return },
        }
        since = Some(0);
    }
}

async fn follow_local(primary: &Primary, sender: &Sender, since: Option<u64>) {
    let mut bell = primary.events.bell();
    let mut last = since.unwrap_or_else(|| *bell.borrow());
    loop {
        for change in primary.events.after(last) {
            last = change.seq;
            // Nobody may be listening just now.
            let _ = sender.send(Some(Arc::new(change)));
        }
        if bell.changed().await.is_err() {
            return;
        }
    }
}

/// Reads the events of a PRIMARY until it is gone. One that merely hung up is
/// asked again.
async fn follow_remote(link: &Link, sender: &Sender) {
    while let Ok(socket) = link.another().await {
        let start = Instant::now();
        let _ = read_events(socket, sender).await;
        if start.elapsed() < PAUSE {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

async fn read_events(socket: UnixStream, sender: &Sender) -> io::Result<()> {
    let mut events = Events::open(socket, "localhost", None).await?;
    // What happened while the stream was not open is unknown, and a listener who is to
    // miss nothing takes it that anything may have.
    let _ = sender.send(None);
    loop {
        // A server of another version may tell what this one cannot read.
        let change = serde_json::from_str::<Change>(&events.next().await?.data).ok();
        let _ = sender.send(change.map(Arc::new));
    }
}
