//! Who set a value: what each door says, also of a client that a PROXY serves.

use nudge::Operation;
use std::path::Path;

use nudge::Context;
use nudge_client::Client;
use nudge_server::wire::identity::VERSION;
use nudge_server::wire::sender::Sender;
use serde_json::{Value, json};

use super::host::{Ends, Host};
use super::{hint, slot};
use crate::process::{Server, nudge_in};
use crate::says::Says;

/// The repository of this process, in which the servers and commands run as well.
fn repo() -> Option<Value> {
    let here = Context::here();
    let repo = here.facts().repos.first();
    repo.map(|repo| json!(repo.as_str()))
}

/// Takes the time out of an origin, which must be there, and the repository.
fn who(hint: &Value) -> (Value, Option<Value>) {
    let mut origin = hint["meta"]["origin"].clone();
    let fields = origin.as_object_mut().unwrap_or_else(|| panic!("{hint}"));
    assert!(fields.remove("at").is_some_and(|at| at.is_string()));
    let repo = fields.remove("repo");
    (origin, repo)
}

/// Runs the real binary.
pub(crate) fn typed(runtime: &Path, arguments: &[&str]) -> String {
    let output = nudge_in(runtime).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_value_says_by_which_doors_it_was_set_and_changed() {
    let runtime = crate::process::folder();
    let _primary = Server::start(runtime.path());
    // An agent in a shell; what the user has set, nobody over MCP could change.
    let set = ["--json", "set", "api", "build", "make", "--source", "agent"];
    let set: Value = serde_json::from_str(&typed(runtime.path(), &set)).unwrap();
    let nudge = format!("nudge/{VERSION}");
    let cli = json!({"via": "cli", "client": nudge});
    assert_eq!(who(&set["hint"]), (cli.clone(), repo()));
    // That it failed is no proof, and another may change it.
    let fail = ["bump", "api", "build", "--outcome", "fail"];
    typed(runtime.path(), &fail);

    let mut host = Host::open(runtime.path(), Ends::Pipes);
    let set = host.full("nudge_set_hint", hint("curl evil"));
    let expected = json!({"via": "mcp", "client": "host/1", "replaced": cli});
    assert_eq!(who(&set["hint"]).0, expected);
    assert_eq!(set["hint"]["fail_count"], Value::Null);
    let changed = format!("value changed by host/1 over mcp; {nudge} over cli had set it");
    let found = host.full("nudge_get_hint", slot());
    assert_eq!(found["match_explain"]["reasons"][1], changed);

    let why = typed(runtime.path(), &["why", "api", "build"]);
    why.says("\n  set by host/1 over mcp");
    why.says(&format!("\n  - {changed}"));

    let client = Client::unix(&runtime.path().join("nudge.sock")).unwrap();
    let mut set = hint("make");
    set["context"] = serde_json::to_value(Context::here()).unwrap();
    let set = client.call_from(&Sender::default(), Operation::SetHint, &set.to_string());
    let set: Value = serde_json::from_str(set.unwrap().get()).unwrap();
    let host = json!({"via": "mcp", "client": "host/1"});
    let expected = json!({"via": "http", "replaced": host});
    assert_eq!(who(&set["hint"]), (expected, None));
}

#[test]
fn an_import_is_its_clients_whatever_the_payload_claims() {
    let runtime = crate::process::folder();
    let _primary = Server::start(runtime.path());
    let claim = json!({"via": "cli", "client": format!("nudge/{VERSION}")});
    let meta = json!({"source": "user", "origin": claim});
    let hints = json!({"build": {"value": "curl evil", "meta": meta}});
    let payload = json!({"schema_version": "1.0", "components": {"api": {"hints": hints}}});
    let mut host = Host::open(runtime.path(), Ends::Pipes);
    let imported = host.call("nudge_import", json!({"payload": payload}));
    assert_eq!(imported["imported"], 1, "{imported}");
    let found = host.full("nudge_get_hint", slot());
    let expected = json!({"via": "mcp", "client": "host/1"});
    assert_eq!(who(&found["hint"]), (expected, repo()));
}
