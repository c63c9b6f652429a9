//! The operations: one function for all of them by name. The header has an inline function for each
//! row of the table besides, which `tests/header.rs` writes.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use crate::call::{bytes, call};
use crate::context::PreparedContext;
use crate::error::NudgeError;
use crate::store::Store;

/// Runs an operation by its name, such as `get_hint` or `nudge.get_hint`.
///
/// `context` is where the caller is, for an operation that takes a `context` and
/// `params` that state none. On a handle of `nudge_connect`, every method of the
/// session's server can be called, such as `nudge.search`; on one of `nudge_new` that is
/// `NUDGE_E_UNAVAILABLE`.
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
    unsafe { call(store, context, name, params, result) }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;
    use crate::error::nudge_error_code;
    use crate::store::nudge_new;

    #[test]
    fn what_needs_the_server_is_unavailable_in_process_and_what_nobody_knows_invalid() {
        let mut store = MaybeUninit::uninit();
        // SAFETY: NULL is `{}`.
        assert!(unsafe { nudge_new(ptr::null(), Some(&mut store)) }.is_none());
        // SAFETY: `nudge_new` has written it.
        let store = unsafe { Box::from_raw(store.assume_init()) };
        for (name, code) in [(c"nudge.search", 50301), (c"mv", 50301), (c"nope", 40001)] {
            // SAFETY: the name ends with a NUL byte.
            let refused =
                unsafe { nudge_call(Some(&store), None, name.as_ptr(), ptr::null(), None) };
            assert_eq!(nudge_error_code(refused.as_deref()), code, "{name:?}");
        }
    }
}
