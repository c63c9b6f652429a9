//! `keep`: what a PRIMARY does by itself, from time to time, for as long as it serves.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::config::LogLevel;
use crate::log::log;
use crate::primary::Primary;

/// How often expired hints are evicted and the last use of the session is written down.
const EVERY: Duration = Duration::from_mins(1);

/// How long a server waits for whoever started it.
const AWAITED: Duration = Duration::from_secs(5);

/// After how long without a call or a client a server, and a session, end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// The server; the session goes on with the next one.
    pub(super) process: Option<Duration>,
    /// The session.
    pub(super) session: Option<Duration>,
}

/// Keeps house until the server is asked to end, and asks it to when nobody has called for
/// so long.
pub(super) async fn keep(primary: Arc<Primary>, patience: Patience) {
    let mut stopped = primary.stopped();
    let start = Instant::now();
    let mut idle = Idle {
        calls: 0,
        since: start,
    };
    let mut swept = start;
    loop {
        let pause = patience.process.unwrap_or(EVERY).min(EVERY);
        let is_due = tokio::select! {
            () = sleep(pause) => false,
            () = primary.memory_is_due() => true,
            _ = stopped.wait_for(|stopped| *stopped) => return,
        };
        if is_due {
            aside(&primary, Primary::tidy_memory).await;
        }
        let now = Instant::now();
        let is_awaited = idle.calls == 0 && now.duration_since(start) < AWAITED;
        let idle_for = idle.for_how_long(
            primary.calls.load(Ordering::Relaxed),
            primary.is_attended(),
            now,
        );
        if now.duration_since(swept) >= EVERY {
            swept = now;
            let is_used = idle_for < EVERY;
            aside(&primary, move |primary| sweep(primary, is_used)).await;
        }
        let is_over = |limit: Option<Duration>| limit.is_some_and(|limit| idle_for >= limit);
        if is_over(patience.session) {
            primary.end_lingering();
        } else if is_over(patience.process) && !is_awaited && primary.can_be_left() {
            primary.stop();
        }
    }
}

/// Does what may wait for a large import, or has others wait, without holding up the server.
async fn aside(primary: &Arc<Primary>, work: impl FnOnce(&Primary) + Send + 'static) {
    let work = |primary: &Primary| {
        let _working = primary.presence.work();
        work(primary);
    };
    // A bug in it is its own.
    primary.in_bulk(work).await;
}

fn sweep(primary: &Primary, is_used: bool) {
    if let Some(memory) = primary.memory() {
        // What can be brought back no more is deleted.
        memory.ended(primary.nudge.now());
        if is_used {
            memory.touch(primary.nudge.now());
        }
    }
    if let Err(error) = primary.nudge.sweep() {
        let words = format!("expired hints were not evicted: {error}");
        log(LogLevel::Warn, &words);
    }
}

/// How long nobody has called, known by a count of the calls.
struct Idle {
    calls: u64,
    since: Instant,
}

impl Idle {
    /// Looks at the count, and says how long it has stood still without a client.
    fn for_how_long(&mut self, calls: u64, is_attended: bool, now: Instant) -> Duration {
        if calls != self.calls || is_attended {
            self.calls = calls;
            self.since = now;
        }
        now.duration_since(self.since)
    }
}

#[cfg(test)]
mod tests {
    use nudge::Config;

    use super::*;

    #[tokio::test]
    async fn calls_do_not_wait_on_the_servers_thread_for_what_is_done_aside() {
        let primary = Arc::new(Primary::with_system_clock(Config::default(), 0));
        let (tell, told) = std::sync::mpsc::channel();
        let look = move |primary: &Primary| tell.send(Arc::strong_count(&primary.bulk)).unwrap();
        aside(&primary, look).await;
        assert_eq!(
            (told.recv().unwrap(), Arc::strong_count(&primary.bulk)),
            (2, 1)
        );
    }

    #[test]
    fn a_server_is_idle_after_its_last_call_and_client() {
        let start = Instant::now();
        let (calls, since) = (0, start);
        let mut idle = Idle { calls, since };
        let mut after = |minutes, calls, is_attended| {
            let minute = Duration::from_mins(1);
            idle.for_how_long(calls, is_attended, start + minute * minutes) / 60
        };
        let seconds = Duration::from_secs;
        assert_eq!(after(11, 0, false), seconds(11));
        assert_eq!(after(12, 1, false), seconds(0));
        assert_eq!(after(23, 1, false), seconds(11));
        assert_eq!(after(24, 1, true), seconds(0));
        assert_eq!(after(54, 1, false), seconds(30));
    }
}
