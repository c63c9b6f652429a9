//! Context sets: what is being worked on.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use nudge_core::Nudge;

use crate::call::call;
use crate::error::NudgeError;
use crate::store::Store;

/// Says what is being worked on, in named sets.
///
/// `params`: `{"sets": {"files": ["src/main.rs"], "ports": [8080]}, "mode":
/// "replace"}`. An item is a string or an integer, the newest comes last, and an
/// empty list takes a set away. `mode` is optional; "merge" keeps what a set has.
/// A set holds 10 items at most and all hold 50, the newest. The answer: `{"sets",
/// "dropped", "nearest"}`; the last two, where there is something to say, are what
/// had to go, and the known name that a new one is like.
///
/// `store` must not be NULL, any thread may call, and NULL for `params` is `{}`. On
/// success `*result` is JSON, to be freed with `nudge_string_free`, and NULL is
/// returned. On failure nothing has changed, `*result` is NULL and the error is
/// returned, to be freed with `nudge_error_free`. If `result` is NULL, the answer
/// is dropped.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_set_context(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::set_context) }
}

/// Tells what is being worked on.
///
/// `params`: `{"name": …}` for one set, or nothing for all. The answer: `{"sets",
/// "gone"}`, where `gone` is how many files no longer exist; they are not listed.
/// A name that nobody knows is `NUDGE_E_NOT_FOUND`.
///
/// `store` must not be NULL, any thread may call, and NULL for `params` is `{}`. On
/// success `*result` is JSON, to be freed with `nudge_string_free`, and NULL is
/// returned. On failure nothing has changed, `*result` is NULL and the error is
/// returned, to be freed with `nudge_error_free`. If `result` is NULL, the answer
/// is dropped.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_get_context(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::get_context) }
}
