//! Bytes of any kind from C: an answer or an error, never a panic past the border.

use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;
use std::ptr;

use nudge_core::Operation;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::context::{PreparedContext, nudge_context_free, nudge_context_new};
use crate::error::{NudgeError, nudge_error_code};
use crate::operations::nudge_call;
use crate::store::{
    nudge_as, nudge_free, nudge_new, nudge_pin_clock, nudge_string_free, nudge_sweep,
};

/// Arguments that one function or another would take as they are.
const ARGUMENTS: [&str; 12] = [
    "{}",
    r#"{"component":"api","key":"build","value":"make","meta":{"ttl":"PT2H","scope":{"os":["linux"]}}}"#,
    r#"{"component":"api","key":"build","context":{"cwd":"/a","os":"linux","env":{"A":null}}}"#,
    r#"{"regex":"a|b","tags":["x"],"limit":3}"#,
    r#"{"cwd":"C:\\a\\..","root":"C:/","repo":["git@h:a/b.git"],"branch":"dev","files_open":["/a"]}"#,
    r#"{"limits":{"components":1,"value_bytes":9},"default_ttl":"P1D"}"#,
    r#"{"payload":{"schema_version":"1.0","components":{"a":{"b":{"value":"c"}}}},"mode":"merge"}"#,
    r#"{"sets":{"files":["/a","b"],"ports":[8080]},"mode":"merge"}"#,
    r#"{"component":"api","key":"build","value":"cmake","why":"it worked"}"#,
    r#"{"id":1}"#,
    r#"{"event":"after_command","command":"make","exit_code":0,"context":{"cwd":"/a"}}"#,
    r#"{"actor":"agent","client":"codex/1","session":"s-1"}"#,
];

/// A text for C with some bytes changed, none of them to NUL.
fn argument() -> impl Strategy<Value = CString> {
    let harms = vec((any::<Index>(), 1..=u8::MAX), 0..4);
    let worn = (select(&ARGUMENTS[..]), harms).prop_map(|(text, harms)| {
        let mut bytes = text.as_bytes().to_vec();
        for (place, byte) in harms {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        bytes
    });
    let bytes = prop_oneof![4 => worn, 1 => vec(1..=u8::MAX, 0..64)];
    bytes.prop_map(|bytes| CString::new(bytes).unwrap_or_default())
}

/// Whether exactly one of the two came back, and no bug in Nudge.
fn is_sound<T>(made: *mut T, error: Option<&NudgeError>) -> bool {
    made.is_null() == error.is_some() && nudge_error_code(error) != 50001
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_of_any_kind_are_answered_or_refused(
        config in argument(),
        facts in argument(),
        caller in argument(),
        calls in vec((select(Operation::ALL), argument()), 1..6),
    ) {
        let mut store = MaybeUninit::new(ptr::null_mut());
        // SAFETY: a `CString` ends with a NUL byte, here and below.
        let error = unsafe { nudge_new(config.as_ptr(), Some(&mut store)) };
        // SAFETY: it was initialised above.
        let store = unsafe { store.assume_init() };
        prop_assert!(is_sound(store, error.as_deref()));
        // SAFETY: what `nudge_new` made is a box or NULL, and is given back once.
        let store = (!store.is_null()).then(|| unsafe { Box::from_raw(store) });

        let mut other = MaybeUninit::new(ptr::null_mut());
        // SAFETY: as above.
        let error = unsafe { nudge_as(store.as_deref(), caller.as_ptr(), Some(&mut other)) };
        // SAFETY: it was initialised above.
        let other = unsafe { other.assume_init() };
        prop_assert!(is_sound(other, error.as_deref()));
        // SAFETY: what `nudge_as` made is a box or NULL, and is given back once.
        let other = (!other.is_null()).then(|| unsafe { Box::from_raw(other) });

        let mut context = MaybeUninit::new(ptr::null_mut::<PreparedContext>());
        // SAFETY: as above.
        let error = unsafe { nudge_context_new(facts.as_ptr(), Some(&mut context)) };
        // SAFETY: it was initialised above.
        let context = unsafe { context.assume_init() };
        prop_assert!(is_sound(context, error.as_deref()));
        // SAFETY: what `nudge_context_new` made is a box or NULL, and is given back once.
        let context = (!context.is_null()).then(|| unsafe { Box::from_raw(context) });

        for (operation, params) in &calls {
            let name = CString::new(operation.name()).unwrap_or_default();
            let mut results = [const { MaybeUninit::new(ptr::null_mut::<c_char>()) }; 3];
            let [plain, placed, as_other] = &mut results;
            let (store, context) = (store.as_deref(), context.as_deref());
            let (name, text) = (name.as_ptr(), params.as_ptr());
            // SAFETY: as above.
            let errors = unsafe {
                [
                    nudge_call(store, None, name, text, Some(plain)),
                    nudge_call(store, context, name, text, Some(placed)),
                    nudge_call(other.as_deref(), context, name, text, Some(as_other)),
                ]
            };
            for (result, error) in results.iter().zip(&errors) {
                // SAFETY: it was initialised above.
                let result = unsafe { result.assume_init() };
                prop_assert!(is_sound(result, error.as_deref()));
                // SAFETY: it is NULL or came from the library, and is freed once.
                unsafe { nudge_string_free(result) };
            }
            // SAFETY: as above.
            let error = unsafe { nudge_pin_clock(store, text) };
            prop_assert_ne!(nudge_error_code(error.as_deref()), 50001);
        }
        nudge_context_free(context);
        nudge_free(store);
        // The store lives as long as one of its handles does.
        let error = nudge_sweep(other.as_deref(), None);
        prop_assert_eq!(error.is_none(), other.is_some());
        nudge_free(other);
    }
}
