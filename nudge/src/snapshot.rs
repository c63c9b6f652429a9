//! The payload of an export and an import: `schema_version` and its two forms.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::answer::one_or_list;
use crate::error::Error;
use crate::hint::{Hint, HintMeta, HintValue};
use crate::name::Name;
use crate::scope::Scope;
use crate::{json, time, value};

/// The hints of a store at one moment, as an export gives them.
///
/// As JSON it is the specification's `NudgeStore`: a slot with one variant is
/// an object, one with several an array, and then the `schema_version` is
/// `1.1` instead of `1.0`. Everything is sorted, so that equal stores give
/// equal bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) session_id: Arc<str>,
    pub(crate) components: Vec<(Name, Slots)>,
}

/// The slots of a component by key.
pub(crate) type Slots = Vec<(Name, Vec<Arc<Hint>>)>;

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
                let components = self.0.iter();
                serializer.collect_map(components.map(|(name, slots)| {
                    (
                        name,
                        ComponentHints {
                            hints: Hints(slots),
                        },
                    )
                }))
            }
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
pub struct Payload(Form);

#[derive(Clone)]
enum Form {
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

/// A hint as a payload has it. Only the value must be there, so that a seed
/// can be written by hand.
#[derive(Deserialize)]
pub(crate) struct Seed {
    #[serde(deserialize_with = "value::lenient")]
    pub(crate) value: HintValue,
    #[serde(default)]
    pub(crate) meta: HintMeta<Scope>,
    pub(crate) version: Option<u64>,
    #[serde(default, with = "time::option")]
    pub(crate) created_at: Option<DateTime<Utc>>,
    #[serde(default, with = "time::option")]
    pub(crate) updated_at: Option<DateTime<Utc>>,
    #[serde(default, with = "time::option")]
    pub(crate) last_used_at: Option<DateTime<Utc>>,
    #[serde(default)]
    pub(crate) use_count: u64,
}

/// The hints of a payload, those that could be read and those that could not.
pub(crate) type Seeds = Vec<(Name, Vec<(Name, Vec<Result<Seed, Error>>)>)>;

impl Payload {
    /// Reads the payload. A hint that cannot be read spoils no other.
    pub(crate) fn into_seeds(self) -> Result<Seeds, Error> {
        let text = match self.0 {
            Form::Ready(snapshot) => return Ok(ready(snapshot)),
            Form::Text(text) => text,
        };
        if let Ok(document) = serde_json::from_str::<Document<Variants>>(&text) {
            document.check_version()?;
            return Ok(document.into_seeds(|variants| variants.0.into_iter().map(Ok).collect()));
        }
        // Something cannot be read. Slower, but only what is bad gets lost:
        // each hint by itself.
        let document: Document<Box<RawValue>> =
            json::from_json(text.as_bytes()).map_err(|error| error.within("payload"))?;
        document.check_version()?;
        Ok(document.into_seeds(|raw| one_by_one(&raw)))
    }
}

/// Reads the variants of a slot, each by itself.
fn one_by_one(raw: &RawValue) -> Vec<Result<Seed, Error>> {
    let seed = |raw: &RawValue| json::from_json(raw.get().as_bytes());
    match serde_json::from_str::<Vec<&RawValue>>(raw.get()) {
        Ok(several) => several.into_iter().map(seed).collect(),
        Err(_) => vec![seed(raw)],
    }
}

fn ready(snapshot: Snapshot) -> Seeds {
    let seed = |hint: Arc<Hint>| {
        let hint = Arc::unwrap_or_clone(hint);
        let scope = hint.meta.scope.as_ref().map(|gate| Scope::clone(gate));
        Ok(Seed {
            value: hint.value,
            meta: hint.meta.with_scope(scope),
            version: Some(hint.version),
            created_at: Some(hint.created_at),
            updated_at: Some(hint.updated_at),
            last_used_at: hint.last_used_at,
            use_count: hint.use_count,
        })
    };
    let slots = |slots: Slots| {
        let slots = slots.into_iter();
        slots
            .map(|(key, hints)| (key, hints.into_iter().map(seed).collect()))
            .collect()
    };
    let components = snapshot.components.into_iter();
    components
        .map(|(name, hints)| (name, slots(hints)))
        .collect()
}

#[derive(Deserialize)]
#[serde(bound = "H: Deserialize<'de>")]
struct Document<H> {
    #[serde(default)]
    schema_version: Option<String>,
    components: Entries<ComponentHints<Entries<H>>>,
}

#[derive(Serialize, Deserialize)]
struct ComponentHints<H> {
    hints: H,
}

impl<H> Document<H> {
    fn check_version(&self) -> Result<(), Error> {
        let field = "payload.schema_version";
        match self.schema_version.as_deref() {
            Some("1.0" | "1.1") => Ok(()),
            Some(other) => Err(Error::invalid(
                field,
                "schema_version",
                format!(
                    "schema_version `{other}` is not known here; export as `1.0` or `1.1`, or update Nudge"
                ),
            )),
            None => Err(Error::invalid(
                field,
                "schema_version",
                "payload has no schema_version; give `1.0`, or `1.1` where a slot has several variants",
            )),
        }
    }

    fn into_seeds(self, seeds: impl Fn(H) -> Vec<Result<Seed, Error>>) -> Seeds {
        let slots = |slots: Vec<(Name, H)>| {
            let slots = slots.into_iter();
            slots.map(|(key, hints)| (key, seeds(hints))).collect()
        };
        let components = self.components.0.into_iter();
        components
            .map(|(name, component)| (name, slots(component.hints.0)))
            .collect()
    }
}

/// The entries of an object, in the order of the text.
struct Entries<T>(Vec<(Name, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries<T>, D::Error> {
        struct EntriesVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
            type Value = Vec<(Name, T)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(name) = map.next_key::<Cow<'de, str>>()? {
                    entries.push((Name::from(&*name), map.next_value()?));
                }
                Ok(entries)
            }
        }

        deserializer
            .deserialize_map(EntriesVisitor(PhantomData))
            .map(Entries)
    }
}

/// The variants of a slot: one hint, or a list of them.
struct Variants(Vec<Seed>);

impl<'de> Deserialize<'de> for Variants {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Variants, D::Error> {
        struct VariantsVisitor;

        impl<'de> Visitor<'de> for VariantsVisitor {
            type Value = Variants;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a hint or a list of hints")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Variants, A::Error> {
                let seed = Seed::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Variants(vec![seed]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Variants, A::Error> {
                let mut seeds = Vec::new();
                while let Some(seed) = items.next_element()? {
                    seeds.push(seed);
                }
                Ok(Variants(seeds))
            }
        }

        deserializer.deserialize_any(VariantsVisitor)
    }
}
