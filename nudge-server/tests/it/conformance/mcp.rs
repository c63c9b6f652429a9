//! MCP, over a pipe in memory.

use std::sync::Arc;

use nudge::{ManualClock, Operation, Via, from_json};
use nudge_server::primary::Primary;
use nudge_server::primary::call::call;
use nudge_server::proxy::session::Session;
use nudge_server::surface::mcp::Place;
use nudge_server::wire::sender::Sender;
use serde_json::{Value, json};

use super::driver::Surface;
use crate::mcp::client::{Client, STATELESS};

/// The methods that are no tools: they are not for agents, and this surface
/// answers them, or refuses them, by their own names.
const RAW: [&str; 6] = [
    "propose",
    "list_proposals",
    "accept",
    "reject",
    "stats",
    "prompt_block",
];

/// A client of the newest revision that does not say who it is, so that the
/// server has no name to put into `added_by`.
#[derive(Default)]
pub(crate) struct Mcp(Option<(Client, Arc<Primary>, Arc<ManualClock>)>);

impl Surface for Mcp {
    fn open(&mut self, config: &Value, at: &str) {
        if let Some((client, ..)) = self.0.take() {
            client.end().unwrap();
        }
        let clock = Arc::new(ManualClock::at(at.parse().unwrap()));
        let config = from_json(config.to_string().as_bytes()).unwrap();
        let primary = Arc::new(Primary::new(config, Arc::clone(&clock), 0));
        let session = || Session::local(Arc::clone(&primary));
        // The vectors say where they are; nothing of this machine may come in.
        let client = Client::new(session, Place::Elsewhere, STATELESS, None);
        self.0 = Some((client, primary, clock));
    }

    fn via(&self) -> Option<&'static str> {
        Some("mcp")
    }

    fn at(&mut self, time: &str) {
        let (.., clock) = self.0.as_ref().unwrap();
        clock.set(time.parse().unwrap());
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let (client, primary, _) = self.0.as_mut().unwrap();
        if method == "on_event" {
            // Agents may not; it comes in by `nudge hook`, whose words these are.
            let hook = Sender::new(Via::Hook, None);
            let told = call(
                primary,
                &hook.caller(),
                Operation::OnEvent.into(),
                &params.to_string(),
            );
            let json = |text: String| serde_json::from_str(&text).unwrap();
            return match told {
                Ok(told) => Ok(json(told.get().to_owned())),
                Err(fault) => Err(json(serde_json::to_string(&fault).unwrap())),
            };
        }
        if RAW.contains(&method) {
            let mut answer = client.request(&format!("nudge.{method}"), params.clone())?;
            // Every result of this revision says that it is whole.
            assert_eq!(answer["resultType"].take(), "complete");
            answer.as_object_mut().unwrap().remove("resultType");
            return Ok(answer);
        }
        let call = json!({"name": format!("nudge_{method}"), "arguments": params});
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
        match method {
            "get_hint" if answer["hint"].is_null() => Err(as_refusal(&answer)),
            _ => Ok(answer),
        }
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
