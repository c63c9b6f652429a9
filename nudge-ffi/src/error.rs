//! `nudge_error` and what it says.

use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use nudge_core::Error;
use serde_json::Value;

use crate::call::c_string;

/// A field is missing, of the wrong type, out of range, or ambiguous.
pub const NUDGE_E_INVALID: i32 = 40001;
/// The secret guard refused to store something.
pub const NUDGE_E_SECRET_REJECTED: i32 = 40002;
/// A glob does not compile or climbs out of its root.
pub const NUDGE_E_SCOPE_INVALID: i32 = 40003;
/// Only the user may do this.
pub const NUDGE_E_FORBIDDEN: i32 = 40301;
/// No such slot, it has expired, or nothing in it applies here.
pub const NUDGE_E_NOT_FOUND: i32 = 40401;
/// The version is not the expected one, or there is nothing to propose.
pub const NUDGE_E_CONFLICT: i32 = 40901;
/// A limit of the store was reached; what was there stays.
pub const NUDGE_E_QUOTA: i32 = 42901;
/// A bug in Nudge; nothing was half-written.
pub const NUDGE_E_INTERNAL: i32 = 50001;
/// The server cannot be reached; of a store in the program, what only the server can do.
pub const NUDGE_E_UNAVAILABLE: i32 = 50301;

/// Why a call failed.
///
/// It is never changed, so threads may read it together. Its texts live as long as it
/// does.
pub struct NudgeError {
    error: Error,
    message: OnceLock<CString>,
    reason: OnceLock<CString>,
    data: OnceLock<CString>,
    json: OnceLock<CString>,
}

impl NudgeError {
    pub(crate) fn new(error: Error) -> NudgeError {
        NudgeError {
            error,
            message: OnceLock::new(),
            reason: OnceLock::new(),
            data: OnceLock::new(),
            json: OnceLock::new(),
        }
    }

    fn whole(&self) -> Value {
        serde_json::to_value(&self.error).unwrap_or_default()
    }
}

/// The number of an error, one of `NUDGE_E_…`; 0 if `error` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_error_code(error: Option<&NudgeError>) -> i32 {
    error.map_or(0, |error| error.error.kind().code())
}

/// The name of an error, such as `E_NOT_FOUND`; empty if `error` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_error_reason(error: Option<&NudgeError>) -> *const c_char {
    borrowed(error, |error| {
        let reason = &error.reason;
        reason.get_or_init(|| c_string(error.error.kind().reason().to_owned()))
    })
}

/// What to tell a person: one sentence that says what to do next; empty if
/// `error` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_error_message(error: Option<&NudgeError>) -> *const c_char {
    borrowed(error, |error| {
        let message = &error.message;
        message.get_or_init(|| c_string(error.error.to_string()))
    })
}

/// What a program may want to know, as a JSON object: `reason`, `detail`, and
/// what applies of the other fields that `docs/reference.md` lists of
/// `ErrorData`; empty if `error` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_error_data(error: Option<&NudgeError>) -> *const c_char {
    borrowed(error, |error| {
        let data = &error.data;
        data.get_or_init(|| c_string(error.whole()["data"].to_string()))
    })
}

/// The whole error as JSON-RPC has it, `{"code": …, "message": …, "data": {…}}`,
/// to be passed on; empty if `error` is NULL.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_error_json(error: Option<&NudgeError>) -> *const c_char {
    borrowed(error, |error| {
        let json = &error.json;
        json.get_or_init(|| c_string(error.whole().to_string()))
    })
}

/// Frees an error and its texts.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_error_free(error: Option<Box<NudgeError>>) {
    drop(error);
}

fn borrowed(
    error: Option<&NudgeError>,
    text: impl FnOnce(&NudgeError) -> &CString,
) -> *const c_char {
    error.map_or(c"".as_ptr(), |error| text(error).as_ptr())
}

#[cfg(test)]
mod tests {
    use nudge_core::ErrorKind;

    use super::*;

    #[test]
    fn every_kind_of_error_has_its_number_in_the_header() {
        for kind in ErrorKind::ALL {
            let code = match kind.reason() {
                "E_INVALID" => NUDGE_E_INVALID,
                "E_SECRET_REJECTED" => NUDGE_E_SECRET_REJECTED,
                "E_SCOPE_INVALID" => NUDGE_E_SCOPE_INVALID,
                "E_FORBIDDEN" => NUDGE_E_FORBIDDEN,
                "E_NOT_FOUND" => NUDGE_E_NOT_FOUND,
                "E_CONFLICT" => NUDGE_E_CONFLICT,
                "E_QUOTA" => NUDGE_E_QUOTA,
                "E_INTERNAL" => NUDGE_E_INTERNAL,
                "E_UNAVAILABLE" => NUDGE_E_UNAVAILABLE,
                other => panic!("{other} has no number"),
            };
            assert_eq!(code, kind.code());
        }
    }
}
