//! Proposals: hints that wait to be accepted.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use nudge_core::Nudge;

use crate::call::call;
use crate::error::NudgeError;
use crate::store::Store;

/// Proposes a hint: it is never served until it is accepted.
///
/// `params`: `{"component": …, "key": …, "value": …, "meta": {…}, "why": …}`, as for
/// `nudge_set_hint`, with a reason; `meta` is optional. The answer: `{"proposal":
/// {"id", "component", "key", "hint", "why"}}`. What is set already is
/// `NUDGE_E_CONFLICT`. A set by a program becomes a proposal by itself where the
/// user's word stands against it; its answer then has a `proposal` as well.
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
pub unsafe extern "C" fn nudge_propose(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::propose) }
}

/// Lists the proposals that wait, the oldest first.
///
/// `params`: nothing. The answer: `{"proposals": [{"id", "component", "key", "hint",
/// "why"}]}`, of which there are 50 at most.
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
pub unsafe extern "C" fn nudge_list_proposals(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::list_proposals) }
}

/// Sets the hint of a proposal, as the user's own.
///
/// `params`: `{"id": 1}`. The answer is that of `nudge_set_hint`. A proposal that does
/// not wait is `NUDGE_E_NOT_FOUND`.
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
pub unsafe extern "C" fn nudge_accept(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::accept) }
}

/// Drops a proposal.
///
/// `params`: `{"id": 1}`. The answer: `{"proposal": {…}}`. A proposal that does not
/// wait is `NUDGE_E_NOT_FOUND`.
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
pub unsafe extern "C" fn nudge_reject(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::reject) }
}
