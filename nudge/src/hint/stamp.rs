//! `Stamp`: which of two changes counts, on whichever machines they were made.

use std::cmp::Ordering;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::hint::Hint;
use crate::hint::lifetime::Lifetime;
use crate::hint::mark::Mark;
use crate::model::error::Error;
use crate::model::name::Name;
use crate::model::time::{self, Time};

/// How far a counter may be beyond all that were seen, and at all: nobody uses the numbers up by
/// one claim, and JSON everywhere can hold them.
const MAX_JUMP: u64 = 1 << 32;
const MAX_COUNTER: u64 = 1 << 53;

/// The longest name of a machine, in bytes.
const MAX_MACHINE_BYTES: usize = 64;

/// What decides between two changes of one hint that were made on two machines: the higher
/// counter, then the machine; never a clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Stamp {
    /// One more than any that its machine had seen.
    pub counter: u64,
    /// The machine that made the change.
    pub machine: Name,
    /// When that was by its clock.
    #[serde(with = "time")]
    #[schemars(with = "Time")]
    pub at: DateTime<Utc>,
}

impl Stamp {
    /// Refuses a stamp that no machine of ours writes, where counters up to `seen` are known.
    pub(crate) fn check(&self, seen: u64) -> Result<(), Error> {
        let most = seen.saturating_add(MAX_JUMP).min(MAX_COUNTER);
        if self.counter == 0 || self.counter > most {
            let words = format!("stamp.counter must be between 1 and {most}; leave that hint out");
            return Err(Error::invalid("stamp.counter", "range", words));
        }
        check_machine(&self.machine, "stamp.machine")
    }
}

/// Whether a text can be the id of a machine, which names a branch.
///
/// # Examples
///
/// ```
/// assert!(nudge::is_machine("laptop-1a2b3c4d"));
/// assert!(!nudge::is_machine("../laptop"));
/// ```
#[must_use]
pub fn is_machine(name: &str) -> bool {
    let is_good = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=MAX_MACHINE_BYTES).contains(&name.len()) && name.bytes().all(is_good)
}

/// Refuses what cannot be one.
pub(crate) fn check_machine(machine: &str, field: &str) -> Result<(), Error> {
    if is_machine(machine) {
        return Ok(());
    }
    let words = format!(
        "{field} must be 1 to {MAX_MACHINE_BYTES} lower-case letters, digits and `-`; give another"
    );
    Err(Error::invalid(field, "machine", words))
}

impl Hint {
    /// Whether it goes to other machines: it is kept, and is neither a secret nor a project's.
    pub(crate) fn is_carried(&self) -> bool {
        self.lifetime == Lifetime::Kept && !self.is_secret() && !self.is_projects()
    }

    /// What goes there: neither its uses nor its times, which are each machine's own.
    pub(crate) fn carried(&self) -> Value {
        let mut meta = self.meta.clone();
        if let Some(origin) = &mut meta.origin {
            origin.at = None;
        }
        json!({"value": self.value, "meta": meta, "stamp": self.stamp})
    }
}

/// What a machine says of a hint: how it is, or that it is not kept any more; or of a value.
#[derive(Clone, Copy)]
pub(crate) enum Said<'a> {
    Hint(&'a Hint),
    Mark(&'a Mark),
}

impl Said<'_> {
    /// What decides: the stamp, and between two that copies of one machine gave the bytes.
    fn rank(&self) -> (Option<(u64, &Name)>, impl Fn() -> String) {
        let stamp = match self {
            Said::Hint(hint) => hint.stamp.as_deref(),
            Said::Mark(mark) => mark.stamp.as_ref(),
        };
        let bytes = move || match self {
            Said::Hint(hint) => hint.carried().to_string(),
            Said::Mark(mark) => json!(mark).to_string(),
        };
        (stamp.map(|stamp| (stamp.counter, &stamp.machine)), bytes)
    }

    /// Which of two counts: the higher.
    pub(crate) fn over(&self, other: &Said<'_>) -> Ordering {
        let ((own, bytes), (known, others)) = (self.rank(), other.rank());
        own.cmp(&known).then_with(|| bytes().cmp(&others()))
    }
}
