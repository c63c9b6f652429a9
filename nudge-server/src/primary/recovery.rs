//! Going on where the last PRIMARY left the session, or beginning a new one.

use std::env;
use std::fs;
use std::time::{Duration, SystemTime};

use nudge::{Clock, SystemClock};
use nudge_client::folder::{Key, Lock, Runtime, file};
use serde_json::Value;

use super::Primary;
use crate::config::{SessionSettings, Settings};
use crate::platform::is_container;
use crate::store::{End, Ended, Loaded, Memory, Session};
use crate::wire::Fault;

/// How many starts may fail within a minute before what is stored is moved aside.
const FAILED_STARTS: usize = 3;

/// The file that lists the starts that have not come to serve.
const STARTS: &str = "starts";

/// The variable by which a test has a session end its servers.
const POISON: &str = "NUDGE_POISON";

/// What a PRIMARY begins with.
pub(super) struct Recovery {
    settings: SessionSettings,
    memory: Memory,
    loaded: Loaded,
    /// Absent where a new one begins.
    session: Option<Session>,
}

impl Recovery {
    /// What the folder holds, and the session that goes on. Settings are the session's own, as
    /// far as the user chose them for it or they are stricter than the user's file; a session
    /// that the user serves by hand takes those of the process.
    pub(super) fn of(
        runtime: &Runtime,
        lock: &Lock,
        settings: &Settings,
    ) -> Result<Recovery, Fault> {
        let folder = runtime.folder();
        let now = SystemClock.now();
        Memory::forget_old(folder, now);
        let mut notices = Vec::new();
        if note_start(runtime, lock) > FAILED_STARTS
            && let Some(aside) = Memory::put_aside(folder).map_err(unusable)?
        {
            notices.push(format!(
                "no server could start with what was stored, three times in a minute; it is now \
                 `{}`, and `nudge restore` tries to read it",
                aside.display()
            ));
        }
        // What a test does to a server that reads a memory which it does not survive.
        if cfg!(debug_assertions) && Memory::is_there(folder) && env::var_os(POISON).is_some() {
            std::process::abort();
        }
        let (memory, mut loaded) = Memory::open(folder, now).map_err(|refusal| {
            // It was read, and is left as it is.
            forget_starts(runtime);
            unusable(refusal)
        })?;
        loaded.notices.append(&mut notices);
        let asked = if settings.is_users_own {
            settings.session.clone()
        } else {
            settings.session_of_file_tightened()
        };
        let session = memory.session()?;
        let stored = session.as_ref().map(|session| session.settings.clone());
        let stored = stored.unwrap_or_default();
        let key = runtime.take_key(lock, Key::Client, session.is_some())?;
        let in_force = match serde_json::from_value(stored.clone()) {
            // The user's own `nudge serve --foreground` and `nudge restart` may loosen them.
            Ok(chosen) if !settings.is_users_own && memory.chose(&stored, &key) => chosen,
            Ok(stored) if !settings.is_users_own => asked.tightened_by(&stored),
            _ => asked,
        };
        let is_over = |session: &Session| {
            let quiet = now.signed_duration_since(session.active_at).to_std();
            let linger = in_force.linger.duration();
            linger.is_some_and(|linger| quiet.is_ok_and(|quiet| quiet > linger))
        };
        let is_over = session.as_ref().is_some_and(is_over);
        if is_over {
            memory.end(End::Lingered, now)?;
            loaded.end_session();
        }
        if let Some(ended) = memory.ended(now).filter(|ended| !ended.is_told) {
            loaded.notices.push(words(ended).to_owned());
        }
        Ok(Recovery {
            settings: in_force,
            session: session.filter(|_| !is_over),
            memory,
            loaded,
        })
    }

    pub(super) fn goes_on(&self) -> bool {
        self.session.is_some()
    }

    /// After how long without a call the session ends.
    pub(super) fn linger(&self) -> Option<Duration> {
        self.settings.linger.duration()
    }
}

/// Makes the owner of a store that goes on where the last one was left.
pub(super) fn begin(runtime: &Runtime, recovery: Recovery, port: u16) -> Primary {
    let Recovery {
        settings,
        memory,
        mut loaded,
        session,
    } = recovery;
    let mut config = settings.config();
    config.in_container = is_container();
    // What is set in a folder that stands in for the home is not there tomorrow.
    config.keep &= !runtime.is_stand_in();
    config.session_id = session.as_ref().map(|session| session.id.clone());
    let mut primary = Primary::with_system_clock(config, port);
    if let Some(session) = &session {
        primary.nudge.resume(session.created_at, 0);
    }
    primary.settings = settings;
    let primary = primary.in_folder(runtime.folder());
    primary.notices.begin(std::mem::take(&mut loaded.notices));
    primary.load(loaded);
    // What cannot be written now is said by the memory's own warning.
    let _ = memory.begin(&primary.session());
    primary.keep(memory);
    if primary.settings.observe {
        primary.observe_in(runtime.folder());
    }
    // What made others fail was not this.
    forget_starts(runtime);
    primary
}

/// What the user is told of a session that ended without the user's doing.
fn words(ended: Ended) -> &'static str {
    match ended.end {
        End::Lingered => {
            "the last session has ended, because nobody used it for so long; `nudge restore` \
             brings back what ended with it, within a week"
        }
        _ => "the last session was stopped; `nudge restore` brings back what ended with it",
    }
}

/// Settings as the memory has them.
pub(super) fn as_json(settings: &SessionSettings) -> Value {
    serde_json::to_value(settings).unwrap_or_default()
}

/// Notes another start that has not come to serve yet, and says how many there were in a minute.
fn note_start(runtime: &Runtime, _: &Lock) -> usize {
    let path = runtime.folder().join(STARTS);
    let now = SystemTime::UNIX_EPOCH
        .elapsed()
        .unwrap_or_default()
        .as_secs();
    let text = file::read(&path, 4096).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let is_recent = |line: &&str| line.parse().is_ok_and(|at| now.abs_diff(at) < 60);
    let mut lines: Vec<&str> = text.lines().filter(is_recent).collect();
    let now = now.to_string();
    lines.push(&now);
    // Where nothing can be written, nothing is counted.
    let _ = file::replace(&path, lines.join("\n").as_bytes());
    lines.len()
}

fn forget_starts(runtime: &Runtime) {
    let _ = fs::remove_file(runtime.folder().join(STARTS));
}

fn unusable(error: impl std::fmt::Display) -> Fault {
    Fault::unavailable(error.to_string())
}
