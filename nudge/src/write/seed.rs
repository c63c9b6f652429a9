//! `Seed`: a hint as a payload has it, and how payloads are read.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::api::payload::Named;
use crate::hint::{HintMeta, HintValue, value};
use crate::model::error::Error;
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::model::{json, object, time};

/// A hint as a payload has it. Only the value must be there, so that a seed
/// can be written by hand.
#[derive(Deserialize)]
pub(crate) struct Seed {
    #[serde(deserialize_with = "value::lenient")]
    pub(crate) value: HintValue,
    #[serde(default, deserialize_with = "object::or_default")]
    pub(crate) meta: HintMeta<Scope>,
    pub(crate) version: Option<u64>,
    #[serde(default, with = "time::maybe")]
    pub(crate) created_at: Option<DateTime<Utc>>,
    #[serde(default, with = "time::maybe")]
    pub(crate) updated_at: Option<DateTime<Utc>>,
    #[serde(default, with = "time::maybe")]
    pub(crate) expires_at: Option<DateTime<Utc>>,
    #[serde(default, with = "time::maybe")]
    pub(crate) last_used_at: Option<DateTime<Utc>>,
    #[serde(default)]
    pub(crate) use_count: u64,
    #[serde(default)]
    pub(crate) fail_count: u64,
    #[serde(default, with = "time::maybe")]
    pub(crate) first_failed_at: Option<DateTime<Utc>>,
    #[serde(default, with = "time::maybe")]
    pub(crate) last_failed_at: Option<DateTime<Utc>>,
    #[serde(default)]
    pub(crate) claimed_uses: u64,
    #[serde(default)]
    pub(crate) claimed_failures: u64,
    /// Only a merge looks at it.
    pub(crate) stamp: Option<Value>,
}

/// Takes the slots of one component.
pub(crate) type Take<'t, H> = dyn FnMut(Name, Named<H>) + 't;

impl Seed {
    /// Reads the variants of a slot, each by itself: a hint that cannot be
    /// read spoils no other.
    pub(crate) fn one_by_one(slot: &RawValue) -> Vec<Result<Seed, Error>> {
        let seed = |raw: &RawValue| json::from_json(raw.get().as_bytes());
        match serde_json::from_str::<Vec<&RawValue>>(slot.get()) {
            Ok(several) => several.into_iter().map(seed).collect(),
            Err(_) => vec![seed(slot)],
        }
    }
}

/// What a payload has beside its hints, not looked into yet.
#[derive(Default)]
pub(crate) struct Beside<'de> {
    schema_version: Option<String>,
    pub(crate) proposals: Option<Vec<&'de RawValue>>,
    pub(crate) context_sets: Option<Named<&'de RawValue>>,
    pub(crate) work: Option<Vec<&'de RawValue>>,
    pub(crate) marks: Option<Vec<&'de RawValue>>,
}

/// Reads a payload, giving each component to `take` as soon as it is read: a
/// million hints are never there twice.
pub(crate) fn read<'de, H: Deserialize<'de>>(
    json: &'de str,
    take: &mut Take<'_, H>,
) -> Result<Beside<'de>, Error> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let field = Cell::new("payload");
    let beside = Document(take, &field).deserialize(&mut reader);
    let beside = beside.and_then(|beside| reader.end().map(|()| beside));
    match beside {
        Ok(beside) => check_version(beside.schema_version.as_deref()).map(|()| beside),
        Err(error) => {
            // What a newer version looks like is not known here.
            if let Ok(Header { schema_version }) = serde_json::from_str(json) {
                check_version(schema_version.as_deref())?;
            }
            if error.is_data() {
                return Err(json::invalid_field(field.get(), &error.to_string()));
            }
            let words = format!("payload is not JSON: {error}");
            Err(Error::invalid("payload", "json", words))
        }
    }
}

fn check_version(version: Option<&str>) -> Result<(), Error> {
    let words = match version {
        Some("1.0" | "1.1") => return Ok(()),
        Some(other) => format!(
            "schema_version `{other}` is not known here; export as `1.0` or `1.1`, or update Nudge"
        ),
        None => "schema_version is missing; give `1.0`, or `1.1` where a slot has several variants"
            .to_owned(),
    };
    let field = "payload.schema_version";
    Err(Error::invalid(field, "schema_version", words))
}

#[derive(Deserialize)]
struct Header {
    schema_version: Option<String>,
}

/// The fields of a payload, as an error names them.
const FIELDS: [&str; 6] = [
    "payload.schema_version",
    "payload.components",
    "payload.proposals",
    "payload.context_sets",
    "payload.work",
    "payload.marks",
];

/// A whole payload; its value is what stands beside the hints. The cell says where
/// the reader is, for the error.
struct Document<'t, 's, H>(&'t mut Take<'s, H>, &'t Cell<&'static str>);

impl<'de, H: Deserialize<'de>> DeserializeSeed<'de> for Document<'_, '_, H> {
    type Value = Beside<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, H: Deserialize<'de>> Visitor<'de> for Document<'_, '_, H> {
    type Value = Beside<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `schema_version` and `components`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut beside, mut found) = (Beside::default(), false);
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            let is_it = |field: &&&str| field.strip_prefix("payload.") == Some(&*name);
            self.1.set(FIELDS.iter().find(is_it).unwrap_or(&"payload"));
            match &*name {
                "schema_version" => beside.schema_version = map.next_value()?,
                "proposals" => beside.proposals = map.next_value()?,
                "work" => beside.work = map.next_value()?,
                "marks" => beside.marks = map.next_value()?,
                "context_sets" => {
                    let sets: Option<Entries<_>> = map.next_value()?;
                    beside.context_sets = sets.map(|sets| sets.0);
                }
                "components" => {
                    found = true;
                    map.next_value_seed(Components(self.0))?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        self.1.set("payload");
        if found {
            Ok(beside)
        } else {
            Err(A::Error::missing_field("components"))
        }
    }
}

/// The components of a payload.
struct Components<'t, 's, H>(&'t mut Take<'s, H>);

impl<'de, H: Deserialize<'de>> DeserializeSeed<'de> for Components<'_, '_, H> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, H: Deserialize<'de>> Visitor<'de> for Components<'_, '_, H> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of components")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        #[derive(Deserialize)]
        #[serde(bound = "H: Deserialize<'de>")]
        struct Component<H> {
            hints: Entries<H>,
        }
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            let component: Component<H> = map.next_value()?;
            (self.0)(Name::from(&*name), component.hints.0);
        }
        Ok(())
    }
}

/// The entries of an object, in the order of the text.
struct Entries<T>(Named<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries<T>, D::Error> {
        struct EntriesVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
            type Value = Named<T>;

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
