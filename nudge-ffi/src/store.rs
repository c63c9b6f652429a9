//! `nudge`: a store, and one function for each operation.

use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;

use nudge_core::{Config, Nudge, invalid_field};

use crate::call::{bytes, call, given, hand_over, read, run};
use crate::error::NudgeError;

/// A store of hints.
///
/// It belongs to the caller, who frees it with `nudge_free`. Any number of
/// threads may use it at the same time; it does its own locking.
pub struct Store(pub(crate) Nudge);

/// Makes an empty store.
///
/// `config` is a JSON object, or NULL for the defaults: `{"limits":
/// {"components": 500, "hints_per_component": 200, "hints": 5000,
/// "value_bytes": 8192}, "secret_guard": true, "default_ttl": "session",
/// "weights": {…}, "session_id": …}`. On success `*store` is the store, to be
/// freed with `nudge_free`, and NULL is returned. On failure `*store` is NULL
/// and the error is returned, to be freed with `nudge_error_free`.
///
/// # Safety
///
/// `config` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_new(
    config: *const c_char,
    store: Option<&mut MaybeUninit<*mut Store>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `read` asks for.
    let work = || unsafe { read::<Config>(config) }.map(|config| Store(Nudge::new(config)));
    hand_over(store, work, |made| Box::into_raw(Box::new(made)))
}

/// Frees a store and all its hints. NULL is fine. No other thread may be using
/// it; what it has answered stays valid.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_free(store: Option<Box<Store>>) {
    drop(store);
}

/// Sets a hint: a new one, or a variant that is there already.
///
/// `params`: `{"component": …, "key": …, "value": …, "meta": {…}, "if_match_version": …}`;
/// the last two are optional. A value is a string, or an object with `type`
/// `command`, `path`, `template` or `json`. Of `meta` (`reason`, `tags`,
/// `priority`, `confidence`, `ttl`, `sensitivity`, `scope`, `source`, `added_by`)
/// what is given is set, what is left out stays, and null clears. The answer:
/// `{"component", "key", "hint", "created", "variants", "proposal"}`, the last one
/// only if nothing was overwritten because the user's word stands against it.
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
pub unsafe extern "C" fn nudge_set_hint(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::set_hint) }
}

/// Finds the hint of a slot that fits best where the caller is.
///
/// `params`: `{"component": …, "key": …, "context": {…}, "alternatives": 0}`; the
/// last two are optional. The answer: `{"component", "key", "hint",
/// "match_explain": {"matched", "score", "reasons", "parts"}, "alternatives"}`.
/// A miss is `NUDGE_E_NOT_FOUND`, whose data lists the near misses.
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
pub unsafe extern "C" fn nudge_get_hint(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::get_hint) }
}

/// Finds all hints that fit some filters, the best first.
///
/// `params`, all optional: `component`, `keys`, `tags`, `tags_mode` ("any" or
/// "all"), `regex`, `context`, `limit` (1 to 100; 10), `include_ineligible`. The
/// answer: `{"hints": [{"component", "key", "hint", "score", "match_explain"}],
/// "total", "scoped_out"}`.
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
pub unsafe extern "C" fn nudge_query(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::query) }
}

/// Deletes a hint.
///
/// `params`: `{"component": …, "key": …}` and, where the slot holds several
/// variants, one of `scope`, `context` and `all`. The answer: `{"component",
/// "key", "deleted", "previous"}`.
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
pub unsafe extern "C" fn nudge_delete_hint(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::delete_hint) }
}

/// Lists the components.
///
/// `params`, all optional: `component` (that one only, with its keys) and
/// `context` (count what applies there). The answer: `{"components": [{"name",
/// "hint_count", "keys"}]}`, sorted.
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
pub unsafe extern "C" fn nudge_list_components(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::list_components) }
}

/// Counts a use of a hint, which makes it come first more often; with `"outcome":
/// "fail"` a failure, which makes it come later.
///
/// `params`: `{"component": …, "key": …, "delta": 1, "outcome": "ok"}` and, where the slot holds
/// several variants, `scope` or `context`. The answer: `{"component", "key",
/// "hint"}`.
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
pub unsafe extern "C" fn nudge_bump(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::bump) }
}

/// Gives the store, or a part of it, as a payload.
///
/// `params`, all optional: `format` ("json"), `component`, `tags`,
/// `include_secrets`. The answer: `{"payload", "secrets_left_out"}`.
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
pub unsafe extern "C" fn nudge_export(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::export) }
}

/// Takes over the hints of a payload.
///
/// `params`: `{"payload": {…}, "mode": "merge" or "replace", "dry_run": false}`;
/// the last two are optional. The answer: `{"imported", "skipped",
/// "problems": [{"component", "key", "reason", "detail", "message"}]}`.
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
pub unsafe extern "C" fn nudge_import(
    store: Option<&Store>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, params, result, Nudge::import) }
}

/// Lets go of the hints that have expired.
///
/// Reads never show them in any case; this gives their memory back. `store`
/// must not be NULL, and any thread may call. On success `*swept` is how many
/// they were, unless `swept` is NULL, and NULL is returned. On failure the error
/// is returned, to be freed with `nudge_error_free`.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_sweep(
    store: Option<&Store>,
    swept: Option<&mut MaybeUninit<usize>>,
) -> Option<Box<NudgeError>> {
    match run(|| given(store, "store")?.0.sweep()) {
        Ok(count) => {
            if let Some(swept) = swept {
                swept.write(count);
            }
            None
        }
        Err(error) => Some(error),
    }
}

/// Stops the store's clock at a time such as "2025-11-04T10:00:00Z", for tests
/// and replay; NULL for `time` lets it run again.
///
/// Time still never runs backwards, so pin the clock before the first call.
/// `store` must not be NULL, and any thread may call. NULL is returned on success,
/// and otherwise the error, to be freed with `nudge_error_free`.
///
/// # Safety
///
/// `time` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_pin_clock(
    store: Option<&Store>,
    time: *const c_char,
) -> Option<Box<NudgeError>> {
    let work = || {
        let Store(nudge) = given(store, "store")?;
        // SAFETY: our caller promises what `bytes` asks for.
        let time = unsafe { bytes(time) }.map(str::from_utf8).transpose();
        nudge.pin_clock(time.map_err(|error| invalid_field("time", &error.to_string()))?)
    };
    run(work).err()
}

/// Frees the text of an answer. NULL is fine.
///
/// # Safety
///
/// `text` is NULL, or was given by a function of this header and not freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: our caller promises that `CString::into_raw` gave it.
        drop(unsafe { CString::from_raw(text) });
    }
}
