//! A store without any cleverness: a list and loops, straight from the contract.
//!
//! Answers are JSON, of the parts that a caller acts on; a refusal is its
//! reason and, where the contract names one, the word that tells it apart.

mod besides;
mod kept;
pub(crate) mod story;

use std::collections::{BTreeMap, BTreeSet};

use nudge::{Limits, Patch};
use serde_json::{Map, Value, json};

use besides::is_same_value;
use kept::{Kept, distinct, patch};
use story::{COMPONENTS, PLACES, REASONS, Search, Set, Slot, Step, TAGS, TTLS, VALUES, Which};

/// An answer, or why there is none.
pub(crate) type Outcome = Result<Value, String>;

pub(crate) struct Model {
    limits: Limits,
    /// The latest time that an operation saw, in milliseconds.
    now: i64,
    hints: Vec<Kept>,
    /// What is being worked on: sets and items, the oldest first.
    working_set: Vec<(usize, usize)>,
    /// What waits, with its numbers, the oldest first.
    proposals: Vec<(u64, Kept)>,
    /// What the user has deleted or rejected.
    unwanted: Vec<Kept>,
    last_proposal: u64,
}

impl Model {
    pub(crate) fn new(limits: Limits, now: i64) -> Model {
        Model {
            limits,
            now,
            hints: Vec::new(),
            working_set: Vec::new(),
            proposals: Vec::new(),
            unwanted: Vec::new(),
            last_proposal: 0,
        }
    }

    /// What a step at some time of the wall clock should come to.
    pub(crate) fn run(&mut self, step: &Step, wall: i64) -> Outcome {
        self.now = self.now.max(wall);
        // A proposal waits for 30 days.
        let oldest = self.now - 30 * 24 * 60 * 60 * 1000;
        self.proposals.retain(|(_, hint)| hint.updated_at > oldest);
        match step {
            Step::Set(set) => self.set_hint(set),
            Step::Get(slot, place, alternatives) => self.get_hint(*slot, *place, *alternatives),
            Step::Query(search) => Ok(self.query(search)),
            Step::Delete(slot, which) => self.delete_hint(*slot, *which),
            Step::Bump(slot, which, delta, failed) => self.bump(*slot, *which, *delta, *failed),
            Step::Work(work) => Ok(self.set_context(work)),
            Step::WorkingSet(set) => Ok(self.get_context(*set)),
            Step::Propose(set) => self.propose(set),
            Step::Proposals => Ok(self.list_proposals()),
            Step::Decide(id, true) => self.accept(*id),
            Step::Decide(id, false) => self.reject(*id),
            Step::List(component, place) => Ok(self.list_components(*component, *place)),
            Step::Export(component, tags, secrets) => Ok(self.export(*component, tags, *secrets)),
            Step::Sweep => Ok(json!(self.sweep())),
            Step::Turn(_) => Ok(Value::Null),
        }
    }

    fn is_live(&self, hint: &Kept) -> bool {
        let lasts = hint.ttl.and_then(|ttl| TTLS[ttl].1);
        lasts.is_none_or(|millis| hint.updated_at + millis > self.now)
    }

    fn live(&self) -> impl Iterator<Item = &Kept> {
        self.hints.iter().filter(|hint| self.is_live(hint))
    }

    /// Where in the list the live variants of a slot are.
    fn variants(&self, slot: Slot) -> Vec<usize> {
        let here = |hint: &Kept| (hint.component, hint.key) == slot.names() && self.is_live(hint);
        (0..self.hints.len())
            .filter(|index| here(&self.hints[*index]))
            .collect()
    }

    /// The hint that a set means, and the place of the variant that it would change.
    fn meant(&self, set: &Set) -> Result<(Kept, Option<usize>), String> {
        let variants = self.variants(set.slot);
        let with_area = |area| {
            variants
                .iter()
                .copied()
                .find(|index| self.hints[*index].area == area)
        };
        // Who does not say where it is means everywhere.
        let area = match set.area {
            Patch::Set(area) => area,
            Patch::Clear | Patch::Keep => 0,
        };
        let before = with_area(area);
        let current = before.map_or(0, |index| self.hints[index].version);
        if set.if_match_version.is_some_and(|wanted| wanted != current) {
            return Err(format!("E_CONFLICT version {current}"));
        }
        let blank = Kept::new(set.slot.names(), area, self.now);
        let mut hint = before.map_or(blank, |index| self.hints[index].clone());
        hint.say(VALUES[set.value]);
        hint.version += 1;
        hint.updated_at = self.now;
        patch(&mut hint.reason, &set.reason, |reason| REASONS[*reason]);
        patch(&mut hint.priority, &set.priority, |priority| *priority);
        patch(&mut hint.confidence, &set.confidence, |number| *number);
        patch(&mut hint.ttl, &set.ttl, |ttl| *ttl);
        patch(&mut hint.sensitivity, &set.secret, |secret| {
            if *secret { "secret" } else { "normal" }
        });
        let mut tags = Some(hint.tags);
        patch(&mut tags, &set.tags, |tags| distinct(tags));
        hint.tags = tags.unwrap_or_default();
        if !(1..=10).contains(&hint.priority.unwrap_or(5)) {
            return Err("E_INVALID meta.priority".into());
        }
        if !(0.0..=1.0).contains(&hint.confidence.unwrap_or(0.5)) {
            return Err("E_INVALID meta.confidence".into());
        }
        Ok((hint, before))
    }

    fn set_hint(&mut self, set: &Set) -> Outcome {
        let (hint, before) = self.meant(set)?;
        let answer = self.put(&hint, before)?;
        self.answer_proposals(&hint);
        self.unwanted.retain(|one| !is_same_value(one, &hint));
        Ok(answer)
    }

    /// Puts a hint in the place of a variant, or beside the others.
    fn put(&mut self, hint: &Kept, before: Option<usize>) -> Outcome {
        let (component, key, area) = (hint.component, hint.key, hint.area);
        let here = |hint: &&Kept| (hint.component, hint.key) == (component, key);
        let variants = self.live().filter(here).count();
        let mut replaced = None;
        if let Some(index) = before {
            let before = std::mem::replace(&mut self.hints[index], hint.clone());
            let is_secret = |hint: &Kept| hint.sensitivity == Some("secret");
            let is_told = before.value != hint.value && ![&before, hint].into_iter().any(is_secret);
            replaced = is_told.then_some(before.value);
        } else {
            self.check_limits(hint)?;
            // A dead variant with this scope makes way for the new one.
            let same =
                |kept: &Kept| (kept.component, kept.key, kept.area) == (component, key, area);
            self.hints.retain(|kept| !same(kept));
            self.hints.push(hint.clone());
        }
        let mut answer = json!({
            "component": component, "key": key, "hint": hint.json(),
            "created": before.is_none(), "variants": variants + usize::from(before.is_none()),
        });
        if let Some(replaced) = replaced {
            answer["replaced"] = json!(replaced);
        }
        Ok(answer)
    }

    /// Refuses one more hint where it does not fit: in a repository that it names, or in all.
    fn check_limits(&self, hint: &Kept) -> Result<(), String> {
        let full = |limit: &str| Err(format!("E_QUOTA {limit}"));
        for repo in hint.repos() {
            let in_repo = || self.live().filter(|known| known.repos().contains(&repo));
            let mut components: BTreeSet<&str> = in_repo().map(|known| known.component).collect();
            components.insert(hint.component);
            let in_component = in_repo().filter(|known| known.component == hint.component);
            if components.len() > self.limits.components {
                return full("components");
            }
            if in_component.count() + 1 > self.limits.hints_per_component {
                return full("hints_per_component");
            }
        }
        if self.live().count() + 1 > self.limits.hints {
            return full("hints");
        }
        Ok(())
    }

    fn get_hint(&self, slot: Slot, place: usize, alternatives: usize) -> Outcome {
        let chosen = self.choose(slot, place)?;
        let ranked = chosen.iter().take(alternatives + 1);
        Ok(ranked.map(|hint| hint.ranked(self.now)).collect())
    }

    /// The eligible variants of a slot in the order in which a get chooses.
    fn choose(&self, slot: Slot, place: usize) -> Result<Vec<&Kept>, String> {
        let variants = self.variants(slot);
        if variants.is_empty() {
            return Err("E_NOT_FOUND gone".into());
        }
        let variants = variants.iter().map(|index| &self.hints[*index]);
        let mut left: Vec<&Kept> = variants
            .filter(|hint| hint.applies(&PLACES[place]))
            .collect();
        if left.is_empty() {
            return Err("E_NOT_FOUND out_of_scope".into());
        }
        // All are the user's: those for a place first, then the newest.
        left.sort_by(|a, b| {
            let general = |hint: &Kept| !hint.names_place();
            (general(a).cmp(&general(b)))
                .then(b.updated_at.cmp(&a.updated_at))
                .then(a.order(b, &PLACES[place], self.now))
        });
        let mut chosen = Vec::new();
        while !left.is_empty() {
            let beaten = |hint: &Kept| {
                let mut others = left.iter();
                others.any(|other| {
                    let is_of_class = other.names_place() || !hint.names_place();
                    let says_more = other.fields() != hint.fields()
                        && other.fields().is_superset(&hint.fields());
                    is_of_class && says_more
                })
            };
            let best = left.iter().position(|hint| !beaten(hint)).unwrap();
            chosen.push(left.remove(best));
        }
        Ok(chosen)
    }

    fn query(&self, search: &Search) -> Value {
        let place = &PLACES[search.place];
        let (mut fits, scoped_out): (Vec<&Kept>, Vec<&Kept>) = self
            .live()
            .filter(|hint| hint.passes(search))
            .partition(|hint| hint.applies(place));
        fits.retain(|hint| {
            let chosen = self.choose(hint.slot(), search.place).unwrap();
            chosen[0].area == hint.area
        });
        fits.sort_by(|a, b| a.order(b, place, self.now));
        let hints = fits.iter().take(search.limit);
        let hints: Value = hints.map(|hint| hint.ranked(self.now)).collect();
        json!({"hints": hints, "total": fits.len(), "scoped_out": scoped_out.len()})
    }

    /// Which hints of the list a delete or a bump means.
    fn pick(&self, slot: Slot, which: Which) -> Result<Vec<usize>, String> {
        let variants = self.variants(slot);
        if variants.is_empty() {
            return Err("E_NOT_FOUND gone".into());
        }
        match which {
            Which::All => Ok(variants),
            Which::Only if variants.len() == 1 => Ok(variants),
            Which::Only => Err("E_INVALID ambiguous".into()),
            Which::Area(area) => {
                let mut same = variants.into_iter();
                let same = same.find(|index| self.hints[*index].area == area);
                same.map(|index| vec![index])
                    .ok_or("E_NOT_FOUND gone".into())
            }
            Which::Place(place) => {
                let area = self.choose(slot, place)?[0].area;
                self.pick(slot, Which::Area(area))
            }
        }
    }

    fn delete_hint(&mut self, slot: Slot, which: Which) -> Outcome {
        let picked = self.pick(slot, which)?;
        if let Which::Place(place) = which
            && PLACES[place].is_somewhere()
            && !self.hints[picked[0]].names_place()
        {
            return Err("E_INVALID scope".into());
        }
        let mut previous: Vec<Kept> = Vec::new();
        for index in picked.into_iter().rev() {
            previous.push(self.hints.remove(index));
        }
        for hint in &previous {
            self.answer_proposals(hint);
            self.unwant(hint);
        }
        previous.sort_by_key(Kept::scope);
        Ok(previous.iter().map(Kept::json).collect())
    }

    fn bump(&mut self, slot: Slot, which: Which, delta: u32, failed: bool) -> Outcome {
        if !(1..=1000).contains(&delta) {
            return Err("E_INVALID delta".into());
        }
        let picked = self.pick(slot, which)?;
        let hint = &mut self.hints[picked[0]];
        if failed {
            hint.fail_count += u64::from(delta);
            hint.first_failed_at = hint.first_failed_at.or(Some(self.now));
            hint.last_failed_at = Some(self.now);
        } else {
            hint.use_count += u64::from(delta);
            hint.last_used_at = Some(self.now);
        }
        Ok(hint.json())
    }

    fn list_components(&self, component: Option<usize>, place: Option<usize>) -> Value {
        let mut found: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
        for hint in self.live() {
            let wanted = component.is_none_or(|number| COMPONENTS[number] == hint.component);
            if wanted && place.is_none_or(|place| hint.applies(&PLACES[place])) {
                let entry = found.entry(hint.component).or_default();
                entry.0 += 1;
                entry.1.insert(hint.key);
            }
        }
        let entry = |(name, (count, keys)): (&&str, &(usize, BTreeSet<&str>))| match component {
            None => json!({"name": name, "hint_count": count}),
            Some(_) => json!({"name": name, "hint_count": count, "keys": keys}),
        };
        found.iter().map(entry).collect()
    }

    fn export(&self, component: Option<usize>, tags: &[usize], secrets: bool) -> Value {
        let mut left_out = 0;
        let mut slots: BTreeMap<(&str, &str), Vec<&Kept>> = BTreeMap::new();
        for hint in self.live() {
            let wanted = component.is_none_or(|number| COMPONENTS[number] == hint.component)
                && (tags.is_empty() || tags.iter().any(|tag| hint.has_tag(TAGS[*tag])));
            if wanted && hint.sensitivity == Some("secret") && !secrets {
                left_out += 1;
            } else if wanted {
                slots
                    .entry((hint.component, hint.key))
                    .or_default()
                    .push(hint);
            }
        }
        // An export of everything has the proposals too.
        if component.is_none() && tags.is_empty() && !secrets {
            let proposed = self.proposals.iter().map(|(_, hint)| hint);
            left_out += proposed
                .filter(|hint| hint.sensitivity == Some("secret"))
                .count();
        }
        let mut components = Map::new();
        let mut several = false;
        for ((component, key), mut hints) in slots {
            hints.sort_by_key(|hint| hint.scope());
            several |= hints.len() > 1;
            let hints: Vec<Value> = hints.into_iter().map(Kept::json).collect();
            let slot = if hints.len() == 1 {
                hints[0].clone()
            } else {
                json!(hints)
            };
            let component = components.entry(component).or_insert(json!({"hints": {}}));
            component["hints"][key] = slot;
        }
        let version = if several { "1.1" } else { "1.0" };
        json!({"schema_version": version, "components": components, "secrets_left_out": left_out})
    }

    /// How many hints have died since the last sweep.
    fn sweep(&mut self) -> usize {
        let (live, dead): (Vec<Kept>, Vec<Kept>) = self
            .hints
            .clone()
            .into_iter()
            .partition(|hint| self.is_live(hint));
        self.hints = live;
        dead.len()
    }
}
