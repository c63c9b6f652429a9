//! The payload of an export and an import: `schema_version` and its two forms.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Deserializer;
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::hint::Hint;
use crate::hint::committed::Committed;
use crate::hint::with_secrets::WithSecrets;
use crate::hint::working_set::WorkingSet;
use crate::model::absent::is_false;
use crate::model::list::{self, one_or_list, one_or_several};
use crate::model::name::Name;
use crate::model::rows::from;
use crate::model::time::{self, Time};

/// The hints of a store at one moment, as an export gives them.
///
/// As JSON it is the specification's `NudgeStore`: a slot with one variant is
/// an object, one with several an array, and then the `schema_version` is
/// `1.1` instead of `1.0`. Everything is sorted, so that equal stores give
/// equal bytes. An export of everything has `proposals` and `context_sets` as
/// well, where there are any; a [seed](crate::Export::seed) has nothing but hints.
///
/// # Examples
///
/// ```
/// use nudge::{Export, Nudge, Os, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "shell", "zsh").os(Os::Darwin))?;
/// nudge.set_hint(SetHint::new("api", "shell", "bash").os(Os::Linux))?;
/// let json = serde_json::to_value(nudge.export(Export::new())?.payload).unwrap();
/// assert_eq!(json["schema_version"], "1.1");
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, JsonSchema)]
#[schemars(with = "Written<'static>")]
pub struct Snapshot {
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) session_id: Arc<str>,
    pub(crate) components: Named<Slots>,
    /// What waits to be accepted, the oldest first; none in an export of a part.
    pub(crate) proposals: Vec<Offer>,
    /// What is being worked on by nobody in particular; none in an export of a part.
    pub(crate) context_sets: BTreeMap<Name, Vec<String>>,
    /// What is being worked on by each of the others.
    pub(crate) work: Vec<Arc<WorkingSet>>,
    /// Whether only what a person would commit is written of the hints.
    pub(crate) is_seed: bool,
}

/// A proposal as a payload has it: without the number that it has in one store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Offer")]
pub(crate) struct Offer<H = Arc<Hint>> {
    /// The component.
    pub(crate) component: Name,
    /// The key.
    pub(crate) key: Name,
    /// The hint as it would be.
    pub(crate) hint: H,
    /// Why it is only proposed.
    pub(crate) why: Box<str>,
    /// The client that proposes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) client: Option<Name>,
    /// Whether it is to be deleted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) delete: bool,
}

/// What stands under names, in their order.
pub(crate) type Named<T> = Vec<(Name, T)>;

/// The slots of a component by key.
pub(crate) type Slots = Named<Vec<Arc<Hint>>>;

impl Snapshot {
    /// Its hints, each with its component and key.
    pub fn hints(&self) -> impl Iterator<Item = (&Name, &Name, &Arc<Hint>)> {
        self.components.iter().flat_map(|(component, slots)| {
            let hints = slots
                .iter()
                .flat_map(move |(key, hints)| hints.iter().map(move |hint| (key, hint)));
            hints.map(move |(key, hint)| (component, key, hint))
        })
    }

    fn schema_version(&self) -> &'static str {
        let mut slots = self.components.iter().flat_map(|(_, slots)| slots);
        if slots.any(|(_, variants)| variants.len() > 1) {
            "1.1"
        } else {
            "1.0"
        }
    }
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = Written {
            schema_version: self.schema_version(),
            created_at: Some(self.created_at).filter(|_| !self.is_seed),
            session_id: Some(&*self.session_id).filter(|_| !self.is_seed),
            components: Components(&self.components, self.is_seed),
            proposals: &self.proposals,
            context_sets: &self.context_sets,
            work: &self.work,
        };
        written.serialize(serializer)
    }
}

/// Reads what another store has exported, and checks nothing; an import does.
impl<'de> Deserialize<'de> for Snapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Snapshot, D::Error> {
        #[derive(Deserialize)]
        struct Read {
            #[serde(default, with = "time::maybe")]
            created_at: Option<DateTime<Utc>>,
            #[serde(default)]
            session_id: Arc<str>,
            components: BTreeMap<Name, OfComponent>,
            #[serde(default)]
            proposals: Vec<Offer>,
            #[serde(default)]
            context_sets: BTreeMap<Name, Vec<String>>,
            #[serde(default)]
            work: Vec<Arc<WorkingSet>>,
        }
        #[derive(Deserialize)]
        struct OfComponent {
            hints: BTreeMap<Name, list::Variants<Arc<Hint>>>,
        }

        let read = Read::deserialize(deserializer)?;
        let components = read.components.into_iter().map(|(name, component)| {
            let slots = component.hints.into_iter();
            (name, slots.map(|(key, hints)| (key, hints.0)).collect())
        });
        Ok(Snapshot {
            is_seed: read.created_at.is_none(),
            created_at: read.created_at.unwrap_or_default(),
            session_id: read.session_id,
            components: components.collect(),
            proposals: read.proposals,
            context_sets: read.context_sets,
            work: read.work,
        })
    }
}

/// A snapshot as JSON has it.
#[derive(Serialize, JsonSchema)]
struct Written<'a> {
    /// `1.1` when a slot has several hints.
    #[schemars(extend("enum" = ["1.0", "1.1"]))]
    schema_version: &'static str,
    /// When the session began; absent in a seed.
    #[serde(with = "time::maybe", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Time>")]
    created_at: Option<DateTime<Utc>>,
    /// The session; absent in a seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<&'a str>,
    /// The components by name.
    #[schemars(with = "BTreeMap<Name, Component<'a>>")]
    components: Components<'a>,
    /// The hints that wait to be accepted, in an export of everything.
    #[serde(skip_serializing_if = "<[Offer]>::is_empty")]
    proposals: &'a [Offer],
    /// What is being worked on by the names of the sets, in an export of everything.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    context_sets: &'a BTreeMap<Name, Vec<String>>,
    /// What each agent session works on in a repository, in an export of everything.
    #[serde(skip_serializing_if = "<[Arc<WorkingSet>]>::is_empty")]
    #[schemars(with = "Vec<WorkingSet>")]
    work: &'a [Arc<WorkingSet>],
}

struct Components<'a>(&'a [(Name, Slots)], bool);

impl Serialize for Components<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, slots)| {
            let hints = Hints(slots, self.1);
            (name, Component { hints })
        }))
    }
}

/// The hints of a component.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SnapshotComponent")]
struct Component<'a> {
    /// By key, one hint or a list of them.
    #[schemars(with = "BTreeMap<Name, Variants<'a>>")]
    hints: Hints<'a>,
}

struct Hints<'a>(&'a Slots, bool);

impl Serialize for Hints<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, hints)| {
            let hints = hints.iter().filter_map(|hint| Whole::of(hint, self.1));
            (key, Variants(hints.collect()))
        }))
    }
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Variants<'a>(
    #[serde(serialize_with = "one_or_list")]
    #[schemars(schema_with = "one_or_several::<Whole<'static>>")]
    Vec<Whole<'a>>,
);

/// A hint as a payload has it: whole, or as a person would commit it.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum Whole<'a> {
    Hint(&'a Hint),
    Committed(Box<Committed<'a>>),
}

impl<'a> Whole<'a> {
    fn of(hint: &'a Hint, is_seed: bool) -> Option<Whole<'a>> {
        if is_seed {
            return hint.committed().map(Box::new).map(Whole::Committed);
        }
        Some(Whole::Hint(hint))
    }
}

/// What an import takes: the JSON text of a payload. A [`Snapshot`] is written as that, with its
/// secrets.
#[derive(Clone)]
pub struct Payload(pub(crate) String);

/// Shows how long a payload is and nothing of it.
impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Payload(<{} bytes>)", self.0.len())
    }
}

from! { Payload:
    json: String => Payload(json);
    json: &str => Payload(json.to_owned());
    snapshot: Snapshot => {
        Payload(serde_json::to_string(&WithSecrets(snapshot)).unwrap_or_default())
    };
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl Payload {
    /// As much of a payload as must be there; an import says what is wrong with the rest.
    pub(crate) fn schema(_: &mut SchemaGenerator) -> Schema {
        let components = "Component, `hints`, key, then a hint or a list of them.";
        json_schema!({
            "type": "object",
            "properties": {
                "schema_version": {"type": "string", "enum": ["1.0", "1.1"]},
                "components": {"type": "object", "description": components},
            },
            "required": ["schema_version", "components"],
        })
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Payload, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Payload(String::from(Box::<str>::from(raw))))
    }
}
