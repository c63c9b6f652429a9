//! What happened last, and sessions by how their names begin.

use nudge::ErrorKind;
use serde_json::json;

use super::super::requests::{GetLog, SessionTrace};
use super::{Desk, previews};

#[test]
fn a_log_has_a_length_and_after_a_number_the_order_of_time() {
    let mut desk = Desk::new();
    for number in 1..=120 {
        let session = format!("s{}", number % 2);
        desk.ran(&session, &format!("make {number}"), 0, "");
    }
    desk.observer.finish();
    let log = |asked| previews(&desk.answer::<GetLog>(asked));
    assert_eq!(log(json!({})).len(), 20);
    assert_eq!(log(json!({"limit": 1000})).len(), 100);
    let after = log(json!({"after_id": 3, "limit": 2}));
    assert_eq!(after, ["make 4", "make 5"]);
    assert_eq!(log(json!({"after_id": 120})), [""; 0]);
    let one = log(json!({"session_id": "s1", "limit": 2}));
    assert_eq!(one, ["make 119", "make 117"]);
}

#[test]
fn the_start_of_a_session_is_enough_where_one_begins_so() {
    let mut desk = Desk::new();
    for session in ["0199aa", "0199bb", "0199bbcc", "77\u{10ffff}"] {
        desk.ran(session, &format!("make {session}"), 0, "");
    }
    for (typed, expected) in [
        ("0199a", Ok("0199aa")),
        ("0199bb", Ok("0199bb")),
        ("7", Ok("77\u{10ffff}")),
        ("0199b", Err(ErrorKind::Invalid)),
        ("0", Err(ErrorKind::Invalid)),
        ("", Err(ErrorKind::NotFound)),
        ("0199aaa", Err(ErrorKind::NotFound)),
        ("%", Err(ErrorKind::NotFound)),
    ] {
        let asked = || json!({ "session_id": typed });
        let trace = desk.ask::<SessionTrace>(asked());
        let trace = trace.map(|it| it["session_id"].as_str().unwrap().to_owned());
        let expected = expected.map(str::to_owned);
        assert_eq!(trace.map_err(|it| it.kind()), expected, "{typed}");
        let made = desk.ask::<GetLog>(asked()).map(|it| previews(&it).concat());
        let expected = expected.map(|session| format!("make {session}"));
        assert_eq!(made.map_err(|it| it.kind()), expected, "{typed}");
    }
}
