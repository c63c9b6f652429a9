//! What was recorded of a value goes with it.

use super::{desk, found};
use crate::process::until;

#[test]
fn what_the_user_takes_back_leaves_what_was_recorded_too() {
    let desk = desk();
    let api = desk.repository("api", &[]);
    for hint in ["deploy 'ship zebra'", "host 'ship okapi'", "sink tar"] {
        desk.types(&api, &format!("set api {hint} --everywhere"));
    }
    desk.types(&api, "set api test 'run gnu'");
    desk.starts(&api, "s1");
    for command in ["ship zebra --now", "ship okapi -v", "run gnu", "tar xf a"] {
        desk.ran(&api, "s1", command);
    }
    assert_eq!(found(&desk, "api", "ship").len(), 2);
    let has = |value: &str| desk.holds(value);
    assert!(has("zebra") && has("okapi"));
    desk.types(&api, "delete api deploy --everywhere");
    desk.types(&api, "delete api sink --everywhere");
    let secret = "set api host 'ship okapi' --everywhere --allow-secret";
    desk.types(&api, secret);
    desk.types(&api, "mv api test check");
    until("the values are gone", || !has("zebra") && !has("okapi"));
    // What is there under another name is not gone, nor what everything holds.
    assert_eq!(found(&desk, "api", "gnu"), ["command run gnu"]);
    assert_eq!(found(&desk, "api", "xf"), ["command tar xf a"]);
}
