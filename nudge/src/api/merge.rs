//! `Merge` and `Merged`: what the stores of two machines say to each other.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::api::answer::Problem;
use crate::api::payload::Payload;
use crate::model::absent::{is_false, is_zero, nullable};
use crate::model::name::Name;
use crate::model::rows::setters;

/// Asks for what another machine keeps to be merged with what this one does.
///
/// # Examples
///
/// ```
/// use nudge::{Caller, Config, Merge, Nudge, SetHint};
///
/// let [laptop, desktop] = [0, 1].map(|_| Nudge::new(Config { keep: true, ..Config::default() }));
/// laptop.set_hint(SetHint::new("api", "build", "make"))?;
/// let mut sent = laptop.ask(&Caller::user(), Merge::new("laptop"))?.files.unwrap();
/// let merge = Merge::new("desktop").payload(sent.remove("").unwrap());
/// assert_eq!(desktop.ask(&Caller::user(), merge)?.taken, 1);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Merge {
    /// What this machine is called in stamps from now on: up to 64 lower-case letters, digits, `-`.
    pub machine: Name,
    /// One of the `files` that a merge on another machine gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "Payload::schema")]
    pub payload: Option<Payload>,
    /// Leave `files` out of the answer.
    #[serde(default, deserialize_with = "nullable")]
    #[serde(skip_serializing_if = "is_false")]
    pub brief: bool,
}

impl Merge {
    /// Asks for what this machine has, under that name.
    pub fn new(machine: impl Into<Name>) -> Merge {
        Merge {
            machine: machine.into(),
            payload: None,
            brief: false,
        }
    }
}

setters! { Merge:
    /// Merges what another has before.
    payload(payload: impl Into<Payload>) |it| it.payload = Some(payload.into());
}

impl Merged {
    /// What came of two.
    pub(crate) fn and(mut self, more: Merged) -> Merged {
        self.deleted += more.deleted;
        self.refused += more.refused;
        self.problems.extend(more.problems);
        self
    }
}

/// What came of a merge.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Merged {
    /// How many hints are here now as the other machine has them.
    pub taken: usize,
    /// How many are gone because the other machine no longer keeps them.
    pub deleted: usize,
    /// How many of the other machine's were refused; absent when none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refused: usize,
    /// Why the first 20 of them were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// How many hints here look like credentials and go nowhere; absent when none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
    /// All that is kept here and what is remembered of what is not, by repository; under the
    /// empty name what names none or several. Absent where it was asked to be brief.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<BTreeMap<Name, Map<String, Value>>>")]
    pub files: Option<BTreeMap<Name, Payload>>,
}
