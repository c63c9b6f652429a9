//! JSON-RPC over HTTP: real requests to a real listener.

use std::net::TcpStream;
use std::sync::Arc;

use nudge::{ManualClock, from_json};
use nudge_server::primary::Primary;
use serde_json::Value;

use super::driver::Surface;
use crate::served::{Client, Served};

/// A server with a clock that the vectors set, and a connection to it.
#[derive(Default)]
pub(crate) struct Http(Option<(Client<TcpStream>, Served, Arc<ManualClock>)>);

impl Surface for Http {
    fn open(&mut self, config: &Value, at: &str) {
        let clock = Arc::new(ManualClock::at(at.parse().unwrap()));
        let config = from_json(config.to_string().as_bytes()).unwrap();
        let server = Served::start(|port| Primary::new(config, Arc::clone(&clock), port));
        self.0 = Some((server.tcp(), server, clock));
    }

    fn via(&self) -> Option<&'static str> {
        Some("http")
    }

    fn at(&mut self, time: &str) {
        let (.., clock) = self.0.as_ref().unwrap();
        clock.set(time.parse().unwrap());
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let (client, server, _) = self.0.as_mut().unwrap();
        let response = client.ask(server.call(&format!("nudge.{method}"), params));
        assert_eq!(response.status(), 200, "{}", response.body);
        let mut response = response.json();
        match response.get_mut("error") {
            Some(error) => Err(error.take()),
            None => Ok(response["result"].take()),
        }
    }
}
