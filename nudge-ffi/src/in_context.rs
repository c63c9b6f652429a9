//! The operations that ask where the caller is, with a prepared context.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use nudge_core::{Bump, DeleteHint, GetHint, ListComponents, Query};

use crate::call::call_in;
use crate::context::PreparedContext;
use crate::error::NudgeError;
use crate::store::Store;

/// Finds the hint of a slot that fits best in a prepared context.
///
/// Everything is as for `nudge_get_hint`, but that `context` takes the place of a
/// `context` in `params`, which spares reading it again for every call.
///
/// `store` and `context` must not be NULL, and any thread may call. On success
/// `*result` is JSON, to be freed with `nudge_string_free`, and NULL is returned.
/// On failure nothing has changed, `*result` is NULL and the error is returned, to
/// be freed with `nudge_error_free`.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_get_hint_in(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call_in` asks for.
    unsafe {
        call_in(
            store,
            context,
            params,
            result,
            |nudge, here, request: GetHint| nudge.get_hint(request.context(here)),
        )
    }
}

/// Finds all hints that fit some filters in a prepared context, the best first.
///
/// Everything is as for `nudge_query`, but that `context` takes the place of a
/// `context` in `params`, which spares reading it again for every call.
///
/// `store` and `context` must not be NULL, and any thread may call. On success
/// `*result` is JSON, to be freed with `nudge_string_free`, and NULL is returned.
/// On failure nothing has changed, `*result` is NULL and the error is returned, to
/// be freed with `nudge_error_free`.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_query_in(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call_in` asks for.
    unsafe {
        call_in(
            store,
            context,
            params,
            result,
            |nudge, here, request: Query| nudge.query(request.context(here)),
        )
    }
}

/// Deletes the hint that `nudge_get_hint_in` would find.
///
/// Everything is as for `nudge_delete_hint`, but that `context` takes the place of a
/// `context` in `params`, which spares reading it again for every call.
///
/// `store` and `context` must not be NULL, and any thread may call. On success
/// `*result` is JSON, to be freed with `nudge_string_free`, and NULL is returned.
/// On failure nothing has changed, `*result` is NULL and the error is returned, to
/// be freed with `nudge_error_free`.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_delete_hint_in(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call_in` asks for.
    unsafe {
        call_in(
            store,
            context,
            params,
            result,
            |nudge, here, request: DeleteHint| nudge.delete_hint(request.context(here)),
        )
    }
}

/// Lists the components, counting what applies in a prepared context.
///
/// Everything is as for `nudge_list_components`, but that `context` takes the place of a
/// `context` in `params`, which spares reading it again for every call.
///
/// `store` and `context` must not be NULL, and any thread may call. On success
/// `*result` is JSON, to be freed with `nudge_string_free`, and NULL is returned.
/// On failure nothing has changed, `*result` is NULL and the error is returned, to
/// be freed with `nudge_error_free`.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_list_components_in(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call_in` asks for.
    unsafe {
        call_in(
            store,
            context,
            params,
            result,
            |nudge, here, request: ListComponents| nudge.list_components(request.context(here)),
        )
    }
}

/// Counts a use of the hint that `nudge_get_hint_in` would find.
///
/// Everything is as for `nudge_bump`, but that `context` takes the place of a
/// `context` in `params`, which spares reading it again for every call.
///
/// `store` and `context` must not be NULL, and any thread may call. On success
/// `*result` is JSON, to be freed with `nudge_string_free`, and NULL is returned.
/// On failure nothing has changed, `*result` is NULL and the error is returned, to
/// be freed with `nudge_error_free`.
///
/// # Safety
///
/// `params` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_bump_in(
    store: Option<&Store>,
    context: Option<&PreparedContext>,
    params: *const c_char,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `call_in` asks for.
    unsafe {
        call_in(
            store,
            context,
            params,
            result,
            |nudge, here, request: Bump| nudge.bump(request.context(here)),
        )
    }
}
