//! Who is told of the hints of others.

use nudge::{Bump, Caller, Os, SetHint, Source, Via};
use nudge_server::surface::mcp::Place;
use serde_json::{Value, json};

use super::client::{Client, STATELESS};
use super::host::{Ends, Host};
use super::{HERE, client_of, primary, set};

const LIST_CHANGED: &str = "notifications/resources/list_changed";

/// A client that hears of suggestions, in a revision.
fn listening(primary: &std::sync::Arc<nudge_server::primary::Primary>, revision: &str) -> Client {
    let mut client = client_of(primary, HERE, revision);
    if revision == STATELESS {
        let wanted = json!({"resourcesListChanged": true});
        client.ask("subscriptions/listen", json!({"notifications": wanted}));
        let agreed = client.hear().unwrap();
        assert_eq!(agreed["params"]["notifications"], wanted, "{agreed}");
    }
    // It listens once another request was answered behind it.
    client.request("tools/list", json!({})).unwrap();
    client
}

/// The hints that a client's list shows, and what it says of them.
fn listed(client: &mut Client) -> Vec<(String, String)> {
    let list = client.request("resources/list", json!({})).unwrap();
    let all = list["resources"].as_array().unwrap();
    assert_eq!(all[0]["uri"], "nudge://components");
    let words = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
    let hints = all[1..].iter();
    let hints = hints.map(|one| (words(one, "uri"), words(one, "description")));
    hints.collect()
}

fn uris(client: &mut Client) -> Vec<String> {
    listed(client).into_iter().map(|(uri, _)| uri).collect()
}

#[test]
fn a_hint_of_another_client_that_applies_here_is_announced_and_listed() {
    for revision in ["2024-11-05", "2025-11-25", STATELESS] {
        let primary = primary();
        let mut client = listening(&primary, revision);
        assert!(listed(&mut client).is_empty());
        let hint = SetHint::new("api", "build", "make").added_by("nobody");
        set(&primary, hint);
        let told = client.notification();
        assert_eq!(told["method"], LIST_CHANGED, "{revision}");
        let words = "[user] A hint that applies here.";
        let expected = ("nudge://hints/api/build".to_owned(), words.to_owned());
        assert_eq!(listed(&mut client), [expected]);
        let read = json!({"uri": "nudge://hints/api/build"});
        client.request("resources/read", read).unwrap();
        client.end().unwrap();
    }
}

#[test]
fn what_is_the_clients_own_out_of_scope_secret_or_no_news_is_not_announced() {
    let primary = primary();
    let mut client = listening(&primary, "2025-11-25");
    let own = json!({"component": "own", "key": "build", "value": "make", "meta": {"scope": {}}});
    client.call("nudge_set_hint", own);
    let hints = json!({"a": {"value": "x"}, "b": [{"value": "y"}]});
    let payload = json!({"schema_version": "1.1", "components": {"mine": {"hints": hints}}});
    client.call("nudge_import", json!({"payload": payload}));
    let elsewhere = SetHint::new("api", "scoped", "make").branch("no-such-branch");
    let secret = SetHint::new("api", "token", "swordfish").secret();
    let known = SetHint::new("own", "build", "make").reason("it works");
    for hint in [elsewhere, secret, known] {
        set(&primary, hint);
    }
    primary.nudge.bump(Bump::new("own", "build")).unwrap();
    // The first that counts, so that nobody waits for what does not come.
    set(
        &primary,
        SetHint::new("own", "build", "make all").source(Source::User),
    );
    assert_eq!(client.notification()["method"], LIST_CHANGED);
    assert_eq!(uris(&mut client), ["nudge://hints/own/build"]);
    client.hears_no_more();
}

#[test]
fn only_what_a_get_would_choose_and_may_be_told_unasked_is_announced() {
    let primary = primary();
    let mut client = listening(&primary, "2025-11-25");
    let here = if cfg!(target_os = "macos") {
        Os::Darwin
    } else {
        Os::Linux
    };
    let build = |value: &str| SetHint::new("api", "build", value);
    set(&primary, build("make").os(here));
    assert_eq!(client.notification()["method"], LIST_CHANGED);
    let fallback = build("make all").scope(nudge::Scope::default());
    set(&primary, fallback);
    let agent = Caller::agent("codex/0.166").via(Via::Mcp);
    let elsewhere = SetHint::new("api", "lint", "make lint").scope(nudge::Scope::default());
    let agent = agent.repo("git:acme/no-such-repository");
    primary.nudge.ask(&agent, elsewhere).unwrap();
    set(&primary, SetHint::new("api", "test", "make test"));
    assert_eq!(client.notification()["method"], LIST_CHANGED);
    let told = ["test", "build"].map(|key| format!("nudge://hints/api/{key}"));
    assert_eq!(uris(&mut client), told);
}

#[test]
fn three_are_announced_and_no_more() {
    let primary = primary();
    let mut client = listening(&primary, "2025-11-25");
    for key in ["a", "b", "c", "d", "e"] {
        set(&primary, SetHint::new("api", key, "make"));
        if ["a", "b", "c"].contains(&key) {
            assert_eq!(client.notification()["method"], LIST_CHANGED);
        }
    }
    let newest_first = ["c", "b", "a"].map(|key| format!("nudge://hints/api/{key}"));
    assert_eq!(uris(&mut client), newest_first);
    client.hears_no_more();
}

#[test]
fn only_a_client_that_started_the_server_has_a_list_that_changes() {
    for (place, changes, held) in [
        (HERE, json!(true), 0),
        (Place::Elsewhere, Value::Null, 3_600_000),
    ] {
        let primary = primary();
        let mut client = client_of(&primary, place, STATELESS);
        let found = client.request("server/discover", json!({})).unwrap();
        assert_eq!(found["capabilities"]["resources"]["listChanged"], changes);
        let wanted = json!({"resourcesListChanged": true});
        client.ask("subscriptions/listen", json!({"notifications": wanted}));
        let agreed = client.hear().unwrap();
        let agreed = &agreed["params"]["notifications"]["resourcesListChanged"];
        assert_eq!(agreed, &changes);
        let list = client.request("resources/list", json!({})).unwrap();
        assert_eq!(list["ttlMs"], held, "{list}");
    }
}

#[test]
fn a_hint_is_announced_across_processes_both_ways() {
    let runtime = crate::process::folder();
    let mut hosts = [Ends::Pipes, Ends::Sockets].map(|ends| {
        let mut host = Host::open(runtime.path(), ends);
        let subscribed = host.request("resources/subscribe", json!({"uri": "nudge://components"}));
        assert!(subscribed.get("result").is_some(), "{subscribed}");
        host
    });
    for (one, other) in [(0, 1), (1, 0)] {
        // A PROXY hears of changes from some moment on; this one, which is of
        // no other interest, says that it has come.
        let mut number = 0;
        let mut elsewhere = || {
            number += 1;
            let scope = json!({"branch": ["no-such-branch"]});
            json!({"component": "probe", "key": format!("{one}-{number}"), "value": "x", "meta": {"scope": scope}})
        };
        hosts[one].call("nudge_set_hint", elsewhere());
        while hosts[other].hear()["method"] != "notifications/resources/updated" {
            hosts[one].call("nudge_set_hint", elsewhere());
        }
        let hint = json!({"component": "api", "key": format!("from-{one}"), "value": "make", "meta": {"scope": {}}});
        assert_eq!(hosts[one].call("nudge_set_hint", hint)["created"], true);
        while hosts[other].hear()["method"] != LIST_CHANGED {}
        let list = hosts[other].request("resources/list", json!({}));
        let uri = &list["result"]["resources"][1]["uri"];
        assert_eq!(uri, &json!(format!("nudge://hints/api/from-{one}")));
    }
}
