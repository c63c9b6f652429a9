//! Whose word a hint is, and what came of using it, as people say it.

use std::fmt::Display;

use chrono::{DateTime, TimeDelta, TimeZone, Utc};

use crate::hint::origin::Origin;
use crate::hint::{Hint, Source};
use crate::model::time::{Age, clock_time};

impl Hint {
    /// Whether it is the user's word: set, accepted or imported by the user.
    #[must_use]
    pub fn is_users(&self) -> bool {
        matches!(self.meta.source, Some(Source::User | Source::FileImport))
    }

    /// Whether the project's own file of hints says it, which the user trusts.
    #[must_use]
    pub fn is_projects(&self) -> bool {
        let origin = self.meta.origin.as_ref();
        origin.is_some_and(|origin| origin.via == *Origin::PROJECT)
    }

    /// Whether it is of the file at the root of a certain worktree.
    pub(crate) fn is_projects_at(&self, root: &str) -> bool {
        let origin = self.meta.origin.as_ref();
        self.is_projects() && origin.is_some_and(|origin| origin.root.as_deref() == Some(root))
    }

    /// The file of the project that declares it, where nobody has set it.
    #[must_use]
    pub fn found_in(&self) -> Option<&str> {
        let origin = self.meta.origin.as_ref()?;
        origin
            .client
            .as_deref()
            .filter(|_| origin.via == *Origin::FOUND)
    }

    /// Whether it was learned from what a hook saw work.
    #[must_use]
    pub fn is_learned(&self) -> bool {
        self.meta.source == Some(Source::ToolOutput) && self.found_in().is_none()
    }

    /// Whether somebody else than its author saw it work: the user, or a hook of another
    /// agent session.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        let origin = self.meta.origin.as_ref();
        origin.is_some_and(|origin| origin.proven)
    }

    /// Reads every time of it that is later than now as now, and lets it live no longer.
    pub(crate) fn not_after(&mut self, now: DateTime<Utc>) {
        let early = self.updated_at.signed_duration_since(now);
        if early > TimeDelta::zero() {
            self.expires_at = self.expires_at.map(|end| end - early);
        }
        let optional = [
            &mut self.last_used_at,
            &mut self.first_failed_at,
            &mut self.last_failed_at,
        ];
        let origin = self.meta.origin.as_mut();
        let set_at = origin.and_then(|origin| origin.at.as_mut());
        let times = [&mut self.created_at, &mut self.updated_at].into_iter();
        let optional = optional.into_iter().flatten().chain(set_at);
        for time in times.chain(optional) {
            *time = (*time).min(now);
        }
    }

    /// How often the user or a hook saw it work, and when it last did: `worked 3×, 5m ago`; `None` when it never did.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Bump, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.pin_clock(Some("2025-11-04T14:02:00Z"))?;
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// let used = nudge.bump(Bump::new("api", "build"))?.hint;
    /// assert_eq!(used.describe_use(nudge.now()).as_deref(), Some("worked 1×, 0s ago"));
    /// assert!(!used.failed_last());
    /// # Ok::<(), nudge::Error>(())
    /// ```
    #[must_use]
    pub fn describe_use(&self, now: DateTime<Utc>) -> Option<String> {
        let times = self.seen_worked()?;
        let age = self.last_used_at;
        let age = age.map(|used| format!(", {} ago", Age::of(used, now)));
        Some(times + &age.unwrap_or_default())
    }

    /// How often the user or a hook saw it fail, and since when, in the time zone of `now`:
    /// `failed 2× since 14:02`; `None` when it never did.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Bump, Nudge, Outcome, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.pin_clock(Some("2025-11-04T14:02:00Z"))?;
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// let failed = nudge.bump(Bump::new("api", "build").outcome(Outcome::Fail))?.hint;
    /// assert_eq!(failed.describe_failures(&nudge.now()).as_deref(), Some("failed 1× since 14:02"));
    /// assert_eq!(failed.describe_use(nudge.now()), None);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    #[must_use]
    pub fn describe_failures<Z: TimeZone>(&self, now: &DateTime<Z>) -> Option<String>
    where
        Z::Offset: Display,
    {
        let times = self.seen_failed()?;
        let since = self.first_failed_at.or(self.last_failed_at);
        let since = since.map(|since| format!(" since {}", clock_time(since, now)));
        Some(times + &since.unwrap_or_default())
    }

    /// Whether it failed the last time that it was used.
    #[must_use]
    pub fn failed_last(&self) -> bool {
        // What an agent alone says does not count.
        let was_seen = self.fail_count > self.claimed_failures;
        was_seen && self.last_failed_at.is_some() && self.last_failed_at >= self.last_used_at
    }

    /// How often the user or a hook saw it work.
    pub(crate) fn seen_worked(&self) -> Option<String> {
        let seen = self.use_count.saturating_sub(self.claimed_uses);
        (seen > 0).then(|| format!("worked {seen}×"))
    }

    /// How often the user or a hook saw it fail.
    pub(crate) fn seen_failed(&self) -> Option<String> {
        let seen = self.fail_count.saturating_sub(self.claimed_failures);
        (seen > 0).then(|| format!("failed {seen}×"))
    }
}
