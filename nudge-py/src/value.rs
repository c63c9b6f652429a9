//! A Python value as serde reads it: the short way into a request.
//!
//! It takes what JSON could say as well, and gives up on all else without a
//! word: the caller then goes by JSON, which can read it or says why not.

use std::fmt;

use pyo3::prelude::*;
use pyo3::types::iter::{BoundDictIterator, BoundListIterator};
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::json::DEEPEST;

/// That a value could not be read; why is found out by going another way.
#[derive(Debug)]
pub(crate) struct Unread;

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this could not be read")
    }
}

impl std::error::Error for Unread {}

impl Error for Unread {
    fn custom<T: fmt::Display>(_: T) -> Unread {
        Unread
    }
}

/// A value, and how many others it lies in.
#[derive(Clone, Copy)]
pub(crate) struct Value<'a, 'py> {
    object: Borrowed<'a, 'py, PyAny>,
    depth: usize,
}

impl<'a, 'py> Value<'a, 'py> {
    pub(crate) fn new(object: Borrowed<'a, 'py, PyAny>) -> Value<'a, 'py> {
        Value { object, depth: 1 }
    }

    fn text(&self) -> Result<&'a str, Unread> {
        self.object.extract().map_err(|_| Unread)
    }

    fn deeper(&self) -> Result<usize, Unread> {
        if self.depth < DEEPEST {
            Ok(self.depth + 1)
        } else {
            Err(Unread)
        }
    }
}

impl<'de> Deserializer<'de> for Value<'_, '_> {
    type Error = Unread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        let object = self.object;
        if object.is_instance_of::<PyString>() {
            visitor.visit_str(self.text()?)
        } else if let Ok(dict) = object.cast::<PyDict>() {
            // No code of the caller's runs while a dict is read here, so it
            // cannot change under the iterator, which would panic.
            visitor.visit_map(Entries {
                rest: dict.iter(),
                value: None,
                depth: self.deeper()?,
            })
        } else if let Ok(list) = object.cast::<PyList>() {
            visitor.visit_seq(Items {
                rest: list.iter(),
                depth: self.deeper()?,
            })
        } else if object.is_none() {
            visitor.visit_unit()
        } else if let Ok(flag) = object.cast::<PyBool>() {
            visitor.visit_bool(flag.is_true())
        } else if object.is_instance_of::<PyInt>() {
            match object.extract::<i64>() {
                Ok(number) => match u64::try_from(number) {
                    Ok(number) => visitor.visit_u64(number),
                    Err(_) => visitor.visit_i64(number),
                },
                Err(_) => Err(Unread),
            }
        } else if let Ok(number) = object.cast::<PyFloat>() {
            match number.value() {
                number if number.is_finite() => visitor.visit_f64(number),
                _ => Err(Unread),
            }
        } else {
            Err(Unread)
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        if self.object.is_none() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unread> {
        let variant: StrDeserializer<'_, Unread> = self.text()?.into_deserializer();
        visitor.visit_enum(variant)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unread> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Entries<'py> {
    rest: BoundDictIterator<'py>,
    value: Option<Bound<'py, PyAny>>,
    depth: usize,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Unread;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Unread> {
        let Some((key, value)) = self.rest.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        let key: &str = key.extract().map_err(|_| Unread)?;
        let key: StrDeserializer<'_, Unread> = key.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Unread> {
        let value = self.value.take().ok_or(Unread)?;
        seed.deserialize(Value {
            object: value.as_borrowed(),
            depth: self.depth,
        })
    }
}

struct Items<'py> {
    rest: BoundListIterator<'py>,
    depth: usize,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Unread;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Unread> {
        let Some(item) = self.rest.next() else {
            return Ok(None);
        };
        let value = Value {
            object: item.as_borrowed(),
            depth: self.depth,
        };
        seed.deserialize(value).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}
