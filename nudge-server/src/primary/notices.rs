//! What the user is to know, told once, after the next command.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use nudge::{ListProposals, Operation, Proposal, Repo};
use parking_lot::Mutex;

use super::Primary;
use super::operations::Method;
use crate::sync::State;
use crate::wire::identity::PRODUCT;

#[derive(Debug, Default)]
pub(super) struct Notices {
    waiting: Mutex<Vec<String>>,
    alarms: Mutex<Vec<String>>,
    /// Whether the user knows that nothing can be written, or added by agents.
    knows_warning: AtomicBool,
    /// The proposals that wait and that the user knows of.
    knows_proposals: Mutex<BTreeSet<u64>>,
}

/// Whether who makes a call has seen which proposals wait.
pub(crate) fn shows_proposals(method: Method) -> bool {
    use Operation::{Accept, ListProposals, Reject};
    matches!(method, Method::Store(ListProposals | Accept | Reject))
}

impl Notices {
    /// Has the user told that something is amiss; the page shows it as long as the server runs.
    pub(super) fn alarm(&self, words: String) {
        self.alarms.lock().push(words.clone());
        self.waiting.lock().push(words);
    }

    pub(super) fn alarms(&self) -> Vec<String> {
        self.alarms.lock().clone()
    }

    /// Has the user told of what was found at the start.
    pub(super) fn begin(&self, notices: Vec<String>) {
        self.waiting.lock().extend(notices);
    }
}

impl Primary {
    /// What the user, who is in a repository or in none, is to know now, and may just have seen
    /// the proposals.
    pub(crate) fn take_notices(&self, has_seen: bool, repo: Option<&str>) -> Vec<String> {
        let mut notices = std::mem::take(&mut *self.notices.waiting.lock());
        if let Some(memory) = self.memory().filter(|_| !notices.is_empty()) {
            memory.tell_ended();
        }
        notices.extend(self.project_hints.take_notices());
        let observer = self.observer.get().into_iter();
        notices.extend(observer.flat_map(|it| it.take_notices()));
        let warning = self.memory().and_then(|it| it.file().warning.clone());
        let warning = warning.or_else(|| self.fullness());
        let is_warned = &self.notices.knows_warning;
        let is_warned = is_warned.swap(warning.is_some(), Ordering::Relaxed);
        notices.extend(warning.filter(|_| !is_warned));
        let folder = self.memory().map(|it| it.file().folder.clone());
        notices.extend(folder.and_then(|folder| State::take_notice(&folder)));
        notices.extend(self.proposed(has_seen, repo));
        notices
    }

    /// The newest proposal here that the user does not know of, and how many more there are.
    fn proposed(&self, has_seen: bool, repo: Option<&str>) -> Option<String> {
        let waiting = self.nudge.list_proposals(ListProposals::default()).ok()?;
        let mut known = self.notices.knows_proposals.lock();
        let is_known =
            |one: &&Proposal| has_seen || known.contains(&one.id) || is_told_in(one, repo);
        let now = waiting.proposals.iter().filter(is_known);
        let now: BTreeSet<u64> = now.map(|proposal| proposal.id).collect();
        let before = std::mem::replace(&mut *known, now.clone());
        // Of one that was typed at this terminal the answer has told.
        let is_typed = |proposal: &Proposal| {
            let origin = proposal.hint.meta.origin.as_ref();
            let client = origin.and_then(|origin| origin.client.as_deref());
            client.and_then(|client| client.split('/').next()) == Some(PRODUCT)
        };
        let is_new = |one: &&Proposal| {
            now.contains(&one.id) && !before.contains(&one.id) && !has_seen && !is_typed(one)
        };
        let mut new: Vec<_> = waiting.proposals.iter().filter(is_new).collect();
        let newest = new.pop()?;
        let more = match new.len() {
            0 => String::new(),
            more => format!("; {more} more: `nudge proposals`"),
        };
        Some(describe(newest) + &more)
    }
}

/// The repository that a proposal is for, or was made in.
pub(super) fn repo_of(proposal: &Proposal) -> Option<&str> {
    let hint = &proposal.hint;
    let scope = hint.scope().and_then(|scope| scope.repo.as_ref()?.first());
    let origin = hint.meta.origin.as_ref().and_then(|it| it.repo.as_deref());
    scope.map(String::as_str).or(origin)
}

/// Whether a proposal is told and counted in a repository: in its own, and one of none
/// everywhere.
pub(super) fn is_told_in(proposal: &Proposal, here: Option<&str>) -> bool {
    let here = here.and_then(Repo::parse);
    let of = repo_of(proposal).and_then(Repo::parse);
    of.is_none_or(|of| here.is_some_and(|here| of.allows(&here)))
}

/// A proposal in one line, what speaks for it, and how to accept it.
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
    let what = if proposal.delete {
        format!("to delete {component}/{key}")
    } else {
        let value = hint.shown();
        let line = value.lines().next().unwrap_or_default();
        let start: String = line.chars().take(MOST).collect();
        let more = if start.len() < value.len() { "…" } else { "" };
        format!("{component}/{key}: {start}{more}")
    };
    let grounds = proposal.grounds();
    format!("{who} proposes {what} ({grounds}); `nudge accept {id}`")
}
