//! What the user is to know, told once, after the next command.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use nudge::{ListProposals, Operation, Proposal};
use parking_lot::Mutex;

use super::Primary;
use super::journal::Journal;
use super::layers::Layers;
use super::operations::Method;
use crate::observe::Observer;
use crate::wire::identity::PRODUCT;

/// What the user was not told yet.
#[derive(Debug, Default)]
pub(super) struct Notices {
    waiting: Mutex<Vec<String>>,
    /// Whether this is a session that the user knows, and how long it is kept.
    knows_session: AtomicBool,
    /// Whether the user knows that the journal cannot be written.
    knows_warning: AtomicBool,
    /// The last proposal that the user knows of.
    knows_proposal: AtomicU64,
}

/// What the user has just done, as far as it says what the user knows.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Done {
    /// A hint was set.
    has_set: bool,
    /// Proposals were looked at or answered.
    has_seen_proposals: bool,
}

impl Done {
    /// Takes a call that was not refused into account.
    pub(crate) fn note(&mut self, method: Method) {
        let is = |operation: Operation| method == operation.into();
        self.has_set |= is(Operation::SetHint);
        self.has_seen_proposals |=
            is(Operation::ListProposals) || is(Operation::Accept) || is(Operation::Reject);
    }
}

impl Notices {
    /// Has the user told of what came of the session before this one, or of this one.
    pub(super) fn begin(&self, notices: Vec<String>, goes_on: bool) {
        self.waiting.lock().extend(notices);
        self.knows_session.store(goes_on, Ordering::Relaxed);
    }
}

impl Primary {
    /// What the user is to know now.
    pub(crate) fn take_notices(&self, done: Done) -> Vec<String> {
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
        notices.extend(self.proposed(done.has_seen_proposals));
        if done.has_set && !self.notices.knows_session.swap(true, Ordering::Relaxed) {
            let linger = self.settings.linger.duration();
            let or_so_long = linger.map(|linger| format!(", or {} without use", spoken(linger)));
            let until = or_so_long.unwrap_or_default();
            notices.push(format!("kept until `nudge stop`{until}"));
        }
        notices
    }

    /// The newest proposal that the user does not know of, and how many more there are.
    fn proposed(&self, has_seen: bool) -> Option<String> {
        let waiting = self.nudge.list_proposals(ListProposals::default()).ok()?;
        let newest = waiting.proposals.iter().map(|proposal| proposal.id).max()?;
        let known = self.notices.knows_proposal.swap(newest, Ordering::Relaxed);
        // Of one that was typed at this terminal the answer has told.
        let is_typed = |proposal: &Proposal| {
            let origin = proposal.hint.meta.origin.as_ref();
            let client = origin.and_then(|origin| origin.client.as_deref());
            client.and_then(|client| client.split('/').next()) == Some(PRODUCT)
        };
        let is_new = |proposal: &&Proposal| proposal.id > known && !has_seen && !is_typed(proposal);
        let mut new: Vec<_> = waiting.proposals.iter().filter(is_new).collect();
        let newest = new.pop()?;
        let more = match new.len() {
            0 => String::new(),
            more => format!("; {more} more: `nudge proposals`"),
        };
        Some(describe(newest) + &more)
    }
}

/// A proposal in one line, and how to accept it.
fn describe(proposal: &Proposal) -> String {
    const MOST: usize = 60;
    let Proposal {
        id,
        component,
        key,
        hint,
        ..
    } = proposal;
    let who = proposal.client.as_deref().unwrap_or("an agent");
    if proposal.delete {
        return format!("{who} proposes to delete {component}/{key}; `nudge accept {id}`");
    }
    let value = hint.shown();
    let mut line: String = value
        .lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(MOST)
        .collect();
    if line.len() < value.len() {
        line.push('…');
    }
    format!("{who} proposes {component}/{key}: {line}; `nudge accept {id}`")
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
