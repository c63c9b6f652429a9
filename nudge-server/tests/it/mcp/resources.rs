//! Resources, completions, and who is told of changes.

use nudge::{Bump, DeleteHint, SetHint};
use nudge_server::primary::Primary;
use nudge_server::surface::mcp::Place;
use serde_json::{Value, json};

use super::client::{Client, STATELESS};
use super::{client_of, primary};

fn set(primary: &Primary, component: &str, key: &str) {
    super::set(primary, SetHint::new(component, key, "make"));
}

/// The templates of resources.
const ONE: &str = "nudge://components/{name}";
const HINT: &str = "nudge://hints/{component}/{key}";

fn read(client: &mut Client, uri: &str) -> Result<Value, Value> {
    let read = client.request("resources/read", json!({"uri": uri}))?;
    let contents = &read["contents"][0];
    assert_eq!(contents["uri"], uri);
    assert_eq!(contents["mimeType"], "application/json");
    Ok(serde_json::from_str(contents["text"].as_str().unwrap()).unwrap())
}

#[test]
fn components_and_hints_can_be_read() {
    let primary = primary();
    set(&primary, "web/ui", "build 1");
    let mut client = client_of(&primary, Place::Elsewhere, "2025-11-25");
    let listed = client.request("resources/list", json!({})).unwrap();
    assert_eq!(listed["resources"][0]["uri"], "nudge://components");
    let listed = client.request("resources/templates/list", json!({}));
    let templates = listed.unwrap()["resourceTemplates"].take();
    let templates = templates.as_array().unwrap().iter();
    let templates: Vec<&Value> = templates.map(|one| &one["uriTemplate"]).collect();
    assert_eq!(templates, [ONE, HINT]);

    let all = read(&mut client, "nudge://components").unwrap();
    assert_eq!(all["components"][0]["name"], "web/ui");
    let one = read(&mut client, "nudge://components/web%2Fui").unwrap();
    assert_eq!(one["components"][0]["keys"], json!(["build 1"]));
    let hint = read(&mut client, "nudge://hints/web%2Fui/build%201").unwrap();
    assert_eq!(hint["hint"]["value"], "make");
}

#[test]
fn what_is_not_there_is_not_found_as_the_revision_has_it() {
    for (revision, code) in [("2025-11-25", -32002), (STATELESS, -32602)] {
        let mut client = client_of(&primary(), Place::Elsewhere, revision);
        for uri in [
            "nudge://components/nope",
            "nudge://hints/a/b",
            "nudge://nope",
            "file:///etc/passwd",
        ] {
            assert_eq!(read(&mut client, uri).unwrap_err()["code"], code, "{uri}");
        }
    }
}

#[test]
fn names_are_completed() {
    let primary = primary();
    for hint in ["api/build", "api/bench", "auth/test", "web/run"] {
        let (component, key) = hint.split_once('/').unwrap();
        set(&primary, component, key);
    }
    let mut client = client_of(&primary, Place::Elsewhere, "2025-11-25");
    let mut complete = |template: &str, name: &str, value: &str, component: Option<&str>| {
        let mut params = json!({
            "ref": {"type": "ref/resource", "uri": template}, "argument": {"name": name, "value": value},
        });
        if let Some(component) = component {
            params["context"] = json!({"arguments": {"component": component}});
        }
        client.request("completion/complete", params).unwrap()["completion"]["values"].clone()
    };
    for (template, name, value, component, expected) in [
        (ONE, "name", "A", None, json!(["api", "auth"])),
        (HINT, "component", "w", None, json!(["web"])),
        (HINT, "key", "b", Some("api"), json!(["bench", "build"])),
        (HINT, "key", "", Some("nope"), json!([])),
        (HINT, "key", "", None, json!([])),
    ] {
        let values = complete(template, name, value, component);
        assert_eq!(values, expected, "{name} {value:?} {component:?}");
    }
}

#[test]
fn a_subscriber_of_the_older_revisions_is_told_of_changes() {
    let primary = primary();
    set(&primary, "api", "build");
    let mut client = client_of(&primary, Place::Elsewhere, "2025-11-25");
    let (hint, component) = ("nudge://hints/api/build", "nudge://components/api");
    let about = |uri: &str| json!({ "uri": uri });
    for uri in [hint, component] {
        client.request("resources/subscribe", about(uri)).unwrap();
    }
    let told = |client: &mut Client| {
        let said = client.notification();
        assert_eq!(said["method"], "notifications/resources/updated", "{said}");
        said["params"]["uri"].as_str().unwrap().to_owned()
    };
    primary.nudge.bump(Bump::new("api", "build")).unwrap();
    assert_eq!(told(&mut client), hint);
    let deleted = primary.nudge.delete_hint(DeleteHint::new("api", "build"));
    deleted.unwrap();
    let mut both = [told(&mut client), told(&mut client)];
    both.sort();
    assert_eq!(both, [component, hint]);

    let left = client.request("resources/unsubscribe", about(hint));
    left.unwrap();
    set(&primary, "api", "build");
    assert_eq!(told(&mut client), component);
    let error = client.request("resources/subscribe", about("file:///x"));
    assert_eq!(error.unwrap_err()["code"], -32002);
    client.end().unwrap();
}

#[test]
fn a_subscriber_of_the_newest_revision_listens() {
    let primary = primary();
    let mut client = client_of(&primary, Place::Elsewhere, STATELESS);
    let wanted = json!({"resourceSubscriptions": ["nudge://components", "file:///x"]});
    let id = client.ask("subscriptions/listen", json!({"notifications": wanted}));
    let agreed = client.hear().unwrap();
    assert_eq!(agreed["method"], "notifications/subscriptions/acknowledged");
    let agreed = &agreed["params"]["notifications"]["resourceSubscriptions"];
    assert_eq!(agreed, &json!(["nudge://components"]));
    // It listens once another request was answered behind it.
    client.call("nudge_query", json!({}));
    set(&primary, "api", "build");
    let told = client.notification();
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], "nudge://components");
    let meta = &told["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/subscriptionId"], id);
    client.end().unwrap();
}

#[test]
fn who_listens_when_the_input_ends_is_told_that_it_is_over() {
    let mut client = client_of(&primary(), Place::Elsewhere, STATELESS);
    let wanted = json!({"resourceSubscriptions": ["nudge://components"]});
    let id = client.ask("subscriptions/listen", json!({"notifications": wanted}));
    let agreed = client.hear().unwrap();
    assert_eq!(agreed["method"], "notifications/subscriptions/acknowledged");
    client.hang_up();
    let over = client.hear().unwrap();
    assert_eq!(over["id"], id);
    assert!(over.get("result").is_some(), "{over}");
    assert_eq!(client.hear(), None);
}

#[test]
fn an_import_is_told_once() {
    let primary = primary();
    let mut client = client_of(&primary, Place::Elsewhere, "2025-11-25");
    let subscribed = client.request("resources/subscribe", json!({"uri": "nudge://components"}));
    subscribed.unwrap();
    let hints = (0..100).map(|n| (format!("key{n}"), json!({"value": "x"})));
    let hints: serde_json::Map<String, Value> = hints.collect();
    let payload = json!({"schema_version": "1.0", "components": {"api": {"hints": hints}}});
    client.call("nudge_import", json!({"payload": payload}));
    assert_eq!(client.notification()["params"]["uri"], "nudge://components");
    client.hears_no_more();
}
