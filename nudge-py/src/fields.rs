//! The fields of an answer, as the core writes them to JSON.
//!
//! Which fields there are, and what is in them, is asked of the core's own
//! `Serialize`, so that no shape of JSON is defined here a second time.

use pyo3::prelude::*;
use pythonize::{PythonizeError, pythonize};
use serde::ser::{Error, Impossible, Serialize, SerializeStruct, Serializer};

/// The names of the fields that are there, in their order.
pub(crate) fn names(
    py: Python<'_>,
    object: &impl Serialize,
) -> Result<Vec<&'static str>, PythonizeError> {
    let mut walk = Walk::new(py, None);
    object.serialize(&mut walk)?;
    Ok(walk.names)
}

/// What is in one field; the others are passed over.
pub(crate) fn field<'py>(
    py: Python<'py>,
    object: &impl Serialize,
    name: &str,
) -> Result<Option<Bound<'py, PyAny>>, PythonizeError> {
    let mut walk = Walk::new(py, Some(name));
    object.serialize(&mut walk)?;
    Ok(walk.found)
}

/// Goes over the fields of one struct and takes what is wanted.
struct Walk<'w, 'py> {
    py: Python<'py>,
    wanted: Option<&'w str>,
    names: Vec<&'static str>,
    found: Option<Bound<'py, PyAny>>,
}

impl<'w, 'py> Walk<'w, 'py> {
    fn new(py: Python<'py>, wanted: Option<&'w str>) -> Walk<'w, 'py> {
        Walk {
            py,
            wanted,
            names: Vec::new(),
            found: None,
        }
    }
}

impl SerializeStruct for &mut Walk<'_, '_> {
    type Ok = ();
    type Error = PythonizeError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), PythonizeError> {
        match self.wanted {
            None => self.names.push(name),
            Some(wanted) if wanted == name => self.found = Some(pythonize(self.py, value)?),
            Some(_) => {}
        }
        Ok(())
    }

    fn end(self) -> Result<(), PythonizeError> {
        Ok(())
    }
}

type Never = Impossible<(), PythonizeError>;

/// Every answer is a struct; nothing else can be walked.
fn not_a_struct<T>() -> Result<T, PythonizeError> {
    Err(PythonizeError::custom("an answer is not a struct"))
}

macro_rules! refuse {
    ($($method:ident($($kind:ty),*) -> $result:ty;)*) => {
        $(fn $method(self, $(_: $kind),*) -> Result<$result, PythonizeError> {
            not_a_struct()
        })*
    };
}

impl<'a, 'w, 'py> Serializer for &'a mut Walk<'w, 'py> {
    type Ok = ();
    type Error = PythonizeError;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = &'a mut Walk<'w, 'py>;
    type SerializeStructVariant = Never;

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, PythonizeError> {
        Ok(self)
    }

    refuse! {
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_i32(i32) -> ();
        serialize_i64(i64) -> ();
        serialize_u8(u8) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_u64(u64) -> ();
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_char(char) -> ();
        serialize_str(&str) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_seq(Option<usize>) -> Never;
        serialize_tuple(usize) -> Never;
        serialize_tuple_struct(&'static str, usize) -> Never;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never;
        serialize_map(Option<usize>) -> Never;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<(), PythonizeError> {
        not_a_struct()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<(), PythonizeError> {
        not_a_struct()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), PythonizeError> {
        not_a_struct()
    }
}
