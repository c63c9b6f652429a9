//! The payload of an export and an import: `schema_version` and its two forms.

use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::de::Deserializer;
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::hint::Hint;
use crate::model::list::one_or_list;
use crate::model::name::Name;
use crate::model::time;

/// The hints of a store at one moment, as an export gives them.
///
/// As JSON it is the specification's `NudgeStore`: a slot with one variant is
/// an object, one with several an array, and then the `schema_version` is
/// `1.1` instead of `1.0`. Everything is sorted, so that equal stores give
/// equal bytes.
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
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) session_id: Arc<str>,
    pub(crate) components: Named<Slots>,
}

/// What stands under names, in their order.
pub(crate) type Named<T> = Vec<(Name, T)>;

/// The slots of a component by key.
pub(crate) type Slots = Named<Vec<Arc<Hint>>>;

impl Snapshot {
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
        struct Components<'a>(&'a [(Name, Slots)]);

        impl Serialize for Components<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let component = |(name, slots)| {
                    (
                        name,
                        Component {
                            hints: Hints(slots),
                        },
                    )
                };
                let components = self.0.iter().map(|(name, slots)| (name, slots));
                serializer.collect_map(components.map(component))
            }
        }

        #[derive(Serialize)]
        struct Component<'a> {
            hints: Hints<'a>,
        }

        struct Hints<'a>(&'a Slots);

        impl Serialize for Hints<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|(key, hints)| (key, Variants(hints))))
            }
        }

        #[derive(Serialize)]
        struct Variants<'a>(#[serde(serialize_with = "one_or_list")] &'a [Arc<Hint>]);

        #[derive(Serialize)]
        struct Time<'a>(#[serde(with = "time")] &'a DateTime<Utc>);

        let mut object = serializer.serialize_struct("NudgeStore", 4)?;
        object.serialize_field("schema_version", self.schema_version())?;
        object.serialize_field("created_at", &Time(&self.created_at))?;
        object.serialize_field("session_id", &*self.session_id)?;
        object.serialize_field("components", &Components(&self.components))?;
        object.end()
    }
}

/// What an import takes: the JSON text of a payload, or a [`Snapshot`].
///
/// # Examples
///
/// ```
/// use nudge::{Export, Import, Nudge, SetHint};
///
/// let old = Nudge::default();
/// old.set_hint(SetHint::new("api", "build", "make"))?;
///
/// let new = Nudge::default();
/// let imported = new.import(Import::new(old.export(Export::new())?.payload))?;
/// assert_eq!(imported.imported, 1);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Payload(pub(crate) Form);

#[derive(Clone)]
pub(crate) enum Form {
    Text(String),
    Ready(Snapshot),
}

/// Shows how long a payload is and nothing of it.
impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Text(text) => write!(f, "<{} bytes>", text.len()),
            Form::Ready(snapshot) => write!(f, "<{} components>", snapshot.components.len()),
        }
    }
}

impl From<Snapshot> for Payload {
    fn from(snapshot: Snapshot) -> Payload {
        Payload(Form::Ready(snapshot))
    }
}

impl From<String> for Payload {
    fn from(json: String) -> Payload {
        Payload(Form::Text(json))
    }
}

impl From<&str> for Payload {
    fn from(json: &str) -> Payload {
        Payload(Form::Text(json.to_owned()))
    }
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Form::Ready(snapshot) => snapshot.serialize(serializer),
            Form::Text(text) => {
                let raw: &RawValue =
                    serde_json::from_str(text).map_err(serde::ser::Error::custom)?;
                raw.serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Payload, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Payload(Form::Text(String::from(Box::<str>::from(raw)))))
    }
}
