//! What a payload carries beside hints: proposals and context sets.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Deserialize;

use crate::api::context_sets::ContextItem;
use crate::api::import_export::ImportMode;
use crate::api::payload::Offer;
use crate::hint::working_set::WorkingSet;
use crate::model::error::Error;
use crate::model::json::{from_json, invalid_field};
use crate::model::name::{Name, check_names};
use crate::store::Store;
use crate::store::change::ChangeKind;
use crate::write::context_sets::{self, MAX_IN_ALL};
use crate::write::import::{Checker, Outcome, in_order};
use crate::write::plan::WriteContext;
use crate::write::proposal::{MOST, Waiting, adds_nothing};
use crate::write::seed::{Beside, Seed};
use crate::write::validate::{MAX_REASON_BYTES, check_said};

/// What a payload carries beside hints, checked. What it lacks stays as it is.
#[derive(Default)]
pub(crate) struct Extras {
    proposals: Option<Vec<Offer>>,
    context_sets: Option<Vec<Given>>,
}

/// Items of a set, and whose it is; `None` is that of whoever imports.
type Given = (Option<WorkingSet>, Name, Vec<String>);

/// As much of a bad one as can be told.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Names {
    component: Name,
    key: Name,
}

impl Extras {
    /// Those of a text, each by itself: one that cannot be read spoils no other.
    pub(crate) fn read(beside: Beside<'_>, by: &Checker<'_>, outcome: &mut Outcome) -> Extras {
        let mut extras = Extras {
            proposals: beside.proposals.as_ref().map(|_| Vec::new()),
            context_sets: match (&beside.context_sets, &beside.work) {
                (None, None) => None,
                _ => Some(Vec::new()),
            },
        };
        for raw in beside.proposals.into_iter().flatten() {
            match from_json::<Offer<Seed>>(raw.get().as_bytes()) {
                Ok(offer) => extras.offer(offer, by, outcome),
                Err(error) => {
                    let Names { component, key } =
                        serde_json::from_str(raw.get()).unwrap_or_default();
                    outcome.note(&component, &key, error);
                }
            }
        }
        for (name, raw) in in_order(beside.context_sets.unwrap_or_default()) {
            let items = serde_json::from_str(raw.get()).map_err(|error| {
                let field = format!("payload.context_sets.{name}");
                invalid_field(&field, &error.to_string())
            });
            extras.set((None, name), items, by, outcome);
        }
        for raw in beside.work.into_iter().flatten() {
            match from_json::<WorkingSet>(raw.get().as_bytes()) {
                Ok(working_set) => extras.work(&working_set, by, outcome),
                Err(error) => outcome.note(&"work".into(), &Name::default(), error),
            }
        }
        extras
    }

    fn offer(&mut self, offer: Offer<Seed>, by: &Checker<'_>, outcome: &mut Outcome) {
        let (component, key) = (offer.component, offer.key);
        let hint = check_names(&component, &key)
            .and_then(|()| check_said(&offer.why, "why", MAX_REASON_BYTES, by.config))
            .and_then(|()| by.grow((&component, &key), offer.hint));
        match hint {
            Ok(hint) if hint.is_expired(by.now) => {}
            Ok(hint) => self.propose(Offer {
                component,
                key,
                hint: Arc::new(hint),
                why: offer.why,
                // Nobody but the user says something in another's name.
                client: if by.by.is_user() {
                    offer.client
                } else {
                    by.client()
                },
                delete: offer.delete,
            }),
            Err(error) => outcome.note(&component, &key, error),
        }
    }

    /// Adds one that was not in the payload.
    pub(crate) fn propose(&mut self, offer: Offer) {
        self.proposals.get_or_insert_default().push(offer);
    }

    /// Adds what somebody works on. Nobody but the user says something in another's name.
    fn work(&mut self, given: &WorkingSet, by: &Checker<'_>, outcome: &mut Outcome) {
        let mut owner = given.emptied();
        owner.fit(by.config, by.now);
        let owner = Some(owner).filter(|_| by.by.is_user());
        for (name, item) in given.items().take(context_sets::MAX_IN_ALL) {
            let items = vec![item.to_owned().into()];
            self.set((owner.clone(), name.into()), Ok(items), by, outcome);
        }
    }

    fn set(
        &mut self,
        (owner, name): (Option<WorkingSet>, Name),
        items: Result<Vec<ContextItem>, Error>,
        by: &Checker<'_>,
        outcome: &mut Outcome,
    ) {
        let field = "payload.context_sets";
        let items = items.and_then(|items| context_sets::checked(&name, items, field, by.config));
        match items {
            Ok(items) => self
                .context_sets
                .get_or_insert_default()
                .push((owner, name, items)),
            Err(error) => outcome.note(&"context_sets".into(), &name, error),
        }
    }

    /// Adds the changes that bring it all into the store, after those of the hints.
    ///
    /// A replacement takes the place of what the payload has, and leaves the rest.
    pub(crate) fn plan(
        self,
        store: &Store,
        on: WriteContext<'_>,
        mode: ImportMode,
        changes: &mut Vec<ChangeKind>,
        outcome: &mut Outcome,
    ) {
        let is_swapped = mode == ImportMode::Replace;
        if let Some(offers) = self.proposals {
            let mut waiting = Waiting::new(on);
            if is_swapped {
                waiting.drop_all(|_| true);
            }
            // Of more than may wait, the oldest are not even looked at.
            let spare = offers.len().saturating_sub(MOST);
            for offer in offers.into_iter().skip(spare) {
                let (component, key) = (offer.component.clone(), offer.key.clone());
                if (offer.delete || !offer.stands(store, on.now, changes))
                    && let Err(error) = waiting.add(offer)
                {
                    outcome.note(&component, &key, error);
                }
            }
            changes.extend(waiting.changes);
        }
        if let Some(sets) = self.context_sets {
            let standing = on.store.working_sets().filter(|_| is_swapped);
            let mut all: Vec<WorkingSet> = standing.map(|known| known.emptied()).collect();
            let mut dropped = BTreeMap::new();
            // Trimmed as it grows: a payload may have any number of items.
            for (owner, name, items) in sets {
                let own = owner.map_or_else(|| on.working_set(None), |owner| on.known_or(owner));
                let index = all.iter().position(|known| known.has_owner_of(&own));
                let index = index.unwrap_or_else(|| {
                    all.push(own);
                    all.len() - 1
                });
                for item in items {
                    context_sets::merge(&mut all[index], &name, [item], &mut dropped);
                }
                all[index].trim(MAX_IN_ALL, None, &mut dropped);
            }
            changes.extend(all.into_iter().filter_map(|after| on.works_on(after)));
        }
    }
}

impl Offer {
    /// Whether it says no more than the hint that stands after the changes.
    fn stands(&self, store: &Store, now: DateTime<Utc>, changes: &[ChangeKind]) -> bool {
        let set = changes.iter().filter_map(|change| {
            let is_same = change.slot() == Some((&self.component, &self.key));
            change.hint().filter(|_| is_same)
        });
        let live = store.live((&self.component, &self.key), now);
        let mut of_scope = set
            .chain(live)
            .filter(|one| one.meta.scope == self.hint.meta.scope);
        let known = of_scope.next();
        known.is_some_and(|known| adds_nothing(&self.hint, known))
    }
}
