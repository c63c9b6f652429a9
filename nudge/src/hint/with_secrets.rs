//! Writing hints: without the values of secrets, unless it is done on purpose.

use std::borrow::Cow;
use std::cell::Cell;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::hint::Hint;
use crate::secret::MASK;

thread_local! {
    /// Whether this thread is writing a [`WithSecrets`]: serde hands nothing down to
    /// the hints of an answer that could tell them.
    static SHOWN: Cell<bool> = const { Cell::new(false) };
}

/// Writes what holds hints with the values of those that are marked as secret.
///
/// Without it, whatever is written of a hint (an answer, an export, a change) has
/// `***` in the place of a secret, so that a new surface or log shows none unless
/// somebody meant it to.
///
/// # Examples
///
/// ```
/// use nudge::{GetHint, Nudge, SetHint, WithSecrets};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "token", "swordfish").secret())?;
/// let found = nudge.get_hint(GetHint::new("api", "token"))?;
///
/// let json = serde_json::to_value(&found).unwrap();
/// assert_eq!(json["hint"]["value"], "***");
///
/// let json = serde_json::to_value(WithSecrets(&found)).unwrap();
/// assert_eq!(json["hint"]["value"], "swordfish");
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct WithSecrets<T>(pub T);

impl<T: Serialize> Serialize for WithSecrets<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// Puts back what was there, also when a panic passes.
        struct Before(bool);

        impl Drop for Before {
            fn drop(&mut self) {
                SHOWN.set(self.0);
            }
        }

        let _before = Before(SHOWN.replace(true));
        self.0.serialize(serializer)
    }
}

impl Hint {
    /// The text of the value as people may see it: `***` when it is marked as secret.
    #[must_use]
    pub fn shown(&self) -> Cow<'_, str> {
        if self.is_secret() {
            return Cow::Borrowed(MASK);
        }
        self.value.text()
    }
}

impl Serialize for Hint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.is_secret() || SHOWN.get() {
            return Hint::serialize(self, serializer);
        }
        let mut masked = self.clone();
        masked.value = MASK.into();
        Hint::serialize(&masked, serializer)
    }
}

impl<'de> Deserialize<'de> for Hint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hint, D::Error> {
        Hint::deserialize(deserializer)
    }
}
