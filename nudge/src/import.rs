//! What an import changes: which hints of a payload are taken, which are not.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::answer::{Imported, Problem};
use crate::change::{Change, What};
use crate::check::check;
use crate::config::{Config, Size};
use crate::error::Error;
use crate::gate::Gates;
use crate::hint::{Hint, Source};
use crate::name::Name;
use crate::plan::Bench;
use crate::set_hint::distinct;
use crate::snapshot::{Seed, Seeds};
use crate::store::Store;
use crate::upkeep::ImportMode;

/// How many problems an answer lists.
const MAX_PROBLEMS: usize = 20;

/// A payload of which every hint was checked.
pub(crate) struct Checked {
    components: BTreeMap<Name, BTreeMap<Name, Vec<Hint>>>,
    /// What is known of the outcome before anything is compared with the store.
    outcome: Outcome,
}

/// What came of the hints so far.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) answer: Imported,
    /// The first thing that is wrong, for an import that is refused as a whole.
    pub(crate) refusal: Option<Error>,
}

impl Outcome {
    fn skip(&mut self, component: &Name, key: &Name, error: Error) {
        self.answer.skipped += 1;
        if self.answer.problems.len() < MAX_PROBLEMS {
            self.answer.problems.push(Problem {
                component: component.clone(),
                key: key.clone(),
                reason: error.kind().reason().to_owned(),
                detail: error.to_string(),
            });
        }
        self.refusal.get_or_insert(error);
    }
}

impl Checked {
    /// Checks every hint by itself, as a set would.
    pub(crate) fn new(seeds: Seeds, gates: &Gates, config: &Config, now: DateTime<Utc>) -> Checked {
        let mut checked = Checked {
            components: BTreeMap::new(),
            outcome: Outcome::default(),
        };
        for (component, slots) in seeds {
            let mut good: BTreeMap<Name, Vec<Hint>> = BTreeMap::new();
            for (key, variants) in slots {
                let mut hints = Vec::with_capacity(variants.len());
                for seed in variants {
                    let hint = seed
                        .and_then(|seed| grow(seed, gates, config, now))
                        .and_then(|hint| {
                            check(&component, &key, &hint, config)?;
                            Ok(hint)
                        });
                    match hint {
                        Ok(hint) if hint.is_expired(now) => checked.outcome.answer.skipped += 1,
                        Ok(hint) => hints.push(hint),
                        Err(error) => checked.outcome.skip(&component, &key, error),
                    }
                }
                good.entry(key).or_default().extend(hints);
            }
            checked
                .components
                .entry(component)
                .or_default()
                .extend(good);
        }
        checked
    }

    /// The changes that bring the payload into the store.
    ///
    /// A merge takes what is good. A replacement in which something is bad is
    /// refused: what it would take away could not be had back.
    pub(crate) fn plan(
        self,
        on: Bench<'_>,
        mode: ImportMode,
        dry_run: bool,
    ) -> Result<(Vec<Change>, Imported), Error> {
        let empty = Store::default();
        let (store, mut changes) = match mode {
            ImportMode::Merge => (on.store, on.store.expire(on.now).collect()),
            ImportMode::Replace => (&empty, vec![Change::clear(on.now)]),
        };
        let outcome = self.compare(store, on, &mut changes);
        match outcome.refusal {
            _ if dry_run => Ok((Vec::new(), outcome.answer)),
            Some(error) if mode == ImportMode::Replace => Err(error),
            _ => Ok((changes, outcome.answer)),
        }
    }

    /// Adds the changes for each hint that the store lacks or has an older one of.
    fn compare(self, store: &Store, on: Bench<'_>, changes: &mut Vec<Change>) -> Outcome {
        let Checked {
            components,
            mut outcome,
        } = self;
        let Bench { config, now, .. } = on;
        let dead = Dead::new(changes);
        let mut size = dead.size(store);
        for (component, slots) in components {
            let there = store.component(&component).map_or(0, |owner| owner.hints);
            size.hints_in_component = there - dead.of(&component);
            let is_new = size.hints_in_component == 0;
            for (key, hints) in slots {
                let slot = store.slot(&component, &key);
                let mut known: Vec<Arc<Hint>> =
                    slot.map_or_else(Vec::new, |slot| slot.live(now).cloned().collect());
                for mut hint in hints {
                    let same = known
                        .iter_mut()
                        .find(|known| known.meta.scope == hint.meta.scope);
                    let grown = Size {
                        components: size.components
                            + usize::from(is_new && size.hints_in_component == 0),
                        hints_in_component: size.hints_in_component + 1,
                        hints: size.hints + 1,
                    };
                    let before = match &same {
                        Some(known) if !is_newer(&hint, known) => {
                            outcome.answer.skipped += 1;
                            continue;
                        }
                        Some(known) => {
                            // A version that a caller has seen never comes
                            // back with another value.
                            hint.version = hint.version.max(known.version + 1);
                            Some(Arc::clone(known))
                        }
                        None => match config.limits.check(&grown) {
                            Ok(()) => {
                                size = grown;
                                None
                            }
                            Err(error) => {
                                outcome.skip(&component, &key, error);
                                continue;
                            }
                        },
                    };
                    let hint = Arc::new(hint);
                    match same {
                        Some(known) => *known = Arc::clone(&hint),
                        None => known.push(Arc::clone(&hint)),
                    }
                    let names = (component.clone(), key.clone());
                    changes.push(Change::new(
                        What::Set,
                        now,
                        names,
                        before.as_ref(),
                        Some(hint),
                    ));
                    outcome.answer.imported += 1;
                }
            }
        }
        outcome
    }
}

/// Makes a hint of a seed, filling in what a seed may leave out.
fn grow(seed: Seed, gates: &Gates, config: &Config, now: DateTime<Utc>) -> Result<Hint, Error> {
    let mut meta = seed.meta;
    let scope = meta.scope.take().unwrap_or_default();
    let scope = gates
        .narrowed(scope, &seed.value)
        .map_err(|error| error.within("meta"))?;
    let mut meta = meta.with_scope(scope);
    meta.tags = distinct(meta.tags.into_vec());
    meta.source = meta.source.or(Some(Source::FileImport));
    meta.ttl = meta.ttl.or_else(|| config.default_ttl.stamp());
    let updated_at = seed.updated_at.unwrap_or(now);
    Ok(Hint {
        value: seed.value,
        meta,
        version: seed.version.unwrap_or(1).max(1),
        created_at: seed.created_at.unwrap_or(updated_at),
        updated_at,
        last_used_at: seed.last_used_at,
        use_count: seed.use_count,
    })
}

/// Whether an imported hint takes the place of the one that is there.
fn is_newer(hint: &Hint, known: &Hint) -> bool {
    let same = hint.value == known.value && hint.meta == known.meta;
    hint.updated_at > known.updated_at && !same
}

/// How many hints the changes let expire, by component.
pub(crate) struct Dead(BTreeMap<Name, usize>);

impl Dead {
    pub(crate) fn new(changes: &[Change]) -> Dead {
        let mut dead = BTreeMap::new();
        for change in changes.iter().filter(|change| change.what == What::Expire) {
            *dead.entry(change.component.clone()).or_default() += 1;
        }
        Dead(dead)
    }

    pub(crate) fn of(&self, component: &Name) -> usize {
        self.0.get(component).copied().unwrap_or(0)
    }

    /// What a store holds that is not dead.
    pub(crate) fn size(&self, store: &Store) -> Size {
        let gone = |(name, dead): &(&Name, &usize)| {
            store
                .component(name)
                .is_none_or(|owner| owner.hints == **dead)
        };
        Size {
            components: store.components().len() - self.0.iter().filter(gone).count(),
            hints_in_component: 0,
            hints: store.hints() - self.0.values().sum::<usize>(),
        }
    }
}
