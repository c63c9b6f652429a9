//! How a server ends, and its session; and what can be brought back.

use std::io;
use std::sync::atomic::Ordering;
use std::time::Instant;

use nudge::{Caller, Clock, Error, ErrorKind, Export, Import, Imported, Nudge, SystemClock};
use nudge_client::folder::file;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Primary;
use super::journal::{Aside, Journal};
use super::recovery::as_json;
use crate::config::{GUARD_IS_OFF, LogLevel, SessionSettings};
use crate::log::log;
use crate::observe::Observer;

/// The file that says what hooks told today.
const RECEIPTS: &str = "receipts";

/// The most that is read of it.
const MAX_RECEIPTS: u64 = 4096;

/// Asks the server to end, and its session with it.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Stop {
    /// Whether nothing is kept that could be brought back; false when absent.
    purge: Option<bool>,
}

/// The server is ending, and its session with it.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Stopped {
    stopped: bool,
    /// How many hints end with it.
    hints: usize,
}

/// Asks the server to make way for another.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Restart {
    /// How the session is set up from now on; as it was when absent.
    settings: Option<SessionSettings>,
}

/// The server is ending, and its session goes on.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Restarting {
    restarting: bool,
}

/// Asks for the hints of the session that ended last.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Restore {}

/// How a session ends.
#[derive(Debug, Clone, Copy)]
enum End {
    /// Its hints can be brought back for a while.
    Session(Aside),
    /// It has none.
    Empty,
    /// With all that was kept of it and others.
    Purged,
}

impl Primary {
    /// Ends the session; others than the user only one that holds nothing but their own.
    pub(super) fn end(&self, by: &Caller<'_>, stop: Stop) -> Result<Stopped, Error> {
        let purges = stop.purge.unwrap_or_default();
        if !by.is_user() && (purges || self.nudge.holds_hint_of_others(by)) {
            let words = "only the user may end a session that holds hints of others; ask the user to \
                         run `nudge stop`";
            return Err(Error::new(ErrorKind::Forbidden, words));
        }
        // What is kept is there whatever becomes of this process.
        self.flush_layers();
        let hints = self.nudge.stats().hints;
        // Nobody wants to have nothing back.
        let end = if purges {
            End::Purged
        } else if hints == 0 {
            End::Empty
        } else {
            End::Session(Aside::Stopped)
        };
        self.ends(end)?;
        Ok(Stopped {
            stopped: true,
            hints,
        })
    }

    /// Makes way for another server of the session. The settings are written down before
    /// this one ends, so that whatever happens there are some.
    pub(super) fn restart(&self, restart: Restart) -> Result<Restarting, Error> {
        self.flush_layers();
        if let (Some(settings), Some(journal)) = (restart.settings, self.journal()) {
            journal.append_head(as_json(&settings))?;
        }
        self.stop();
        Ok(Restarting { restarting: true })
    }

    /// Merges what the session held that ended last into this one, as the user's import.
    pub(super) fn restore(&self, by: &Caller<'_>) -> Result<Imported, Error> {
        let nothing = || {
            let words = "no session has ended that could be brought back; one that was stopped can be \
                         for ten minutes, one that nobody used for a week";
            Error::new(ErrorKind::NotFound, words)
        };
        let folder = self.folder.as_deref().ok_or_else(nothing)?;
        let ended = Journal::ended(folder)
            .into_iter()
            .next()
            .ok_or_else(nothing)?;
        let read = Journal::read_ended(&ended.path, SystemClock.now());
        let recovered =
            read.map_err(|refusal| Error::new(ErrorKind::Unavailable, refusal.to_string()))?;
        let old = Nudge::new(self.settings.config());
        old.replay(recovered.changes);
        let payload = old.export(Export::default())?.payload;
        let imported = self.nudge.ask(by, Import::new(payload))?;
        // What was refused can be had once there is room for it.
        if imported.problems.is_empty() {
            let _ = std::fs::remove_file(&ended.path);
        }
        Ok(imported)
    }

    /// Asks the server to end the session, because nobody has used it for so long.
    pub(super) fn end_lingering(&self) {
        if let Err(error) = self.ends(End::Session(Aside::Lingered)) {
            log(LogLevel::Warn, &error.to_string());
        }
    }

    /// Takes the journal out of the way at once, so that nobody goes on with the session,
    /// and asks the server to end.
    fn ends(&self, end: End) -> Result<(), Error> {
        // While nobody writes: a journal that is being made short would get its name back.
        let moved = self.nudge.standing(|_| {
            let Some(folder) = &self.folder else {
                return Ok(());
            };
            match end {
                End::Session(aside) => Journal::put_aside(folder, aside).map(drop),
                End::Empty => Journal::delete(folder),
                End::Purged => Journal::delete_all(folder),
            }?;
            let _ = std::fs::remove_file(folder.join(RECEIPTS));
            self.is_over.store(true, Ordering::Release);
            Ok(())
        });
        moved.map_err(|error: io::Error| {
            let words = format!(
                "the session cannot end, because its journal cannot be moved ({error}); \
                 `nudge doctor` looks at the folder"
            );
            Error::new(ErrorKind::Unavailable, words)
        })?;
        self.stop();
        Ok(())
    }

    /// Whether the session ends with this server.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Whether the next server would have everything that this one has.
    pub(super) fn can_be_left(&self) -> bool {
        !self.nudge.holds_secrets() && self.journal().is_some_and(Journal::is_complete)
    }

    /// Waits until the journal is to be made short.
    pub(super) async fn journal_is_due(&self) {
        loop {
            match self.journal().and_then(Journal::compaction_due) {
                Some(due) if due <= Instant::now() => return,
                Some(due) => tokio::time::sleep_until(due.into()).await,
                None => self.due.notified().await,
            }
        }
    }

    /// Makes the journal short if it is to be soon: nobody does it later.
    pub(super) fn settle_journal(&self) {
        if self.journal().and_then(Journal::compaction_due).is_some() {
            self.rewrite_journal();
        }
    }

    /// Has the journal made short in time.
    pub(super) fn note_due(&self) {
        if self.journal().and_then(Journal::compaction_due).is_some() {
            self.due.notify_one();
        }
    }

    /// Deletes what can be brought back no more.
    pub(super) fn forget_ended(&self) {
        if let Some(folder) = &self.folder {
            // What cannot be removed now is in a minute.
            let _ = Journal::forget_old(folder, SystemClock.now());
        }
    }

    /// Writes down what hooks told today, without the commands: a value may be deleted.
    pub(super) fn save_receipts(&self) {
        let mut receipts = self.nudge.receipts();
        receipts.last = None;
        if let (Some(folder), Ok(json)) = (&self.folder, serde_json::to_vec(&receipts)) {
            // Nobody misses them for long.
            let _ = file::replace(&folder.join(RECEIPTS), &json);
        }
    }

    /// Goes on with what an earlier server of the session has written down.
    pub(super) fn resume_receipts(&self) {
        let path = self.folder.as_ref().map(|folder| folder.join(RECEIPTS));
        let json = path.and_then(|path| file::read(&path, MAX_RECEIPTS).ok());
        if let Some(receipts) = json.and_then(|json| serde_json::from_slice(&json).ok()) {
            self.nudge.resume_receipts(receipts);
        }
    }

    /// What is wrong, in words.
    pub(super) fn warnings(&self) -> Vec<String> {
        let alone = self.is_alone.load(Ordering::Relaxed).then(|| {
            "no server could be started, so these hints are this process's alone and end with it"
                .to_owned()
        });
        let guard = (!self.settings.secret_guard).then(|| GUARD_IS_OFF.to_owned());
        let journal = self.journal().and_then(Journal::warning);
        let observer = self.observer.get().and_then(Observer::warning);
        let all = alone.into_iter().chain(guard).chain(journal);
        all.chain(observer).collect()
    }
}

#[cfg(test)]
mod tests {
    use nudge::{Config, SetHint};

    use super::*;

    #[test]
    fn a_journal_that_is_made_short_does_not_outlive_its_session() {
        let folder = tempfile::tempdir().unwrap();
        let primary = Primary::with_system_clock(Config::default(), 0).in_folder(folder.path());
        let (id, began) = (primary.nudge.session_id(), primary.nudge.created_at());
        primary.keep(Journal::begin(
            folder.path(),
            id,
            began,
            as_json(&primary.settings),
        ));
        let hint = SetHint::new("api", "build", "make");
        primary.nudge.set_hint(hint).unwrap();
        primary.rewrite_journal();
        assert!(Journal::is_there(folder.path()));
        primary.end(&Caller::user(), Stop::default()).unwrap();
        primary.rewrite_journal();
        primary.put_journal_back();
        assert!(!Journal::is_there(folder.path()));
        assert_eq!(Journal::ended(folder.path()).len(), 1);
    }
}
