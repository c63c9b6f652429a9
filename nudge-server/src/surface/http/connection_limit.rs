//! The connections of one listener: how many, how quiet, how slow, and who has to leave.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use crate::platform::limits::open_files;
use crate::primary::Joined;

/// The most connections of one listener, where the system allows so many.
const MOST: u64 = 512;

/// How long the head of a request may take from its first byte.
const HEAD_WITHIN: Duration = Duration::from_secs(10);

/// How long nothing may move while nobody is at work.
const QUIET_FOR: Duration = Duration::from_secs(30);

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
        let idle = self.taken.iter().filter_map(|(number, slot)| {
            let now = slot.now.lock();
            let rank = (now.joined.is_some(), slot.known, now.moved, *number);
            (now.phase != Phase::Answering).then_some(rank)
        });
        let gone = idle
            .min()
            .and_then(|(.., number)| self.taken.remove(&number));
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

/// A connection, and what it is doing.
pub(super) struct Activity {
    known: bool,
    now: Mutex<Now>,
    leave: Notify,
}

struct Now {
    phase: Phase,
    /// When a byte last came or went.
    moved: Instant,
    /// Who has joined on it, and so may be quiet.
    joined: Option<Arc<Joined>>,
}

/// How far the next request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// It has not begun, or the first byte of its head came at a time.
    Head(Option<Instant>),
    /// Its head was read. Silence says nothing about the connection; whoever reads
    /// the body has a clock.
    Body,
    /// It has come whole and is being answered. Who is still sending one keeps
    /// others waiting like somebody who says nothing.
    Answering,
}

impl Activity {
    fn new(known: bool) -> Activity {
        let now = Now {
            phase: Phase::Head(None),
            moved: Instant::now(),
            joined: None,
        };
        Activity {
            known,
            now: Mutex::new(now),
            leave: Notify::new(),
        }
    }

    /// Notes that a byte came.
    pub(super) fn note_read(&self) {
        let mut now = self.now.lock();
        now.moved = Instant::now();
        if now.phase == Phase::Head(None) {
            now.phase = Phase::Head(Some(now.moved));
        }
    }

    /// Notes that a byte went.
    pub(super) fn note_written(&self) {
        self.now.lock().moved = Instant::now();
    }

    /// When patience ends, if nothing moves from now on; while a request is
    /// being answered it does not.
    fn deadline(&self) -> Option<Instant> {
        let now = self.now.lock();
        let quiet = now.moved + QUIET_FOR;
        match now.phase {
            _ if now.joined.is_some() => None,
            Phase::Head(Some(since)) => Some(quiet.min(since + HEAD_WITHIN)),
            Phase::Head(None) => Some(quiet),
            Phase::Body | Phase::Answering => None,
        }
    }

    /// Waits until a head has taken too long, or nothing has moved for a while.
    ///
    /// hyper knows one timeout for both, which would end connections that are kept
    /// for the next call after the time that a slow head has.
    pub(super) async fn patience_ends(&self) {
        loop {
            let now = Instant::now();
            // A head that begins in the meantime has its time until then at least.
            let look = now + HEAD_WITHIN;
            match self.deadline() {
                Some(deadline) if deadline <= now => return,
                deadline => sleep_until(deadline.map_or(look, |it| it.min(look))).await,
            }
        }
    }

    /// Begins a request, which lasts until what this gives back is dropped.
    pub(super) fn begin(self: &Arc<Activity>) -> Work {
        self.now.lock().phase = Phase::Body;
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
        self.0.now.lock().joined = Some(joined);
    }

    pub(super) fn has_come_whole(&self) {
        self.0.now.lock().phase = Phase::Answering;
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.now.lock().phase = Phase::Head(None);
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
        first.activity.note_written();
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
