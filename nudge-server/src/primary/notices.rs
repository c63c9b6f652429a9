//! What the user is to know, told once, after the next command.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use super::Primary;
use super::journal::Journal;
use super::layers::Layers;
use crate::observe::Observer;

/// What the user was not told yet.
#[derive(Debug, Default)]
pub(super) struct Notices {
    waiting: Mutex<Vec<String>>,
    /// Whether this is a session that the user knows, and how long it is kept.
    knows_session: AtomicBool,
    /// Whether the user knows that the journal cannot be written.
    knows_warning: AtomicBool,
}

impl Notices {
    /// Has the user told of what came of the session before this one, or of this one.
    pub(super) fn begin(&self, notices: Vec<String>, goes_on: bool) {
        self.waiting.lock().extend(notices);
        self.knows_session.store(goes_on, Ordering::Relaxed);
    }
}

impl Primary {
    /// What the user is to know now, who may just have set a hint.
    pub(crate) fn take_notices(&self, has_set: bool) -> Vec<String> {
        let mut notices = std::mem::take(&mut *self.notices.waiting.lock());
        let folder = self.folder.as_deref().filter(|_| !notices.is_empty());
        for mut ended in folder.map(Journal::ended).unwrap_or_default() {
            // It is told again by the next server then.
            let _ = ended.tell();
        }
        notices.extend(self.layers().into_iter().flat_map(Layers::take_notices));
        notices.extend(
            self.observer
                .get()
                .into_iter()
                .flat_map(Observer::take_notices),
        );
        let warning = self.journal().and_then(Journal::warning);
        let is_warned = &self.notices.knows_warning;
        let is_warned = is_warned.swap(warning.is_some(), Ordering::Relaxed);
        notices.extend(warning.filter(|_| !is_warned));
        if has_set && !self.notices.knows_session.swap(true, Ordering::Relaxed) {
            let linger = self.settings.linger.duration();
            let or_so_long = linger.map(|linger| format!(", or {} without a call", spoken(linger)));
            let until = or_so_long.unwrap_or_default();
            notices.push(format!("kept until `nudge stop`{until}"));
        }
        notices
    }
}

/// A duration as people say it.
fn spoken(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let units = [
        (86_400, "day"),
        (3_600, "hour"),
        (60, "minute"),
        (1, "second"),
    ];
    let whole = units.iter().find(|(unit, _)| seconds.is_multiple_of(*unit));
    let (unit, name) = whole.copied().unwrap_or((1, "second"));
    let plural = if seconds == unit { "" } else { "s" };
    format!("{} {name}{plural}", seconds / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_said_in_its_largest_whole_unit() {
        for (seconds, said) in [
            (345_600, "4 days"),
            (86_400, "1 day"),
            (5_400, "90 minutes"),
            (61, "61 seconds"),
        ] {
            assert_eq!(spoken(Duration::from_secs(seconds)), said);
        }
    }
}
