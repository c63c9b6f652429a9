//! The connections of one listener: how many, how quiet, and who has to leave.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::platform::limits::open_files;
use crate::primary::Joined;

/// The most connections of one listener, where the system allows so many.
const MOST: u64 = 512;

/// Everybody who is connected. When it is full, the quietest has to leave, so
/// that those who only sit there do not keep others out.
pub(super) struct ConnectionLimit {
    most: usize,
    slots: Mutex<Slots>,
}

#[derive(Default)]
struct Slots {
    next: u64,
    taken: HashMap<u64, Arc<Activity>>,
}

impl ConnectionLimit {
    pub(super) fn new() -> Arc<ConnectionLimit> {
        // Half of the files that the process may open: the other listener, the
        // clients' own side and the session folder need some as well.
        let most = open_files().map_or(MOST, |files| MOST.min(files / 2));
        ConnectionLimit::of(usize::try_from(most).unwrap_or(1).max(1))
    }

    fn of(most: usize) -> Arc<ConnectionLimit> {
        Arc::new(ConnectionLimit {
            most,
            slots: Mutex::default(),
        })
    }

    /// Takes in a connection; one whose peer is known to be this user is the
    /// last to be sent away.
    pub(super) fn take_slot(self: &Arc<ConnectionLimit>, known: bool) -> Slot {
        let mut slots = self.slots.lock();
        if slots.taken.len() >= self.most {
            slots.send_quietest_away();
        }
        let number = slots.next;
        slots.next += 1;
        let activity = Arc::new(Activity::new(known));
        slots.taken.insert(number, Arc::clone(&activity));
        Slot {
            limit: Arc::clone(self),
            number,
            activity,
        }
    }

    /// Sends everybody away, as at the end of the server.
    pub(super) fn send_all_away(&self) {
        for slot in self.slots.lock().taken.values() {
            slot.leave.notify_one();
        }
    }

    /// Makes room when the system has none.
    pub(super) fn make_room(&self) {
        self.slots.lock().send_quietest_away();
    }
}

impl Slots {
    fn send_quietest_away(&mut self) {
        let idle = self.taken.iter().filter(|(_, slot)| !slot.is_answering());
        let quietest = idle
            .min_by_key(|(number, slot)| (slot.is_joined(), slot.known, slot.moved_at(), **number));
        let quietest = quietest.map(|(number, _)| *number);
        let gone = quietest.and_then(|number| self.taken.remove(&number));
        if let Some(gone) = gone {
            gone.leave.notify_one();
        }
    }
}

/// The place of one connection, free again when dropped.
pub(super) struct Slot {
    limit: Arc<ConnectionLimit>,
    number: u64,
    pub(super) activity: Arc<Activity>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.limit.slots.lock().taken.remove(&self.number);
    }
}

/// What a connection is doing.
pub(super) struct Activity {
    known: bool,
    since: Instant,
    moved_ms: AtomicU64,
    begun: AtomicU32,
    ended: AtomicU32,
    answering: AtomicBool,
    /// Who has joined on it, and so may be quiet.
    joined: Mutex<Option<Arc<Joined>>>,
    leave: Notify,
}

impl Activity {
    fn new(known: bool) -> Activity {
        let since = Instant::now();
        Activity {
            known,
            since,
            moved_ms: AtomicU64::new(0),
            begun: AtomicU32::new(0),
            ended: AtomicU32::new(0),
            answering: AtomicBool::new(false),
            joined: Mutex::default(),
            leave: Notify::new(),
        }
    }

    pub(super) fn is_joined(&self) -> bool {
        self.joined.lock().is_some()
    }

    /// Notes that a byte came or went.
    pub(super) fn move_at(&self, now: Instant) {
        let passed = now.saturating_duration_since(self.since).as_millis();
        let passed = u64::try_from(passed).unwrap_or(u64::MAX);
        self.moved_ms.store(passed, Ordering::Relaxed);
    }

    /// When a byte last came or went.
    pub(super) fn moved_at(&self) -> Instant {
        self.since + Duration::from_millis(self.moved_ms.load(Ordering::Relaxed))
    }

    /// How many requests were begun: whose head was read.
    pub(super) fn begun(&self) -> u32 {
        self.begun.load(Ordering::Relaxed)
    }

    /// Whether a request has begun and is not answered, so that silence says
    /// nothing about the connection; whoever reads the body has a clock.
    pub(super) fn is_busy(&self) -> bool {
        self.begun() != self.ended.load(Ordering::Relaxed)
    }

    /// Whether a request has come whole and is being answered. Who is still
    /// sending one keeps others waiting like somebody who says nothing.
    fn is_answering(&self) -> bool {
        self.answering.load(Ordering::Relaxed)
    }

    /// Begins a request, which lasts until what this gives back is dropped.
    pub(super) fn begin(self: &Arc<Activity>) -> Work {
        self.begun.fetch_add(1, Ordering::Relaxed);
        Work(Arc::clone(self))
    }

    /// Waits until the connection has to leave.
    pub(super) async fn sent_away(&self) {
        self.leave.notified().await;
    }
}

/// A request whose head has come.
pub(super) struct Work(Arc<Activity>);

impl Work {
    pub(super) fn join(&self, joined: Arc<Joined>) {
        *self.0.joined.lock() = Some(joined);
    }

    pub(super) fn has_come_whole(&self) {
        self.0.answering.store(true, Ordering::Relaxed);
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.answering.store(false, Ordering::Relaxed);
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    async fn has_left(slot: &Slot) -> bool {
        tokio::time::timeout(Duration::from_secs(1), slot.activity.sent_away())
            .await
            .is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn the_quietest_leaves_when_it_is_full() {
        let limit = ConnectionLimit::of(2);
        let first = limit.take_slot(true);
        let second = limit.take_slot(true);
        advance(Duration::from_millis(5)).await;
        first.activity.move_at(Instant::now());
        let third = limit.take_slot(true);
        assert!(has_left(&second).await);
        assert!(!has_left(&first).await && !has_left(&third).await);
        drop(first);
        let fourth = limit.take_slot(true);
        assert!(!has_left(&third).await && !has_left(&fourth).await);
    }

    #[tokio::test(start_paused = true)]
    async fn other_users_leave_first_and_who_is_being_answered_stays() {
        let limit = ConnectionLimit::of(3);
        let busy = limit.take_slot(false);
        let work = busy.activity.begin();
        work.has_come_whole();
        let known = limit.take_slot(true);
        advance(Duration::from_millis(5)).await;
        let other_user = limit.take_slot(false);
        let _fourth = limit.take_slot(true);
        assert!(has_left(&other_user).await);
        assert!(!has_left(&known).await && !has_left(&busy).await);
        drop(work);
        let _fifth = limit.take_slot(true);
        assert!(has_left(&busy).await);
    }
}
