//! MCP, over a pipe in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use nudge::{Caller, ManualClock, from_json};
use nudge_server::primary::Primary;
use nudge_server::primary::call::call;
use nudge_server::primary::operations::Method;
use nudge_server::proxy::session::Session;
use nudge_server::surface::mcp::Place;
use serde_json::{Value, json};

use super::driver::Surface;
use crate::mcp::client::{Client, STATELESS};
use crate::mcp::small::is_part_of;

/// The methods that are no tools: they are not for agents, and this surface
/// answers them, or refuses them, by their own names.
const RAW: [&str; 8] = [
    "propose",
    "merge",
    "list_proposals",
    "accept",
    "reject",
    "stats",
    "prompt_block",
    "on_event",
];

/// Clients of the newest revision. Where a case does not tell callers apart, there is one
/// that does not say who it is, so that the server has no name to put into `added_by`.
#[derive(Default)]
pub(crate) struct Mcp {
    clients: BTreeMap<String, Client>,
    store: Option<(Arc<Primary>, Arc<ManualClock>)>,
    caller: Option<String>,
}

impl Surface for Mcp {
    fn open(&mut self, config: &Value, at: &str) {
        for (_, client) in std::mem::take(&mut self.clients) {
            client.end().unwrap();
        }
        let clock = Arc::new(ManualClock::at(at.parse().unwrap()));
        let config = from_json(config.to_string().as_bytes()).unwrap();
        let primary = Primary::new(config, Arc::clone(&clock), 0);
        self.store = Some((Arc::new(primary), clock));
    }

    fn via(&self) -> Option<&'static str> {
        Some("mcp")
    }

    fn at(&mut self, time: &str) {
        let (_, clock) = self.store.as_ref().unwrap();
        clock.set(time.parse().unwrap());
    }

    fn caller(&mut self, words: Option<&str>) {
        self.caller = words.map(str::to_owned);
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let (primary, _) = self.store.as_ref().unwrap();
        let words = self.caller.as_deref().unwrap_or("agent");
        // Everybody else comes in by other ways, and events by `nudge hook`.
        let is_hooks = method == "on_event" && self.caller.is_none();
        if is_hooks || !words.starts_with("agent") {
            let words = if is_hooks { "hook" } else { words };
            return direct(primary, words, method, params);
        }
        let name = words.split(' ').nth(1);
        let name = name.map(|name| name.split('/').next().unwrap_or_default());
        let client = self.clients.entry(name.unwrap_or_default().to_owned());
        let client = client.or_insert_with(|| {
            let session = || Session::local(Arc::clone(primary));
            // The vectors say where they are; nothing of this machine may come in.
            Client::new(session, Place::Elsewhere, STATELESS, name)
        });
        if RAW.contains(&method) {
            let mut answer = client.request(&format!("nudge.{method}"), params.clone())?;
            // Every result of this revision says that it is whole.
            assert_eq!(answer["resultType"].take(), "complete");
            answer.as_object_mut().unwrap().remove("resultType");
            return Ok(answer);
        }
        let mut call = json!({"name": format!("nudge_{method}"), "arguments": params});
        let reads = ["get_hint", "query", "list_components", "get_context"];
        let small = reads.contains(&method);
        let small = small.then(|| client.request("tools/call", call.clone()));
        if let Some(arguments) = call["arguments"].as_object_mut() {
            arguments.insert("full".to_owned(), json!(true));
        }
        let said = client.request("tools/call", call)?;
        let text = said["content"][0]["text"].as_str().unwrap();
        if said["isError"] == true {
            assert!(said.get("structuredContent").is_none(), "{said}");
            let data = said["_meta"].clone();
            let start = format!("{} ({}): ", data["reason"].as_str().unwrap(), data["code"]);
            let message = text
                .strip_prefix(&start)
                .unwrap_or_else(|| panic!("no {start:?}: {text}"));
            return Err(json!({"code": data["code"], "message": message, "data": data}));
        }
        let answer = said["structuredContent"].clone();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), answer);
        if let Some(small) = small {
            is_part_of(&small?["structuredContent"], &answer);
        }
        match method {
            "get_hint" if answer["hint"].is_null() => Err(as_refusal(&answer)),
            _ => Ok(answer),
        }
    }
}

/// A call past this surface, by somebody who is no agent.
fn direct(primary: &Primary, words: &str, method: &str, params: &Value) -> Result<Value, Value> {
    let mut words = words.split(' ');
    let actor = Value::from(words.next().unwrap_or_default());
    let mut by = Caller::user().actor(serde_json::from_value(actor).unwrap());
    by.client = words.next();
    by.session = words.next();
    let method = Method::named(&format!("nudge.{method}")).unwrap();
    let told = call(primary, &by, method, &params.to_string());
    match told {
        Ok(told) => Ok(serde_json::from_str(told.get()).unwrap()),
        Err(fault) => Err(serde_json::to_value(fault).unwrap()),
    }
}

/// The refusal that other surfaces have in place of the answer that there is no hint.
fn as_refusal(miss: &Value) -> Value {
    assert_eq!(miss["match_explain"]["matched"], false);
    let data = json!({
        "reason": "E_NOT_FOUND", "detail": miss["detail"], "near_misses": miss["near_misses"],
    });
    json!({"code": 40401, "message": miss["message"], "data": data})
}
