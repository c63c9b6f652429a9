//! What an import changes: which hints of a payload are taken, which are not.

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::api::answer::{Imported, Problem};
use crate::api::caller::{Caller, Via};
use crate::api::import_export::ImportMode;
use crate::api::payload::{Named, Offer, Payload};
use crate::config::Config;
use crate::hint::mark::Mark;
use crate::hint::origin::origin_of;
use crate::hint::stamp::Stamp;
use crate::hint::{Hint, HintMeta, HintValue, Sensitivity, Source};
use crate::model::error::Error;
use crate::model::list::Variants;
use crate::model::name::{Name, check_names};
use crate::model::scope::Scope;
use crate::scope::matcher::ScopeMatcher;
use crate::secret;
use crate::store::Store;
use crate::store::change::ChangeKind;
use crate::store::interner::Interner;
use crate::write::extras::Extras;
use crate::write::plan::WriteContext;
use crate::write::proposal::adds_nothing;
use crate::write::seed::{Seed, read};
use crate::write::trust::{no_pin, no_secret};
use crate::write::validate::check_hint;

/// How many problems an answer lists.
const MAX_PROBLEMS: usize = 20;

/// A payload of which every hint was checked.
#[derive(Default)]
pub(crate) struct Checked {
    pub(crate) components: Named<Named<Vec<Arc<Hint>>>>,
    /// Where those of them lie that say no time, and so are older than any that is there.
    undated: HashSet<usize>,
    extras: Extras,
    /// What is known of the outcome before anything is compared with the store.
    pub(crate) outcome: Outcome,
    /// What another machine says of what does not stand, and all its stamps; only in a merge.
    pub(crate) marks: Vec<Mark>,
    pub(crate) stamps: Vec<Stamp>,
}

/// What came of the hints so far.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) answer: Imported,
    /// The first thing that is wrong, for an import that is refused as a whole.
    pub(crate) refusal: Option<Error>,
}

impl Outcome {
    pub(crate) fn skip(&mut self, component: &Name, key: &Name, error: Error) {
        self.answer.skipped += 1;
        self.note(component, key, error);
    }

    /// Says what is wrong with a hint, a proposal or a context set.
    pub(crate) fn note(&mut self, component: &Name, key: &Name, error: Error) {
        if self.answer.problems.len() < MAX_PROBLEMS {
            self.answer.problems.push(Problem {
                component: secret::shown(component).into(),
                key: secret::shown(key).into(),
                reason: error.kind().reason().into(),
                detail: error.data().detail.clone().unwrap_or_default(),
                message: error.to_string(),
            });
        }
        self.refusal.get_or_insert(error);
    }
}

impl Checked {
    /// Reads a payload and checks every hint by itself, as a set would.
    pub(crate) fn new(payload: Payload, by: &Checker<'_>) -> Result<Checked, Error> {
        let (json, mut checked) = (payload.0, Checked::default());
        let seeds = |slot: Variants<Seed>| slot.0.into_iter().map(Ok).collect();
        let fast = read(&json, &mut |component, slots| {
            checked.add(component, slots, seeds, by);
        });
        let beside = fast.or_else(|_| {
            // Something cannot be read. Once more, more slowly, so
            // that only what is bad gets lost.
            checked = Checked::default();
            let seeds = |slot: &RawValue| Seed::one_by_one(slot);
            read(&json, &mut |component, slots| {
                checked.add(component, slots, seeds, by);
            })
        })?;
        if by.by.via == Via::Sync {
            let marks = beside.marks.into_iter().flatten();
            let marks = marks.filter_map(|raw| serde_json::from_str(raw.get()).ok());
            checked.marks = marks.collect();
            let stamps = checked.marks.iter().filter_map(|mark| mark.stamp.clone());
            checked.stamps.extend(stamps);
        } else {
            checked.extras = Extras::read(beside, by, &mut checked.outcome);
        }
        checked.components = in_order(checked.components);
        Ok(checked)
    }

    fn add<H>(
        &mut self,
        component: Name,
        slots: Named<H>,
        seeds: impl Fn(H) -> Vec<Result<Seed, Error>>,
        by: &Checker<'_>,
    ) {
        let mut good = Named::with_capacity(slots.len());
        for (key, slot) in slots {
            let checked = check_names(&component, &key);
            let mut hints = Vec::new();
            for seed in seeds(slot) {
                let seed = checked.clone().and(seed);
                let stamp = seed.as_ref().ok().and_then(|seed| by.stamp(seed));
                self.stamps.extend(stamp);
                let is_dated = seed.as_ref().is_ok_and(|seed| seed.updated_at.is_some());
                match seed.and_then(|seed| by.grow((&component, &key), seed)) {
                    Ok(hint) if hint.is_expired(by.now) => self.outcome.answer.skipped += 1,
                    Ok(hint) => {
                        let hint = Arc::new(hint);
                        self.undated.extend((!is_dated).then(|| address(&hint)));
                        hints.push(hint);
                    }
                    Err(error) => self.outcome.skip(&component, &key, error),
                }
            }
            good.push((key, hints));
        }
        self.components.push((component, in_order(good)));
    }

    /// Makes proposals of what would overwrite the user's word.
    pub(crate) fn propose_instead(&mut self, on: WriteContext<'_>) {
        let why: Box<str> = format!("{} would import over what the user has set", on.who()).into();
        let client = on.origin().and_then(|origin| origin.client);
        for (component, slots) in &mut self.components {
            for (key, hints) in slots {
                hints.retain(|hint| {
                    let (scope, value) = (hint.meta.scope.as_ref(), &hint.value);
                    let stands = |known: &&Arc<Hint>| on.stands_against(known, scope, value);
                    let mut live = on.store.live((component, key), on.now);
                    let known = live.find(|one| !on.by.is_user() && stands(one));
                    if known.is_some_and(|known| !adds_nothing(hint, known)) {
                        self.extras.propose(Offer {
                            component: component.clone(),
                            key: key.clone(),
                            hint: Arc::clone(hint),
                            why: why.clone(),
                            client: client.clone(),
                            delete: false,
                        });
                        let words =
                            "the user has set this, or it is known to work; it is proposed instead";
                        let error = Error::forbidden("proposed", words);
                        self.outcome.skip(component, key, error);
                    } else if known.is_some() {
                        self.outcome.answer.skipped += 1;
                    }
                    known.is_none()
                });
            }
        }
    }

    /// The changes that bring the payload into the store.
    ///
    /// A merge takes what is good. A replacement in which something is bad is
    /// refused: what it would take away could not be had back.
    pub(crate) fn plan(
        mut self,
        on: WriteContext<'_>,
        mode: ImportMode,
        dry_run: bool,
    ) -> Result<(Vec<ChangeKind>, Imported), Error> {
        let empty = Store::default();
        let (store, mut changes) = match mode {
            ImportMode::Merge => (on.store, on.store.expire(on.now).collect()),
            ImportMode::Replace => (&empty, vec![ChangeKind::Clear]),
        };
        let extras = std::mem::take(&mut self.extras);
        let mut outcome = self.compare(store, on, &mut changes);
        extras.plan(store, on, mode, &mut changes, &mut outcome);
        match outcome.refusal {
            _ if dry_run => Ok((Vec::new(), outcome.answer)),
            Some(error) if mode == ImportMode::Replace => Err(error),
            _ => Ok((changes, outcome.answer)),
        }
    }

    /// Adds the changes for each hint that the store lacks or has an older one of.
    pub(crate) fn compare(
        self,
        store: &Store,
        on: WriteContext<'_>,
        changes: &mut Vec<ChangeKind>,
    ) -> Outcome {
        let mut outcome = self.outcome;
        let mut counts = store.counts().without(changes, store);
        for (component, slots) in self.components {
            for (key, hints) in slots {
                let known = store.live((&component, &key), on.now);
                let mut known: Vec<Arc<Hint>> = known.cloned().collect();
                for mut hint in hints {
                    let is_same = |known: &&mut Arc<Hint>| known.meta.scope == hint.meta.scope;
                    let same = known.iter_mut().find(is_same);
                    let is_dated = !self.undated.contains(&address(&hint));
                    let is_older =
                        |known: &&mut Arc<Hint>| !takes_place(&hint, is_dated, known, on.by);
                    if same.as_ref().is_some_and(is_older) {
                        outcome.answer.skipped += 1;
                        continue;
                    }
                    let before = same.as_ref().map(|known| &***known);
                    let (limits, is_user) = (&on.config.limits, on.by.is_user());
                    if let Err(error) = counts.check((&component, &hint), before, limits, is_user) {
                        outcome.skip(&component, &key, error);
                        continue;
                    }
                    counts.replace(&component, before, Some(&hint));
                    let before = same.as_ref().map(|known| {
                        // A version that a caller has seen never comes
                        // back with another value.
                        let next = known.version.saturating_add(1);
                        let hint = Arc::make_mut(&mut hint);
                        hint.version = hint.version.max(next);
                        let origin = hint.meta.origin.take();
                        hint.meta.origin = origin_of(&hint.value, origin, Some(known));
                        Arc::clone(known)
                    });
                    match same {
                        Some(known) => *known = Arc::clone(&hint),
                        None => known.push(Arc::clone(&hint)),
                    }
                    if hint.is_users() {
                        changes.extend(on.wanted((&component, &key), &hint));
                    }
                    let names = (component.clone(), key.clone());
                    changes.push(ChangeKind::set(names, before.as_ref(), hint));
                    outcome.answer.imported += 1;
                }
            }
        }
        outcome
    }
}

/// Entries sorted by name; of a name that stands twice, the later one counts,
/// as everywhere in JSON.
pub(crate) fn in_order<T>(mut entries: Named<T>) -> Named<T> {
    if !entries.is_sorted_by(|(a, _), (b, _)| a < b) {
        let last: BTreeMap<Name, T> = entries.into_iter().collect();
        entries = last.into_iter().collect();
    }
    entries
}

/// What hints are checked with.
pub(crate) struct Checker<'a> {
    pub(crate) interner: &'a Interner,
    pub(crate) config: &'a Config,
    pub(crate) now: DateTime<Utc>,
    /// Who imports.
    pub(crate) by: &'a Caller<'a>,
    /// What new scopes may take of memory, once they are compiled.
    pub(crate) room: Cell<usize>,
}

impl Checker<'_> {
    /// The client that imports.
    pub(crate) fn client(&self) -> Option<Name> {
        let origin = self.by.origin()?.fitting(self.config)?;
        origin.client
    }

    /// The matcher of a scope, while there is room for one that nobody has yet.
    fn compiled(
        &self,
        scope: Scope,
        value: &HintValue,
    ) -> Result<Option<Arc<ScopeMatcher>>, Error> {
        if self.room.get() == 0 {
            return Err(self.config.limits.no_room());
        }
        let matcher = self.interner.matcher_for(scope, value)?;
        // One is the interner's.
        let new = matcher.as_ref().filter(|new| Arc::strong_count(new) == 2);
        let taken = new.map_or(0, |new| new.bytes());
        self.room.set(self.room.get().saturating_sub(taken));
        Ok(matcher)
    }

    /// The stamp that another machine gave a hint.
    fn stamp(&self, seed: &Seed) -> Option<Stamp> {
        let given = seed.stamp.as_ref().filter(|_| self.by.via == Via::Sync)?;
        Stamp::deserialize(given).ok()
    }

    /// Makes a hint of a seed, filling in what a seed may leave out, and checks it.
    pub(crate) fn grow(&self, (component, key): (&Name, &Name), seed: Seed) -> Result<Hint, Error> {
        let is_user = self.by.is_user();
        let stamp = self.stamp(&seed).map(Box::new);
        let mut meta = seed.meta;
        if !is_user && meta.sensitivity == Some(Sensitivity::Secret) {
            return Err(no_secret());
        }
        if !is_user && meta.pin {
            return Err(no_pin());
        }
        let scope = meta.scope.take().unwrap_or_default();
        let mut meta = meta.with_scope(self.compiled(scope, &seed.value)?);
        meta.tags = self.interner.tags(meta.tags.to_vec());
        // Nobody else speaks for the user, or for whoever set a hint.
        meta.source = match meta.source {
            _ if !is_user => Some(self.by.source()),
            source => source.or(Some(Source::FileImport)),
        };
        let origin = match meta.origin.take() {
            Some(origin) if is_user => Some(*origin),
            _ => self.by.origin().map(|origin| origin.stamped(self.now)),
        };
        meta.origin = origin
            .and_then(|origin| origin.fitting(self.config))
            .map(Box::new);
        // What others import was neither used nor seen before.
        let updated_at = seed.updated_at.filter(|_| is_user).unwrap_or(self.now);
        let mut hint = Hint::new(seed.value, meta, updated_at);
        if is_user {
            hint = Hint {
                version: seed.version.unwrap_or(1).max(1),
                created_at: seed.created_at.unwrap_or(updated_at),
                last_used_at: seed.last_used_at,
                use_count: seed.use_count,
                fail_count: seed.fail_count,
                first_failed_at: seed.first_failed_at,
                last_failed_at: seed.last_failed_at,
                claimed_uses: seed.claimed_uses,
                claimed_failures: seed.claimed_failures,
                stamp,
                ..hint
            };
        }
        hint.not_after(self.now);
        hint.settle_lifetime(self.config);
        // One that took its end from a default says when, and states no ttl.
        let is_stated = !is_user || hint.meta.ttl.is_some();
        hint.end_by(seed.expires_at.filter(|_| !is_stated));
        check_hint(component, key, &hint, self.config, self.by)?;
        Ok(hint)
    }
}

/// Where a hint lies.
fn address(hint: &Arc<Hint>) -> usize {
    Arc::as_ptr(hint).addr()
}

/// Whether an imported hint takes the place of the one that is there. What others than the
/// user import is set now.
fn takes_place(hint: &Hint, is_dated: bool, known: &Hint, by: &Caller<'_>) -> bool {
    // What a project's file says now counts, and not when it was said.
    let is_said_now = !by.is_user() || hint.is_projects();
    let is_newer = is_dated && hint.updated_at > known.updated_at || is_said_now;
    is_newer && !says_the_same(hint, known)
}

/// Whether two hints differ at most in who set them.
fn says_the_same(hint: &Hint, known: &Hint) -> bool {
    let meta = |hint: &Hint| HintMeta {
        origin: None,
        ..hint.meta.clone()
    };
    hint.value == known.value && meta(hint) == meta(known)
}
