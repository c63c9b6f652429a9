//! What an agent cannot do: overwrite the user's word, or decide on what it proposed.

use std::path::Path;

use nudge::{Accept, ListProposals};
use nudge_server::surface::mcp::Place;
use serde_json::{Value, json};

use super::host::{Ends, Host};
use super::origin::typed;
use super::{HANDSHAKES, HERE, client_of, hint, primary, slot};
use crate::process::Server;
use crate::says::Says;

#[test]
fn an_agent_does_not_decide_on_proposals() {
    for place in [HERE, Place::Elsewhere] {
        let primary = primary();
        let mut client = client_of(&primary, place, HANDSHAKES[3]);
        let mut proposed = hint("make");
        proposed["why"] = json!("it worked");
        client.request("nudge.propose", proposed).unwrap();
        for word in ["accept", "reject"] {
            let method = format!("nudge.{word}");
            let error = client.request(&method, json!({"id": 1})).unwrap_err();
            assert_eq!(error["data"]["reason"], "E_FORBIDDEN", "{error}");
            let message = error["message"].as_str().unwrap();
            message.says(&format!("`nudge {word}`"));
            for tool in [format!("nudge_{word}"), method, word.to_owned()] {
                let refused = client.call(&tool, json!({"id": 1}));
                assert_eq!(refused["isError"], true, "{refused}");
                let text = refused["content"][0]["text"].as_str().unwrap();
                text.says(&format!("`nudge {word}`"));
            }
        }
        let listed = client.request("nudge.list_proposals", json!({})).unwrap();
        assert_eq!(listed["proposals"][0]["id"], 1);
        let waiting = primary.nudge.list_proposals(ListProposals::default());
        assert_eq!(waiting.unwrap().proposals.len(), 1);
        // Somebody else can.
        let accepted = primary.nudge.accept(Accept::new(1)).unwrap();
        let origin = accepted.hint.meta.origin.as_ref().unwrap();
        assert_eq!(origin.client.as_deref(), Some("tester/1"));
    }
}

#[test]
fn files_are_those_of_the_client_that_is_here() {
    let files = json!({"sets": {"files": ["./nowhere/a.rs"], "tables": ["./nowhere/a.rs"]}});
    let primary = primary();
    let mut here = client_of(&primary, HERE, HANDSHAKES[3]);
    let set = here.call("nudge_set_context", files.clone());
    let sets = &set["structuredContent"]["sets"];
    let file = sets["files"][0].as_str().unwrap();
    assert!(Path::new(file).is_absolute(), "{file}");
    assert!(file.ends_with("/nowhere/a.rs"), "{file}");
    file.hides("./");
    assert_eq!(sets["tables"][0], "./nowhere/a.rs");
    let known = here.call("nudge_get_context", json!({}));
    assert_eq!(known["structuredContent"]["gone"]["files"], 1);
    let mut elsewhere = client_of(&primary, Place::Elsewhere, HANDSHAKES[3]);
    let set = elsewhere.call("nudge_set_context", files);
    let sets = &set["structuredContent"]["sets"];
    assert_eq!(sets["files"][0], "./nowhere/a.rs");
}

#[test]
fn what_an_agent_proposed_outlives_the_primary_until_the_user_accepts_it() {
    let runtime = crate::process::folder();
    let primary = Server::start(runtime.path());
    typed(runtime.path(), &["set", "api", "build", "make"]);
    let mut host = Host::open(runtime.path(), Ends::Pipes);
    let set = host.call("nudge_set_hint", hint("cmake"));
    assert_eq!(set["proposal"]["id"], 1, "{set}");
    let ports = json!({"sets": {"ports": [8080]}});
    host.call("nudge_set_context", ports);
    let fail = json!({"component": "api", "key": "build", "outcome": "fail"});
    host.call("nudge_bump", fail);

    primary.kill();
    let found = host.full("nudge_get_hint", slot());
    assert_eq!(found["hint"]["value"], "make");
    assert_eq!(found["hint"]["fail_count"], 1);
    let known = host.call("nudge_get_context", json!({}));
    assert_eq!(known["sets"]["ports"][0], "8080");
    let accepted = typed(runtime.path(), &["--json", "accept", "1"]);
    let accepted: Value = serde_json::from_str(&accepted).unwrap();
    assert_eq!(accepted["hint"]["meta"]["source"], "user");
    let found = host.full("nudge_get_hint", slot());
    assert_eq!(found["hint"]["value"], "cmake");
    assert_eq!(found["hint"]["meta"]["origin"]["client"], "host/1");
}
