//! JSON-RPC over HTTP: real requests to a real listener.

use std::net::TcpStream;
use std::sync::Arc;

use nudge::{Actor, ManualClock, Via, from_json};
use nudge_server::primary::Primary;
use nudge_server::wire::sender::Sender;
use serde_json::Value;

use super::driver::Surface;
use crate::served::{Client, Served};

/// A server with a clock that the vectors set, and a connection to it.
#[derive(Default)]
pub(crate) struct Http {
    served: Option<(Client<TcpStream>, Served, Arc<ManualClock>)>,
    caller: Option<String>,
}

impl Surface for Http {
    fn open(&mut self, config: &Value, at: &str) {
        let clock = Arc::new(ManualClock::at(at.parse().unwrap()));
        let config = from_json(config.to_string().as_bytes()).unwrap();
        let server = Served::start(|port| Primary::new(config, Arc::clone(&clock), port));
        self.served = Some((server.tcp(), server, clock));
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
        let (client, server, _) = self.served.as_mut().unwrap();
        let method = format!("nudge.{method}");
        let request = match self.caller.as_deref() {
            // Who shows no key.
            Some("program") => server.call_with("", &method, params),
            words => server.call_as(&sender(words.unwrap_or("user")), &method, params),
        };
        let response = client.ask(request);
        assert_eq!(response.status(), 200, "{}", response.body);
        let mut response = response.json();
        match response.get_mut("error") {
            Some(error) => Err(error.take()),
            None => Ok(response["result"].take()),
        }
    }
}

/// The sender that some words say: an actor, a client and a session.
pub(super) fn sender(words: &str) -> Sender {
    let mut words = words.split(' ').map(str::to_owned);
    let actor = words.next().unwrap_or_default();
    let actor: Actor = serde_json::from_value(actor.into()).unwrap();
    let sender = Sender::new(Via::Http, words.next());
    sender.actor(actor).session(words.next())
}
