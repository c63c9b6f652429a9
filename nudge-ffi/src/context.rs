//! `nudge_context`: where a caller is, read once.

use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;

use nudge_core::Context;

use crate::call::{given, hand_over, json, read};
use crate::error::NudgeError;
use crate::store::Store;

/// Where a caller is, read and brought into its normal form once.
///
/// It is never changed, so threads may use it together, with any store.
pub struct PreparedContext(pub(crate) Context);

/// Reads a context once, to be used for many calls.
///
/// `facts` is a JSON object: `{"cwd": "/work/api/src", "root": "/work/api",
/// "repo": "git:acme/api", "branch": "dev", "os": "linux", "env": {"CI": "1"},
/// "files_open": […]}`, all optional.
///
/// # Safety
///
/// `facts` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_context_new(
    facts: *const c_char,
    context: Option<&mut MaybeUninit<*mut PreparedContext>>,
) -> Option<Box<NudgeError>> {
    // SAFETY: our caller promises what `read` asks for.
    let work = || unsafe { read(facts) }.map(PreparedContext);
    hand_over(context, work, |made| Box::into_raw(Box::new(made)))
}

/// Finds out where this process is.
///
/// What `facts` (JSON as above, or NULL) states stays; what it leaves out is
/// filled in: the current folder, the root, repository and branch there, read
/// from git's files without starting a process, and the operating system. Of
/// the environment only the variables that some hint of `store` asks for are
/// read; with a NULL `store`, none.
///
/// # Safety
///
/// `facts` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_here(
    store: Option<&Store>,
    facts: *const c_char,
    context: Option<&mut MaybeUninit<*mut PreparedContext>>,
) -> Option<Box<NudgeError>> {
    let work = || {
        // SAFETY: our caller promises what `read` asks for.
        let stated: Context = unsafe { read(facts) }?;
        let names = store.map(|store| store.0.env_names());
        Ok(PreparedContext(stated.filled_in(names.unwrap_or_default())))
    };
    hand_over(context, work, |made| Box::into_raw(Box::new(made)))
}

/// Writes a context as JSON, each fact in its normal form.
///
/// Here `context` is needed.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_context_json(
    context: Option<&PreparedContext>,
    result: Option<&mut MaybeUninit<*mut c_char>>,
) -> Option<Box<NudgeError>> {
    let work = || json(&given(context, "context")?.0);
    hand_over(result, work, CString::into_raw)
}

/// Frees a context. No other thread may be using it.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_context_free(context: Option<Box<PreparedContext>>) {
    drop(context);
}
