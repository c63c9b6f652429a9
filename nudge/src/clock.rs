//! `Clock`, `SystemClock`, `ManualClock`.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::SystemTime;

use chrono::{DateTime, Utc};

/// Where a store gets the time from.
///
/// A store reads its clock once for each operation, cuts the time to
/// milliseconds, and never lets it run backwards: a clock that is set back
/// does not revive a hint that has expired.
///
/// # Examples
///
/// ```
/// use chrono::{DateTime, Utc};
/// use nudge::{Clock, Nudge};
///
/// struct Noon;
///
/// impl Clock for Noon {
///     fn now(&self) -> DateTime<Utc> {
///         DateTime::UNIX_EPOCH + chrono::TimeDelta::hours(12)
///     }
/// }
///
/// let nudge = Nudge::default().with_clock(Noon);
/// ```
pub trait Clock: Send + Sync {
    /// The time now.
    fn now(&self) -> DateTime<Utc>;

    /// The same in milliseconds since 1970, which is all that a store asks.
    fn now_millis(&self) -> i64 {
        self.now().timestamp_millis()
    }
}

/// The wall clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that everything else asks"
    )]
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    // Straight from the system: by way of a calendar date it takes twice as
    // long, and every operation asks.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that everything else asks"
    )]
    fn now_millis(&self) -> i64 {
        match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => {
                let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
                seconds.saturating_mul(1000) + i64::from(since.subsec_millis())
            }
            // Nothing that this crate was built for runs before 1970.
            Err(_) => 0,
        }
    }
}

/// A clock that stands still until it is set, for tests and replay.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
/// use nudge::{GetHint, ManualClock, Nudge, SetHint, Ttl};
///
/// let clock = Arc::new(ManualClock::at("2025-11-04T10:00:00Z".parse().unwrap()));
/// let nudge = Nudge::default().with_clock(Arc::clone(&clock));
/// nudge.set_hint(SetHint::new("api", "env.FEATURE_X", "1").ttl("PT2H".parse::<Ttl>()?))?;
///
/// clock.set("2025-11-04T12:00:00Z".parse().unwrap());
/// assert!(nudge.get_hint(GetHint::new("api", "env.FEATURE_X")).is_err());
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug)]
pub struct ManualClock {
    millis: AtomicI64,
}

impl ManualClock {
    /// Makes a clock that shows `now`.
    #[must_use]
    pub fn at(now: DateTime<Utc>) -> ManualClock {
        ManualClock {
            millis: AtomicI64::new(now.timestamp_millis()),
        }
    }

    /// Sets the clock, forwards or backwards.
    pub fn set(&self, now: DateTime<Utc>) {
        self.millis.store(now.timestamp_millis(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        from_millis(self.millis.load(Ordering::SeqCst))
    }
}

impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    fn now(&self) -> DateTime<Utc> {
        (**self).now()
    }

    fn now_millis(&self) -> i64 {
        (**self).now_millis()
    }
}

/// The time at `millis` since 1970; a number that chrono cannot show is its start.
pub(crate) fn from_millis(millis: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(millis).unwrap_or(DateTime::UNIX_EPOCH)
}

/// A clock that never runs backwards, whatever the one below it does.
pub(crate) struct Monotone {
    clock: Box<dyn Clock>,
    latest: AtomicI64,
    pinned: AtomicI64,
}

/// Stands for no time: nothing was read yet, or nothing is pinned.
const NEVER: i64 = i64::MIN;

impl Monotone {
    pub(crate) fn new(clock: impl Clock + 'static) -> Monotone {
        Monotone {
            clock: Box::new(clock),
            latest: AtomicI64::new(NEVER),
            pinned: AtomicI64::new(NEVER),
        }
    }

    /// Shows `at` from now on, or the clock below again, and says whether
    /// nobody had asked for the time before.
    pub(crate) fn pin(&self, at: Option<DateTime<Utc>>) -> bool {
        let at = at.map_or(NEVER, |at| at.timestamp_millis());
        self.pinned.store(at, Ordering::Relaxed);
        self.latest.load(Ordering::Relaxed) == NEVER
    }

    /// The time below, which does not count as asked for.
    pub(crate) fn glance(&self) -> i64 {
        match self.pinned.load(Ordering::Relaxed) {
            NEVER => self.clock.now_millis(),
            pinned => pinned,
        }
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        let now = self.glance();
        // The load comes first because within one millisecond every reader of
        // every core would otherwise write the same cache line.
        let latest = self.latest.load(Ordering::Relaxed);
        if now == latest {
            return from_millis(now);
        }
        let latest = self.latest.fetch_max(now, Ordering::Relaxed);
        from_millis(now.max(latest))
    }
}
