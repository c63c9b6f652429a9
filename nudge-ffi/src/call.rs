//! The one place where C becomes Rust and back.

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use nudge_core::{Error, ErrorKind, from_json, invalid_field};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::PreparedContext;
use crate::error::NudgeError;
use crate::fork::begin;
use crate::store::Store;

/// Runs one operation: JSON in, JSON out, no panic past this point.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
pub(crate) unsafe fn call(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    operation: &[u8],
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    let work = || {
        let store = given(store, "store")?;
        let here = context.map(|PreparedContext(context)| context);
        // SAFETY: our caller promises what `bytes` asks for.
        let params = unsafe { bytes(params) }.unwrap_or(b"{}");
        let name = str::from_utf8(operation).unwrap_or_default();
        store.0.call_named(here, name, params).map(c_string)
    };
    hand_over(result, work, CString::into_raw)
}

/// Does some work and writes what came of it, or NULL, to where the caller
/// said. If the caller did not say, what came of it is dropped.
pub(crate) fn hand_over<T, C>(
    to: Option<&mut MaybeUninit<*mut C>>,
    work: impl FnOnce() -> Result<T, Error>,
    into_raw: impl FnOnce(T) -> *mut C,
) -> Option<Box<NudgeError>> {
    let (made, error) = match run(work) {
        Ok(made) => (Some(made), None),
        Err(error) => (None, Some(error)),
    };
    if let Some(to) = to {
        to.write(made.map_or(ptr::null_mut(), into_raw));
    }
    error
}

/// Does some work that may fail and must not panic.
pub(crate) fn run<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Box<NudgeError>> {
    let _call = begin();
    // A store that a panic went through is whole: what an operation changes is
    // worked out first and then put in place.
    let done = catch_unwind(AssertUnwindSafe(work));
    let internal = |_| {
        let words = "this is a bug in Nudge; nothing was changed, please report it";
        Err(Error::new(ErrorKind::Internal, words))
    };
    done.unwrap_or_else(internal)
        .map_err(|error| Box::new(NudgeError::new(error)))
}

/// What an argument points to, or the error that it is NULL.
pub(crate) fn given<'a, T>(argument: Option<&'a T>, name: &str) -> Result<&'a T, Error> {
    argument.ok_or_else(|| invalid_field(name, "this is NULL; make one first"))
}

/// Reads JSON; NULL is as good as `{}`.
///
/// # Safety
///
/// `text` is NULL or ends with a NUL byte.
pub(crate) unsafe fn read<T: DeserializeOwned>(text: *const c_char) -> Result<T, Error> {
    // SAFETY: our caller promises what `bytes` asks for.
    from_json(unsafe { bytes(text) }.unwrap_or(b"{}"))
}

/// The bytes of a text; NULL has none.
///
/// # Safety
///
/// `text` is NULL, or ends with a NUL byte and outlives what is returned.
pub(crate) unsafe fn bytes<'a>(text: *const c_char) -> Option<&'a [u8]> {
    // SAFETY: it is not NULL here, and our caller promises the rest.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// Writes an answer as JSON.
pub(crate) fn json(answer: &impl Serialize) -> Result<CString, Error> {
    let json = serde_json::to_string(answer);
    json.map(c_string)
        .map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
}

/// The text for C, which ends at the first NUL. JSON has none; a message may
/// quote one.
pub(crate) fn c_string(text: String) -> CString {
    CString::new(text).unwrap_or_else(|error| {
        let bytes = error.into_vec().into_iter();
        let shown = bytes.map(|byte| if byte == 0 { b'?' } else { byte });
        CString::new(shown.collect::<Vec<u8>>()).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::panic, reason = "this is what is caught")]
    fn a_panic_becomes_an_error() {
        let mut made = MaybeUninit::new(ptr::dangling_mut::<c_char>());
        let work = || -> Result<CString, Error> { panic!("out of the blue") };
        let error = hand_over(Some(&mut made), work, CString::into_raw);
        assert_eq!(crate::error::nudge_error_code(error.as_deref()), 50001);
        // SAFETY: `hand_over` has written it.
        assert!(unsafe { made.assume_init() }.is_null());
    }

    #[test]
    fn a_nul_in_a_message_does_not_cut_it() {
        assert_eq!(c_string("a\0b".into()).as_bytes(), b"a?b");
    }
}
