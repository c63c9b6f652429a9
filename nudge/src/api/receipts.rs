//! `Receipts`: what came of telling agents hints they did not ask for.

use std::fmt;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::time::{self, Time};

/// What hooks told agents on one day, and what came of it.
///
/// A day is one of UTC, by the clock of the store.
///
/// # Examples
///
/// ```
/// use nudge::{Context, Event, Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("web", "test", "make t"))?;
/// let here = Context::new().cwd("/work/web");
/// let event = |event: Event| event.host("codex").session("s1").context(&here);
/// nudge.on_event(event(Event::before_command("npm test")))?;
/// nudge.on_event(event(Event::after_command("make t")).exit_code(0))?;
///
/// let receipts = nudge.receipts();
/// assert_eq!((receipts.told, receipts.avoided), (1, 1));
/// let words = "today: 1 hint told, 1 wrong command avoided; \
///              last: codex ran `make t` instead of `npm test`, ";
/// assert!(receipts.to_string().starts_with(words));
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[non_exhaustive]
pub struct Receipts {
    /// The day, such as `2025-11-04`, in UTC.
    pub day: String,
    /// How many hints hooks told.
    pub told: usize,
    /// How often an agent that was told a hint for a command ran the hint's.
    pub avoided: usize,
    /// The last time, where it can be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Receipt>,
}

/// One command that was avoided; see [`Receipts`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Receipt {
    /// The agent's host.
    pub client: String,
    /// The command of the hint.
    pub ran: String,
    /// What the agent was about to run, or had run.
    pub instead_of: String,
    /// When it ran.
    #[serde(with = "time")]
    #[schemars(with = "Time")]
    pub at: DateTime<Utc>,
}

impl Receipts {
    /// The same, if it is that day still; else those of a new day.
    #[must_use]
    pub(crate) fn on(self, now: DateTime<Utc>) -> Receipts {
        let day = now.format("%F").to_string();
        if self.day == day {
            return self;
        }
        Receipts {
            day,
            ..Receipts::default()
        }
    }
}

impl fmt::Display for Receipts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = |count: usize| if count == 1 { "" } else { "s" };
        let (told, avoided) = (self.told, self.avoided);
        write!(f, "today: {told} hint{} told, ", ending(told))?;
        write!(f, "{avoided} wrong command{} avoided", ending(avoided))?;
        let Some(last) = &self.last else {
            return Ok(());
        };
        let at = last.at.format("%H:%M");
        let (client, ran, instead) = (&last.client, &last.ran, &last.instead_of);
        write!(
            f,
            "; last: {client} ran `{ran}` instead of `{instead}`, {at} UTC"
        )
    }
}
