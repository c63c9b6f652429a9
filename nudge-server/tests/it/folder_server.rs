//! A server in this process, on the socket of a temporary runtime folder, with
//! a clock that the test sets. The real binary talks to it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::process::Folder as TempDir;
use axum::Router;
use chrono::TimeDelta;
use nudge::{Clock, Config, ManualClock};
use nudge_server::primary::Primary;
use nudge_server::surface::http::serve_unix;
use tokio::net::UnixListener;

use crate::process::nudge_in;
use crate::sharing::tokio_runtime;

/// The server; it ends with this.
pub(crate) struct FolderServer {
    folder: TempDir,
    clock: Arc<ManualClock>,
    primary: Arc<Primary>,
    thread: Option<JoinHandle<()>>,
}

impl FolderServer {
    /// Starts a server with an empty store that is made at a time.
    pub(crate) fn start(config: Config, at: &str) -> FolderServer {
        let folder = crate::process::folder();
        fs::write(folder.path().join("token"), "0".repeat(64)).unwrap();
        let clock = Arc::new(ManualClock::at(at.parse().unwrap()));
        let primary = Arc::new(Primary::new(config, Arc::clone(&clock), 0));
        std::fs::write(folder.path().join("client.key"), &*primary.client_key).unwrap();
        let runtime = tokio_runtime();
        let listener = {
            let _inside = runtime.enter();
            UnixListener::bind(folder.path().join("nudge.sock")).unwrap()
        };
        let served = Arc::clone(&primary);
        let thread = thread::spawn(move || {
            runtime.block_on(serve_unix(listener, served, Router::new()));
        });
        FolderServer {
            folder,
            clock,
            primary,
            thread: Some(thread),
        }
    }

    /// Sets the clock.
    pub(crate) fn at(&self, time: &str) {
        self.clock.set(time.parse().unwrap());
    }

    /// Lets time go by.
    pub(crate) fn advance(&self, by: Duration) {
        let by = TimeDelta::from_std(by).unwrap();
        self.clock.set(self.clock.now() + by);
    }

    /// Records what hooks tell from now on.
    pub(crate) fn observe(&self) {
        self.primary.observe_in(self.folder());
    }

    /// The runtime folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The real binary, in an environment that holds nothing but the folder.
    pub(crate) fn nudge(&self) -> Command {
        let mut command = nudge_in(self.folder());
        command.current_dir("/");
        command
    }
}

impl Drop for FolderServer {
    fn drop(&mut self) {
        self.primary.stop();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            if !thread::panicking() {
                ended.unwrap();
            }
        }
    }
}
