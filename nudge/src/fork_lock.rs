//! What lets a process fork while other threads call a store.
//!
//! A lock that another thread holds at a fork stays locked for ever in the child. So a
//! binding whose callers fork announces each call here, and a fork waits until no other
//! thread is in one: the child has a whole copy, of which nothing is locked.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crossbeam_utils::CachePadded;

/// Threads take different parts, so that calls do not slow each other down; a fork takes
/// them all. The locks are std's, which use no table that is shared with other locks:
/// such a table would be locked in the child as well.
static PARTS: [CachePadded<RwLock<()>>; 16] = [const { CachePadded::new(RwLock::new(())) }; 16];

static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static PART: Cell<Option<&'static RwLock<()>>> = const { Cell::new(None) };
    /// How many calls this thread is in.
    static CALLS: Cell<usize> = const { Cell::new(0) };
    /// What this thread holds while it forks.
    static FORKING: RefCell<Vec<RwLockWriteGuard<'static, ()>>> = const { RefCell::new(Vec::new()) };
}

/// A call that a fork waits for.
#[must_use = "a fork waits only for as long as this lives"]
pub struct CallUnderWay {
    _part: RwLockReadGuard<'static, ()>,
}

impl CallUnderWay {
    /// Begins a call, after a fork that is under way.
    pub fn begin() -> CallUnderWay {
        CallUnderWay::holding(part().read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Begins a call unless a fork is under way.
    #[must_use]
    pub fn try_begin() -> Option<CallUnderWay> {
        Some(CallUnderWay::holding(part().try_read().ok()?))
    }

    fn holding(part: RwLockReadGuard<'static, ()>) -> CallUnderWay {
        CALLS.set(CALLS.get() + 1);
        CallUnderWay { _part: part }
    }
}

impl Drop for CallUnderWay {
    fn drop(&mut self) {
        CALLS.set(CALLS.get() - 1);
    }
}

fn part() -> &'static RwLock<()> {
    PART.get().unwrap_or_else(|| {
        let number = THREADS.fetch_add(1, Ordering::Relaxed);
        let part = &PARTS[number % PARTS.len()];
        PART.set(Some(part));
        part
    })
}

/// Waits for all calls and keeps new ones waiting, until this thread says [`after_fork`].
///
/// A thread that forks in a call of its own starts a program, for which nothing has to be whole.
pub fn before_fork() {
    if CALLS.get() > 0 {
        return;
    }
    let locked = PARTS.iter().map(|part| part.write());
    let locked = locked.map(|part| part.unwrap_or_else(PoisonError::into_inner));
    FORKING.with_borrow_mut(|forking| forking.extend(locked));
}

/// Lets calls begin again; said by the parent and by the child.
pub fn after_fork() {
    FORKING.with_borrow_mut(Vec::clear);
}
