//! What happened in the store, for those who watch: a ring of the latest
//! changes, each with its number.

use std::collections::VecDeque;

use nudge::{Change, ChangeKind};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::watch;

/// How many changes are kept for those who come back.
const KEPT: usize = 1024;

/// The latest changes, and a bell that rings for each new one.
#[derive(Debug, Default)]
pub struct Events {
    ring: Mutex<VecDeque<Change>>,
    bell: watch::Sender<u64>,
}

impl Events {
    /// Notes changes as they are made. They are written out only when somebody
    /// reads them: most of the time nobody watches.
    pub fn note(&self, changes: &[Change]) {
        // What is remembered of values that do not stand is nobody's news.
        let is_told =
            |change: &&Change| !matches!(change.kind, ChangeKind::Mark(_) | ChangeKind::Unmark(_));
        let told = changes.iter().filter(is_told);
        let Some(last) = told.clone().next_back() else {
            return;
        };
        let mut ring = self.ring.lock();
        for change in told {
            if ring.len() == KEPT {
                ring.pop_front();
            }
            ring.push_back(change.clone());
        }
        drop(ring);
        self.bell.send_replace(last.seq);
    }

    /// The changes after a number that are still known, oldest first.
    #[must_use]
    pub fn after(&self, seq: u64) -> Vec<Change> {
        let ring = self.ring.lock();
        let later = ring.iter().filter(|change| change.seq > seq);
        later.cloned().collect()
    }

    /// A bell that shows the number of the latest change.
    #[must_use]
    pub fn bell(&self) -> watch::Receiver<u64> {
        self.bell.subscribe()
    }
}

/// A change as JSON for those who watch, without the value of a secret.
///
/// It has the shape that version 0.1 gave it, which clients know: every event has
/// `before` and `after`, one about a variant its `scope`, one about a proposal its
/// number as `proposal`.
#[must_use]
pub fn to_event(change: &Change) -> Value {
    let Ok(Value::Object(mut event)) = serde_json::to_value(change) else {
        return Value::Null;
    };
    let hint = change.kind.hint();
    let after = hint.map_or(0, |hint| hint.version);
    let before = match &change.kind {
        ChangeKind::Set { before, .. } => *before,
        ChangeKind::Delete(gone) | ChangeKind::Expire(gone) => gone.before,
        // A use leaves the version as it is.
        ChangeKind::Bump(_) | ChangeKind::Fail(_) => after,
        _ => 0,
    };
    event.insert("before".to_owned(), before.into());
    event.insert("after".to_owned(), after.into());
    if let Some(scope) = change.kind.scope() {
        event.insert("scope".to_owned(), json!(scope));
    }
    if let Some(id) = event.remove("id") {
        event.insert("proposal".to_owned(), id);
    }
    Value::Object(event)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nudge::{Caller, Nudge, Propose, Reject, SetContext, SetHint};

    use super::*;

    fn watched() -> (Nudge, Arc<Events>) {
        let events = Arc::new(Events::default());
        let noted = Arc::clone(&events);
        let nudge = Nudge::default().with_sink(move |changes: &[Change]| {
            noted.note(changes);
            Ok(())
        });
        (nudge, events)
    }

    #[test]
    fn a_watcher_who_comes_back_misses_nothing_that_is_still_known() {
        let (nudge, events) = watched();
        for _ in 0..KEPT + 10 {
            nudge
                .set_hint(SetHint::new("api", "build", "make"))
                .unwrap();
        }
        let numbers = |after| {
            let later = events.after(after);
            (later.len(), later.first().map(|change| change.seq))
        };
        let last = u64::try_from(KEPT).unwrap() + 10;
        assert_eq!(numbers(last - 3), (3, Some(last - 2)));
        assert_eq!(numbers(0), (KEPT, Some(11)));
        assert_eq!(numbers(last), (0, None));
        assert_eq!(*events.bell().borrow(), last);
    }

    #[test]
    fn an_event_tells_who_works_on_what_and_no_secret() {
        let (nudge, events) = watched();
        let codex = Caller::agent("codex/1").session("s1").repo("git:acme/api");
        nudge.ask(&codex, SetContext::new("ports", ["1"])).unwrap();
        let secret = || SetHint::new("api", "token", "swordfish").secret();
        nudge.propose(Propose::new(secret(), "it worked")).unwrap();
        nudge.reject(Reject::new(1)).unwrap();
        nudge.set_hint(secret()).unwrap();
        let told: Vec<Value> = events.after(0).iter().map(to_event).collect();
        let told_of = |one: &Value| json!([one["what"], one["hint"]["value"]]);
        let expected = [
            json!(["context", null]),
            json!(["propose", "***"]),
            json!(["dismiss", null]),
            json!(["set", "***"]),
        ];
        assert_eq!(told.iter().map(told_of).collect::<Vec<_>>(), expected);
        assert!(!json!(told).to_string().contains("swordfish"));
        let context = &told[0]["context"];
        assert_eq!(context["items"], json!([{"set": "ports", "item": "1"}]));
        assert_eq!(
            [&context["repo"], &context["session"]],
            ["git:acme/api", "s1"]
        );
        assert_eq!(told[0]["sets"], json!(["ports"]));
    }
}
