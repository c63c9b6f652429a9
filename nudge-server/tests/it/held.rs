//! A server that stands still inside a write until it is let go.
//!
//! It has one thread, so while it stands still it accepts nobody: what clients
//! do meanwhile is over by the time it sees them.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use nudge::{Change, Config, Nudge, SystemClock};
use nudge_server::primary::Primary;
use parking_lot::Mutex;
use serde_json::json;

use crate::process::PATIENCE;
use crate::served::Served;

/// A server whose first write waits.
pub(crate) struct Held {
    pub(crate) server: Served,
    writer: JoinHandle<()>,
    let_go: Sender<()>,
}

impl Held {
    pub(crate) fn new() -> Held {
        let (arrived, has_arrived) = channel();
        let (let_go, may_go) = channel();
        let may_go: Mutex<Receiver<()>> = Mutex::new(may_go);
        let server = Served::start(|port| {
            let mut primary = Primary::new(Config::default(), SystemClock, port);
            primary.nudge = Nudge::default().with_sink(move |_: &[Change]| {
                // Only the first has somebody who waits for it; the others go on
                // once whoever could hold them up has let go for good.
                let _ = arrived.send(());
                let _ = may_go.lock().recv();
                Ok(())
            });
            primary
        });
        let set = json!({"component": "api", "key": "held", "value": "x"});
        let request = server.call("nudge.set_hint", &set);
        let mut client = server.tcp();
        let writer = thread::spawn(move || {
            assert_eq!(client.ask(request).json()["result"]["created"], true);
        });
        has_arrived.recv_timeout(PATIENCE).unwrap();
        Held {
            server,
            writer,
            let_go,
        }
    }

    /// Lets the server go on, and waits until it has seen everybody who came.
    pub(crate) fn go_on(self) -> Served {
        drop(self.let_go);
        self.writer.join().unwrap();
        // Accepted after all of them, and answered after them.
        let mut last = self.server.tcp();
        let response = last.ask(self.server.get("/health", ""));
        assert_eq!(response.status(), 200);
        self.server
    }
}
