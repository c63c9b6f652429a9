//! The timer that evicts expired hints, and that knows when nobody calls any more.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::task::spawn_blocking;
use tokio::time::MissedTickBehavior;

use crate::config::LogLevel;
use crate::log::log;
use crate::primary::Primary;

/// How often expired hints are evicted.
const EVERY: Duration = Duration::from_mins(1);

/// Evicts expired hints every minute until the server is asked to end. With
/// `idle_limit`, it also asks the server to end once nobody has called for so long.
pub async fn run(primary: Arc<Primary>, idle_limit: Option<Duration>) {
    let mut stopped = primary.stopped();
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut idle = idle_limit.map(|limit| Idle::new(limit, Instant::now()));
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            _ = stopped.wait_for(|stopped| *stopped) => return,
        }
        primary.staging.forget_old(Instant::now());
        // A large import may be under way, and an eviction waits for it.
        let owner = Arc::clone(&primary);
        if let Ok(Err(error)) = spawn_blocking(move || owner.nudge.sweep()).await {
            log(
                LogLevel::Warn,
                &format!("expired hints were not evicted: {error}"),
            );
        }
        let calls = primary.calls.load(Ordering::Relaxed);
        if idle
            .as_mut()
            .is_some_and(|idle| idle.is_over(calls, Instant::now()))
        {
            primary.stop();
        }
    }
}

/// How long nobody has called, known by a count of the calls.
struct Idle {
    limit: Duration,
    calls: u64,
    since: Instant,
}

impl Idle {
    fn new(limit: Duration, now: Instant) -> Idle {
        Idle {
            limit,
            calls: 0,
            since: now,
        }
    }

    /// Looks at the count; true once it has stood still for the whole limit.
    fn is_over(&mut self, calls: u64, now: Instant) -> bool {
        if calls != self.calls {
            self.calls = calls;
            self.since = now;
        }
        now.duration_since(self.since) >= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_idle_after_its_last_call_and_not_after_its_start() {
        let start = Instant::now();
        let hours = |hours: u64| start + Duration::from_hours(hours);
        let mut idle = Idle::new(Duration::from_hours(12), start);
        assert!(!idle.is_over(0, hours(11)));
        assert!(!idle.is_over(1, hours(12)));
        assert!(!idle.is_over(1, hours(23)));
        assert!(idle.is_over(1, hours(24)));
    }

    #[test]
    fn a_server_that_nobody_ever_calls_is_idle_too() {
        let start = Instant::now();
        let limit = Duration::from_mins(1);
        let mut idle = Idle::new(limit, start);
        assert!(!idle.is_over(0, start));
        assert!(idle.is_over(0, start + limit));
    }
}
