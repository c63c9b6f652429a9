//! What was recorded of a value goes with it.

use std::fs;

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
    let has = |value: &str| {
        let files = fs::read_dir(desk.runtime()).unwrap();
        let files = files.map(|entry| entry.unwrap().path());
        let mut files = files.filter(|path| path.is_file());
        files.any(|path| {
            let bytes = fs::read(path).unwrap_or_default();
            let mut parts = bytes.windows(value.len());
            parts.any(|part| part.eq_ignore_ascii_case(value.as_bytes()))
        })
    };
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
