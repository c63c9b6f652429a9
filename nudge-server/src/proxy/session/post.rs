//! `Post`: what a PRIMARY holds for as long as it serves.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;

use super::{GRACE, Session};
use crate::config::LogLevel;
use crate::log::log;
use crate::platform::names::Names;
use crate::platform::runtime::{Key, Lock, Runtime};
use crate::primary::Primary;
use crate::proxy::surfaces::Http;

/// How long it is left alone when its names cannot be put back.
const CALM: Duration = Duration::from_millis(100);

/// The lock, the names in the runtime folder, and who serves.
pub(super) struct Post {
    pub(super) runtime: Runtime,
    pub(super) lock: Lock,
    pub(super) primary: Arc<Primary>,
    pub(super) http: Box<dyn Http>,
    pub(super) token: Arc<str>,
    pub(super) session: Weak<Session>,
    pub(super) serving: JoinSet<()>,
    pub(super) names: Names,
    /// Which file the socket is.
    pub(super) socket: Option<u64>,
}

impl Post {
    /// Serves on the socket of the folder.
    pub(super) fn open_socket(&mut self) -> io::Result<()> {
        let socket = self.runtime.bind(&self.lock)?;
        self.socket = self.inode();
        socket.set_nonblocking(true)?;
        let socket = tokio::net::UnixListener::from_std(socket)?;
        self.serving.spawn(self.http.unix(socket));
        Ok(())
    }

    pub(super) fn write_identity(&self) {
        let written = self
            .runtime
            .write_identity(&self.lock, &self.primary.identity);
        if let Err(error) = written {
            log(
                LogLevel::Warn,
                &format!("the PID file was not written: {error}"),
            );
        }
    }

    /// Holds the post until the PRIMARY is asked to stop, then gives it up: what
    /// is under way is answered, the session handed over, the names removed, and
    /// the lock let go of, in this order.
    pub(super) async fn hold(mut self) {
        let mut stopped = self.primary.stopped();
        let mut last_words = String::new();
        loop {
            tokio::select! {
                // The sender is in the PRIMARY, which we keep.
                _ = stopped.wait_for(|stopped| *stopped) => break,
                () = self.names.lost() => {}
            }
            let _ = self.runtime.restore();
            // Before one looks: what is lost after that is heard.
            self.names.listen(self.runtime.folder());
            match self.put_names_back() {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => {
                    let words = format!("this server has lost its names: {error}");
                    if words != last_words {
                        log(LogLevel::Warn, &words);
                        last_words = words;
                    }
                }
            }
            // Our own attempt is heard as well, and must not bring on the next.
            let _ = timeout(CALM, stopped.wait_for(|stopped| *stopped)).await;
        }
        let _ = timeout(GRACE, async {
            while self.serving.join_next().await.is_some() {}
        })
        .await;
        drop(self.serving);
        // In a folder that another has taken nothing is ours.
        if self.runtime.is_locked_by(&self.lock) {
            let session = self.session.upgrade();
            let goes_on =
                session.is_some_and(|session| session.hand_over(&self.runtime, &self.primary));
            // Our successor reads in the PID file where we listened.
            if !goes_on {
                self.runtime.forget(&self.lock);
            }
        }
        // Before the names, which take the kernel longer than all of the above.
        drop(self.lock);
    }

    /// Gives back its name to whatever has lost it; false if another process has
    /// the lock. That one finds out that we live and lets go, or has our place.
    fn put_names_back(&mut self) -> io::Result<bool> {
        let session = self.session.upgrade();
        // The others learn from the lock that they have to take their places
        // anew, so it goes with the file of the members.
        if session.is_some_and(|session| session.has_lost_its_place(&self.runtime)) {
            self.runtime.unname(&self.lock);
        }
        if !self.runtime.is_locked_by(&self.lock) {
            match self.runtime.try_lock() {
                Ok(Some(lock)) => self.lock = lock,
                Ok(None) => return Ok(false),
                Err(error) => return Err(io::Error::other(error.to_string())),
            }
        }
        if self.inode() != self.socket {
            self.open_socket()?;
        }
        if self.runtime.identity().as_ref() != Some(&self.primary.identity) {
            self.runtime
                .write_identity(&self.lock, &self.primary.identity)?;
        }
        self.runtime.keep_key(Key::Token, &self.token);
        self.runtime.keep_key(Key::Client, &self.primary.client_key);
        self.primary.put_journal_back();
        if let Some(session) = self.session.upgrade() {
            let member = session.be_member(&self.runtime);
            member.map_err(|error| io::Error::other(error.to_string()))?;
        }
        Ok(true)
    }

    fn inode(&self) -> Option<u64> {
        let seen = fs::symlink_metadata(self.runtime.socket());
        seen.ok().map(|seen| seen.ino())
    }
}
