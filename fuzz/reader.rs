//! The reader that this binary is named after.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| nudge_server::fuzz::run(env!("CARGO_BIN_NAME"), bytes));
