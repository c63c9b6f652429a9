//! The operations: one function for all of them by name, and one for each.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use nudge_core::Operation;

use crate::call::{bytes, call, named};
use crate::context::PreparedContext;
use crate::error::NudgeError;
use crate::store::Store;

/// Runs an operation by its name, such as `get_hint` or `nudge.get_hint`.
///
/// `context` is where the caller is, for an operation that takes a `context` and
/// `params` that state none. On a handle of `nudge_connect`, every method of the
/// session's server can be called, such as `nudge.search`.
///
/// # Safety
///
/// `operation` and `params` are NULL or end with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_call(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    operation: *const c_char,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `bytes` asks for.
    let name = unsafe { bytes(operation) }.unwrap_or_default();
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, context, named(name), params, result) }
}

/// Sets a hint: a new one, or a variant that is there already.
///
/// `params`: `{"component": …, "key": …, "value": …, "meta": {…}, "context": {…},
/// "if_match_version": …}`; the last three are optional. A value is a string, or an
/// object with `type` `command`, `path`, `template` or `json`. Of `meta` (`reason`,
/// `tags`, `priority`, `confidence`, `ttl`, `sensitivity`, `scope`, `source`,
/// `added_by`) what is given is set, what is left out stays, and null clears. Without
/// `meta.scope` the hint applies where `context` says that the writer is, and without
/// that everywhere; `nudge_call` takes a prepared context for it. The answer:
/// `{"component", "key", "hint", "created", "variants", "proposal", "note"}`; the
/// `proposal` only if nothing was overwritten because the user's word stands against
/// it, the `note` where the writer may expect something else.
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
    unsafe { call(store, None, Ok(Operation::SetHint), params, result) }
}

/// Finds the hint of a slot that fits best where the caller is.
///
/// `params`: `{"component": …, "key": …, "context": {…}, "alternatives": 0}`; the
/// last two are optional. The answer: `{"component", "key", "hint",
/// "match_explain": {"matched", "score", "reasons", "parts"}, "alternatives",
/// "proposal": {"id", "value"}}`, the last one where the caller has proposed another.
/// A miss is `NUDGE_E_NOT_FOUND`, whose data lists the near misses.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_get_hint(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, context, Ok(Operation::GetHint), params, result) }
}

/// Finds all hints that fit some filters, the best first.
///
/// `params`, all optional: `component`, `keys`, `tags`, `tags_mode` ("any" or
/// "all"), `regex`, `text` (words), `context`, `limit` (1 to 100; 10), `max_tokens`
/// (1 to 100000), `include_ineligible`, `anywhere`. The answer: `{"hints": [{"component",
/// "key", "hint", "score", "match_explain"}], "total", "scoped_out"}`, where hints
/// had no room `left_out`, and for an unknown component or key `nearest`.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_query(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, context, Ok(Operation::Query), params, result) }
}

/// Deletes a hint.
///
/// `params`: `{"component": …, "key": …}` and, where the slot holds several
/// variants, one of `scope`, `context` and `all`. The answer: `{"component",
/// "key", "deleted", "previous", "remaining", "proposal"}`, the last one only if the
/// hint is the user's and its deletion was proposed.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_delete_hint(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, context, Ok(Operation::DeleteHint), params, result) }
}

/// Lists the components.
///
/// `params`, all optional: `component` (that one only, with its keys) and
/// `context` (count what applies there). The answer: `{"components": [{"name",
/// "hint_count", "keys"}]}`, sorted.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_list_components(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe {
        call(
            store,
            context,
            Ok(Operation::ListComponents),
            params,
            result,
        )
    }
}

/// Counts a use of a hint, which makes it come first more often; with `"outcome":
/// "fail"` a failure, which makes it come later.
///
/// `params`: `{"component": …, "key": …, "delta": 1, "outcome": "ok"}` and, where the slot holds
/// several variants, `scope` or `context`. The answer: `{"component", "key",
/// "hint", "counted", "use_count"}`, where `counted` says by how much; nobody but the user counts
/// twice in ten minutes.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_bump(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call` asks for.
    unsafe { call(store, context, Ok(Operation::Bump), params, result) }
}

/// Gives the store, or a part of it, as a payload.
///
/// `params`, all optional: `format` ("json"), `component`, `tags`,
/// `include_secrets`, `seed`. The answer: `{"payload", "secrets_left_out"}`.
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
    unsafe { call(store, None, Ok(Operation::Export), params, result) }
}

/// Loads the hints of a payload.
///
/// `params`: `{"payload": {…}, "mode": "merge" or "replace", "dry_run": false}`;
/// the last two are optional. The answer: `{"imported", "skipped",
/// "problems": [{"component", "key", "reason", "detail", "message"}]}`.
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
    unsafe { call(store, None, Ok(Operation::Import), params, result) }
}

/// Says what is being worked on, in named sets.
///
/// `params`: `{"sets": {"files": ["src/main.rs"], "ports": [8080]}, "mode":
/// "replace"}`. An item is a string or an integer, the newest comes last, and an
/// empty list takes a set away. `mode` is optional; "merge" keeps what a set has.
/// A set holds 10 items at most and all hold 50, the newest. The answer: `{"sets",
/// "dropped", "nearest"}`; the last two, where there is something to say, are what
/// had to go, and the known name that a new one is like.
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
    unsafe { call(store, None, Ok(Operation::SetContext), params, result) }
}

/// Tells what is being worked on.
///
/// `params`: `{"name": …}` for one set, or nothing for all. The answer: `{"sets",
/// "gone"}`, where `gone` is how many files no longer exist; they are not listed.
/// A name that nobody knows is `NUDGE_E_NOT_FOUND`.
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
    unsafe { call(store, None, Ok(Operation::GetContext), params, result) }
}

/// Proposes a hint: it is never served until it is accepted.
///
/// `params`: `{"component": …, "key": …, "value": …, "meta": {…}, "why": …}`, as for
/// `nudge_set_hint`, with a reason; `meta` is optional. The answer: `{"proposal":
/// {"id", "component", "key", "hint", "why", "client", "delete"}}`. What is set already is
/// `NUDGE_E_CONFLICT`. A set by a program becomes a proposal by itself where the
/// user's word stands against it; its answer then has a `proposal` as well.
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
    unsafe { call(store, None, Ok(Operation::Propose), params, result) }
}

/// Lists the proposals that wait, the oldest first.
///
/// `params`: nothing. The answer: `{"proposals": [{"id", "component", "key", "hint",
/// "why", "client", "delete"}]}`, of which there are 100 at most.
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
    unsafe { call(store, None, Ok(Operation::ListProposals), params, result) }
}

/// Sets the hint of a proposal, as the user's own.
///
/// `params`: `{"id": 1}`. The answer is that of `nudge_set_hint`. A proposal that does
/// not wait is `NUDGE_E_NOT_FOUND`.
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
    unsafe { call(store, None, Ok(Operation::Accept), params, result) }
}

/// Drops a proposal.
///
/// `params`: `{"id": 1}`. The answer: `{"proposal": {…}}`. A proposal that does not
/// wait is `NUDGE_E_NOT_FOUND`.
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
    unsafe { call(store, None, Ok(Operation::Reject), params, result) }
}
