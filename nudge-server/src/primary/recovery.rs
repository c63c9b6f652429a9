//! Going on where the last PRIMARY left the session, or beginning a new one.

use std::env;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use nudge::{Clock, SystemClock};
use nudge_client::folder::{Lock, Runtime, file};
use serde_json::Value;

use super::Primary;
use super::journal::{Aside, Journal, Recovered};
use crate::config::{SessionSettings, Settings};
use crate::wire::Fault;

/// How many starts may fail within a minute before the journal is moved aside.
const FAILED_STARTS: usize = 3;

/// The file that lists the starts that have not come to serve.
const STARTS: &str = "starts";

/// The variable by which a test has a session end its servers.
const POISON: &str = "NUDGE_POISON";

/// What a PRIMARY begins with.
pub(super) struct Recovery {
    settings: SessionSettings,
    found: Option<(Journal, Recovered)>,
    notices: Vec<String>,
}

impl Recovery {
    /// What the folder holds of a session that goes on. Settings are the session's own;
    /// a new one, and one that the user serves by hand, takes those of the process.
    pub(super) fn of(
        runtime: &Runtime,
        lock: &Lock,
        settings: &Settings,
    ) -> Result<Recovery, Fault> {
        let folder = runtime.folder();
        let (now, clock) = (SystemTime::now(), SystemClock.now());
        // What cannot be removed now is by the next one.
        let _ = Journal::forget_old(folder, clock);
        let starts = Starts::noted(runtime, lock, now);
        if starts > FAILED_STARTS {
            Journal::put_aside(folder, Aside::Failed).map_err(unusable)?;
        }
        // What a test does to a server that reads a session which it does not survive.
        if cfg!(debug_assertions) && Journal::is_there(folder) && env::var_os(POISON).is_some() {
            std::process::abort();
        }
        let last_active = Journal::last_active(folder).ok().flatten();
        let found = Journal::recover(folder, clock).map_err(|refusal| {
            // It was read, and is left to the version that wrote it.
            Starts::forget(runtime);
            unusable(refusal)
        })?;
        let Some((journal, mut recovered)) = found else {
            let settings = if settings.is_users_own {
                settings.session_as_user().clone()
            } else {
                settings.session_of_file_tightened()
            };
            return Ok(Recovery {
                settings,
                found: None,
                notices: ended(folder).into_iter().collect(),
            });
        };
        let head = recovered.settings.take();
        let head = head.and_then(|head| serde_json::from_value(head).ok());
        let kept: SessionSettings = head.unwrap_or_else(|| settings.session_of_file_tightened());
        let quiet = last_active.and_then(|at| now.duration_since(at).ok());
        let linger = kept.linger.duration();
        if linger.is_some_and(|linger| quiet.is_some_and(|quiet| quiet > linger)) {
            drop(journal);
            Journal::put_aside(folder, Aside::Lingered).map_err(unusable)?;
            return Recovery::of(runtime, lock, settings);
        }
        // The user's own `nudge serve --foreground` may loosen them.
        let settings = if settings.is_users_own && settings.session != settings.session_of_file {
            let said = settings.session_as_user().clone();
            journal.append_head(as_json(&said))?;
            said
        } else {
            kept
        };
        Ok(Recovery {
            settings,
            notices: std::mem::take(&mut recovered.notices),
            found: Some((journal, recovered)),
        })
    }

    /// Whether there is a session that goes on.
    pub(super) fn goes_on(&self) -> bool {
        self.found.is_some()
    }

    /// After how long without a call the session ends.
    pub(super) fn linger(&self) -> Option<Duration> {
        self.settings.linger.duration()
    }
}

/// Makes the owner of a store that goes on where the last one was left.
pub(super) fn begin(runtime: &Runtime, recovery: Recovery, port: u16) -> Primary {
    let goes_on = recovery.goes_on();
    let mut config = recovery.settings.config();
    if let Some((_, recovered)) = &recovery.found {
        config.session_id = Some(recovered.session_id.clone());
    }
    let primary = Primary::with_system_clock(config, port);
    let journal = if let Some((journal, recovered)) = recovery.found {
        primary.resume(recovered);
        journal
    } else {
        let (id, began) = (primary.nudge.session_id(), primary.nudge.created_at());
        Journal::begin(runtime.folder(), id, began, as_json(&recovery.settings))
    };
    primary.keep(journal);
    if let Some(home) = std::env::home_dir().filter(|_| recovery.settings.keep) {
        primary.keep_hints(&home);
    }
    if let Some(home) = std::env::home_dir().filter(|_| recovery.settings.observe) {
        primary.observe_in(&home);
    }
    primary.notices.begin(recovery.notices, goes_on);
    let primary = primary.with_settings(recovery.settings);
    let primary = primary.in_folder(runtime.folder());
    primary.resume_receipts();
    // What made others fail was not this.
    Starts::forget(runtime);
    primary
}

/// What the user is to know of the session before this one, and was not told.
fn ended(folder: &Path) -> Option<String> {
    let ended = Journal::ended(folder).into_iter().next()?;
    let words = match ended.kind {
        Aside::Stopped => "the last session was stopped; `nudge restore` brings its hints back",
        Aside::Lingered => {
            "the last session has ended, because nobody used it for so long; `nudge restore` \
             brings its hints back within a week"
        }
        Aside::Failed => {
            "the last session could not be read three times in a minute, so this is a new one; \
             `nudge restore` tries to bring its hints back"
        }
    };
    (!ended.told).then(|| words.to_owned())
}

/// Settings as the head of a journal has them.
pub(super) fn as_json(settings: &SessionSettings) -> Value {
    serde_json::to_value(settings).unwrap_or_default()
}

/// The starts of a minute that have not come to serve yet.
struct Starts;

impl Starts {
    /// Notes another one, and says how many there were.
    fn noted(runtime: &Runtime, _: &Lock, now: SystemTime) -> usize {
        let path = runtime.folder().join(STARTS);
        let since = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let text = file::read(&path, 4096).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let recent = text.lines().filter_map(|line| line.parse::<u64>().ok());
        let recent = recent.filter(|at| since.as_secs().abs_diff(*at) < 60);
        let mut all: Vec<u64> = recent.collect();
        all.push(since.as_secs());
        let lines: Vec<String> = all.iter().map(u64::to_string).collect();
        // Where nothing can be written, nothing is counted.
        let _ = file::replace(&path, lines.join("\n").as_bytes());
        all.len()
    }

    fn forget(runtime: &Runtime) {
        let _ = fs::remove_file(runtime.folder().join(STARTS));
    }
}

fn unusable(error: impl std::fmt::Display) -> Fault {
    Fault::unavailable(error.to_string())
}
