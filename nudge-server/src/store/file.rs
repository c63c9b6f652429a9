//! `File`: the connection to `nudge.db`, and what is still to be done with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use nudge::{Change, ChangeKind, Error, ErrorKind};
use nudge_client::platform::file_number;
use rusqlite::{Connection, Result, params};

use super::answers::{Answered, Fate, KEPT_FOR};
use super::aside::remove_aside;
use super::database::{failure, settle, shed};
use super::rows::{LAST_CHANGE, MEMORY, json, number, set_state, taken, write};
use crate::config::LogLevel;
use crate::log::log;

/// How soon a value that is gone leaves the file, so that many go at once.
const GONE: Duration = Duration::from_millis(500);

/// How soon one that was replaced does.
const REPLACED: Duration = Duration::from_mins(9);

/// How soon after the last write the log is empty, so that a copy of the one file is whole.
const QUIET: Duration = Duration::from_millis(900);

/// When what failed is tried again.
const AGAIN: Duration = Duration::from_secs(2);

/// For how many days a row that could not be read is there.
const UNREAD_DAYS: i64 = 7;

/// The file of a folder, as its one writer has it.
#[derive(Debug)]
pub(super) struct File {
    connection: Connection,
    pub(super) folder: PathBuf,
    /// Which file it is: whoever wipes the folder takes its name away.
    inode: Option<u64>,
    /// Why nothing can be written, if so.
    pub(super) warning: Option<String>,
    /// What is gone from memory and could not be written.
    unwritten: Vec<ChangeKind>,
    /// When something was last written to the log.
    written: Option<Instant>,
    /// Since when the file has values that are gone, and since when some that were replaced.
    gone: Option<Instant>,
    replaced: Option<Instant>,
    /// Whether the user deleted something: what was put aside goes with it.
    forgets_aside: bool,
    /// The texts of what the user took away, which history may have.
    taken: Vec<String>,
    /// Until when nothing is tried again.
    rests_until: Option<Instant>,
}

impl File {
    pub(super) fn new(folder: &Path, connection: Connection) -> File {
        File {
            connection,
            folder: folder.to_owned(),
            inode: inode(folder),
            warning: None,
            unwritten: Vec::new(),
            written: Some(Instant::now()),
            gone: None,
            replaced: None,
            forgets_aside: false,
            taken: Vec::new(),
            rests_until: None,
        }
    }

    /// The texts of what the user took away since the last look.
    pub(super) fn take_taken(&mut self) -> Vec<String> {
        std::mem::take(&mut self.taken)
    }

    /// Whether it still has its name.
    pub(super) fn is_in_place(&self) -> bool {
        self.inode == inode(&self.folder)
    }

    /// Whether it has everything that it may have.
    pub(super) fn is_complete(&self) -> bool {
        self.unwritten.is_empty()
    }

    /// Does some work all at once, or not at all.
    pub(super) fn in_transaction<T>(
        &mut self,
        work: impl FnOnce(&Connection) -> Result<T>,
    ) -> Result<T> {
        let on = &self.connection;
        let run = |sql: &str| on.prepare_cached(sql)?.execute([]).map(drop);
        run("BEGIN IMMEDIATE")?;
        let done = work(on).and_then(|done| run("COMMIT").map(|()| done));
        if done.is_err() {
            // Where SQLite has rolled back already there is nothing left to do.
            let _ = run("ROLLBACK");
        } else {
            self.written = Some(Instant::now());
            self.warning = None;
        }
        done
    }

    /// Writes the changes of an operation, and the answer of its caller. Where nothing can be
    /// written, what only takes away is still done, and written as soon as there is room.
    pub(super) fn take(
        &mut self,
        changes: &[Change],
        is_users: bool,
        answered: Option<(&str, &Answered)>,
        emptied: &[Arc<str>],
    ) -> std::result::Result<(), Error> {
        let before = std::mem::take(&mut self.unwritten);
        let kinds = changes.iter().map(|change| &change.kind);
        let gone = kinds
            .clone()
            .filter(|kind| is_users && Fate::of(kind) == Some(Fate::Gone));
        // What cannot be read is not in a row either.
        let taken = gone.flat_map(|kind| taken(&self.connection, kind).unwrap_or_default());
        let taken: Vec<String> = taken.collect();
        let written = self.in_transaction(|on| {
            before
                .iter()
                .chain(kinds.clone())
                .try_for_each(|kind| write(on, kind))?;
            let last = changes.last().map_or(0, |change| change.seq);
            set_state(on, LAST_CHANGE, last)?;
            for client in emptied {
                on.prepare_cached("UPDATE answers SET result = NULL WHERE client = ?1")?
                    .execute([&**client])?;
            }
            answered.map_or(Ok(()), |(client, answered)| {
                // What a delete is answered shows what is gone.
                let shows_gone = kinds.clone().any(|kind| Fate::of(kind) == Some(Fate::Gone));
                let result = answered.result.as_ref().filter(|_| !shows_gone);
                on.prepare_cached("INSERT OR REPLACE INTO answers VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
                    .execute(params![
                        client,
                        number(answered.number),
                        answered.print,
                        json(&answered.slots),
                        result.map(|result| result.get()),
                        answered.at,
                    ])
                    .map(drop)
            })
        });
        if let Err(why) = written {
            self.unwritten = before;
            let refusal = self.refuse(&why);
            if !only_take_away(changes) {
                return Err(refusal);
            }
            self.unwritten
                .extend(changes.iter().map(|change| change.kind.clone()));
        }
        self.taken.extend(taken);
        for fate in changes.iter().filter_map(|change| Fate::of(&change.kind)) {
            let since = match fate {
                Fate::Gone => &mut self.gone,
                Fate::Replaced => &mut self.replaced,
            };
            since.get_or_insert_with(Instant::now);
            self.forgets_aside |= is_users && fate == Fate::Gone;
        }
        Ok(())
    }

    /// Has values leave the file soon that were deleted from it.
    pub(super) fn forget_soon(&mut self) {
        self.gone.get_or_insert_with(Instant::now);
        self.forgets_aside = true;
    }

    /// Notes why nothing can be written, and says so.
    pub(super) fn refuse(&mut self, why: &rusqlite::Error) -> Error {
        let why = failure(why);
        let words = format!(
            "`{}` cannot be written ({why}); what is stored can be read, and what is deleted is \
             gone from memory and leaves the file as soon as that can be written",
            MEMORY.name
        );
        if self.warning.replace(words.clone()).is_none() {
            log(LogLevel::Warn, &words);
        }
        let words = format!(
            "nothing was changed, because `{}` cannot be written ({why}); see to it, then try again",
            MEMORY.name
        );
        Error::new(ErrorKind::Unavailable, words)
    }

    /// When there is something to do.
    pub(super) fn due(&self) -> Option<Instant> {
        let is_unwell = self.warning.is_some() || !self.unwritten.is_empty();
        let again = is_unwell.then(Instant::now);
        let waits = [
            (self.gone, GONE),
            (self.replaced, REPLACED),
            (self.written, QUIET),
            (again, Duration::ZERO),
        ];
        let due = waits
            .into_iter()
            .filter_map(|(since, wait)| since?.checked_add(wait));
        due.min()
            .map(|due| self.rests_until.map_or(due, |until| until.max(due)))
    }

    /// Does what is due.
    pub(super) fn tidy(&mut self, now: DateTime<Utc>) {
        if self.warning.is_some() || !self.unwritten.is_empty() {
            let unwritten = std::mem::take(&mut self.unwritten);
            let written = self.in_transaction(|on| {
                // Where there is nothing to write, this tells whether something could be.
                on.execute("DELETE FROM unread WHERE at < 0", [])?;
                unwritten.iter().try_for_each(|kind| write(on, kind))
            });
            if written.is_err() {
                self.unwritten = unwritten;
                self.rests_until = Instant::now().checked_add(AGAIN);
                return;
            }
        }
        let is_over =
            |since: Option<Instant>, wait| since.is_some_and(|since| since.elapsed() >= wait);
        if is_over(self.gone, GONE) || is_over(self.replaced, REPLACED) {
            self.settle(now);
        } else if is_over(self.written, QUIET) {
            self.settle_log();
        }
    }

    /// Leaves one whole file, without what is gone.
    pub(super) fn settle(&mut self, now: DateTime<Utc>) {
        let forgets_aside = self.forgets_aside;
        let old = now - TimeDelta::days(UNREAD_DAYS);
        let old = if forgets_aside {
            i64::MAX
        } else {
            old.timestamp_millis()
        };
        let cleared = self.in_transaction(|on| {
            on.execute("DELETE FROM unread WHERE at < ?1", [old])?;
            let old = now.timestamp_millis() - KEPT_FOR;
            on.execute("DELETE FROM answers WHERE at < ?1", [old])
        });
        if self.gone.is_none() && self.replaced.is_none() {
            return self.settle_log();
        }
        let removed = !forgets_aside || remove_aside(&self.folder, MEMORY.name).is_ok();
        match cleared.and_then(|_| shed(&self.connection)) {
            Ok(()) if removed => {
                (self.gone, self.replaced, self.written) = (None, None, None);
                self.forgets_aside = false;
            }
            done => self.rest(done.err().as_ref()),
        }
    }

    fn settle_log(&mut self) {
        match settle(&self.connection) {
            Ok(()) => self.written = None,
            Err(error) => self.rest(Some(&error)),
        }
    }

    fn rest(&mut self, why: Option<&rusqlite::Error>) {
        self.rests_until = Instant::now().checked_add(AGAIN);
        let why = why.map_or_else(|| "what was put aside is still there".to_owned(), failure);
        log(
            LogLevel::Debug,
            &format!("`{}` was not tidied ({why})", MEMORY.name),
        );
    }
}

/// Whether changes take something away, and store nothing but that it is unwanted.
fn only_take_away(changes: &[Change]) -> bool {
    let is_removal = |change: &Change| match &change.kind {
        ChangeKind::Set { hint, .. } => hint.is_secret(),
        ChangeKind::Delete(_) | ChangeKind::Expire(_) | ChangeKind::Dismiss { .. } => true,
        _ => false,
    };
    let is_mark =
        |change: &Change| matches!(change.kind, ChangeKind::Mark(_) | ChangeKind::Unmark(_));
    let mut all = changes.iter();
    changes.iter().any(is_removal) && all.all(|change| is_removal(change) || is_mark(change))
}

fn inode(folder: &Path) -> Option<u64> {
    let seen = fs::symlink_metadata(folder.join(MEMORY.name)).ok()?;
    Some(file_number(&seen))
}
