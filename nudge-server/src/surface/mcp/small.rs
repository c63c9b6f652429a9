//! What a model is shown of an answer: the full result without what a model does not use.
//!
//! Every field stands where the full result has it. New are only `worked` and `failed`, which
//! count what a hook or the user saw, and `left_out`, where a list is too long for hosts: a
//! sentence, in the place of the number of the same name that a query's `max_tokens` gives.

use std::mem::take;

use nudge::Operation;
use serde_json::{Map, Value, json};

use self::Pick::{Count, Fields, Last, Others, Whole};

/// Where lists end, so that an answer with all that stands behind them has 8,000 characters
/// at most: hosts cut the middle out of what is longer, or put a file name in its place.
const ROOM: usize = 7_000;

/// What stands beside a text or a name, or is a short value by itself: quotes, colon, comma.
const BESIDE: usize = 4;

/// How many of those are named that are left out.
const NAMED: usize = 3;

/// What is shown of a part of an answer.
pub(super) enum Pick {
    Whole,
    /// Only these fields, whole or in part, of an object or of each object in a list.
    Fields(&'static [&'static str], &'static [(&'static str, Pick)]),
    /// A list of texts, or several by name, whose ends stay where there is no room for all.
    Last,
    /// Only what others than the user have set says this.
    Others(&'static Pick),
    /// The first of these counts without the second, unless nothing is left.
    Count([&'static str; 2]),
}

const WORKED: (&str, Pick) = ("worked", Count(["use_count", "claimed_uses"]));
const FAILED: (&str, Pick) = ("failed", Count(["fail_count", "claimed_failures"]));
const SOURCE: (&str, Pick) = ("source", Others(&Whole));
const ORIGIN: (&str, Pick) = ("origin", Others(&Fields(&["client"], &[])));
const META: (&str, Pick) = ("meta", Fields(&["reason"], &[SOURCE, ORIGIN]));
const VALUE: &[&str] = &["value", "expires_at"];
const HINT: (&str, Pick) = ("hint", Fields(VALUE, &[META, WORKED, FAILED]));
const WRITTEN: (&str, Pick) = ("hint", Fields(&["version", "expires_at"], &[SCOPE]));
const WHY: (&str, Pick) = ("match_explain", Fields(&["score", "reasons"], &[]));
const RANKED: Pick = Fields(&["component", "key"], &[HINT, WHY]);
const MISS: Pick = Fields(&["condition", "expected", "actual", "fix"], &[]);
pub(super) const MISSES: (&str, Pick) = ("near_misses", MISS);
const INELIGIBLE: Pick = Fields(&["component", "key"], &[MISSES]);
const SCOPE: (&str, Pick) = ("meta", Fields(&["scope"], &[]));
const PROPOSAL: (&str, Pick) = ("proposal", Fields(&["id", "value", "why"], &[]));
const COMPONENT: Pick = Fields(&["name", "hint_count"], &[("keys", Last)]);

const OTHERS: Pick = Fields(&["client", "ended", "gone"], &[("sets", Last)]);

/// What is shown of the answer to each operation. A write says which variant it was.
fn pick(operation: Operation) -> Pick {
    match operation {
        Operation::GetHint => Fields(
            &["detail", "message", "elsewhere"],
            &[HINT, WHY, ("alternatives", RANKED), PROPOSAL, MISSES],
        ),
        Operation::Query => Fields(
            &["total", "scoped_out", "nearest"],
            &[("hints", RANKED), ("ineligible", INELIGIBLE)],
        ),
        Operation::SetHint => Fields(&["created", "variants", "note"], &[WRITTEN, PROPOSAL]),
        Operation::Bump => Fields(
            &["counted", "use_count"],
            &[("hint", Fields(&[], &[SCOPE, WORKED, FAILED]))],
        ),
        Operation::DeleteHint => Fields(
            &["deleted", "remaining"],
            &[("previous", Fields(&["value"], &[SCOPE])), PROPOSAL],
        ),
        Operation::ListComponents => Fields(&[], &[("components", COMPONENT)]),
        Operation::SetContext | Operation::GetContext => Fields(
            &["nearest", "gone"],
            &[("sets", Last), ("dropped", Last), ("others", OTHERS)],
        ),
        _ => Whole,
    }
}

/// An answer with only what a model uses.
pub(super) fn small(operation: Operation, full: Value) -> Value {
    let by_tokens = match operation {
        Operation::Query => full["left_out"].as_u64(),
        _ => None,
    };
    let mut small = Small::default();
    let mut shown = small.shown(full, &pick(operation));
    let left_out = match (small.left_out, by_tokens) {
        (0, None) => return shown,
        (0, Some(number)) => number.into(),
        (own, number) => {
            let left_out = own + number.unwrap_or(0);
            let such = if small.names.is_empty() {
                ""
            } else {
                ", such as "
            };
            let names = small.names.join(", ");
            format!(
                "{left_out} more had no room{such}{names}; ask for less at once, for one by its name, or pass `full`: true"
            )
            .into()
        }
    };
    shown["left_out"] = left_out;
    shown
}

#[derive(Default)]
struct Small {
    /// The characters of what is shown, nearly.
    length: usize,
    left_out: u64,
    /// The first that are left out, as far as they have names.
    names: Vec<String>,
}

impl Small {
    fn shown(&mut self, full: Value, pick: &Pick) -> Value {
        match (pick, full) {
            (Others(pick), full) => self.shown(full, pick),
            (Fields(whole, parts), Value::Object(given)) => {
                let whole = whole.iter().map(|name| (*name, &Whole));
                let parts = parts.iter().map(|(name, pick)| (*name, pick));
                self.fields(given, whole.chain(parts)).into()
            }
            (Last, Value::Object(lists)) => {
                let shown = |(name, list)| (name, self.shown(list, pick));
                lists.into_iter().map(shown).collect()
            }
            (Fields(..), Value::Array(items)) => self.first(items, pick).into(),
            (Last, Value::Array(items)) => self.last(items).into(),
            (_, full) => {
                self.length += length(&full);
                full
            }
        }
    }

    /// The fields of an object, without the objects in it of which nothing is shown.
    fn fields<'a>(
        &mut self,
        mut given: Map<String, Value>,
        fields: impl Iterator<Item = (&'static str, &'a Pick)>,
    ) -> Map<String, Value> {
        let mut kept = Map::new();
        for (name, pick) in fields {
            let Some(field) = field(name, pick, &mut given) else {
                continue;
            };
            let field = self.shown(field, pick);
            let is_nothing = field.as_object().is_some_and(Map::is_empty);
            if !(is_nothing && matches!(pick, Fields(..) | Others(_))) {
                self.length += name.len() + BESIDE;
                kept.insert(name.to_owned(), field);
            }
        }
        kept
    }

    /// The items for which there is room, the first ones first.
    fn first(&mut self, items: Vec<Value>, pick: &Pick) -> Vec<Value> {
        let mut kept = Vec::new();
        for item in items {
            let (length, left_out) = (self.length, self.left_out);
            let name =
                ["component", "key", "name"].map(|name| item[name].as_str().map(str::to_owned));
            let item = self.shown(item, pick);
            if self.length <= ROOM {
                kept.push(item);
                continue;
            }
            (self.length, self.left_out) = (length, left_out + 1);
            let name: Vec<String> = name.into_iter().flatten().collect();
            if !name.is_empty() && self.names.len() < NAMED {
                self.names.push(format!("`{}`", name.join("/")));
            }
        }
        kept
    }

    fn last(&mut self, mut items: Vec<Value>) -> Vec<Value> {
        let fits = |item: &&Value| {
            let all = self.length + length(item);
            let fits = all <= ROOM;
            self.length = if fits { all } else { self.length };
            fits
        };
        let kept = items.iter().rev().take_while(fits).count();
        let shown = items.split_off(items.len() - kept);
        self.left_out += items.len() as u64;
        shown
    }
}

/// What there is to show of a field.
fn field(name: &str, pick: &Pick, given: &mut Map<String, Value>) -> Option<Value> {
    match pick {
        Others(_) if matches!(given.get("source")?.as_str(), Some("user" | "file-import")) => None,
        Count(counts) => {
            let [all, others] = counts.map(|name| given.get(name)?.as_u64());
            let seen = all?.saturating_sub(others.unwrap_or_default());
            (seen > 0).then(|| seen.into())
        }
        _ => {
            let field = given.get_mut(name).map(take)?;
            let says_nothing = [json!(null), json!([]), json!(0.0)].contains(&field);
            (!(says_nothing && matches!(pick, Whole))).then_some(field)
        }
    }
}

/// How long the text of a value is, without what has to be escaped in it.
fn length(value: &Value) -> usize {
    let of_all = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(length).sum(),
        Value::Object(fields) => {
            let fields = fields.iter();
            fields
                .map(|(name, field)| name.len() + BESIDE + length(field))
                .sum()
        }
        _ => 1,
    };
    of_all + BESIDE
}
