//! Which variant of a slot an operation means, and what to say when none will do.

use std::collections::BTreeSet;
use std::slice;
use std::sync::Arc;

use crate::api::request::Query;
use crate::api::selector::Which;
use crate::hint::Hint;
use crate::model::error::Error;
use crate::model::fix::Fix;
use crate::model::name::{Name, check_names};
use crate::model::near_miss::NearMiss;
use crate::rank::prompt_block::Declared;
use crate::rank::query::QueryContext;
use crate::rank::score::{Candidate, chosen, in_get_order};
use crate::scope::context::Facts;
use crate::scope::near_miss::count_failed;
use crate::secret;
use crate::store::Store;
use crate::store::interner::Interner;
use crate::store::slot::{Slot, Variant};

/// How many names an error offers.
const OFFERED: usize = 5;

/// How many names an answer offers.
const NEAREST: usize = 3;

/// How many near misses an error lists, those of the nearest variants first.
const MAX_NEAR_MISSES: usize = 20;

/// Among how many names an error looks for near ones.
const LOOKED_AT: usize = 1000;

impl Slot {
    /// The variant that a get chooses.
    pub(crate) fn best(&self, at: QueryContext<'_>) -> Option<Candidate<'_>> {
        let matches = |variant: &&Variant| {
            let hint = &variant.hint;
            variant.matches(at.facts) && !hint.is_expired(at.now) && at.reach.has(hint)
        };
        let mut eligible = self.variants.iter().filter(matches);
        let first = self.candidate(&eligible.next()?.hint, at);
        let Some(second) = eligible.next() else {
            return Some(first);
        };
        let others = std::iter::once(second).chain(eligible);
        let others = others.map(|variant| self.candidate(&variant.hint, at));
        let candidates: Vec<_> = std::iter::once(first).chain(others).collect();
        let best = chosen(&candidates, at.facts)?;
        candidates.get(best).copied()
    }

    /// The variants in the order in which a get would choose them.
    pub(crate) fn ranked(&self, at: QueryContext<'_>, most: usize) -> Vec<Candidate<'_>> {
        let live = self.readable(at.now, at.reach);
        let eligible = live.filter(|hint| hint.applies(at.facts));
        let candidates: Vec<_> = eligible.map(|hint| self.candidate(hint, at)).collect();
        let order = in_get_order(&candidates, at.facts, most).into_iter();
        order
            .filter_map(|index| candidates.get(index).copied())
            .collect()
    }

    /// What a query shows of the variants that apply: beside the user's word only what a get
    /// would choose. `None` is all of them.
    fn shown(&self, at: QueryContext<'_>) -> Option<&Arc<Hint>> {
        let is_users = |known: &Arc<Hint>| known.is_users() && known.applies(at.facts);
        let has_users = self.variants.len() > 1 && self.readable(at.now, at.reach).any(is_users);
        has_users.then(|| self.best(at).map(|best| best.hint))?
    }

    fn candidate<'s>(&'s self, hint: &'s Arc<Hint>, at: QueryContext<'_>) -> Candidate<'s> {
        Candidate::new((&self.component, &self.key), hint, at)
    }
}

/// What is shown of the slot that was looked at last: its variants come one after the other.
#[derive(Default)]
pub(crate) struct Shown<'s>(Option<(&'s Slot, Option<&'s Arc<Hint>>)>);

impl<'s> Shown<'s> {
    /// Whether a query may show a hint of a slot that applies.
    pub(crate) fn shows(&mut self, slot: &'s Slot, hint: &Arc<Hint>, at: QueryContext<'_>) -> bool {
        let only = match self.0 {
            Some((last, only)) if std::ptr::eq(last, slot) => only,
            _ => slot.shown(at),
        };
        self.0 = Some((slot, only));
        only.is_none_or(|only| Arc::ptr_eq(only, hint))
    }
}

/// The one of some hints of a slot that a get would choose.
pub(crate) fn chosen_of<'h>(
    names: (&Name, &Name),
    hints: &[&'h Arc<Hint>],
    at: QueryContext<'_>,
) -> Option<&'h Arc<Hint>> {
    let eligible: Vec<_> = hints.iter().filter(|hint| hint.applies(at.facts)).collect();
    let candidates = eligible.iter();
    let candidates = candidates.map(|hint| Candidate::new(names, hint, at));
    let candidates: Vec<_> = candidates.collect();
    let best = chosen(&candidates, at.facts)?;
    eligible.get(best).map(|hint| **hint)
}

/// The variants that a delete or a bump means.
pub(crate) fn pick(
    store: &Store,
    (component, key): (&Name, &Name),
    which: Which,
    at: QueryContext<'_>,
    interner: &Interner,
    is_own: impl Fn(&Hint) -> bool,
) -> Result<Vec<Arc<Hint>>, Error> {
    let live = store.live((component, key), at.now);
    let live = live.filter(|hint| at.reach.has(hint) || is_own(hint));
    let live: Vec<&Arc<Hint>> = live.collect();
    if live.is_empty() {
        return Err(missing(store, (component, key), at, &[]));
    }
    match which {
        Which::All => Ok(live.into_iter().cloned().collect()),
        Which::Only => match live[..] {
            [only] => Ok(vec![Arc::clone(only)]),
            _ => Err(ambiguous((component, key), &live)),
        },
        Which::Scope(scope) => {
            let matcher = interner.matcher(scope)?;
            let hint = live.into_iter().find(|hint| hint.meta.scope == matcher);
            hint.map(|hint| vec![Arc::clone(hint)]).ok_or_else(|| {
                let words = format!("`{component}/{key}` has no variant with that scope");
                Error::not_found("no_slot", words).fix(Fix::ShowScopes)
            })
        }
        Which::Context(_) => {
            let best = store.slot(component, key).and_then(|slot| slot.best(at));
            let best = best.map(|best| vec![Arc::clone(best.hint)]);
            best.ok_or_else(|| out_of_scope((component, key), &live, at.facts, None))
        }
    }
}

/// The error for a call that could mean several variants.
fn ambiguous((component, key): (&Name, &Name), live: &[&Arc<Hint>]) -> Error {
    let scopes = live
        .iter()
        .map(|hint| hint.scope().cloned().unwrap_or_default());
    let words = format!("`{component}/{key}` has {} variants", live.len());
    let error = Error::invalid("scope", "ambiguous", words).fix(Fix::ChooseVariant);
    error.and(|data| data.scopes = scopes.collect())
}

/// The error for a slot that is not there or holds only what has expired, and that the project
/// does not declare.
pub(crate) fn missing(
    store: &Store,
    (component, key): (&Name, &Name),
    at: QueryContext<'_>,
    declared: &[Declared],
) -> Error {
    if let Err(error) = check_names(component, key) {
        return error;
    }
    if store.has_lost(component, key) {
        let words = format!("`{component}/{key}` is gone: a secret was here; set it again");
        return Error::not_found("no_slot", words);
    }
    let slot = store.slot(component, key);
    if slot.is_some_and(|slot| slot.hints().any(|hint| at.reach.has(hint))) {
        let words = format!("`{component}/{key}` has expired; set it again");
        return Error::not_found("expired", words);
    }
    let (asked, wanted) = (secret::shown(component), secret::shown(key));
    let offered = |asked: &Name, known| {
        let names = near(&[asked], known, OFFERED).into_iter();
        names.map(|name| format!("`{name}`")).collect::<Vec<_>>()
    };
    let own = declared.iter().filter(|one| one.component == *component);
    let mut known = known_keys(store, Some(component), at);
    known.extend(own.map(|one| &one.key));
    let keys = offered(key, known);
    let words = if keys.is_empty() {
        let mut known = known_components(store, at);
        known.extend(declared.iter().map(|one| &one.component));
        let names = offered(component, known);
        if names.is_empty() && at.reach.is_limited() {
            format!("no component `{asked}` here; set a hint first")
        } else if names.is_empty() {
            format!("no component `{asked}`; the store is empty, set a hint first")
        } else {
            format!("no component `{asked}`; there is {}", names.join(", "))
        }
    } else {
        format!(
            "`{component}` has no `{wanted}`; it has {}",
            keys.join(", ")
        )
    };
    Error::not_found("no_slot", words)
}

/// The names nearest to what a query asks for and nobody has set: its component, or all its keys.
pub(crate) fn nearest(store: &Store, query: &Query, at: QueryContext<'_>) -> Vec<Name> {
    if query.component.is_none() && query.keys.is_empty() {
        return Vec::new();
    }
    let keys = known_keys(store, query.component.as_ref(), at);
    let (asked, known) = match &query.component {
        Some(name) if keys.is_empty() => (slice::from_ref(name), known_components(store, at)),
        _ => (&query.keys[..], keys),
    };
    // Likeness takes time: of many keys the first will do, and what can be no name is like none.
    let names = asked.iter().filter(|name| name.check("name").is_ok());
    let names: Vec<&Name> = names.take(NEAREST).collect();
    if names.is_empty() || asked.iter().any(|name| known.contains(name)) {
        return Vec::new();
    }
    near(&names, known, NEAREST)
}

/// The components that have a live hint.
fn known_components<'s>(store: &'s Store, at: QueryContext<'_>) -> BTreeSet<&'s Name> {
    let is_live = |slot: &Slot| slot.readable(at.now, at.reach).next().is_some();
    let components = store.components().into_iter();
    components
        .filter(|(_, owner)| store.slots_of(owner).any(is_live))
        .map(|(name, _)| name)
        .collect()
}

/// The keys that have a live hint, in one component or in all.
fn known_keys<'s>(
    store: &'s Store,
    component: Option<&Name>,
    at: QueryContext<'_>,
) -> BTreeSet<&'s Name> {
    let all = component.is_none().then(|| store.slots());
    let owner = component.and_then(|component| store.component(component));
    let own = owner.map(|owner| store.slots_of(owner));
    let slots = all.into_iter().flatten().chain(own.into_iter().flatten());
    let live = slots.filter(|slot| slot.readable(at.now, at.reach).next().is_some());
    live.map(|slot| &slot.key).collect()
}

/// The known names, those most like one that is asked for first.
fn near(asked: &[&Name], known: BTreeSet<&Name>, most: usize) -> Vec<Name> {
    let likeness = |known: &Name| {
        let alike = asked.iter().map(|name| strsim::jaro_winkler(name, known));
        (alike.fold(0.0, f64::max) * 1e9).round()
    };
    let known = known.into_iter().take(LOOKED_AT);
    let mut names: Vec<_> = known.map(|known| (likeness(known), known)).collect();
    names.sort_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
    let names = names.into_iter().take(most);
    names.map(|(_, name)| name.clone()).collect()
}

/// The error for a slot in which nothing applies where the caller is; `old` is the repository
/// that was there before.
pub(crate) fn out_of_scope<H: AsRef<Hint>>(
    (component, key): (&Name, &Name),
    live: &[H],
    facts: &Facts,
    old: Option<String>,
) -> Error {
    let mut nearest: Vec<&Hint> = live.iter().map(AsRef::as_ref).collect();
    nearest.sort_by_cached_key(|hint| {
        let matcher = hint.meta.scope.as_deref();
        matcher.map_or(0, |matcher| count_failed(matcher, facts))
    });
    let misses = nearest
        .iter()
        .flat_map(|hint| hint.failed_conditions(facts));
    let mut misses: Vec<NearMiss> = misses.take(MAX_NEAR_MISSES).collect();
    if let Some((old, new)) = old.zip(facts.repos.first()) {
        let moved = misses
            .iter_mut()
            .filter(|miss| miss.expected.contains(&old));
        let fix = format!("type `nudge mv --repo {old} {new}`, if this is the same repository");
        moved.for_each(|miss| miss.fix = Some(fix.clone()));
    }
    let why = misses.first().map_or_else(String::new, |miss| {
        let fix = miss.fix.as_deref();
        let fix = fix.unwrap_or("set a variant for here, or ask from where it applies");
        format!(": {}; {fix}", miss.describe())
    });
    let words = format!("`{component}/{key}` does not apply here{why}");
    Error::not_found("out_of_scope", words).near(misses)
}
