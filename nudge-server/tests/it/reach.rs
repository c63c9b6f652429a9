//! What others than the user may call, and what they may read: where they are, and nothing beyond.

use std::collections::BTreeSet;
use std::path::Path;

use nudge::{Access, Via};
use nudge_server::primary::operations::Method;
use nudge_server::wire::sender::Sender;
use serde_json::{Value, json};

use crate::callers::ran_in;
use crate::checkout::checkout;
use crate::kept::Desk;
use crate::mcp::host::{Ends, Host};
use crate::says::Says;
use crate::served::Served;
use crate::watch::follower::events;

/// What others than the user may call, and why. A new method is the user's, unless it is here.
const OTHERS: [(&str, &str); 14] = [
    (
        "set_hint delete_hint delete_hints",
        "the user's word stands",
    ),
    ("get_hint why query list_components", "where the caller is"),
    ("get_context prompt_block kept", "where the caller is"),
    ("bump", "counts once in ten minutes"),
    ("export", "where the caller is, without secrets"),
    ("import", "so many sets"),
    ("set_context", "of its own agent session"),
    ("propose", "the user decides"),
    ("list_proposals", "its own"),
    ("on_event", "a hook's alone"),
    ("stats status", "counts what the caller may read"),
    ("hello", "says what speaks here"),
    ("stop", "where nothing of the user's ends"),
    (
        "search get_observations timeline recent_context log session_trace file_history fix",
        "in a repository where the caller is",
    ),
];

#[test]
fn a_method_is_the_users_unless_it_is_listed_here_with_its_reason() {
    let others = Method::all().filter(|method| method.about().access != Access::User);
    let names = others.map(|method| method.name().trim_start_matches("nudge."));
    let open: BTreeSet<&str> = names.collect();
    let listed = OTHERS.iter().flat_map(|(names, _)| names.split(' '));
    assert_eq!(open, listed.collect());
    let server = Served::new();
    for method in Method::all().filter(|method| method.about().access == Access::User) {
        let call = server.call_with("", method.name(), &least(method));
        let answer = server.tcp().ask(call).json();
        assert_eq!(answer["error"]["code"], 40301, "{} {answer}", method.name());
    }
}

/// The least that a method takes.
fn least(method: Method) -> Value {
    match method.name() {
        "nudge.accept" | "nudge.reject" => json!({"id": 1}),
        "nudge.mv" => json!({"component": "a", "to": "b"}),
        "nudge.keep" => json!({"component": "a", "key": "b"}),
        "nudge.learn_past" => json!({"events": []}),
        "nudge.merge" => json!({"machine": "m"}),
        _ => json!({}),
    }
}

#[test]
fn an_agent_reads_where_its_process_is_and_where_its_hooks_have_been() {
    let desk = Desk::bare();
    let runtime = &desk.runtime();
    let [shop, payroll] = ["shop", "payroll"].map(|name| {
        let root = desk.repository(name, &[("src/main.rs", "")]);
        root.canonicalize().unwrap()
    });
    desk.types(&shop, "set shop build make");
    desk.types(&payroll, "set payroll build make");
    let shell = |session, line: &str| {
        let thread = ("CODEX_THREAD_ID", session);
        desk.ends_in_shell(&shop, thread, line)
    };
    let found = (0, "make\n".to_owned());
    let elsewhere = format!("get payroll build --raw --cwd {}", payroll.display());
    assert_eq!(desk.ends(&shop, &elsewhere), found);
    let (status, said) = shell("s-1", &elsewhere);
    assert_eq!(status, 1);
    said.hides("make");
    let (status, said) = shell(
        "s-1",
        &elsewhere.replace("get", "why").replace(" --raw", ""),
    );
    assert_eq!(status, 1);
    said.hides("make");

    let mut command = desk.command(&shop, &["serve"]);
    command.env("CODEX_THREAD_ID", "s-1");
    let mut codex = Host::run(command, Ends::Pipes).opened_as("codex-mcp-client");
    let get = |name: &str, root: &Path| json!({"component": name, "key": "build", "context": {"cwd": root}});
    let own = codex.full("nudge_get_hint", get("shop", &shop.join("src")));
    assert_eq!(own["hint"]["value"], "make");
    let missed = codex.full("nudge_get_hint", get("payroll", &payroll));
    assert_eq!(missed["hint"], Value::Null, "{missed}");
    assert_eq!(missed["near_misses"], json!([]), "{missed}");
    let there = json!({"context": {"cwd": payroll}});
    for (tool, params) in [
        ("nudge_list_components", json!({})),
        ("nudge_list_components", there),
        ("nudge_query", json!({"include_ineligible": true})),
        ("nudge_export", json!({"format": "json"})),
    ] {
        let mut answer = codex.full(tool, params);
        answer.as_object_mut().unwrap().remove("context_used");
        let answer = answer.to_string();
        answer.hides("git:github.com/acme/payroll\"]");
        answer.hides("\"payroll\"");
    }
    let mut read = |uri: &str| codex.request("resources/read", json!({"uri": uri}));
    let components = read("nudge://components").to_string();
    components.says("shop").hides("payroll");
    for uri in ["nudge://components/payroll", "nudge://hints/payroll/build"] {
        assert!(read(uri)["error"]["code"].is_i64(), "{uri}");
    }

    ran_in(runtime, &payroll, &json!({}));
    let now = codex.full("nudge_get_hint", get("payroll", &payroll));
    assert_eq!(now["hint"]["value"], "make", "{now}");
    assert_eq!(shell("s-1", &elsewhere), found);
    assert_eq!(shell("s-2", &elsewhere).0, 1);
}

/// The components of the first events that somebody hears from the start on.
fn heard(server: &Served, who: &str, most: usize) -> Vec<String> {
    let events = events(&server.folder().join("nudge.sock"), who);
    let components = events.map(|event| {
        let event: Value = serde_json::from_str(&event).unwrap();
        event["component"].as_str().unwrap_or_default().to_owned()
    });
    components.take(most).collect()
}

#[test]
fn events_and_status_tell_others_what_they_may_read() {
    let server = Served::new();
    let work = crate::process::folder();
    let work = work.path().canonicalize().unwrap();
    let [payroll, unpacked] = ["payroll", "new/payroll"].map(|name| work.join(name));
    checkout(&payroll, "payroll", "main");
    let ask = |request: String| server.tcp().ask(request).json()["result"].take();
    for (component, scope) in [
        ("payroll", json!({"repo": "git:github.com/acme/payroll"})),
        ("web", json!({"repo": "git:github.com/acme/web"})),
        ("git", json!({})),
    ] {
        let hint = json!({"component": component, "key": "build", "value": "make", "meta": {"scope": scope}});
        ask(server.call("nudge.set_hint", &hint));
    }
    let sender = |via| Sender::new(via, Some("codex".to_owned())).session(Some("s-1".to_owned()));
    let line = |sender: &Sender| sender.header_line(Some(&server.primary.client_key));
    let user = line(&Sender::process());
    assert_eq!(heard(&server, &user, 3), ["payroll", "web", "git"]);
    assert_eq!(heard(&server, "", 1), ["git"]);
    assert_eq!(heard(&server, &line(&sender(Via::Mcp)), 1), ["git"]);
    let mut hook = sender(Via::Hook);
    hook.moved_to = payroll.to_str().map(str::to_owned);
    ask(server.call_as(&hook, "nudge.hello", &json!({})));
    let agent = line(&sender(Via::Mcp));
    assert_eq!(heard(&server, &agent, 2), ["payroll", "git"]);
    // Another root that only names the remote hears nothing of what was recorded there.
    checkout(&unpacked, "payroll", "main");
    let [mut hook, agent] =
        [Via::Hook, Via::Mcp].map(|via| sender(via).session(Some("s-2".into())));
    hook.moved_to = unpacked.to_str().map(str::to_owned);
    ask(server.call_as(&hook, "nudge.hello", &json!({})));
    assert_eq!(heard(&server, &line(&agent), 1), ["git"]);

    let mut member = server.unix();
    let hello = json!({"pid": 1, "client": "claude/1", "cwd": "/"});
    member.ask(server.call("nudge.hello", &hello));
    let status = |request: String| {
        let status = ask(request);
        let member = &status["members"][1];
        assert_eq!(member["client"], "claude/1", "{status}");
        let hints = status["stats"]["hints"].as_u64().unwrap();
        (hints, member["context"].is_object())
    };
    let users = server.call("nudge.status", &json!({}));
    assert_eq!(status(users), (3, true));
    let programs = server.call_with("", "nudge.status", &json!({}));
    assert_eq!(status(programs), (1, false));
    let agents = server.call_as(&sender(Via::Mcp), "nudge.status", &json!({}));
    assert_eq!(status(agents), (2, false));
}
