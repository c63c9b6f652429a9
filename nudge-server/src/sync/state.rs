//! `State`: what this machine remembers of its rounds, in `sync.json` of the session folder.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use nudge::{Age, Clock, SystemClock};
use nudge_client::folder::file;
use nudge_client::random::nonce;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::platform::group::apart;
use crate::platform::host_name;

const FILE: &str = "sync.json";
const LOCK: &str = "sync.lock";
const CLONE: &str = "sync.git";

/// The most that is read of the file: 256 machines take a tenth of it.
const MAX_FILE: u64 = 512 * 1024;

/// How often a session that starts has a round started, and after how long of failing the user
/// is told.
const EVERY: TimeDelta = TimeDelta::hours(1);
const TOLD_AFTER: TimeDelta = TimeDelta::days(1);

/// What this machine remembers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Whether it is on.
    pub is_on: bool,
    /// The repository.
    pub url: String,
    /// What this machine is called: its branch, and its stamps.
    pub machine: String,
    /// The commit that it pushed last, and the one that it was about to push: who is killed in
    /// between does not know which of them is there.
    pub(super) pushed: Option<String>,
    pub(super) pushing: Option<String>,
    /// A hash of what it has of everything, as it was pushed.
    pub(super) written: String,
    /// The commit of each machine when the last round was done.
    pub(super) seen: BTreeMap<String, String>,
    /// Whether a round that the user started has succeeded.
    pub(super) is_proven: bool,
    pub(super) tried_at: Option<DateTime<Utc>>,
    done_at: Option<DateTime<Utc>>,
    failed: Option<Failed>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Failed {
    since: DateTime<Utc>,
    words: String,
    is_told: bool,
}

/// How this machine is in step with others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct SyncStatus {
    /// What this machine is called there.
    machine: String,
    /// The repository.
    url: String,
    /// When it was last in step; absent when it never was.
    #[serde(skip_serializing_if = "Option::is_none")]
    done_at: Option<DateTime<Utc>>,
    /// The other machines that it was in step with.
    machines: Vec<String>,
    /// Why it is not, since the last time that it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
}

impl SyncStatus {
    /// The same in words, and whether it is as it should be.
    pub(crate) fn describe(&self) -> (String, bool) {
        let now = SystemClock.now();
        let ago = |at: DateTime<Utc>| {
            let age = now.signed_duration_since(at).num_seconds().max(0);
            format!("in step {} ago", Age(age))
        };
        let last = self.done_at.map_or_else(|| "never in step".to_owned(), ago);
        let others = match &self.machines[..] {
            [] => "no other machine yet".to_owned(),
            others => format!("with {}", others.join(", ")),
        };
        match &self.failed {
            None => (format!("{last}, {others}"), true),
            Some(why) => (format!("{last}; failing: {why}"), false),
        }
    }
}

impl State {
    /// What a session folder remembers.
    #[must_use]
    pub fn load(folder: &Path) -> State {
        let json = file::read(&folder.join(FILE), MAX_FILE).unwrap_or_default();
        serde_json::from_slice(&json).unwrap_or_default()
    }

    /// Remembers it.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        file::replace(&folder.join(FILE), &serde_json::to_vec(self)?)
    }

    /// The same while a round is under way: whether it is on is said when that has succeeded.
    pub(super) fn under_way(&self, folder: &Path) -> State {
        State {
            is_on: State::load(folder).is_on,
            ..self.clone()
        }
    }

    /// How it is, where sync is on.
    pub(crate) fn status(&self) -> Option<SyncStatus> {
        let others = self.seen.keys().filter(|other| **other != self.machine);
        self.is_on.then(|| SyncStatus {
            machine: self.machine.clone(),
            url: self.url.clone(),
            done_at: self.done_at.map(|at| at.trunc_subsecs(3)),
            machines: others.cloned().collect(),
            failed: self.failed.as_ref().map(|failed| failed.words.clone()),
        })
    }

    /// Points at a repository; what was remembered of another says nothing of this one.
    pub fn point(&mut self, url: &str) {
        if self.url != url || self.machine.is_empty() {
            *self = State {
                url: url.to_owned(),
                ..State::default()
            };
            self.rename();
        }
        self.is_on = true;
    }

    /// Takes another name, because this one is another's.
    pub(super) fn rename(&mut self) {
        self.machine = new_machine();
        (self.pushed, self.pushing) = (None, None);
        self.written.clear();
    }

    /// Notes what came of a round.
    pub(super) fn note(&mut self, outcome: Result<(), &str>, is_by_hand: bool) {
        let now = SystemClock.now();
        match outcome {
            Ok(()) => {
                (self.done_at, self.failed) = (Some(now), None);
                self.is_proven |= is_by_hand;
            }
            Err(words) => {
                let known = self.failed.take();
                let (since, is_told) = known.map_or((now, false), |it| (it.since, it.is_told));
                let words = words.to_owned();
                self.failed = Some(Failed {
                    since,
                    words,
                    is_told,
                });
            }
        }
    }

    /// What the user is told once, after a day of failing.
    pub(crate) fn take_notice(folder: &Path) -> Option<String> {
        let mut state = State::load(folder);
        let is_old = |failed: &&mut Failed| SystemClock.now() - failed.since > TOLD_AFTER;
        let failed = state.failed.as_mut().filter(|failed| !failed.is_told);
        let failed = failed.filter(is_old).filter(|_| state.is_on)?;
        let words = format!(
            "sync has failed for a day: {}; `nudge sync` tries again",
            failed.words
        );
        failed.is_told = true;
        let _lock = lock(folder)?;
        state.save(folder).ok()?;
        Some(words)
    }
}

/// A name that no other machine has: a part for people, and a random one.
fn new_machine() -> String {
    let host = host_name().trim().to_ascii_lowercase();
    let is_good = |it: &char| it.is_ascii_lowercase() || it.is_ascii_digit() || *it == '-';
    let host: String = host.chars().filter(is_good).take(20).collect();
    let random: String = nonce().chars().take(8).collect();
    format!("{}-{random}", host.trim_matches('-'))
        .trim_matches('-')
        .to_owned()
}

/// The right to do a round, while this lives; `None` where another does one.
pub(super) fn lock(folder: &Path) -> Option<File> {
    let options = &mut OpenOptions::new();
    let file = file::open(&folder.join(LOCK), options.write(true).create(true)).ok()?;
    file.try_lock().is_ok().then_some(file)
}

pub(super) fn clone_of(folder: &Path) -> PathBuf {
    folder.join(CLONE)
}

/// Deletes what a round that was killed left: nothing that was deleted may stand there.
pub(crate) fn forget_clone(folder: &Path) {
    let clone = clone_of(folder);
    if fs::symlink_metadata(&clone).is_ok()
        && let Some(_lock) = lock(folder)
    {
        // What cannot be removed now is before the next round.
        let _ = fs::remove_dir_all(clone);
    }
}

/// What there is of sync in a folder: files, and the clone.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let all = [FILE, LOCK, CLONE].map(|name| folder.join(name));
    let is_there = |path: &PathBuf| fs::symlink_metadata(path).is_ok();
    all.into_iter().filter(is_there).collect()
}

/// Has a round started for a session that starts, as nobody's child, at most once an hour and
/// only after one that the user started has succeeded. Nobody waits for it.
pub(crate) fn start_if_due(folder: &Path) {
    let state = State::load(folder);
    let now = SystemClock.now();
    let is_due = state.tried_at.is_none_or(|at| now - at > EVERY || at > now);
    if !(state.is_on && state.is_proven && is_due) {
        return;
    }
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let mut command = Command::new(program);
    command
        .args(["sync", "--background"])
        .env("NUDGE_RUNTIME_DIR", folder);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // It starts another that is nobody's child, and ends at once.
    let _ = apart(&mut command).spawn();
}
