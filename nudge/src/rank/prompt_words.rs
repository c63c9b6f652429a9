//! `Weights`: which hints speak of what a person asks for.

use std::collections::{BTreeMap, BTreeSet};

use crate::command::programs::has;
use crate::hint::Hint;
use crate::model::name::Name;
use crate::rank::score::Candidate;

/// Words that every sentence has, and that say nothing about a project.
const COMMON: &str = "the and for with this that how what why when where can you please our are was \
    not all from into does has have its use";

/// What a word counts that no other hint has.
const WHOLE: u64 = 1000;

/// The words of a prompt, each with what it counts: the rarer, the more.
pub(crate) struct Weights(BTreeMap<String, u64>);

impl Weights {
    /// Weighs the words by how many of the hints speak of them.
    pub(crate) fn of(prompt: &str, hints: &[Candidate<'_>]) -> Weights {
        let mut weights: BTreeMap<String, u64> = words(prompt)
            .filter(|word| word.chars().count() > 2 && !has(COMMON, word))
            .map(|word| (word, 0))
            .collect();
        if weights.is_empty() {
            return Weights(weights);
        }
        for one in hints {
            let known = spoken(one.component, one.key, one.hint);
            for (_, seen) in weights.iter_mut().filter(|(word, _)| is_in(word, &known)) {
                *seen += 1;
            }
        }
        weights.retain(|_, seen| *seen > 0);
        for seen in weights.values_mut() {
            *seen = WHOLE / *seen;
        }
        Weights(weights)
    }

    /// How much a hint speaks of the prompt.
    pub(crate) fn sum(&self, one: &Candidate<'_>) -> u64 {
        if self.0.is_empty() {
            return 0;
        }
        let known = spoken(one.component, one.key, one.hint);
        let held = self.0.iter().filter(|(word, _)| is_in(word, &known));
        held.map(|(_, weight)| weight).sum()
    }
}

/// The words of a text in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|letter: char| !letter.is_alphanumeric());
    parts.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// The words of a hint.
fn spoken(component: &Name, key: &Name, hint: &Hint) -> BTreeSet<String> {
    let texts = [&**component, &**key, &hint.value.text()];
    let more = hint.meta.reason.as_deref().into_iter();
    let tags = hint.meta.tags.iter().map(|tag| &**tag);
    let all = texts.into_iter().flat_map(words);
    all.chain(more.chain(tags).flat_map(words)).collect()
}

/// Whether a word is among others: one may be the start of the other, as `test` is of `tests`.
fn is_in(word: &str, known: &BTreeSet<String>) -> bool {
    let is_start = |one: &str, other: &str| one.len() > 3 && other.starts_with(one);
    let mut known = known.iter();
    known.any(|other| other == word || is_start(word, other) || is_start(other, word))
}
