//! A program that has joined the session: what a store of its own does, over the socket.

use std::sync::Arc;

use nudge::{Error, ManualClock, Operation, Request, WithSecrets, from_json};
use nudge_client::{Connect, SharedStore};
use nudge_server::primary::Primary;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::driver::Surface;
use super::http::sender;
use crate::served::Served;

#[derive(Default)]
pub(crate) struct Connected {
    served: Option<(SharedStore, Served, Arc<ManualClock>)>,
    caller: Option<String>,
}

impl Surface for Connected {
    fn open(&mut self, config: &Value, at: &str) {
        let clock = Arc::new(ManualClock::at(at.parse().unwrap()));
        let config = from_json(config.to_string().as_bytes()).unwrap();
        let server = Served::start(|port| Primary::new(config, Arc::clone(&clock), port));
        let store = SharedStore::connect(Connect {
            runtime_dir: Some(server.folder().to_owned()),
            start: false,
            ..Connect::default()
        });
        self.served = Some((store.unwrap(), server, clock));
    }

    fn via(&self) -> Option<&'static str> {
        Some("http")
    }

    fn at(&mut self, time: &str) {
        let (.., clock) = self.served.as_ref().unwrap();
        clock.set(time.parse().unwrap());
    }

    fn caller(&mut self, words: Option<&str>) {
        self.caller = words.map(str::to_owned);
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let (store, ..) = self.served.as_ref().unwrap();
        let Some(operation) = Operation::named(&format!("nudge.{method}")) else {
            return Err(json!("no such method"));
        };
        let store = store.sent_by(sender(self.caller.as_deref().unwrap_or("user")));
        let called = store.call(None, operation.name(), params.to_string().as_bytes());
        let answer = called.map_err(|error: Error| serde_json::to_value(error).unwrap())?;
        let answer = serde_json::from_str(&answer).unwrap();
        assert_eq!(
            read(operation, &answer),
            answer,
            "{method} is read otherwise"
        );
        Ok(answer)
    }
}

/// An answer as a Rust program reads it, written again.
fn read(operation: Operation, answer: &Value) -> Value {
    fn of<R: Request<nudge::Nudge, Answer: DeserializeOwned>>(answer: &Value) -> Value {
        let answer: R::Answer = serde_json::from_value(answer.clone()).unwrap();
        serde_json::to_value(WithSecrets(&answer)).unwrap()
    }
    match operation {
        Operation::SetHint => of::<nudge::SetHint>(answer),
        Operation::GetHint => of::<nudge::GetHint>(answer),
        Operation::Query => of::<nudge::Query>(answer),
        Operation::DeleteHint => of::<nudge::DeleteHint>(answer),
        Operation::ListComponents => of::<nudge::ListComponents>(answer),
        Operation::Bump => of::<nudge::Bump>(answer),
        Operation::Export => of::<nudge::Export>(answer),
        Operation::Import => of::<nudge::Import>(answer),
        Operation::Merge => of::<nudge::Merge>(answer),
        Operation::SetContext => of::<nudge::SetContext>(answer),
        Operation::GetContext => of::<nudge::GetContext>(answer),
        Operation::Propose => of::<nudge::Propose>(answer),
        Operation::ListProposals => of::<nudge::ListProposals>(answer),
        Operation::Accept => of::<nudge::Accept>(answer),
        Operation::Reject => of::<nudge::Reject>(answer),
        Operation::PromptBlock => of::<nudge::PromptBlock>(answer),
        Operation::OnEvent => of::<nudge::Event>(answer),
        Operation::GetStats => of::<nudge::GetStats>(answer),
        _ => answer.clone(),
    }
}
