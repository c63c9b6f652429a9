//! Which hosts' hooks were heard, so that their silence can be told.

use nudge::{Actor, Caller, Host};

use super::Primary;
use crate::store::Heard;

/// In seconds.
const DAY: i64 = 24 * 60 * 60;

impl Primary {
    /// Notes that a hook of a host was heard in an agent session.
    pub(super) fn hear(&self, by: &Caller<'_>) {
        let is_hook = by.actor == Actor::Hook && by.session.is_some();
        // Only silence of these is told, and anybody can give itself a name.
        let host = by.client.and_then(Host::named).map(|host| host.id);
        let (Some(host), Some(memory)) = (host.filter(|_| is_hook), self.memory()) else {
            return;
        };
        let today = self.today();
        // The file is written once a day.
        let mut heard = self.heard.lock();
        if heard.insert(host.to_owned(), today) == Some(today) {
            return;
        }
        let known = memory.heard(host);
        if known.last != today {
            let (last, days) = (today, known.days + 1);
            memory.set_heard(
                host,
                Heard {
                    last,
                    days,
                    ..known
                },
            );
        }
    }

    /// The day, counted since 1970.
    pub(crate) fn today(&self) -> u64 {
        u64::try_from(self.nudge.now().timestamp() / DAY).unwrap_or_default()
    }

    pub(crate) fn heard(&self, host: &str) -> Heard {
        let memory = self.memory();
        memory.map_or_else(Heard::default, |it| it.heard(host))
    }

    /// Whether how any command ended was ever written down.
    pub(crate) fn has_learned(&self) -> bool {
        self.observer.get().is_some_and(|it| it.has_learned())
    }

    /// Has the user told of silence up to a day, once.
    pub(crate) fn tell_of_silence(&self, host: &str, told: u64, words: String) {
        if let Some(memory) = self.memory() {
            let known = memory.heard(host);
            memory.set_heard(host, Heard { told, ..known });
        }
        self.notices.alarm(words);
    }
}
