//! A time to live: refused, or one that a hint can be set with and read by.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nudge::{GetHint, Nudge, SetHint};

fuzz_target!(|ttl: &str| {
    let nudge = Nudge::default();
    nudge
        .pin_clock(Some("2025-11-04T10:00:00Z"))
        .expect("this is a time");
    if nudge.set_hint(SetHint::new("api", "build", "make").ttl(ttl)).is_ok() {
        assert!(nudge.get_hint(GetHint::new("api", "build")).is_ok());
        nudge
            .pin_clock(Some("2035-11-02T10:00:00.001Z"))
            .expect("this is a time");
        let lives = nudge.get_hint(GetHint::new("api", "build")).is_ok();
        assert_eq!(lives, ttl == "session");
    }
});
