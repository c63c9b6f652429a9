//! A bug in Nudge is an answer, and stays one call's affair.

use std::env;
use std::process::Command;

use nudge::{Change, Config, Nudge, SystemClock};
use nudge_server::bug::keep_values_out_of_panics;
use nudge_server::primary::Primary;
use serde_json::{Value, json};

use crate::process::printed;
use crate::says::Says;
use crate::served::Served;

/// What is stored when the bug strikes.
const STORED: &str = "the-value-at-hand";

/// A server that panics whenever something is written to the component `bug`.
fn with_a_bug() -> Served {
    Served::start(|port| {
        let mut primary = Primary::new(Config::default(), SystemClock, port);
        primary.nudge = Nudge::default().with_sink(|changes: &[Change]| {
            let shown = format!("{changes:?}");
            assert!(!shown.contains("\"bug\""), "{STORED} in {shown}");
            Ok(())
        });
        primary
    })
}

fn set(component: &str, id: u8) -> Value {
    let params = json!({"component": component, "key": "build", "value": STORED});
    json!({"jsonrpc": "2.0", "method": "nudge.set_hint", "params": params, "id": id})
}

#[test]
fn a_panic_is_answered_as_a_bug_and_the_server_goes_on() {
    let server = with_a_bug();
    let mut client = server.tcp();
    let response = client.ask(server.post("/rpc", "", &set("bug", 1).to_string()));
    assert_eq!(response.status(), 200);
    let answer = response.json();
    assert_eq!(answer["error"]["code"], 50001);
    assert_eq!(answer["error"]["data"]["reason"], "E_INTERNAL");
    assert_eq!(answer["id"], 1);
    assert!(answer.get("result").is_none());
    assert!(!response.body.contains(STORED), "{}", response.body);
    assert_eq!(server.primary.nudge.last_change(), 0);

    // On the same connection, and among others in a batch.
    let batch = json!([set("api", 2), set("bug", 3), set("web", 4)]);
    let answers = client
        .ask(server.post("/rpc", "", &batch.to_string()))
        .json();
    assert_eq!(answers[0]["result"]["created"], true);
    assert_eq!(answers[1]["error"]["code"], 50001);
    assert_eq!(answers[2]["result"]["created"], true);
    assert_eq!(server.primary.nudge.last_change(), 2);
    let response = server.unix().ask(server.call("nudge.status", &json!({})));
    assert_eq!(response.json()["result"]["stats"]["hints"], 2);
}

#[test]
fn what_a_panic_says_is_not_printed() {
    const PANICS: &str = "NUDGE_TEST_PANICS";
    if env::var_os(PANICS).is_some() {
        keep_values_out_of_panics();
        panic!("{STORED}");
    }
    let name = "mishaps::what_a_panic_says_is_not_printed";
    let mut again = Command::new(env::current_exe().unwrap());
    again
        .args(["--exact", name, "--nocapture"])
        .env(PANICS, "1");
    let (status, said) = printed(&mut again);
    assert_ne!(status, 0);
    said.says("mishaps.rs:").hides(STORED);
}
