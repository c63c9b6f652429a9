//! What happened last, and sessions by how their names begin.

use nudge::ErrorKind;
use serde_json::{Value, json};

use super::super::requests::{GetLog, SessionTrace};
use super::{Desk, previews};

fn log(desk: &Desk, asked: Value) -> Vec<String> {
    previews(&desk.ask::<GetLog>(asked).unwrap())
}

#[test]
fn a_log_is_the_latest_first_and_after_a_number_in_the_order_of_time() {
    let mut desk = Desk::new();
    assert_eq!(log(&desk, json!({})), Vec::<String>::new());
    for number in 1..=120 {
        desk.ran(
            &format!("s{}", number % 2),
            &format!("make {number}"),
            0,
            "",
        );
    }
    desk.observer.finish();
    assert_eq!(log(&desk, json!({"limit": 2})), ["make 120", "make 119"]);
    assert_eq!(log(&desk, json!({})).len(), 20);
    assert_eq!(log(&desk, json!({"limit": 1000})).len(), 100);
    let after = log(&desk, json!({"after_id": 3, "limit": 2}));
    assert_eq!(after, ["make 4", "make 5"]);
    assert_eq!(log(&desk, json!({"after_id": 120})), Vec::<String>::new());
    let one = json!({"session_id": "s1", "limit": 2});
    assert_eq!(log(&desk, one), ["make 119", "make 117"]);
}

#[test]
fn the_start_of_a_session_is_enough_where_one_begins_so() {
    let mut desk = Desk::new();
    for session in ["0199aa", "0199bb", "0199bbcc", "77\u{10ffff}"] {
        desk.ran(session, &format!("make {session}"), 0, "");
    }
    for (typed, session) in [
        ("0199a", "0199aa"),
        ("0199bb", "0199bb"),
        ("7", "77\u{10ffff}"),
    ] {
        let trace = desk.ask::<SessionTrace>(json!({"session_id": typed}));
        assert_eq!(trace.unwrap()["session_id"], session);
        let made = log(&desk, json!({"session_id": typed}));
        assert_eq!(made, [format!("make {session}")]);
    }
    for (typed, kind) in [
        ("0199", ErrorKind::Invalid),
        ("0199b", ErrorKind::Invalid),
        ("0", ErrorKind::Invalid),
        ("", ErrorKind::NotFound),
        ("0199aaa", ErrorKind::NotFound),
        ("%", ErrorKind::NotFound),
    ] {
        let error = desk.ask::<SessionTrace>(json!({"session_id": typed}));
        assert_eq!(error.unwrap_err().kind(), kind, "{typed}");
        let error = desk.ask::<GetLog>(json!({"session_id": typed}));
        assert_eq!(error.unwrap_err().kind(), kind, "{typed}");
    }
    let error = desk.ask::<SessionTrace>(json!({"session_id": "0199"}));
    let words = "more than one begins with `0199`, as `0199aa` and `0199bb`";
    assert!(error.unwrap_err().to_string().contains(words));
}
