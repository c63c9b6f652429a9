//! Reading a list that JSON may also give as one string.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::StrDeserializer;
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

/// A list of which a lone string is the shorter spelling.
struct List<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<List<T>, D::Error> {
        struct ListVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
            type Value = Vec<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a list of strings")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Vec<T>, E> {
                T::deserialize(StrDeserializer::new(text)).map(|one| vec![one])
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
                let mut list = Vec::new();
                while let Some(item) = items.next_element()? {
                    list.push(item);
                }
                Ok(list)
            }
        }

        deserializer
            .deserialize_any(ListVisitor(PhantomData))
            .map(List)
    }
}

/// Reads a list, or `null` for none.
pub(crate) fn optional<'de, T, D>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(Option::<List<T>>::deserialize(deserializer)?.map(|list| list.0))
}

/// Reads a map of lists, or `null` for none.
pub(crate) fn optional_map<'de, D>(
    deserializer: D,
) -> Result<Option<BTreeMap<String, Vec<String>>>, D::Error>
where
    D: Deserializer<'de>,
{
    let lists = Option::<BTreeMap<String, List<String>>>::deserialize(deserializer)?;
    Ok(lists.map(|lists| {
        let lists = lists.into_iter();
        lists.map(|(name, list)| (name, list.0)).collect()
    }))
}

/// The schema of a list that [`optional`] reads and that may not be empty; the usual
/// spelling comes first.
pub(crate) fn one_or_more<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let item = generator.subschema_for::<T>();
    json_schema!({"anyOf": [{"type": "array", "items": item, "minItems": 1}, item, {"type": "null"}]})
}

/// The schema of a list that [`optional`] reads and that mostly has one item.
pub(crate) fn mostly_one<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let item = generator.subschema_for::<T>();
    json_schema!({"anyOf": [item, {"type": "array", "items": item}, {"type": "null"}]})
}

/// The schema of what [`optional_map`] reads.
pub(crate) fn map_of_lists(generator: &mut SchemaGenerator) -> Schema {
    let item = generator.subschema_for::<String>();
    let list = json_schema!({"anyOf": [{"type": "array", "items": item, "minItems": 1}, item]});
    json_schema!({"type": ["object", "null"], "additionalProperties": list})
}

/// The schema of what [`one_or_list`] writes.
pub(crate) fn one_or_several<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let item = generator.subschema_for::<T>();
    json_schema!({"anyOf": [item, {"type": "array", "items": item, "minItems": 2}]})
}

/// Writes one item by itself and several as a list.
pub(crate) fn one_or_list<T: Serialize, S: Serializer>(
    items: &[T],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match items {
        [one] => one.serialize(serializer),
        several => several.serialize(serializer),
    }
}
