//! Lists: those that JSON may also give as their only item, and those of so many items.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    Deserialize, Deserializer, Error, Expected, IgnoredAny, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::{Serialize, Serializer};

/// A list of which a lone string, or a lone hint, is the shorter spelling.
pub(crate) struct List<T, const OF_HINTS: bool = false>(pub(crate) Vec<T>);

/// The hints of a slot.
pub(crate) type Variants<H> = List<H, true>;

impl<'de, T: Deserialize<'de>, const OF_HINTS: bool> Deserialize<'de> for List<T, OF_HINTS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ListVisitor<T, const OF_HINTS: bool>(PhantomData<T>);

        impl<'de, T, const OF_HINTS: bool> Visitor<'de> for ListVisitor<T, OF_HINTS>
        where
            T: Deserialize<'de>,
        {
            type Value = Vec<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(if OF_HINTS {
                    "a hint or a list of hints"
                } else {
                    "a string or a list of strings"
                })
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
                if OF_HINTS {
                    return Err(E::invalid_type(Unexpected::Str(text), &self));
                }
                T::deserialize(StrDeserializer::new(text)).map(|one| vec![one])
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Vec<T>, A::Error> {
                if !OF_HINTS {
                    return Err(A::Error::invalid_type(Unexpected::Map, &self));
                }
                T::deserialize(MapAccessDeserializer::new(map)).map(|one| vec![one])
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
            .deserialize_any(ListVisitor::<T, OF_HINTS>(PhantomData))
            .map(List)
    }
}

/// Reads the hints of a slot.
pub(crate) fn list_or_one<'de, D: Deserializer<'de>, H: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<H>, D::Error> {
    Ok(Variants::deserialize(deserializer)?.0)
}

/// Refuses a list where none can be: an error is known by its place, so that it is read to its end.
pub(crate) fn refused<'de, T, A: SeqAccess<'de>>(
    items: A,
    expected: &dyn Expected,
) -> Result<T, A::Error> {
    IgnoredAny.visit_seq(items)?;
    Err(A::Error::invalid_type(Unexpected::Seq, expected))
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

/// Adds an item at the end of a list that has so many at most: the oldest goes.
pub(crate) fn push<T>(list: &mut VecDeque<T>, item: T, most: usize) {
    list.push_back(item);
    if list.len() > most {
        list.pop_front();
    }
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
