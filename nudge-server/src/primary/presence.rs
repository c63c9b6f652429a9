//! Who is there: clients that have joined, and calls under way.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use nudge::{Context, Host};
use parking_lot::Mutex;

use super::Primary;
use super::member::{Introduction, Member};
use crate::config::LogLevel;
use crate::log::log_with;

#[derive(Debug, Default)]
pub(super) struct Presence {
    /// Connections that stay: of clients, watchers and pages.
    joined: AtomicUsize,
    working: AtomicUsize,
    /// The processes that have said who they are, by the numbers of their connections.
    members: Mutex<BTreeMap<u64, Introduction>>,
}

/// A client that has joined, until this is dropped.
pub(crate) struct Joined {
    primary: Arc<Primary>,
    member: Option<u64>,
}

impl Joined {
    /// Says which process it is, where the system knows: nobody introduces another one.
    pub(crate) fn set_pid(&self, pid: Option<u32>) {
        let mut members = self.primary.presence.members.lock();
        if let Some(said) = self.member.and_then(|number| members.get_mut(&number)) {
            said.pid = pid.or(said.pid);
        }
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        let presence = &self.primary.presence;
        let leave = |number| presence.members.lock().remove(&number);
        if let Some(said) = self.member.and_then(leave) {
            log_with(LogLevel::Info, || format!("{said} has left"));
            self.primary.note_left(&said);
        }
        presence.joined.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A call that is being answered, until this is dropped.
pub(super) struct Working<'p>(&'p Presence);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.working.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Presence {
    pub(super) fn work(&self) -> Working<'_> {
        self.working.fetch_add(1, Ordering::AcqRel);
        Working(self)
    }
}

impl Primary {
    /// Counts somebody as there for as long as what is returned lives; a process that says
    /// who it is, as a member of the session.
    pub(crate) fn join(self: &Arc<Primary>, said: Option<Introduction>) -> Joined {
        let presence = &self.presence;
        presence.joined.fetch_add(1, Ordering::AcqRel);
        let member = said.map(|said| {
            log_with(LogLevel::Info, || format!("{said} has joined"));
            let mut members = presence.members.lock();
            let number = members.last_key_value().map_or(0, |(last, _)| last + 1);
            members.insert(number, said.fitting());
            number
        });
        Joined {
            primary: Arc::clone(self),
            member,
        }
    }

    /// Has the sessions of a host end that was served by the last process of its kind there.
    fn note_left(&self, said: &Introduction) {
        let Some((host, at)) = said.served() else {
            return;
        };
        let members = self.presence.members.lock().clone();
        let mut others = members.values().filter_map(Introduction::served);
        let is_there = |(other, there): (&Host, Context)| {
            other == host && there.facts().repos == at.facts().repos
        };
        if !others.any(is_there) {
            self.nudge.host_left(host.id, &at);
        }
    }

    /// Whether a client has joined, or a call is being answered.
    pub(crate) fn is_attended(&self) -> bool {
        let presence = &self.presence;
        presence.joined.load(Ordering::Acquire) > 0 || self.is_working()
    }

    pub(crate) fn is_working(&self) -> bool {
        self.presence.working.load(Ordering::Acquire) > 0
    }

    /// The processes that share the session, this one first.
    #[must_use]
    pub fn members(&self) -> Vec<Member> {
        let own = Member {
            pid: self.identity.pid,
            role: "primary",
            client: None,
            context: None,
        };
        let members = self.presence.members.lock();
        let proxies = members.values().cloned().map(Member::proxy);
        std::iter::once(own).chain(proxies).collect()
    }
}
