//! A clean end: what the last one to leave takes along.

use tokio::time::{sleep, timeout};

use super::{GRACE, PAUSES, Session};
use crate::config::SessionSettings;
use crate::platform::runtime::Runtime;
use crate::primary::Primary;
use crate::primary::journal::Journal;
use crate::proxy::backend::Backend;

impl Session {
    /// Leaves the session, for a clean end of this process. The last member to
    /// leave ends the session.
    pub async fn leave(&self) {
        if self.settings.is_none() {
            return;
        }
        let leaving = async {
            if !self.end_own_post().await
                && self.is_member()
                && let Ok(runtime) = self.runtime()
            {
                self.leave_as_proxy(&runtime).await;
            }
        };
        if timeout(GRACE * 2, leaving).await.is_err() {
            self.leave_at_once();
        }
    }

    /// Gives up being PRIMARY without waiting for those who are still answered:
    /// the end of the session is worth more than its last words.
    fn leave_at_once(&self) {
        let Some(Backend::Local(primary)) = self.backend() else {
            return;
        };
        if let Ok(runtime) = self.runtime()
            && self.is_member()
        {
            self.hand_over(&runtime, &primary);
        }
    }

    /// Gives up being PRIMARY; false if this process is not.
    async fn end_own_post(&self) -> bool {
        let Some(Backend::Local(primary)) = self.backend() else {
            return false;
        };
        primary.stop();
        self.ended().await;
        true
    }

    /// The PRIMARY may have left before us and counted on us.
    async fn leave_as_proxy(&self, runtime: &Runtime) {
        if !self.was_last(runtime) {
            return;
        }
        let lock = loop {
            let inherited = self.inherited.lock().take();
            match inherited.map_or_else(|| runtime.try_lock(), |lock| Ok(Some(lock))) {
                Ok(Some(lock)) => break lock,
                // The PRIMARY has not let go of it yet, or we are about to be
                // PRIMARY ourselves.
                Ok(None) => sleep(PAUSES[0]).await,
                Err(_) => return,
            }
            if self.end_own_post().await {
                return;
            }
        };
        self.end(runtime);
        runtime.forget(&lock);
    }

    /// What a PRIMARY does for the session when it has served; true if the
    /// session goes on without it.
    pub(super) fn hand_over(&self, runtime: &Runtime, primary: &Primary) -> bool {
        if primary.is_over() {
            let _ = Journal::delete_all(runtime.folder());
            self.membership.lock().take();
            return false;
        }
        let was_last = self.was_last(runtime);
        if was_last {
            self.end(runtime);
        }
        !was_last
    }

    /// Ends the session of which nobody is a member any more, or keeps it for as
    /// long as the settings say.
    fn end(&self, runtime: &Runtime) {
        if self.linger().is_none() {
            let _ = Journal::delete_all(runtime.folder());
        }
    }

    fn was_last(&self, runtime: &Runtime) -> bool {
        let membership = self.membership.lock().take();
        membership.is_some_and(|membership| runtime.leave_members(membership))
    }

    fn linger(&self) -> Option<std::time::Duration> {
        let linger = &self.settings.as_ref()?.session.linger;
        // Where nobody said so, a session does not outlive its last member.
        (*linger != SessionSettings::default().linger).then(|| linger.duration())?
    }
}
