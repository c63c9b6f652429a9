//! `Sink`: who is asked before a change is made.

use std::fmt;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::api::caller::Caller;
use crate::model::error::{Error, ErrorKind};
use crate::store::change::Change;

/// What the caller of an operation will get once its changes are accepted.
///
/// It is written only when a [`Sink`] asks for it.
///
/// # Examples
///
/// ```
/// use nudge::{Answer, Caller, Change, Error, Nudge, SetHint, Sink};
///
/// struct Shown;
///
/// impl Sink for Shown {
///     fn accept(&self, _: &Caller<'_>, _: &[Change], answer: &Answer<'_>) -> Result<(), Error> {
///         assert!(answer.to_json()?.get().contains("\"created\":true"));
///         Ok(())
///     }
/// }
///
/// Nudge::default().with_sink(Shown).set_hint(SetHint::new("api", "build", "make"))?;
/// # Ok::<(), nudge::Error>(())
/// ```
pub struct Answer<'a> {
    write: &'a dyn Fn() -> serde_json::Result<Box<RawValue>>,
}

impl Answer<'_> {
    /// Hands an answer to whoever wants to write it.
    pub(crate) fn lend<T: Serialize, R>(
        by: &Caller<'_>,
        answer: &T,
        to: impl FnOnce(&Answer<'_>) -> R,
    ) -> R {
        to(&Answer {
            write: &|| to_raw_value(&by.answered(answer)),
        })
    }

    /// Writes it as the JSON that the caller gets.
    pub fn to_json(&self) -> Result<Box<RawValue>, Error> {
        (self.write)().map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
    }
}

// An answer may hold a secret, and no `Debug` shows one.
impl fmt::Debug for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").finish_non_exhaustive()
    }
}

/// Who is asked before changes are applied.
///
/// The changes of one operation come together and in order, and are applied
/// all or not at all: an error refuses them, leaves the store as it was, and
/// is what the caller of the operation gets.
///
/// A sink may read the store it serves, which does not show the changes yet.
/// It must not write to it: writes wait for each other.
///
/// A closure that takes the changes alone is a sink.
///
/// # Examples
///
/// ```
/// use nudge::{Change, Error, ErrorKind, Nudge, SetHint};
///
/// let nudge = Nudge::default().with_sink(|_: &[Change]| {
///     Err(Error::new(ErrorKind::Unavailable, "this store is read-only"))
/// });
/// let error = nudge.set_hint(SetHint::new("api", "build", "make")).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Unavailable);
/// assert_eq!(nudge.stats().hints, 0);
/// ```
pub trait Sink: Send + Sync {
    /// Takes note of the changes, or refuses them. The answer is what the
    /// caller of the operation gets if nobody refuses.
    fn accept(&self, by: &Caller<'_>, changes: &[Change], answer: &Answer<'_>)
    -> Result<(), Error>;
}

impl<F> Sink for F
where
    F: Fn(&[Change]) -> Result<(), Error> + Send + Sync,
{
    fn accept(&self, _: &Caller<'_>, changes: &[Change], _: &Answer<'_>) -> Result<(), Error> {
        self(changes)
    }
}
