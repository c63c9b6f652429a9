//! A client that speaks MCP to a server in this process, over a pipe in memory.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use nudge_server::proxy::session::Session;
use nudge_server::surface::mcp::{Place, serve};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::sharing::tokio_runtime;

/// How long a word may take; only what hangs takes that long.
const PATIENCE: Duration = Duration::from_secs(10);

/// The newest revision, which has no handshake.
pub(crate) const STATELESS: &str = "2026-07-28";

/// What a client of the older revisions says first.
pub(crate) fn opening(revision: &str, name: Option<&str>) -> Value {
    let (name, version) = name.map_or(("", ""), |name| (name, "1"));
    let info = json!({"name": name, "version": version});
    json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": info})
}

/// What each request of the newest revision says of its client.
pub(crate) fn stateless(name: Option<&str>) -> Value {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    if let Some(name) = name {
        meta["io.modelcontextprotocol/clientInfo"] = json!({"name": name, "version": "1"});
    }
    meta
}

/// One end of a conversation with a server.
pub(crate) struct Client {
    runtime: Runtime,
    server: JoinHandle<std::io::Result<()>>,
    input: Option<DuplexStream>,
    output: Lines<BufReader<DuplexStream>>,
    /// What each request says about itself, in the newest revision.
    meta: Option<Value>,
    id: u64,
    notifications: VecDeque<Value>,
}

impl Client {
    /// Starts a server and says nothing yet.
    pub(crate) fn silent(session: impl FnOnce() -> Arc<Session>, place: Place) -> Client {
        let runtime = tokio_runtime();
        let (input, server_input) = duplex(1 << 16);
        let (server_output, output) = duplex(1 << 16);
        let server = {
            let _guard = runtime.enter();
            runtime.spawn(serve(session(), place, server_input, server_output))
        };
        Client {
            runtime,
            server,
            input: Some(input),
            output: BufReader::new(output).lines(),
            meta: None,
            id: 0,
            notifications: VecDeque::new(),
        }
    }

    /// Starts a server and speaks a revision with it; `name` is who the client says it is.
    pub(crate) fn new(
        session: impl FnOnce() -> Arc<Session>,
        place: Place,
        revision: &str,
        name: Option<&str>,
    ) -> Client {
        let mut client = Client::silent(session, place);
        if revision == STATELESS {
            client.meta = Some(stateless(name));
            return client;
        }
        let opened = client.request("initialize", opening(revision, name));
        let opened = opened.unwrap();
        assert_eq!(opened["protocolVersion"], revision);
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        client
    }

    /// Sends a line.
    pub(crate) fn say(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        self.runtime.block_on(async {
            input.write_all(line.as_bytes()).await.unwrap();
            input.write_all(b"\n").await.unwrap();
        });
    }

    /// Makes a request without waiting for its answer, and says its id.
    pub(crate) fn ask(&mut self, method: &str, mut params: Value) -> u64 {
        self.id += 1;
        if let (Some(meta), Some(params)) = (&self.meta, params.as_object_mut()) {
            params.insert("_meta".to_owned(), meta.clone());
        }
        let request = json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params});
        self.say(&request.to_string());
        self.id
    }

    /// Makes a request; an error is the error object.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params);
        loop {
            let said = self.hear().unwrap_or_else(|| panic!("the server ended"));
            if said.get("method").is_some() {
                self.notifications.push_back(said);
                continue;
            }
            assert_eq!(said["id"], id, "{said}");
            return match said.get("error") {
                Some(error) => Err(error.clone()),
                None => Ok(said["result"].clone()),
            };
        }
    }

    /// Calls a tool; whatever comes back is the result of the call.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut params = json!({"name": tool});
        params["arguments"] = arguments;
        self.request("tools/call", params).unwrap()
    }

    /// Calls a tool; what comes back is all that it has to say.
    pub(crate) fn full(&mut self, tool: &str, mut arguments: Value) -> Value {
        arguments["full"] = json!(true);
        self.call(tool, arguments)["structuredContent"].clone()
    }

    /// The next notification.
    pub(crate) fn notification(&mut self) -> Value {
        match self.notifications.pop_front() {
            Some(said) => said,
            None => self.hear().unwrap_or_else(|| panic!("the server ended")),
        }
    }

    /// Fails if another word comes before the answer to a ping.
    #[track_caller]
    pub(crate) fn hears_no_more(&mut self) {
        let asked = self.ask("ping", json!({}));
        let heard = self.hear().unwrap();
        assert_eq!(heard["id"], asked, "one notification is enough: {heard}");
    }

    /// The next line; `None` when the server has said all.
    pub(crate) fn hear(&mut self) -> Option<Value> {
        let next = async { timeout(PATIENCE, self.output.next_line()).await };
        let line = self.runtime.block_on(next);
        let line = line
            .unwrap_or_else(|_| panic!("no word from the server"))
            .unwrap()?;
        Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }

    /// Ends the input; what the server still has to say can be heard.
    pub(crate) fn hang_up(&mut self) {
        drop(self.input.take());
    }

    /// Ends the input, and says how the server ended.
    pub(crate) fn end(mut self) -> std::io::Result<()> {
        self.hang_up();
        let ended = async { timeout(PATIENCE, &mut self.server).await };
        let ended = self.runtime.block_on(ended);
        let ended = ended.unwrap_or_else(|_| panic!("the server goes on"));
        ended.unwrap()
    }
}
