//! A server on the ends that hosts give it, from the opening to the end.

use std::path::Path;

use rustix::process::Signal;
use serde_json::{Value, json};

use super::client::stateless;
use super::host::{ENDS, Ends, Host};
use crate::checkout::names_in;
use crate::process::until;

/// Asks all that a host may ask before it means it.
fn look_around(host: &mut Host, params: &Value) {
    for method in [
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    ] {
        let said = host.request(method, params.clone());
        assert!(said.get("result").is_some(), "{said}");
    }
}

#[test]
fn a_host_that_only_looks_around_leaves_nothing_in_the_runtime_folder() {
    let stateless = json!({"_meta": stateless(None)});
    for handshake in [false, true] {
        let runtime = crate::process::folder();
        let mut host = Host::start(runtime.path(), Ends::Pipes);
        let found = host.request("server/discover", stateless.clone());
        assert!(found.get("result").is_some(), "{found}");
        if handshake {
            // A client that gave up on the first answer may say so.
            host.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}));
            host.initialize("host");
            look_around(&mut host, &json!({}));
        } else {
            look_around(&mut host, &stateless);
        }
        let nothing: [String; 0] = [];
        assert_eq!(names_in(runtime.path()), nothing);
        assert_eq!(host.hang_up().code(), Some(0));
        assert_eq!(names_in(runtime.path()), nothing);
    }
}

#[test]
fn a_host_that_has_opened_has_a_server_before_it_calls() {
    let runtime = crate::process::folder();
    let mut host = Host::open(runtime.path(), Ends::Pipes);
    for name in ["nudge.sock", "server.pid"] {
        until(name, || runtime.path().join(name).exists());
    }
    look_around(&mut host, &json!({}));
}

#[test]
fn a_host_is_served_from_the_opening_to_the_end_on_whatever_ends_it_gives() {
    let hint = json!({"component": "api", "key": "build", "value": "make"});
    let slot = json!({"component": "api", "key": "build"});
    let opened = |runtime: &Path, ends: Ends| {
        let mut host = Host::open(runtime, ends);
        look_around(&mut host, &json!({}));
        assert_eq!(host.full("nudge_set_hint", hint.clone())["key"], "build");
        let found = host.call("nudge_get_hint", slot.clone());
        assert_eq!(found["hint"]["value"], "make", "{ends:?}");
        // Longer than the buffer of a pipe or a socket, both ways.
        let long = json!({"component": "api", "key": "x".repeat(300_000), "value": "v"});
        let mut call = json!({"name": "nudge_set_hint"});
        call["arguments"] = long;
        let refused = host.request("tools/call", call);
        assert_eq!(refused["result"]["_meta"]["code"], 40001, "{ends:?}");
        host
    };
    for ends in ENDS {
        let runtime = crate::process::folder();
        let host = opened(runtime.path(), ends);
        assert_eq!(host.hang_up().code(), Some(0), "{ends:?}");
        for sent in [Signal::INT, Signal::TERM, Signal::HUP] {
            let host = opened(runtime.path(), ends);
            assert_eq!(host.signal(sent).code(), Some(0), "{ends:?} {sent:?}");
        }
    }
}

#[test]
fn what_a_client_without_a_session_works_on_is_that_of_its_server() {
    let runtime = crate::process::folder();
    let mut hosts = [(); 2].map(|()| Host::open(runtime.path(), Ends::Pipes));
    let intent = json!({"intent": ["retry uploads"]});
    hosts[0].call("nudge_set_context", json!({ "sets": intent }));
    let [own, others] = &mut hosts;
    let told = own.call("nudge_get_context", json!({}));
    assert_eq!(told, json!({ "sets": intent }));
    let told = others.call("nudge_get_context", json!({}));
    let other = json!({"client": "host/1", "sets": intent});
    assert_eq!(told, json!({"sets": {}, "others": [other]}));
}
