//! Suggestions: which hints of others a client is told of unasked, and how often.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use nudge::{ChangeKind, Hint, HintValue, Name, Operation, RateLimit};
use rmcp::model::{JsonObject, Resource};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;

use super::resources::{Address, JSON};
use crate::primary::operations::Method;

/// How many hints a client is told of in [`WITHIN`], and how many its list shows.
const MOST: usize = 3;

const WITHIN: Duration = Duration::from_mins(10);

/// How much of what a client knows is remembered: more than a store holds by
/// default, so that an import of all of it is.
const REMEMBERED: usize = 16 * 1024;

/// A hint that somebody added.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Added {
    pub(super) component: Name,
    pub(super) key: Name,
    pub(super) hint: Arc<Hint>,
}

impl Added {
    /// Reads a change: a hint counts that is new or has another value. One that
    /// is marked as a secret is nobody's business.
    pub(super) fn by(change: &ChangeKind) -> Option<Added> {
        match change {
            ChangeKind::Set {
                component,
                key,
                before,
                value_changed,
                hint,
            } if (*before == 0 || *value_changed) && !hint.is_secret() => Some(Added {
                component: component.clone(),
                key: key.clone(),
                hint: Arc::clone(hint),
            }),
            _ => None,
        }
    }

    /// Whether a hint that the store returned is this one, and not a later
    /// version or another variant.
    pub(super) fn is(&self, hint: &Hint) -> bool {
        hint.version == self.hint.version
            && hint.meta.scope == self.hint.meta.scope
            && hint.value == self.hint.value
    }

    fn fingerprint(&self) -> u64 {
        fingerprint(&self.component, &self.key, &self.hint.value)
    }

    fn resource(&self) -> Resource {
        let words = format!("[{}] A hint that applies here.", self.hint.told_by());
        let name = format!("{}/{}", self.component, self.key);
        let address = Address::Hint(self.component.to_string(), self.key.to_string());
        Resource::new(address.to_string(), &*name)
            .with_title(name)
            .with_description(words)
            .with_mime_type(JSON)
    }
}

/// What a client was told of, and what it knows without being told.
pub(super) struct Suggestions {
    /// Fingerprints of what the client wrote itself or was told of.
    known: HashSet<u64>,
    limit: RateLimit<Instant>,
    /// The latest ones that are still there, newest first.
    latest: VecDeque<Added>,
}

impl Default for Suggestions {
    fn default() -> Suggestions {
        Suggestions {
            known: HashSet::new(),
            limit: RateLimit::new(MOST),
            latest: VecDeque::new(),
        }
    }
}

impl Suggestions {
    /// Notes what a client is about to write. That is done before the store
    /// hears of it: the change may be told sooner than the call is answered.
    pub(super) fn know(&mut self, method: Method, params: &JsonObject) {
        let word = |name: &str| params.get(name).and_then(Value::as_str);
        match method {
            Method::Store(Operation::SetHint) => {
                if let (Some(component), Some(key), Some(value)) =
                    (word("component"), word("key"), params.get("value"))
                {
                    self.know_value(component, key, value);
                }
            }
            Method::Store(Operation::Import) => {
                let payload = params.get("payload");
                let components = payload.and_then(|payload| payload.get("components"));
                for (component, hints) in fields(components) {
                    for (key, slot) in fields(hints.get("hints")) {
                        let variants = match slot {
                            Value::Array(variants) => variants.as_slice(),
                            one => std::slice::from_ref(one),
                        };
                        let values = variants.iter().filter_map(|one| one.get("value"));
                        for value in values {
                            self.know_value(component, key, value);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    fn know_value(&mut self, component: &str, key: &str, value: &Value) {
        if let Ok(value) = HintValue::deserialize(value) {
            self.remember(fingerprint(component, key, &value));
        }
    }

    /// Whether a client may be told of a hint now: it does not know it, and was
    /// not told of too many.
    pub(super) fn allow(&mut self, added: &Added) -> bool {
        let print = added.fingerprint();
        !self.known.contains(&print) && self.limit.allows(&print, Instant::now())
    }

    /// Counts a hint as one that the client is told of.
    pub(super) fn tell(&mut self, added: Added) {
        let print = added.fingerprint();
        self.limit.count(&print, Instant::now() + WITHIN);
        self.remember(print);
        self.withdraw(&added.component, &added.key);
        self.latest.push_front(added);
        self.latest.truncate(MOST);
    }

    /// Takes what a change has removed from the list.
    pub(super) fn follow(&mut self, change: &ChangeKind) {
        match change {
            ChangeKind::Clear => self.latest.clear(),
            ChangeKind::Delete(gone) | ChangeKind::Expire(gone) => {
                self.withdraw(&gone.component, &gone.key);
            }
            _ => {}
        }
    }

    /// The hints that the client was told of, newest first.
    pub(super) fn resources(&self) -> impl Iterator<Item = Resource> {
        self.latest.iter().map(Added::resource)
    }

    fn withdraw(&mut self, component: &Name, key: &Name) {
        self.latest
            .retain(|added| added.component != *component || added.key != *key);
    }

    fn remember(&mut self, fingerprint: u64) {
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(fingerprint);
    }
}

fn fields(object: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    object.and_then(Value::as_object).into_iter().flatten()
}

/// What makes two hints identical to a client, whoever wrote them: where they
/// are and what they say, in the form in which the store keeps it.
fn fingerprint(component: &str, key: &str, value: &HintValue) -> u64 {
    let mut hasher = DefaultHasher::new();
    let value = serde_json::to_string(value).unwrap_or_default();
    (component, key, value).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "suggestion/tests.rs"]
mod tests;
