//! A body of `/rpc`: an answer of JSON-RPC, and never a bug of ours.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nudge_server::primary::call::call_into;
use nudge_server::surface::rpc;
use nudge_server::primary::Primary;
use serde_json::value::RawValue;

fuzz_target!(|body: &[u8]| {
    let primary = Primary::with_system_clock(nudge::Config::default(), 0);
    let answer = rpc::handle(body, |method, params, response| {
        call_into(&primary, None, method, params, response)
    });
    let Some(answer) = answer else { return };
    // Not as values: an id may be a number that none can hold.
    let answer = String::from_utf8(answer).expect("an answer is text");
    serde_json::from_str::<&RawValue>(&answer).expect("an answer is JSON");
    assert!(!answer.contains(r#""code":50001,"#), "{answer}");
});
