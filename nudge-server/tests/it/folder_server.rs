//! A server in this process, on the socket of a temporary runtime folder, with
//! a clock that the test sets. The real binary talks to it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use nudge::{Clock, Config, ManualClock};
use nudge_server::primary::Primary;

use crate::process::nudge_in;
use crate::served::Served;

/// The server; it ends with this.
pub(crate) struct FolderServer {
    served: Served,
    clock: Arc<ManualClock>,
}

impl FolderServer {
    /// Starts a server with an empty store that is made at a time.
    pub(crate) fn start(config: Config, at: &str) -> FolderServer {
        let clock = Arc::new(ManualClock::at(at.parse().unwrap()));
        let primary = Primary::new(config, Arc::clone(&clock), 0);
        let served = Served::on_its_socket(primary);
        fs::write(served.folder().join("token"), "0".repeat(64)).unwrap();
        FolderServer { served, clock }
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
        self.served.primary.observe_in(self.folder());
    }

    /// The runtime folder.
    pub(crate) fn folder(&self) -> &Path {
        self.served.folder()
    }

    /// The real binary, in an environment that holds nothing but the folder.
    pub(crate) fn nudge(&self) -> Command {
        let mut command = nudge_in(self.folder());
        command.current_dir("/");
        command
    }
}
