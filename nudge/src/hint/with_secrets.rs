//! Writing hints: without the values of secrets, unless it is done on purpose.

use std::borrow::Cow;
use std::cell::Cell;

use chrono::{DateTime, Utc};
use serde::{Serialize, Serializer};

use crate::hint::lifetime::Lifetime;
use crate::hint::stamp::Stamp;
use crate::hint::{Hint, HintMeta, HintValue};
use crate::model::absent::is_zero;
use crate::model::time;
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

/// The fields of a hint as [`Hint`] reads them; a new one is not forgotten here.
#[derive(Serialize)]
#[serde(rename = "Hint", remote = "Hint")]
struct Fields {
    value: HintValue,
    meta: HintMeta,
    version: u64,
    #[serde(with = "time")]
    created_at: DateTime<Utc>,
    #[serde(with = "time")]
    updated_at: DateTime<Utc>,
    lifetime: Lifetime,
    #[serde(with = "time::maybe", skip_serializing_if = "Option::is_none")]
    expires_at: Option<DateTime<Utc>>,
    #[serde(with = "time::maybe", skip_serializing_if = "Option::is_none")]
    last_used_at: Option<DateTime<Utc>>,
    use_count: u64,
    #[serde(skip_serializing_if = "is_zero")]
    fail_count: u64,
    #[serde(with = "time::maybe", skip_serializing_if = "Option::is_none")]
    first_failed_at: Option<DateTime<Utc>>,
    #[serde(with = "time::maybe", skip_serializing_if = "Option::is_none")]
    last_failed_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "is_zero")]
    claimed_uses: u64,
    #[serde(skip_serializing_if = "is_zero")]
    claimed_failures: u64,
    #[serde(skip)]
    stamp: Option<Box<Stamp>>,
}

impl Serialize for Hint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.is_secret() || SHOWN.get() {
            return Fields::serialize(self, serializer);
        }
        let mut masked = self.clone();
        masked.value = MASK.into();
        Fields::serialize(&masked, serializer)
    }
}
