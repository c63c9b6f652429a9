//! Where stories are played: a store on a clock that the story turns.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use nudge::{Bump, Config, DeleteHint, Error, ErrorKind, Export, GetHint, Limits, ListComponents};
use nudge::{
    Change, GetContext, ListProposals, ManualClock, Nudge, Patch, Query, Sensitivity, SetHint,
    TagsMode, WithSecrets,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use super::besides::{besides, besides_hints};
use crate::model::Outcome;
use crate::model::story::{
    AREAS, COMPONENTS, KEYS, PLACES, REASONS, REGEXES, Search, Set, Slot, Step, TAGS, TTLS, VALUES,
    Which,
};

/// When every story begins.
pub(super) const START: i64 = 1_762_250_400_000;

fn time(millis: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(millis).unwrap()
}

/// A store, its clock, and what the wall says.
pub(super) struct Stage {
    pub(super) nudge: Nudge,
    clock: Arc<ManualClock>,
    pub(super) wall: i64,
    /// The latest that the store has ever seen on the wall.
    latest: i64,
}

impl Stage {
    pub(super) fn new(limits: Limits) -> Stage {
        let clock = Arc::new(ManualClock::at(time(START)));
        let config = Config {
            limits,
            session_id: Some("s-1".into()),
            ..Config::default()
        };
        Stage {
            nudge: Nudge::new(config).with_clock(Arc::clone(&clock)),
            clock,
            wall: START,
            latest: START,
        }
    }

    /// An empty store at the time of this one.
    pub(super) fn twin(&self) -> Stage {
        let mut twin = Stage::new(Limits::default());
        twin.turn(self.latest - START);
        twin
    }

    /// Turns the clock on the wall, and lets the store look at it.
    pub(super) fn turn(&mut self, millis: i64) {
        self.wall += millis;
        self.latest = self.latest.max(self.wall);
        self.clock.set(time(self.wall));
        let _ = self.nudge.stats();
    }

    /// The same with somebody who is asked before every change.
    pub(super) fn with_sink(
        self,
        sink: impl Fn(&[Change]) -> Result<(), Error> + Send + Sync + 'static,
    ) -> Stage {
        let nudge = self.nudge.with_sink(sink);
        Stage { nudge, ..self }
    }

    /// Plays a step, and gives of its answer what a model can know.
    pub(super) fn play(&mut self, step: &Step) -> Outcome {
        self.call(step).map_err(|error| refusal(&error))
    }

    fn call(&mut self, step: &Step) -> Result<Value, Error> {
        if let Step::Turn(millis) = step {
            self.turn(*millis);
        }
        let nudge = &self.nudge;
        Ok(match step {
            Step::Set(set) => json(&nudge.set_hint(set_hint(set))?),
            Step::Get(slot, place, alternatives) => {
                let (component, key) = slot.names();
                let request = GetHint::new(component, key).context(PLACES[*place].context());
                let most = u32::try_from(*alternatives).unwrap();
                let found = json(&nudge.get_hint(request.alternatives(most))?);
                let others = found["alternatives"].as_array().cloned();
                let all = [found].into_iter().chain(others.unwrap_or_default());
                all.map(|found| ranked(&found)).collect()
            }
            Step::Query(search) => {
                let found = json(&nudge.query(query(search))?);
                let hints = found["hints"].as_array().unwrap().iter();
                let hints: Value = hints.map(ranked).collect();
                json!({
                    "hints": hints, "total": found["total"], "scoped_out": found["scoped_out"],
                })
            }
            Step::Delete(slot, which) => {
                let mut previous = nudge.delete_hint(delete_hint(*slot, *which))?.previous;
                previous.sort_by(|a, b| a.scope().cmp(&b.scope()));
                json(&previous)
            }
            Step::Bump(slot, which, delta, failed) => {
                let outcomes = [nudge::Outcome::Ok, nudge::Outcome::Fail];
                let bump = bump(*slot, *which).outcome(outcomes[usize::from(*failed)]);
                json(&nudge.bump(bump.delta(*delta))?.hint)
            }
            Step::Work(_)
            | Step::WorkingSet(_)
            | Step::Propose(_)
            | Step::Proposals
            | Step::Decide(..) => besides(nudge, step)?,
            Step::List(component, place) => {
                let mut request = ListComponents::new();
                request.component = component.map(|number| COMPONENTS[number].into());
                request.context = place.map(|place| PLACES[place].context());
                json(&nudge.list_components(request)?.components)
            }
            Step::Export(component, tags, secrets) => {
                let mut export = tags
                    .iter()
                    .fold(Export::new(), |all, tag| all.tag(TAGS[*tag]));
                export.component = component.map(|number| COMPONENTS[number].into());
                export.include_secrets = *secrets;
                let export = json(&nudge.export(export)?);
                json!({
                    "schema_version": export["payload"]["schema_version"],
                    "components": export["payload"]["components"],
                    "secrets_left_out": export["secrets_left_out"],
                })
            }
            Step::Sweep => json(&nudge.sweep()?),
            Step::Turn(_) => Value::Null,
        })
    }

    /// All hints that there are, to the byte.
    pub(super) fn export(&self) -> String {
        let export = self.nudge.export(Export::new().include_secrets());
        serde_json::to_string(&WithSecrets(export.unwrap().payload)).unwrap()
    }

    /// All that there is: hints, what is being worked on, and what is proposed.
    pub(super) fn everything(&self) -> (String, Value, Value) {
        let working_set = self.nudge.get_context(GetContext::default()).unwrap();
        let waiting = self.nudge.list_proposals(ListProposals::default()).unwrap();
        (self.export(), json(&working_set), json(&waiting))
    }
}

pub(super) fn json(answer: &impl Serialize) -> Value {
    serde_json::to_value(WithSecrets(answer)).unwrap()
}

/// A refusal in the words of the model.
fn refusal(error: &Error) -> String {
    let data = error.data();
    let word = match (error.kind(), data.detail.as_deref()) {
        (ErrorKind::NotFound, Some("out_of_scope")) => "out_of_scope".to_owned(),
        // Whether a dead hint is still known to have been there is the store's affair.
        (ErrorKind::NotFound, _) => "gone".to_owned(),
        (ErrorKind::Conflict, Some("version")) => {
            format!("version {}", data.current_version.unwrap())
        }
        (ErrorKind::Quota, _) => data.limit.as_deref().unwrap().to_owned(),
        (_, Some(word @ ("ambiguous" | "known" | "rejected"))) => word.to_owned(),
        _ => data.field.clone().unwrap_or_default(),
    };
    format!("{} {word}", error.kind().reason())
}

fn ranked(found: &Value) -> Value {
    json!({
        "component": found["component"], "key": found["key"], "hint": found["hint"],
        "score": found["match_explain"]["score"],
    })
}

pub(super) fn set_hint(set: &Set) -> SetHint {
    let (component, key) = set.slot.names();
    let mut request = SetHint::new(component, key, VALUES[set.value]);
    request.if_match_version = set.if_match_version;
    let meta = &mut request.meta;
    meta.reason = map(&set.reason, |reason| REASONS[*reason].into());
    meta.tags = map(&set.tags, |tags| {
        tags.iter().map(|tag| TAGS[*tag].into()).collect()
    });
    meta.priority = set.priority;
    meta.confidence = set.confidence;
    meta.ttl = map(&set.ttl, |ttl| TTLS[*ttl].0.parse().unwrap());
    meta.sensitivity = map(&set.secret, |secret| {
        if *secret {
            Sensitivity::Secret
        } else {
            Sensitivity::Normal
        }
    });
    meta.scope = map(&set.area, |area| (AREAS[*area].written)());
    request
}

fn map<G, T>(given: &Patch<G>, read: impl Fn(&G) -> T) -> Patch<T> {
    match given {
        Patch::Keep => Patch::Keep,
        Patch::Clear => Patch::Clear,
        Patch::Set(value) => Patch::Set(read(value)),
    }
}

fn query(search: &Search) -> Query {
    let mut query = Query::new()
        .context(PLACES[search.place].context())
        .limit(u32::try_from(search.limit).unwrap());
    query.component = search.component.map(|number| COMPONENTS[number].into());
    query.keys = search.keys.iter().map(|key| KEYS[*key].into()).collect();
    query.tags = search.tags.iter().map(|tag| TAGS[*tag].into()).collect();
    query.tags_mode = if search.all_tags {
        TagsMode::All
    } else {
        TagsMode::Any
    };
    query.regex = search.regex.map(|regex| REGEXES[regex].to_owned());
    query
}

pub(super) fn delete_hint(slot: Slot, which: Which) -> DeleteHint {
    let (component, key) = slot.names();
    let request = DeleteHint::new(component, key);
    match which {
        Which::Only => request,
        Which::Area(area) => request.scope((AREAS[area].written)()),
        Which::Place(place) => request.context(PLACES[place].context()),
        Which::All => request.all(),
    }
}

pub(super) fn bump(slot: Slot, which: Which) -> Bump {
    let (component, key) = slot.names();
    let request = Bump::new(component, key);
    match which {
        // A bump has no `all`.
        Which::Only | Which::All => request,
        Which::Area(area) => request.scope((AREAS[area].written)()),
        Which::Place(place) => request.context(PLACES[place].context()),
    }
}

/// Any story of up to `most` steps.
pub(super) fn story(most: usize) -> impl Strategy<Value = Vec<Step>> {
    vec(step(), 0..=most)
}

pub(super) fn slot() -> impl Strategy<Value = Slot> {
    (0..COMPONENTS.len(), 0..KEYS.len()).prop_map(|(component, key)| Slot { component, key })
}

pub(super) fn which() -> impl Strategy<Value = Which> {
    prop_oneof![
        3 => Just(Which::Only),
        2 => (0..AREAS.len()).prop_map(Which::Area),
        3 => (0..PLACES.len()).prop_map(Which::Place),
    ]
}

fn delta() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 1..9_u32, 1 => Just(0), 1 => Just(1001)]
}

fn tags() -> impl Strategy<Value = Vec<usize>> {
    vec(0..TAGS.len(), 0..3)
}

fn step() -> impl Strategy<Value = Step> {
    let component = || proptest::option::of(0..COMPONENTS.len());
    prop_oneof![
        8 => set().prop_map(Step::Set),
        3 => (slot(), 0..PLACES.len(), 0..4_usize)
            .prop_map(|(slot, place, more)| Step::Get(slot, place, more)),
        3 => search().prop_map(Step::Query),
        1 => (slot(), prop_oneof![4 => which(), 1 => Just(Which::All)])
            .prop_map(|(slot, which)| Step::Delete(slot, which)),
        5 => (slot(), which(), delta(), any::<bool>())
            .prop_map(|(slot, which, delta, failed)| Step::Bump(slot, which, delta, failed)),
        5 => besides_hints(),
        1 => (component(), proptest::option::of(0..PLACES.len()))
            .prop_map(|(component, place)| Step::List(component, place)),
        1 => (component(), tags(), any::<bool>())
            .prop_map(|(component, tags, secrets)| Step::Export(component, tags, secrets)),
        1 => Just(Step::Sweep),
        // From a moment to months, and sometimes back.
        3 => prop_oneof![0..2_000_i64, 0..9_000_000_i64, 0..9_000_000_000_i64, -9_000_000..0_i64]
            .prop_map(Step::Turn),
    ]
}

fn patch<T: std::fmt::Debug + Clone>(
    value: impl Strategy<Value = T>,
) -> impl Strategy<Value = Patch<T>> {
    prop_oneof![3 => Just(Patch::Keep), 1 => Just(Patch::Clear), 2 => value.prop_map(Patch::Set)]
}

pub(super) fn set() -> impl Strategy<Value = Set> {
    let priority = prop_oneof![9 => 1..=10_u8, 1 => Just(0), 1 => Just(255)];
    let confidence =
        prop_oneof![9 => (0..=20_u8).prop_map(|n| f64::from(n) / 20.0), 1 => Just(1.5)];
    (
        (slot(), 0..VALUES.len()),
        prop_oneof![2 => Just(Patch::Keep), 1 => Just(Patch::Clear),
                    5 => (0..AREAS.len()).prop_map(Patch::Set)],
        patch(0..REASONS.len()),
        patch(tags()),
        patch(priority),
        patch(confidence),
        patch(0..TTLS.len()),
        patch(any::<bool>()),
        prop_oneof![6 => Just(None), 2 => (0..4_u64).prop_map(Some)],
    )
        .prop_map(
            |((slot, value), area, reason, tags, priority, confidence, ttl, secret, version)| Set {
                slot,
                value,
                area,
                reason,
                tags,
                priority,
                confidence,
                ttl,
                secret,
                if_match_version: version,
            },
        )
}

fn search() -> impl Strategy<Value = Search> {
    (
        proptest::option::of(0..COMPONENTS.len()),
        vec(0..KEYS.len(), 0..3),
        tags(),
        any::<bool>(),
        proptest::option::of(0..REGEXES.len()),
        0..PLACES.len(),
        prop_oneof![1..5_usize, Just(100)],
    )
        .prop_map(
            |(component, keys, tags, all_tags, regex, place, limit)| Search {
                component,
                keys,
                tags,
                all_tags,
                regex,
                place,
                limit,
            },
        )
}
