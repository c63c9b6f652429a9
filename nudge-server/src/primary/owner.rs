//! `Owner`: the process that owns the store, from its lock to its last word.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nudge::Error;
use nudge_client::folder::{Key, Lock, Runtime};
use nudge_client::listener;
use nudge_client::platform::{HAS_SOCKET, file_number, may_be_ending};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Primary;
use super::keeper::{Patience, keep};
use super::recovery::{Recovery, as_json, begin};
use super::surfaces::{Endpoint, Surfaces};
use crate::config::{LogLevel, Settings};
use crate::log::{log, log_with};
use crate::platform::listen as listen_in_runtime;
use crate::wire::Fault;
use crate::wire::identity::Identity;

/// The port that is tried first when none was asked for.
pub(crate) const PORT: u16 = 8765;

const PORTS: u16 = 100;

/// How often the port of the last PRIMARY is tried.
const PORT_LOOKS: u32 = 100;

/// How long one waits before one looks again.
const PAUSE: Duration = Duration::from_millis(2);

/// How long a server that has the lock may take to answer.
const CLAIMED_WITHIN: Duration = Duration::from_secs(4);

/// How long a PRIMARY that ends lets its callers read their answers.
const GRACE: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    /// After how long without a caller it ends; never when absent.
    pub(crate) idle: Option<Duration>,
    /// How often it looks whether its lock and socket are its own.
    pub(crate) check: Duration,
}

/// What a PRIMARY holds for as long as it serves.
pub(crate) struct Owner {
    runtime: Runtime,
    lock: Lock,
    pub(crate) primary: Arc<Primary>,
    surfaces: &'static dyn Surfaces,
    token: Arc<str>,
    serving: JoinSet<()>,
    /// Which file the socket is.
    socket: Option<u64>,
    patience: Patience,
    /// How often it looks whether its lock and socket are its own.
    check: Duration,
}

impl Owner {
    /// Becomes the owner of the session in the folder of the settings; `None` if another
    /// process is. Being it is to hold the lock, for life.
    pub(crate) async fn claim(
        settings: &Settings,
        surfaces: &'static dyn Surfaces,
        times: Times,
    ) -> Result<Option<Owner>, Fault> {
        let runtime = Runtime::open(settings.runtime_dir.as_deref())?;
        let start = Instant::now();
        let is_served = || listener(&runtime.socket()).is_ok();
        loop {
            if is_served() {
                return Ok(None);
            }
            if let Some(lock) = runtime.try_lock()? {
                // One whose lock was taken away still serves, and makes a new one.
                if is_served() {
                    return Ok(None);
                }
                let owner = Owner::begin(settings, surfaces, runtime, lock, times).await;
                return owner.map(Some);
            }
            if start.elapsed() > CLAIMED_WITHIN {
                return Err(held(&runtime));
            }
            sleep(PAUSE).await;
        }
    }

    async fn begin(
        settings: &Settings,
        surfaces: &'static dyn Surfaces,
        runtime: Runtime,
        lock: Lock,
        times: Times,
    ) -> Result<Owner, Fault> {
        if let Err(error) = runtime.take_over(&lock) {
            let words = format!("the store of the home was not copied: {error}");
            log(LogLevel::Warn, &words);
        }
        let recovery = Recovery::of(&runtime, &lock, settings)?;
        // Where the session goes on, so do its address and keys.
        let goes_on = recovery.goes_on();
        let old = runtime.identity().filter(|_| goes_on);
        let listener = again(old.as_ref()).await;
        let listener = listener.or_else(|| listen(settings.port));
        // Where there is no socket beside it, any port is better than none.
        let listener = listener.or_else(|| (!HAS_SOCKET).then(|| listen(Some(0))).flatten());
        let address = listener.as_ref().and_then(|at| at.local_addr().ok());
        let port = address.map_or(0, |address| address.port());
        let key = runtime.take_key(&lock, Key::Client, goes_on)?;
        let token = runtime.take_key(&lock, Key::Token, goes_on)?;
        let patience = Patience {
            process: times.idle,
            session: recovery.linger(),
        };
        let mut primary = begin(&runtime, recovery, port);
        (primary.client_key, primary.folder_warning) = (key, runtime.warning());
        if let Some(memory) = primary.memory().filter(|_| settings.is_users_own) {
            // Whoever goes on with the session takes them, also after this one was killed.
            let _ = memory.set_settings(&as_json(&primary.settings), &primary.client_key);
        }
        let primary = Arc::new(primary);
        runtime.forget_page(&lock);

        let failed = |error: io::Error| {
            Fault::unavailable(format!(
                "cannot serve in `{}`: {error}",
                runtime.folder().display()
            ))
        };
        let serve = |at| surfaces.http(Arc::clone(&primary), at);
        let mut serving = JoinSet::new();
        if let Some(listener) = listener {
            listener.set_nonblocking(true).map_err(failed)?;
            let listener = tokio::net::TcpListener::from_std(listener).map_err(failed)?;
            serving.spawn(serve(Endpoint::Tcp(listener, Arc::clone(&token))));
        }
        // Nobody can have left anything in a browser for a port that nobody could foresee.
        if let Ok(listener) = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await {
            serving.spawn(serve(Endpoint::Page(listener)));
        }
        let mut owner = Owner {
            runtime: runtime.clone(),
            lock,
            primary,
            surfaces,
            token,
            serving,
            socket: None,
            patience,
            check: times.check,
        };
        owner.write_identity();
        owner.open_socket().map_err(failed)?;
        log_with(LogLevel::Info, || {
            let session = &owner.primary.identity.session_id;
            format!("PRIMARY of session {session}, on port {port}")
        });
        Ok(owner)
    }

    /// Serves until the PRIMARY is asked to end, or another has its place. Then what is
    /// under way is answered, the names are removed, and the lock is let go of, in this order.
    pub(crate) async fn serve(mut self) {
        let mut stopped = self.primary.stopped();
        tokio::spawn(keep(Arc::clone(&self.primary), self.patience));
        let mut is_ours = true;
        while is_ours {
            tokio::select! {
                biased;
                // The sender is in the PRIMARY, which we keep.
                _ = stopped.wait_for(|stopped| *stopped) => break,
                () = sleep(self.check) => {
                    is_ours = self.put_names_back().unwrap_or_else(|error| {
                        let words = format!("this server has lost its names: {error}");
                        log(LogLevel::Warn, &words);
                        true
                    });
                }
            }
        }
        self.primary.stop();
        let _ = timeout(GRACE, async {
            while self.serving.join_next().await.is_some() {}
        })
        .await;
        self.serving.abort_all();
        // A long call goes on without its caller; nobody else may write meanwhile.
        while self.primary.is_working() {
            sleep(PAUSE).await;
        }
        self.primary.finish_observations();
        if is_ours && self.runtime.is_locked_by(&self.lock) {
            self.leave();
        }
    }

    /// Leaves what the next server of the session needs.
    fn leave(&self) {
        if self.primary.is_over() {
            self.runtime.forget(&self.lock);
        } else {
            self.runtime.unbind(&self.lock);
        }
        if let Some(memory) = self.primary.memory() {
            memory.file().settle(self.primary.nudge.now());
        }
    }

    /// Serves on the socket of the folder, where there are such.
    fn open_socket(&mut self) -> io::Result<()> {
        if !HAS_SOCKET {
            return Ok(());
        }
        let socket = self.runtime.bind(&self.lock)?;
        self.socket = self.inode();
        let socket = listen_in_runtime(socket)?;
        let primary = Arc::clone(&self.primary);
        let served = self.surfaces.http(primary, Endpoint::Unix(socket));
        self.serving.spawn(served);
        Ok(())
    }

    fn write_identity(&self) {
        let identity = &self.primary.identity;
        if let Err(error) = self.runtime.write_identity(&self.lock, identity) {
            log(
                LogLevel::Warn,
                &format!("the PID file was not written: {error}"),
            );
        }
    }

    /// Gives back its name to whatever has lost it; false if another process has the lock.
    fn put_names_back(&mut self) -> io::Result<bool> {
        if self.primary.is_over() {
            return Ok(true);
        }
        let failed = |error: Error| io::Error::other(error.to_string());
        self.runtime.restore().map_err(failed)?;
        if !self.runtime.is_locked_by(&self.lock) {
            match self.runtime.try_lock().map_err(failed)? {
                Some(lock) => self.lock = lock,
                None => return Ok(false),
            }
        }
        if HAS_SOCKET && self.inode() != self.socket {
            self.open_socket()?;
        }
        let identity = &self.primary.identity;
        if self.runtime.identity().as_ref() != Some(identity) {
            self.runtime.write_identity(&self.lock, identity)?;
        }
        self.runtime.keep_key(Key::Token, &self.token);
        self.runtime.keep_key(Key::Client, &self.primary.client_key);
        self.primary.put_memory_back();
        Ok(true)
    }

    fn inode(&self) -> Option<u64> {
        let seen = std::fs::symlink_metadata(self.runtime.socket());
        seen.ok().map(|seen| file_number(&seen))
    }
}

/// Listens where the last PRIMARY of the session did. The kernel gives its lock to
/// us a moment before it closes the port of a process that dies, which is waited for;
/// somebody else who has the port meanwhile is not.
async fn again(old: Option<&Identity>) -> Option<TcpListener> {
    let old = old.filter(|old| old.port > 0)?;
    for _ in 0..PORT_LOOKS {
        let may_close = may_be_ending(old.pid);
        match TcpListener::bind((Ipv4Addr::LOCALHOST, old.port)) {
            Err(error) if may_close && error.kind() == io::ErrorKind::AddrInUse => {
                sleep(Duration::from_millis(1)).await;
            }
            bound => return bound.ok(),
        }
    }
    None
}

/// Listens on 127.0.0.1: on the port that was asked for or the usual one, or on
/// the next that is free. Where none can be had, the socket has to do.
fn listen(asked_for: Option<u16>) -> Option<TcpListener> {
    let first = asked_for.unwrap_or(PORT);
    let last = if first == 0 {
        0
    } else {
        first.saturating_add(PORTS - 1)
    };
    let mut refused = None;
    for port in first..=last {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => {
                if let Some(error) = refused.filter(|_| asked_for.is_some()) {
                    let words =
                        format!("port {first} cannot be had ({error}); listening on {port}");
                    log(LogLevel::Warn, &words);
                }
                return Some(listener);
            }
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    if let Some(error) = refused {
        let words = format!(
            "no port from {first} to {last} can be had ({error}); serving on the socket alone"
        );
        log(LogLevel::Warn, &words);
    }
    None
}

fn held(runtime: &Runtime) -> Fault {
    let holder = runtime.lock_holder();
    let who = holder.map_or_else(|| "a process".to_owned(), |pid| format!("process {pid}"));
    Fault::unavailable(format!(
        "{who} holds the lock in `{}` and does not answer; end it with `nudge stop --force`",
        runtime.folder().display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn only_the_last_primary_is_waited_for_to_leave_its_port() {
        let tarpit = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = tarpit.local_addr().unwrap().port();
        let mut old: Identity = serde_json::from_value(serde_json::json!({
            "product": "nudge", "version": "1", "protocol": "1.0", "pid": u32::MAX, "port": port,
            "started": "", "session_id": "s-1", "nonce": "abcd",
        }))
        .unwrap();
        let begun = tokio::time::Instant::now();
        assert!(again(Some(&old)).await.is_none());
        assert!(begun.elapsed().is_zero());

        old.pid = std::process::id();
        let (listener, ()) = tokio::join!(again(Some(&old)), async {
            sleep(Duration::from_millis(9)).await;
            drop(tarpit);
        });
        assert!(listener.is_some());
    }
}
