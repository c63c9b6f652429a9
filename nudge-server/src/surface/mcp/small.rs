//! What a model is shown of an answer: the full result without what a model does not use.
//!
//! Every field stands where the full result has it. New are only `worked` and `failed`, which
//! count what a hook or the user saw, and `left_out`, where a list is too long for hosts: a
//! sentence, in the place of the number of the same name that a query's `max_tokens` gives.

use std::borrow::Cow;
use std::collections::BTreeMap;

use nudge::Operation;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use self::Pick::{Count, Fields, Last, Others, Whole};
use crate::wire::json_text::extended;

/// Where lists end, so that an answer with all that stands behind them has 8,000 characters
/// at most: hosts cut the middle out of what is longer, or put a file name in its place.
const ROOM: usize = 7_000;

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

/// The text of an answer with only what a model uses.
pub(super) fn small(operation: Operation, full: &str) -> String {
    let mut small = Small::default();
    small.write(full, &pick(operation));
    let (text, left_out, names) = (small.text, small.left_out, small.names);
    let given = (operation == Operation::Query).then(|| read::<Object<'_>>(full));
    let by_tokens = given.and_then(|given| Some(given.get("left_out")?.get()));
    let left_out = match (left_out, by_tokens) {
        (0, None) => return text,
        (0, Some(number)) => return extended(&text, "left_out", number),
        (own, number) => own + number.and_then(|n| n.parse().ok()).unwrap_or(0),
    };
    let such = if names.is_empty() { "" } else { ", such as " };
    let words = format!(
        "{left_out} more had no room{such}{}; ask for less at once, for one by its name, or pass `full`: true",
        names.join(", ")
    );
    extended(&text, "left_out", &Value::from(words).to_string())
}

type Object<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

#[derive(Default)]
struct Small {
    text: String,
    left_out: usize,
    /// The first that are left out, as far as they have names.
    names: Vec<String>,
}

impl Small {
    fn write(&mut self, full: &str, pick: &Pick) {
        let first = full.as_bytes().first();
        match (pick, first) {
            (Others(pick), _) => self.write(full, pick),
            (Fields(whole, parts), Some(b'{')) => {
                let given: Object<'_> = read(full);
                let whole = whole.iter().map(|name| (*name, &Whole));
                let kept = whole.chain(parts.iter().map(|(name, pick)| (*name, pick)));
                let kept =
                    kept.filter_map(|(name, pick)| Some((name, shown(name, pick, &given)?, pick)));
                self.write_object(kept);
            }
            (Last, Some(b'{')) => {
                let given: Object<'_> = read(full);
                let lists = given.iter();
                self.write_object(lists.map(|(name, list)| (&**name, list.get().into(), pick)));
            }
            (Fields(..), Some(b'[')) => self.write_list(full, pick),
            (Last, Some(b'[')) => self.write_last(full),
            _ => self.text.push_str(full),
        }
    }

    /// Writes an object without the objects in it of which nothing is shown.
    fn write_object<'a>(
        &mut self,
        fields: impl Iterator<Item = (&'a str, Cow<'a, str>, &'a Pick)>,
    ) {
        self.text.push('{');
        for (name, full, pick) in fields {
            let before = self.text.len();
            self.separate('{');
            self.text.push_str(&Value::from(name).to_string());
            self.text.push(':');
            let start = self.text.len();
            self.write(&full, pick);
            if self.text[start..] == *"{}" && matches!(pick, Fields(..) | Others(_)) {
                self.text.truncate(before);
            }
        }
        self.text.push('}');
    }

    /// Writes the items for which there is room, the first ones first.
    fn write_list(&mut self, full: &str, pick: &Pick) {
        self.text.push('[');
        for item in read::<Vec<&RawValue>>(full) {
            let (before, left_out) = (self.text.len(), self.left_out);
            self.separate('[');
            self.write(item.get(), pick);
            if self.text.len() > ROOM {
                self.text.truncate(before);
                self.left_out = left_out;
                self.leave_out(item.get());
            }
        }
        self.text.push(']');
    }

    fn write_last(&mut self, full: &str) {
        let items: Vec<&RawValue> = read(full);
        let mut room = ROOM.saturating_sub(self.text.len());
        let fits = |item: &&&RawValue| {
            let fits = item.get().len() < room;
            room = room.saturating_sub(item.get().len() + 1);
            fits
        };
        let kept = items.iter().rev().take_while(fits).count();
        self.left_out += items.len() - kept;
        self.text.push('[');
        for item in &items[items.len() - kept..] {
            self.separate('[');
            self.text.push_str(item.get());
        }
        self.text.push(']');
    }

    /// Writes a comma, unless the object or list has only begun.
    fn separate(&mut self, start: char) {
        if !self.text.ends_with(start) {
            self.text.push(',');
        }
    }

    fn leave_out(&mut self, item: &str) {
        self.left_out += 1;
        let given: Object<'_> = read(item);
        let names = ["component", "key", "name"].into_iter();
        let names = names.filter_map(|name| serde_json::from_str(given.get(name)?.get()).ok());
        let names: Vec<String> = names.collect();
        if !names.is_empty() && self.names.len() < NAMED {
            self.names.push(format!("`{}`", names.join("/")));
        }
    }
}

/// What there is to show of a field.
fn shown<'a>(name: &str, pick: &Pick, given: &Object<'a>) -> Option<Cow<'a, str>> {
    let field = |name: &str| given.get(name).map(|field| field.get());
    match pick {
        Others(_) if matches!(field("source"), Some(r#""user""# | r#""file-import""#)) => None,
        Count(counts) => {
            let [all, others] = counts.map(|name| field(name)?.parse::<u64>().ok());
            let seen = all?.saturating_sub(others.unwrap_or_default());
            (seen > 0).then(|| seen.to_string().into())
        }
        // What says nothing.
        Whole if matches!(field(name), Some("null" | "[]" | "0.0")) => None,
        _ => field(name).map(Cow::Borrowed),
    }
}

/// Reads what the core has written.
fn read<'a, T: Deserialize<'a> + Default>(full: &'a str) -> T {
    serde_json::from_str(full).unwrap_or_default()
}
