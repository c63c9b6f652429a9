//! What the model keeps beside hints: what is being worked on, and what is proposed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::kept::Kept;
use super::story::{SETS, Set, Work};
use super::{Model, Outcome};

impl Model {
    pub(super) fn set_context(&mut self, work: &Work) -> Value {
        if !work.merges {
            self.working_set.retain(|(set, _)| *set != work.set);
        }
        for item in &work.items {
            self.working_set.retain(|known| *known != (work.set, *item));
            self.working_set.push((work.set, *item));
        }
        let mut dropped = Vec::new();
        let of_set = |all: &[(usize, usize)]| all.iter().filter(|one| one.0 == work.set).count();
        while of_set(&self.working_set) > 10 {
            let oldest = self.working_set.iter().position(|one| one.0 == work.set);
            dropped.push(self.working_set.remove(oldest.unwrap()));
        }
        while self.working_set.len() > 50 {
            dropped.push(self.working_set.remove(0));
        }
        let mut answer = json!({"sets": by_name(&self.working_set)});
        if !dropped.is_empty() {
            answer["dropped"] = by_name(&dropped);
        }
        answer
    }

    pub(super) fn get_context(&self, set: Option<usize>) -> Value {
        let wanted = self.working_set.iter().copied();
        let wanted = wanted.filter(|one| set.is_none_or(|set| set == one.0));
        json!({"sets": by_name(&wanted.collect::<Vec<_>>())})
    }

    pub(super) fn propose(&mut self, set: &Set) -> Outcome {
        let set = Set {
            if_match_version: None,
            ..set.clone()
        };
        let (hint, before) = self.meant(&set)?;
        if before.is_some_and(|index| says(&self.hints[index]) == says(&hint)) {
            return Err("E_CONFLICT known".into());
        }
        if self.unwanted.iter().any(|one| is_same_value(one, &hint)) {
            return Err("E_CONFLICT rejected".into());
        }
        let same = |(_, one): &&(u64, Kept)| is_for_same(one, &hint) && says(one) == says(&hint);
        if let Some((id, waiting)) = self.proposals.iter().find(same) {
            return Ok(proposal(*id, waiting));
        }
        // One client proposes all of it: a newer one takes the place of its older one.
        self.proposals.retain(|(_, one)| !is_for_same(one, &hint));
        if self.proposals.len() == 10 {
            self.proposals.remove(0);
        }
        self.last_proposal += 1;
        let id = self.last_proposal;
        let answer = proposal(id, &hint);
        self.proposals.push((id, hint));
        Ok(answer)
    }

    pub(super) fn list_proposals(&self) -> Value {
        let each = |(id, hint): &(u64, Kept)| proposal(*id, hint);
        self.proposals.iter().map(each).collect()
    }

    pub(super) fn accept(&mut self, id: u64) -> Outcome {
        let at = self.waiting(id)?;
        let proposed = self.proposals[at].1.clone();
        let same = |kept: &Kept| {
            (kept.component, kept.key, kept.area)
                == (proposed.component, proposed.key, proposed.area)
        };
        let before = self.hints.iter();
        let before = before
            .clone()
            .position(|kept| same(kept) && self.is_live(kept));
        let blank = Kept::new((proposed.component, proposed.key), proposed.area, self.now);
        let mut hint = before.map_or(blank, |index| self.hints[index].clone());
        hint.say(proposed.value);
        hint.version += 1;
        hint.updated_at = self.now;
        hint.reason = proposed.reason;
        hint.tags = proposed.tags;
        hint.priority = proposed.priority;
        hint.confidence = proposed.confidence;
        hint.ttl = proposed.ttl;
        hint.sensitivity = proposed.sensitivity;
        let answer = self.put(&hint, before)?;
        self.answer_proposals(&hint);
        self.unwanted.retain(|one| !is_same_value(one, &hint));
        Ok(answer)
    }

    /// Remembers that the user does not want a hint; of a secret nothing is remembered.
    pub(super) fn unwant(&mut self, hint: &Kept) {
        if hint.sensitivity != Some("secret") {
            self.unwanted.push(hint.clone());
        }
    }

    /// Drops what waits for a hint that was set or deleted.
    pub(super) fn answer_proposals(&mut self, hint: &Kept) {
        self.proposals.retain(|(_, one)| !is_for_same(one, hint));
    }

    pub(super) fn reject(&mut self, id: u64) -> Outcome {
        let at = self.waiting(id)?;
        let (id, hint) = self.proposals.remove(at);
        self.unwant(&hint);
        Ok(proposal(id, &hint))
    }

    fn waiting(&self, id: u64) -> Result<usize, String> {
        let at = self.proposals.iter().position(|(known, _)| *known == id);
        at.ok_or("E_NOT_FOUND gone".into())
    }
}

/// Whether both say the same under the same names, for the same repositories.
pub(super) fn is_same_value(one: &Kept, other: &Kept) -> bool {
    let said = |hint: &Kept| (hint.component, hint.key, hint.value);
    said(one) == said(other) && one.scope().repo == other.scope().repo
}

fn is_for_same(one: &Kept, other: &Kept) -> bool {
    (one.component, one.key, one.area) == (other.component, other.key, other.area)
}

/// What a hint says, without its history.
fn says(hint: &Kept) -> (Value, Value) {
    let json = hint.json();
    (json["value"].clone(), json["meta"].clone())
}

fn proposal(id: u64, hint: &Kept) -> Value {
    json!({"id": id, "component": hint.component, "key": hint.key, "hint": hint.json()})
}

fn by_name(items: &[(usize, usize)]) -> Value {
    let mut sets: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (set, item) in items {
        sets.entry(SETS[*set]).or_default().push(item.to_string());
    }
    json!(sets)
}
