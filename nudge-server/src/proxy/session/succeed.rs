//! Taking the place of a PRIMARY that is gone.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::thread;

use nudge::Error;
use tokio::sync::oneshot;

use super::Session;
use crate::config::LogLevel;
use crate::log::log;
use crate::platform::runtime::{Lock, Runtime};
use crate::primary::journal::Journal;
use crate::proxy::backend::Backend;
use crate::proxy::link::Link;

/// The stack of a thread that does nothing but wait.
const STACK: usize = 64 * 1024;

impl Session {
    /// Waits for the PRIMARY's lock, whenever that is: the kernel wakes us at once
    /// when the PRIMARY is gone for whatever reason.
    pub(super) fn wait_to_inherit(&self, runtime: &Runtime) {
        if self.is_heir.swap(true, Ordering::AcqRel) {
            return;
        }
        let (left, inherited) = oneshot::channel();
        let (waiter, waited_in) = (self.me.clone(), runtime.clone());
        let waiting = thread::Builder::new()
            .name("heir".to_owned())
            .stack_size(STACK)
            .spawn(move || left.send(wait(&waiter, &waited_in)));
        if waiting.is_err() {
            // The next call that finds the PRIMARY gone looks for another.
            self.is_heir.store(false, Ordering::Release);
            return;
        }
        let (me, runtime) = (self.me.clone(), runtime.clone());
        tokio::spawn(async move {
            let inherited = inherited.await;
            let Some(session) = me.upgrade() else { return };
            session.is_heir.store(false, Ordering::Release);
            if let Ok(Ok(lock)) = inherited {
                session.inherit(&runtime, lock).await;
            }
        });
    }

    /// Joins whoever goes on with the session of a PRIMARY that is gone.
    pub(in crate::proxy) async fn look_for_successor(&self, gone: &Arc<Link>) {
        self.unsettle(gone);
        let runtime = self.runtime();
        if runtime.is_ok_and(|runtime| Journal::is_there(runtime.folder())) {
            // A call that comes meanwhile says what is wrong.
            let _ = self.settle().await;
        }
    }

    /// Goes on with the session of the PRIMARY that left us its lock. Where there
    /// is no journal the session has ended, and the next call starts another.
    async fn inherit(&self, runtime: &Runtime, lock: Lock) {
        let goes_on = Journal::is_there(runtime.folder()) && self.is_member();
        if goes_on {
            *self.inherited.lock() = Some(lock);
        }
        self.settled.send_if_modified(|settled| {
            let was_remote = matches!(settled, Some(Backend::Remote(_)));
            if was_remote {
                *settled = None;
            }
            was_remote
        });
        if goes_on && let Err(fault) = self.settle().await {
            let words = serde_json::to_string(&fault).unwrap_or_default();
            log(LogLevel::Warn, &format!("the session is lost: {words}"));
        }
    }
}

/// Waits for the lock that has the name. One that has lost it shows that the folder
/// was wiped, and then our place among the members is to be taken anew.
fn wait(waiter: &Weak<Session>, runtime: &Runtime) -> Result<Lock, Error> {
    loop {
        if let Some(lock) = runtime.wait_for_this_lock()? {
            return Ok(lock);
        }
        if let Some(session) = waiter.upgrade() {
            session.be_member(runtime)?;
        }
    }
}
