//! `Observer`: writes what it is told behind the back of whoever told it, and answers.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use nudge::{Error, ErrorKind, Repo, ToldLine};
use parking_lot::Mutex;

use super::PastEvent;
use super::answers::{Observing, Purged};
use super::questions::Here;
use super::record::row;
use super::requests::{Observe, Purge, Question};
use crate::store::{ByHost, History, Limits, Meant, Recorded, Row, STEP};

/// How many events may wait; what comes then is dropped and counted.
const QUEUE: usize = 1024;

/// The most events that are written together.
const BATCH: usize = 64;

/// How long nothing is tried after it could not be written.
const PAUSE: Duration = Duration::from_mins(1);

/// How long nothing is written before the file is cleaned up, and how long that waits at most
/// where something was deleted.
const RESTS: Duration = Duration::from_secs(1);
const SHEDS: Duration = Duration::from_secs(30);

/// How long a question waits for what was told before it, and a hook.
const SETTLES: Duration = Duration::from_secs(2);
pub(super) const SETTLES_FOR_HOOKS: Duration = Duration::from_millis(100);

/// How long a server that ends does.
pub(super) const FINISHES: Duration = Duration::from_secs(5);

pub(crate) struct Observer {
    shared: Arc<Shared>,
    queue: OnceLock<Option<SyncSender<Job>>>,
    dropped: AtomicUsize,
}

struct Shared {
    limits: Limits,
    history: Mutex<History>,
    paused: Mutex<Option<Paused>>,
    notices: Mutex<Vec<String>>,
}

/// Why nothing is written, and until when nothing is tried.
struct Paused {
    why: String,
    until: Instant,
}

pub(super) enum Job {
    Write(Box<PastEvent>),
    /// Rows of a repository's runs.
    Runs(String, Vec<(String, Option<String>)>),
    Told(Vec<ToldLine>),
    /// Says that all that came before is done.
    Settle(SyncSender<()>),
}

impl Observer {
    /// The observations in a session folder. Nothing is opened before somebody tells or asks
    /// something.
    pub(crate) fn new(folder: &Path) -> Observer {
        Observer::with_limits(folder, Limits::default())
    }

    pub(super) fn with_limits(folder: &Path, limits: Limits) -> Observer {
        Observer {
            shared: Arc::new(Shared {
                limits,
                history: Mutex::new(History::new(folder)),
                paused: Mutex::default(),
                notices: Mutex::default(),
            }),
            queue: OnceLock::new(),
            dropped: AtomicUsize::new(0),
        }
    }

    /// Takes what was told. It never waits: what there is no room for is lost.
    pub(crate) fn note(&self, noted: PastEvent) {
        if !self.send(Job::Write(noted.into())) {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Hands something to the thread that writes, if there is room for it.
    pub(super) fn send(&self, job: Job) -> bool {
        let start = || {
            let (queue, jobs) = sync_channel(QUEUE);
            let shared = Arc::clone(&self.shared);
            let thread = thread::Builder::new().name("observations".to_owned());
            thread.spawn(move || shared.work(&jobs)).ok()?;
            Some(queue)
        };
        let queue = self.queue.get_or_init(start).as_ref();
        queue.is_some_and(|queue| queue.try_send(job).is_ok())
    }

    /// Waits for what was told until now to be written.
    fn settle(&self, patience: Duration) {
        let Some(queue) = self.queue.get().and_then(Option::as_ref) else {
            return;
        };
        let (done, is_done) = sync_channel(1);
        let deadline = Instant::now() + patience;
        let mut job = Job::Settle(done);
        while let Err(TrySendError::Full(back)) = queue.try_send(job) {
            if Instant::now() > deadline {
                return;
            }
            job = back;
            thread::sleep(Duration::from_millis(1));
        }
        let _ = is_done.recv_timeout(deadline.saturating_duration_since(Instant::now()));
    }

    /// Does something with the file, once what was told until now is written.
    pub(super) fn with<T>(
        &self,
        patience: Duration,
        work: impl FnOnce(&mut History) -> Result<T, String>,
    ) -> Result<T, Error> {
        self.settle(patience);
        self.shared.with_history(work)
    }

    /// Writes what is left and closes the file, before the server ends.
    pub(crate) fn finish(&self) {
        // What goes wrong is said by the pause.
        let _ = self.with(FINISHES, History::close);
    }

    /// Why nothing is recorded, while that is so.
    pub(crate) fn warning(&self) -> Option<String> {
        let paused = self.shared.paused.lock();
        paused.as_ref().map(|paused| warning(&paused.why))
    }

    /// Whether how any command ended was ever written down.
    pub(crate) fn has_learned(&self) -> bool {
        let seen = self.shared.with_history(History::has_runs);
        // Of what cannot be read nothing is said.
        seen.unwrap_or(true)
    }

    pub(crate) fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.shared.notices.lock())
    }

    /// Answers a question with what happened in the caller's repository, and nothing else.
    pub(crate) fn ask<Q: Question>(&self, question: &Q, now: i64) -> Result<Q::Answer, Error> {
        let context = question.context().filter(|it| !it.facts().repos.is_empty());
        let facts = context.ok_or_else(no_repository)?.facts();
        let repo = facts.repos.first().ok_or_else(no_repository)?;
        if question.project().is_some_and(|name| !is_named(repo, name)) {
            return Ok(Q::Answer::default());
        }
        self.with(SETTLES, |history| {
            history.read(repo.as_str(), |past| {
                question.answer(&Here { past, facts, now })
            })
        })?
    }

    /// Says whether a repository is recorded, after it was changed if so asked.
    pub(crate) fn observe(&self, asked: &Observe) -> Result<Observing, Error> {
        let facts = asked.context.as_ref().map(nudge::Context::facts);
        let repo = facts.and_then(|facts| facts.repos.first());
        let repo = repo.ok_or_else(no_repository)?.as_str();
        let known = self.with(SETTLES, |history| history.recorded(repo, asked.on));
        let paused = self.warning();
        // One that is paused says why, unless it was asked for a change.
        let known = match known {
            Err(_) if paused.is_some() && asked.on.is_none() => Recorded::default(),
            known => known?,
        };
        Ok(Observing {
            on: paused.is_none() && !known.is_off,
            session: true,
            project: Some(repo.to_owned()),
            observations: known.observations,
            bytes: known.bytes,
            dropped: self.dropped.load(Ordering::Relaxed),
            paused,
        })
    }

    /// Writes what happened before, as far as it would still be kept, and says of which hosts
    /// how many were new. A dry run writes nothing.
    pub(crate) fn note_past(
        &self,
        past: &[PastEvent],
        now: i64,
        dry_run: bool,
    ) -> Result<ByHost, Error> {
        let oldest = now.saturating_sub(self.shared.limits.seconds);
        let kept = past
            .iter()
            .filter(|it| (oldest..=now).contains(&it.timestamp));
        let rows = kept.filter_map(row).map(|row| Row {
            is_past: true,
            ..row
        });
        let rows: Vec<Row> = rows.collect();
        self.with(FINISHES, |history| history.write(&rows, dry_run))
    }

    pub(crate) fn purge(&self, asked: &Purge) -> Result<Purged, Error> {
        let dry_run = asked.dry_run == Some(true);
        let purged = self.purge_meant(&asked.meant()?, dry_run)?;
        Ok(Purged { purged })
    }

    /// Deletes observations that hold one of these texts.
    pub(crate) fn forget(&self, texts: Vec<String>) -> Result<(), Error> {
        for text in texts {
            let text = Some(text);
            let meant = Meant {
                text,
                ..Meant::default()
            };
            self.purge_meant(&meant, false)?;
        }
        Ok(())
    }

    /// Deletes observations, in steps between which others may write.
    fn purge_meant(&self, meant: &Meant, dry_run: bool) -> Result<usize, Error> {
        self.settle(FINISHES);
        let mut purged = 0;
        loop {
            let step = |history: &mut History| history.purge(meant, dry_run);
            let gone = self.shared.with_history(step)?;
            purged += gone;
            if dry_run || gone < STEP {
                break;
            }
        }
        // The thread that writes is to see that it has to clean up.
        self.send(Job::Settle(sync_channel(1).0));
        Ok(purged)
    }
}

impl Shared {
    /// Writes what comes, until nobody can tell anything any more.
    fn work(&self, jobs: &Receiver<Job>) {
        let mut since_tidied = 0;
        // When the file is to be cleaned up if nobody comes, and when at the latest.
        let (mut due, mut latest) = (None::<Instant>, None);
        loop {
            let first = match due {
                None => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => jobs.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            let first = match first {
                Ok(first) => first,
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    due = self.clean_up();
                    continue;
                }
            };
            let rest = jobs.try_iter().take(BATCH - 1);
            let mut settled = Vec::new();
            let mut rows = Vec::new();
            let mut now = 0;
            for job in [first].into_iter().chain(rest) {
                match job {
                    Job::Write(noted) => {
                        now = noted.timestamp;
                        rows.extend(row(&noted));
                    }
                    Job::Runs(repo, changed) => {
                        // What goes wrong is said by the pause.
                        let _ = self.with_history(|history| history.write_runs(&repo, &changed));
                        due = Some(Instant::now() + RESTS);
                    }
                    Job::Told(lines) => {
                        let _ = self.with_history(|history| history.write_told(&lines));
                        due = Some(Instant::now() + RESTS);
                    }
                    Job::Settle(done) => settled.push(done),
                }
            }
            if !rows.is_empty() && !self.is_paused() {
                since_tidied += rows.len();
                let is_due = since_tidied >= BATCH;
                // What goes wrong is said by the pause.
                let _ = self.with_history(|history| {
                    history.write(&rows, false)?;
                    if is_due {
                        history.tidy(now, self.limits)?;
                    }
                    Ok(())
                });
                since_tidied = if is_due { 0 } else { since_tidied };
            }
            for done in settled {
                let _ = done.send(());
            }
            let now = Instant::now();
            let owes = self.history.lock().owes_shedding;
            latest = owes.then(|| latest.unwrap_or(now + SHEDS));
            if latest.is_some_and(|latest| latest <= now) {
                (due, latest) = (self.clean_up(), None);
            } else if owes || !rows.is_empty() {
                due = Some(now + RESTS);
            }
        }
    }

    /// Cleans up the file, and says when to try again if that cannot be done.
    fn clean_up(&self) -> Option<Instant> {
        let cleaned = self.with_history(History::clean_up);
        cleaned.is_err().then(|| Instant::now() + PAUSE)
    }

    fn is_paused(&self) -> bool {
        let paused = self.paused.lock();
        paused.as_ref().is_some_and(|it| Instant::now() < it.until)
    }

    /// Does something with the file. What cannot be done pauses the observations, and the user
    /// is told once.
    fn with_history<T>(
        &self,
        work: impl FnOnce(&mut History) -> Result<T, String>,
    ) -> Result<T, Error> {
        let mut history = self.history.lock();
        let done = work(&mut history);
        self.notices.lock().extend(history.take_notices());
        let mut paused = self.paused.lock();
        match done {
            Ok(done) => {
                *paused = None;
                Ok(done)
            }
            Err(why) => {
                if paused.is_none() {
                    self.notices.lock().push(warning(&why));
                }
                let error = Error::new(ErrorKind::Unavailable, warning(&why));
                let until = Instant::now() + PAUSE;
                *paused = Some(Paused { why, until });
                Err(error)
            }
        }
    }
}

fn warning(why: &str) -> String {
    format!("observations pause: {why}")
}

pub(crate) fn no_repository() -> Error {
    let words =
        "not in a git repository; run this inside one, or pass `--repo` (`repo` in `context`)";
    Error::new(ErrorKind::Invalid, words)
}

/// Whether a name means a repository: its remote in any form, or the last part of it.
fn is_named(repo: &Repo, name: &str) -> bool {
    repo.as_str().rsplit('/').next() == Some(name)
        || Repo::parse(name).is_some_and(|named| named.allows(repo))
}
