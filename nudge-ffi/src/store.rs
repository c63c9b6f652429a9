//! `nudge`: a store.

use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;
use std::sync::Arc;

use nudge_client::{AnyStore, SharedStore};
use nudge_core::{Config, Nudge, Speaker, invalid_field};

use crate::call::{bytes, given, hand_over, read, run};
use crate::error::NudgeError;

/// A store of hints.
///
/// Any number of threads may use it at the same time; it does its own locking.
pub struct Store(pub(crate) AnyStore);

/// Makes an empty store.
///
/// `config` is a JSON object, or NULL for the defaults: `{"limits":
/// {"components": 500, "hints_per_component": 200, "hints": 5000,
/// "value_bytes": 8192, "bytes": 67108864}, "secret_guard": true, "default_ttl": "kept",
/// "keep": false, "in_container": false, "weights": {…}, "session_id": …}`.
///
/// # Safety
///
/// `config` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_new(
    config: *const c_char,
    store: Option<&mut MaybeUninit<*mut Store>>,
) -> Option<Box<NudgeError>> {
    let work = || {
        // SAFETY: our caller promises what `read` asks for.
        let config: Config = unsafe { read(config) }?;
        let nudge = Arc::new(Nudge::new(config));
        Ok(Store(AnyStore::Own(nudge, Speaker::default())))
    };
    hand_over(store, work, |made| Box::into_raw(Box::new(made)))
}

/// Joins the session of this machine, the store that all programs of this user share.
///
/// Every function takes its handle, and asks the server of the session, which is started where
/// none answers. `options` is a JSON object, or NULL: `{"runtime_dir": …, "program": …,
/// "start": true, "client": "my-tool/1"}`, all optional. `program` is the path of `nudge`, the
/// one on the `PATH` when absent, `start` whether it may be started, and `client` who joins.
/// By this handle a program calls and not the user; `nudge_as` makes it an agent or a hook. An
/// answer may be `NUDGE_E_UNAVAILABLE`.
///
/// # Safety
///
/// `options` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_connect(
    options: *const c_char,
    store: Option<&mut MaybeUninit<*mut Store>>,
) -> Option<Box<NudgeError>> {
    let work = || {
        // SAFETY: our caller promises what `read` asks for.
        let shared = SharedStore::connect(unsafe { read(options) }?)?;
        Ok(Store(AnyStore::Shared(shared)))
    };
    hand_over(store, work, |made| Box::into_raw(Box::new(made)))
}

/// Gives a second handle on the same store, by which somebody else calls.
///
/// By the handle of `nudge_new` the user calls, who may do everything. `caller` is a
/// JSON object, `{"actor": "agent", "client": "codex/1", "session": "s-1"}`, all
/// optional; `actor` is "user", "agent", "hook" or "program", and NULL is the user. What
/// an agent sets says so, and never takes the place of what the user has set; what is
/// the user's alone is `NUDGE_E_FORBIDDEN`. Every function takes either handle, and each is
/// freed by itself.
///
/// # Safety
///
/// `caller` is NULL or ends with a NUL byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nudge_as(
    store: Option<&Store>,
    caller: *const c_char,
    r#as: Option<&mut MaybeUninit<*mut Store>>,
) -> Option<Box<NudgeError>> {
    let work = || {
        let store = given(store, "store")?;
        // SAFETY: our caller promises what `read` asks for.
        let speaker = unsafe { read(caller) }?;
        store.0.speaking_as(speaker).map(Store)
    };
    hand_over(r#as, work, |made| Box::into_raw(Box::new(made)))
}

/// Frees a handle, and with its last one the store and all its hints. No
/// other thread may be using it; what it has answered stays valid.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_free(store: Option<Box<Store>>) {
    drop(store);
}

/// Removes expired hints.
///
/// Reads never show them in any case; this frees their memory. The server of a shared store
/// does so by itself, and the count in `*swept` is 0.
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
        let nudge = given(store, "store")?.0.own()?;
        // SAFETY: our caller promises what `bytes` asks for.
        let time = unsafe { bytes(time) }.map(str::from_utf8).transpose();
        nudge.pin_clock(time.map_err(|error| invalid_field("time", &error.to_string()))?)
    };
    run(work).err()
}

/// Frees the text of an answer.
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
