//! How much a match may take, in steps: for one pattern, and for all patterns of one call.
//!
//! A step looks at about one byte of a path. What takes more does not match, whatever the pattern
//! says of it, so no pattern can hold up those who ask.

use std::cell::Cell;

/// The most that one pattern takes of one path.
const OF_PATTERN: u32 = 200_000;

/// The most that a call takes for each hint that it looks at, and for few of them.
const A_HINT: u32 = 1_500;
const AT_LEAST: u32 = 750_000;

/// The most that it takes to put a hint in order which applies.
const APART: u32 = 1_000;

/// How many steps it is worth to begin with a pattern.
const BEGINNING: usize = 8;

/// What is left outside of any call.
const ENDLESS: u32 = u32::MAX;

thread_local! {
    /// What the call that this thread works on has left.
    static LEFT: Cell<u32> = const { Cell::new(ENDLESS) };
}

/// What the patterns of a call may take together, until it is dropped. A call that is a part of
/// another one takes from what that has left.
pub(crate) struct Allowance {
    /// What was left before.
    before: u32,
    /// What this call was given of it.
    given: u32,
}

impl Allowance {
    /// Begins a call that looks at so many hints; the first ones may be all that take long.
    pub(crate) fn for_hints(count: usize) -> Allowance {
        let before = LEFT.get();
        let most = u32::try_from(count).unwrap_or(u32::MAX);
        let most = most.saturating_mul(A_HINT).clamp(AT_LEAST, u32::MAX - 1);
        let given = most.min(before);
        LEFT.set(given);
        Allowance { before, given }
    }

    /// Begins a part of a call that has little of its own and takes nothing of the rest.
    pub(crate) fn apart() -> Allowance {
        let before = LEFT.replace(APART);
        Allowance { before, given: 0 }
    }

    /// Whether a pattern was given up because the call has nothing left.
    pub(crate) fn is_used_up() -> bool {
        LEFT.get() == 0
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        let taken = self.given.saturating_sub(LEFT.get());
        LEFT.set(match self.before {
            ENDLESS => ENDLESS,
            before => before.saturating_sub(taken),
        });
    }
}

/// What a pattern takes of a path.
pub(super) struct Effort {
    left: Cell<u32>,
    given: u32,
}

impl Effort {
    /// Begins with what it takes to look at a pattern once.
    pub(super) fn new(length: usize) -> Effort {
        let given = OF_PATTERN.min(LEFT.get());
        let effort = Effort {
            left: Cell::new(given),
            given,
        };
        effort.take(BEGINNING + length);
        effort
    }

    /// Takes some steps; `None` once there are none left.
    #[inline]
    pub(super) fn take(&self, steps: usize) -> Option<()> {
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        self.left.set(self.left.get().saturating_sub(steps));
        (self.left.get() > 0).then_some(())
    }

    /// Whether the pattern could be tried to the end.
    pub(super) fn is_enough(&self) -> bool {
        self.left.get() > 0
    }
}

impl Drop for Effort {
    fn drop(&mut self) {
        let left = LEFT.get();
        if left != ENDLESS {
            LEFT.set(left.saturating_sub(self.given - self.left.get()));
        }
    }
}
