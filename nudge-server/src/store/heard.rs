//! On which days the hooks of hosts were heard, in the `state` of `nudge.db`.

use super::memory::Memory;
use super::rows::{set_state, state};

/// What is known of the hooks of a host. Days are counted since 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Heard {
    /// The last day on which one was heard; 0 where none was.
    pub(crate) last: u64,
    /// On how many days one was.
    pub(crate) days: u64,
    /// The day up to which the user was told of silence.
    pub(crate) told: u64,
}

const NAMES: [&str; 3] = ["heard", "heard days", "heard told"];

impl Memory {
    /// What is known of the hooks of a host.
    pub(crate) fn heard(&self, host: &str) -> Heard {
        let read = self.on_file(|on| {
            let [last, days, told] = NAMES.map(|name| state(on, &format!("{name} {host}")));
            Ok(Heard {
                last: last?,
                days: days?,
                told: told?,
            })
        });
        // Where that cannot be read, more is wrong than silence.
        read.unwrap_or_default()
    }

    /// Writes it.
    pub(crate) fn set_heard(&self, host: &str, heard: Heard) {
        let values = [heard.last, heard.days, heard.told];
        let _ = self.on_file(|on| {
            let mut rows = NAMES.into_iter().zip(values);
            rows.try_for_each(|(name, value)| set_state(on, &format!("{name} {host}"), value))
        });
    }
}
