//! One hint of the model: what it is as JSON, where it applies, what it is worth.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use chrono::{DateTime, SecondsFormat};
use nudge::{Patch, Scope};
use regex::Regex;
use serde_json::{Map, Value, json};

use super::story::{AREAS, COMPONENTS, KEYS, Place, REGEXES, Search, Slot, TAGS, TTLS};

#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) component: &'static str,
    pub(super) key: &'static str,
    pub(super) area: usize,
    pub(super) value: &'static str,
    pub(super) reason: Option<&'static str>,
    pub(super) tags: Vec<&'static str>,
    pub(super) priority: Option<u8>,
    pub(super) confidence: Option<f64>,
    pub(super) ttl: Option<usize>,
    pub(super) sensitivity: Option<&'static str>,
    pub(super) version: u64,
    pub(super) created_at: i64,
    pub(super) updated_at: i64,
    pub(super) last_used_at: Option<i64>,
    pub(super) use_count: u64,
    pub(super) fail_count: u64,
    pub(super) first_failed_at: Option<i64>,
    pub(super) last_failed_at: Option<i64>,
}

impl Kept {
    pub(super) fn new(names: (&'static str, &'static str), area: usize, now: i64) -> Kept {
        Kept {
            component: names.0,
            key: names.1,
            area,
            value: "",
            reason: None,
            tags: Vec::new(),
            priority: None,
            confidence: None,
            ttl: None,
            sensitivity: None,
            version: 0,
            created_at: now,
            updated_at: now,
            last_used_at: None,
            use_count: 0,
            fail_count: 0,
            first_failed_at: None,
            last_failed_at: None,
        }
    }

    /// Gives it a value; what became of another one says nothing of it.
    pub(super) fn say(&mut self, value: &'static str) {
        if self.value != value {
            self.use_count = 0;
            self.last_used_at = None;
            self.fail_count = 0;
            self.first_failed_at = None;
            self.last_failed_at = None;
        }
        self.value = value;
    }

    pub(super) fn json(&self) -> Value {
        let mut meta = Map::new();
        let mut state = |name: &str, value: Option<Value>| {
            meta.extend(value.map(|value| (name.to_owned(), value)));
        };
        state("reason", self.reason.map(Value::from));
        state("tags", (!self.tags.is_empty()).then(|| json!(self.tags)));
        state("priority", self.priority.map(Value::from));
        state("confidence", self.confidence.map(Value::from));
        state("ttl", self.ttl.map(|ttl| TTLS[ttl].0.into()));
        state("sensitivity", self.sensitivity.map(Value::from));
        state("scope", (self.area > 0).then(|| json!(self.scope())));
        state("source", Some("user".into()));
        let mut hint = json!({
            "value": self.value, "meta": meta, "version": self.version,
            "created_at": time(self.created_at), "updated_at": time(self.updated_at),
            "lifetime": "session", "use_count": self.use_count,
        });
        let lasts = self.ttl.and_then(|ttl| TTLS[ttl].1);
        for (name, at) in [
            ("expires_at", lasts.map(|millis| self.updated_at + millis)),
            ("last_used_at", self.last_used_at),
            ("first_failed_at", self.first_failed_at),
            ("last_failed_at", self.last_failed_at),
        ] {
            if let Some(at) = at {
                hint[name] = time(at).into();
            }
        }
        if self.fail_count > 0 {
            hint["fail_count"] = self.fail_count.into();
        }
        hint
    }

    /// The hint as one of several, with its score.
    pub(super) fn ranked(&self, now: i64) -> Value {
        json!({
            "component": self.component, "key": self.key,
            "hint": self.json(), "score": self.score(now),
        })
    }

    /// The scope, for its order among others; a scope without conditions is the first.
    pub(super) fn scope(&self) -> Scope {
        serde_json::from_str(AREAS[self.area].canonical).unwrap()
    }

    /// The repositories that it counts for; an empty name where it names none.
    pub(super) fn repos(&self) -> Vec<String> {
        self.scope().repo.unwrap_or_else(|| vec![String::new()])
    }

    /// The conditions that the scope states.
    pub(super) fn fields(&self) -> BTreeSet<String> {
        let scope: Map<String, Value> = serde_json::from_str(AREAS[self.area].canonical).unwrap();
        scope.into_iter().map(|(field, _)| field).collect()
    }

    /// Whether the scope names a repository or a folder.
    pub(super) fn names_place(&self) -> bool {
        let fields = self.fields();
        fields.contains("repo") || fields.contains("cwd_glob")
    }

    pub(super) fn slot(&self) -> Slot {
        let place = |names: &[&str], name: &str| names.iter().position(|known| *known == name);
        Slot {
            component: place(&COMPONENTS, self.component).unwrap(),
            key: place(&KEYS, self.key).unwrap(),
        }
    }

    pub(super) fn applies(&self, place: &Place) -> bool {
        (AREAS[self.area].holds)(place)
    }

    pub(super) fn has_tag(&self, wanted: &str) -> bool {
        let mut tags = self.tags.iter();
        tags.any(|tag| tag.to_lowercase() == wanted.to_lowercase())
    }

    pub(super) fn passes(&self, search: &Search) -> bool {
        let component = search.component.map(|number| COMPONENTS[number]);
        let mut tags = search.tags.iter().map(|tag| TAGS[*tag]);
        let tagged = match search.all_tags {
            _ if search.tags.is_empty() => true,
            true => tags.all(|tag| self.has_tag(tag)),
            false => tags.any(|tag| self.has_tag(tag)),
        };
        let found = search.regex.is_none_or(|regex| {
            let regex = Regex::new(REGEXES[regex]).unwrap();
            let texts = [self.key, self.value].into_iter();
            let mut texts = texts.chain(self.tags.iter().copied()).chain(self.reason);
            texts.any(|text| regex.is_match(text))
        });
        component.is_none_or(|component| component == self.component)
            && (search.keys.is_empty() || search.keys.iter().any(|key| KEYS[*key] == self.key))
            && tagged
            && found
    }

    /// Frecency, priority, confidence, specificity and recency, weighted.
    #[expect(
        clippy::cast_precision_loss,
        reason = "the numbers of a story are small"
    )]
    fn terms(&self, now: i64) -> [f64; 5] {
        const DAY: f64 = 86_400_000.0;
        let fade = |then: i64| 2_f64.powf(-((now - then) as f64) / DAY);
        let used = |then| (1.0 - 2_f64.powf(-(self.use_count as f64) / 3.0)) * fade(then);
        let priority = f64::from(self.priority.unwrap_or(5)) / 10.0;
        let stated = self.confidence.unwrap_or(0.5);
        let (used_well, failed) = (self.use_count as f64 + 1.0, self.fail_count as f64);
        let confidence = match self.fail_count {
            0 => stated,
            _ => stated * used_well / (used_well + failed),
        };
        let specificity = self.fields().len() as f64 / 6.0;
        [
            0.30 * self.last_used_at.map_or(0.0, used),
            0.20 * priority,
            0.20 * confidence,
            0.20 * specificity,
            0.10 * fade(self.updated_at),
        ]
    }

    /// The score with four decimals.
    fn score(&self, now: i64) -> f64 {
        let sum: f64 = self.terms(now).into_iter().sum();
        (sum * 1e4).round() / 1e4
    }

    /// The order of results: the better one is less.
    pub(super) fn order(&self, other: &Kept, place: &Place, now: i64) -> Ordering {
        let has_file = |hint: &Kept| (AREAS[hint.area].has_file)(place.file);
        let (own, others) = (self.terms(now), other.terms(now));
        // Frecency, priority, confidence, specificity; the age comes as a time.
        let terms = (0..4).map(|term| others[term].total_cmp(&own[term]));
        (other.score(now).total_cmp(&self.score(now)))
            .then(has_file(other).cmp(&has_file(self)))
            .then(terms.fold(Ordering::Equal, Ordering::then))
            .then(other.updated_at.cmp(&self.updated_at))
            .then(self.component.cmp(other.component))
            .then(self.key.cmp(other.key))
            .then_with(|| self.scope().cmp(&other.scope()))
    }
}

/// Sets what is given, keeps what is left out, clears on `null`.
pub(super) fn patch<T, G>(field: &mut Option<T>, given: &Patch<G>, read: impl Fn(&G) -> T) {
    match given {
        Patch::Keep => {}
        Patch::Clear => *field = None,
        Patch::Set(value) => *field = Some(read(value)),
    }
}

/// The tags in the order given, each once, whatever its case.
pub(super) fn distinct(numbers: &[usize]) -> Vec<&'static str> {
    let mut tags: Vec<&str> = Vec::new();
    for tag in numbers.iter().map(|number| TAGS[*number]) {
        if !tags
            .iter()
            .any(|known| known.to_lowercase() == tag.to_lowercase())
        {
            tags.push(tag);
        }
    }
    tags
}

fn time(millis: i64) -> String {
    let time = DateTime::from_timestamp_millis(millis).unwrap();
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}
