//! The walk of a list of steps along a path.

use std::marker::PhantomData;

use super::case::{Case, first, width};
use super::class;
use super::effort::Effort;
use super::steps::{Step, Steps};

/// How many steps are tried, one way after the other, before the walk keeps a table of where it has
/// been.
const PATIENCE: u32 = 600;

/// How many steps one of them is worth.
const TRY: usize = 4;

/// A walk along one path.
pub(super) struct Walk<'a, C> {
    steps: &'a Steps,
    path: &'a [u8],
    /// How many tries are left.
    left: u32,
    /// What all of it takes.
    effort: &'a Effort,
    case: PhantomData<C>,
}

impl<'a, C: Case> Walk<'a, C> {
    pub(super) fn new(steps: &'a Steps, path: &'a [u8], effort: &'a Effort) -> Self {
        Walk {
            steps,
            path,
            left: PATIENCE,
            effort,
            case: PhantomData,
        }
    }

    /// Tells whether the steps get to the end of the path.
    pub(super) fn arrives(mut self) -> bool {
        let answer = self.go(0, 0);
        // A try is worth a few bytes that are compared.
        let is_enough = self
            .effort
            .take((PATIENCE - self.left) as usize * TRY)
            .is_some();
        match answer {
            Some(answer) => answer,
            None => is_enough && Table::new(&self).fill() == Some(true),
        }
    }

    /// Tries every way from a step and a place in the path; gives nothing once patience is lost.
    fn go(&mut self, mut at: usize, mut from: usize) -> Option<bool> {
        loop {
            self.left = self.left.checked_sub(1)?;
            let Some(step) = self.steps.list.get(at) else {
                return Some(false);
            };
            let rest = self.path.get(from..).unwrap_or_default();
            match *step {
                Step::Star | Step::Deep => {
                    let stops = matches!(step, Step::Star);
                    return self.stretch(at + 1, from, stops);
                }
                Step::Skip => {
                    for (place, _) in rest.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
                        if self.go(at + 1, from + place + 1)? {
                            return Some(true);
                        }
                    }
                    return Some(false);
                }
                Step::Number(numbers) => {
                    for length in numbers.lengths(rest) {
                        if self.go(at + 1, from + length)? {
                            return Some(true);
                        }
                    }
                    return Some(false);
                }
                Step::Class(_, true) => {
                    if let Some(length) = self.itself(*step, rest)
                        && self.go(at + 1, from + length)?
                    {
                        return Some(true);
                    }
                }
                Step::Middle if rest.is_empty() => {
                    at += 3;
                    continue;
                }
                Step::Below(itself) => return Some(below(rest, itself)),
                Step::Fork(ahead) => {
                    if self.go(at + 1, from)? {
                        return Some(true);
                    }
                    at += usize::from(ahead);
                    continue;
                }
                Step::Jump(ahead) => {
                    at += usize::from(ahead);
                    continue;
                }
                Step::Again(back) => {
                    if self.go(at + 1, from)? {
                        return Some(true);
                    }
                    at = at.saturating_sub(usize::from(back));
                    continue;
                }
                Step::Not(ahead) => {
                    if self.go(at + 1, from)? {
                        return Some(false);
                    }
                    at += usize::from(ahead);
                    continue;
                }
                Step::End => return Some(rest.is_empty()),
                Step::Hold => return Some(true),
                _ => {}
            }
            let Some(length) = self.length(*step, rest) else {
                return Some(false);
            };
            from += length;
            at += 1;
        }
    }

    /// Tries a step at every place from one on, up to the next separator or to the end of the path.
    fn stretch(&mut self, at: usize, from: usize, stops: bool) -> Option<bool> {
        let rest = self.path.get(from..).unwrap_or_default();
        let limit = if stops {
            rest.iter().position(|byte| *byte == b'/')
        } else {
            None
        };
        let limit = limit.unwrap_or(rest.len());
        // With nothing to come, only the furthest place can do.
        if matches!(self.steps.list.get(at), Some(Step::End)) {
            return Some(limit == rest.len());
        }
        let mut place = 0;
        loop {
            if self.go(at, from + place)? {
                return Some(true);
            }
            if place >= limit {
                return Some(false);
            }
            place += width(rest.get(place..).unwrap_or_default());
        }
    }

    /// Gives how many bytes of the path a simple step takes, if it can.
    fn length(&self, step: Step, rest: &[u8]) -> Option<usize> {
        match step {
            Step::Literal(piece) => C::literal(self.steps.piece(piece).as_bytes(), rest),
            Step::Class(piece, _) => {
                let character = first(rest)?;
                class::takes::<C>(self.steps.piece(piece), character).then(|| character.len_utf8())
            }
            Step::Letters(one, other, apart) => {
                let character = first(rest)?;
                let near = |letter: char| (one.min(other)..=one.max(other)).contains(&letter);
                let met = |letter: char| {
                    near(letter) && u32::from(letter).abs_diff(u32::from(one)) % apart == 0
                };
                C::any(character, met).then(|| character.len_utf8())
            }
            Step::One => (*rest.first()? != b'/').then(|| width(rest)),
            Step::More => (!rest.is_empty()).then_some(0),
            Step::Middle => (*rest.first()? == b'/').then_some(1),
            _ => None,
        }
    }

    /// Gives how many bytes of the path the text of a class takes, where it may stand for itself.
    fn itself(&self, step: Step, rest: &[u8]) -> Option<usize> {
        let Step::Class(piece, true) = step else {
            return None;
        };
        let inner = rest.strip_prefix(b"[")?;
        let length = C::literal(self.steps.piece(piece).as_bytes(), inner)?;
        (inner.get(length) == Some(&b']')).then_some(length + 2)
    }
}

/// Which steps get to the end from which place of the path, worked out from the end of the path
/// backwards.
///
/// Every step is looked at once for every place, and again only where one repetition ends and the
/// next begins, so no pattern can make the walk long.
struct Table<'a, 'b, C> {
    /// The walk that lost patience.
    walk: &'b Walk<'a, C>,
    /// How many words a place has.
    words: usize,
    /// One bit for every step, a row for every place.
    bits: Vec<u64>,
}

impl<'a, 'b, C: Case> Table<'a, 'b, C> {
    fn new(walk: &'b Walk<'a, C>) -> Self {
        let words = walk.steps.list.len().div_ceil(64);
        Table {
            walk,
            words,
            bits: vec![0; words * (walk.path.len() + 1)],
        }
    }

    /// Fills the table and tells whether the first step gets to the end from the start of the path.
    fn fill(mut self) -> Option<bool> {
        let list = &self.walk.steps.list;
        for from in (0..=self.walk.path.len()).rev() {
            loop {
                self.walk.effort.take(list.len() * TRY)?;
                for (at, step) in list.iter().enumerate().rev() {
                    if !self.get(at, from) && self.value(*step, at, from) {
                        self.set(at, from);
                    }
                }
                // A repetition looks back at a step that was not worked out when its turn came.
                let missed = |(at, step): (usize, &Step)| {
                    matches!(step, Step::Again(_))
                        && !self.get(at, from)
                        && self.value(*step, at, from)
                };
                if !list.iter().enumerate().any(missed) {
                    break;
                }
            }
        }
        Some(self.get(0, 0))
    }

    /// Works out whether a step gets to the end from a place.
    fn value(&self, step: Step, at: usize, from: usize) -> bool {
        let rest = self.walk.path.get(from..).unwrap_or_default();
        let slash = rest.first() == Some(&b'/');
        let further = |at: usize| !rest.is_empty() && self.get(at, from + width(rest));
        match step {
            Step::Number(numbers) => numbers
                .lengths(rest)
                .any(|length| self.get(at + 1, from + length)),
            Step::Star => self.get(at + 1, from) || (!slash && further(at)),
            Step::Deep => self.get(at + 1, from) || further(at),
            Step::Skip => (slash && self.get(at + 1, from + 1)) || further(at),
            Step::Middle if rest.is_empty() => self.get(at + 3, from),
            Step::Below(itself) => below(rest, itself),
            Step::Fork(ahead) => self.get(at + 1, from) || self.get(at + usize::from(ahead), from),
            Step::Jump(ahead) => self.get(at + usize::from(ahead), from),
            Step::Again(back) => {
                self.get(at + 1, from) || self.get(at.saturating_sub(usize::from(back)), from)
            }
            Step::Not(ahead) => !self.get(at + 1, from) && self.get(at + usize::from(ahead), from),
            Step::End => rest.is_empty(),
            Step::Hold => true,
            _ => {
                let ways = [self.walk.length(step, rest), self.walk.itself(step, rest)];
                ways.into_iter()
                    .flatten()
                    .any(|length| self.get(at + 1, from + length))
            }
        }
    }

    fn get(&self, at: usize, from: usize) -> bool {
        self.bits
            .get(from * self.words + at / 64)
            .is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn set(&mut self, at: usize, from: usize) {
        if let Some(word) = self.bits.get_mut(from * self.words + at / 64) {
            *word |= 1 << (at % 64);
        }
    }
}

/// Tells whether the rest of a path lies below a folder, or is the folder itself where that does
/// too.
fn below(rest: &[u8], itself: bool) -> bool {
    rest.first().map_or(itself, |byte| *byte == b'/')
}
