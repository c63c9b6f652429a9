//! What a text must say, and what it must not.

/// A text of which a test knows parts; the test that misses one shows all of it.
pub(crate) trait Says {
    /// Fails unless a part is there.
    fn says(&self, part: &str) -> &Self;
    /// Fails if a part is there.
    fn hides(&self, part: &str) -> &Self;
}

impl Says for str {
    #[track_caller]
    fn says(&self, part: &str) -> &str {
        assert!(self.contains(part), "no {part:?} in: {self}");
        self
    }

    #[track_caller]
    fn hides(&self, part: &str) -> &str {
        assert!(!self.contains(part), "{part:?} in: {self}");
        self
    }
}
