//! `RateLimit`: how much somebody is told unasked.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Lets a few things through at a time, and none of them twice.
///
/// `T` is the time by whichever clock: a thing counts until a moment that its caller names.
#[derive(Debug, Clone)]
pub struct RateLimit<T> {
    most: usize,
    /// What counts, and until when, oldest first.
    counted: VecDeque<(T, u64)>,
}

impl<T: Copy + Ord> RateLimit<T> {
    /// Lets so many things through at a time.
    #[must_use]
    pub const fn new(most: usize) -> RateLimit<T> {
        RateLimit {
            most,
            counted: VecDeque::new(),
        }
    }

    /// Whether a thing may pass now.
    pub fn allows(&mut self, what: &impl Hash, now: T) -> bool {
        while self.counted.front().is_some_and(|(until, _)| *until <= now) {
            self.counted.pop_front();
        }
        let what = print(what);
        self.counted.len() < self.most && self.counted.iter().all(|(_, known)| *known != what)
    }

    /// Counts a thing that has passed, until then.
    pub fn count(&mut self, what: &impl Hash, until: T) {
        self.counted.push_back((until, print(what)));
    }
}

/// What a thing is remembered by.
pub(crate) fn print(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The same for what is written down, FNV-1a of 64 bits: alike on every machine and in every
/// version.
pub(crate) fn lasting_print(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_pass_at_a_time_and_none_of_them_twice() {
        let mut limit = RateLimit::new(2);
        let mut passes = |what: &str, now: u32| {
            let may = limit.allows(&what, now);
            if may {
                limit.count(&what, now + 10);
            }
            may
        };
        assert!(passes("a", 0));
        assert!(!passes("a", 9));
        assert!(passes("b", 9));
        assert!(!passes("c", 9));
        assert!(passes("a", 10));
        assert!(!passes("b", 18));
        assert!(passes("b", 19));
    }
}
