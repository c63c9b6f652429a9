//! `File`: the connection to `nudge.db`, and what is still to be done with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use nudge::{Change, ChangeKind, Error, ErrorKind};
use nudge_client::platform::file_number;
use rusqlite::{Connection, Result, params};
use serde_json::value::RawValue;

use super::answers::{Answered, Fate, KEPT_FOR};
use super::aside::{remove_aside, with_end};
use super::database::{self, failure, settle, shed};
use super::rows::{LAST_CHANGE, MEMORY, OWED, json, number, set_state, state, taken_by, write};
use crate::config::LogLevel;
use crate::log::log;

/// How soon a value that is gone leaves the file, so that many go at once.
const GONE: Duration = Duration::from_millis(500);

/// How soon one that was replaced does.
const REPLACED: Duration = Duration::from_mins(9);

/// How soon after the last answer none is left that nobody asks for any more.
const FORGOTTEN: Duration = Duration::from_millis(KEPT_FOR.unsigned_abs() + 1);

/// How soon after the last write the log is empty, so that a copy of the one file is whole.
const QUIET: Duration = Duration::from_millis(900);

/// When what failed is tried again.
const AGAIN: Duration = Duration::from_secs(2);

/// For how many days a proposal waits, which the store no longer shows then.
const PROPOSAL_DAYS: i64 = 30;

/// For how many days a row that could not be read is there.
const UNREAD_DAYS: i64 = 7;

/// What is still to be taken out of the file.
#[derive(Debug, Default)]
struct Unwritten {
    changes: Vec<ChangeKind>,
    /// The clients whose answers show what is gone.
    emptied: Vec<Arc<str>>,
}

impl Unwritten {
    fn write(&self, on: &Connection) -> Result<()> {
        let mut changes = self.changes.iter();
        changes.try_for_each(|change| write(on, change))?;
        empty(on, &self.emptied)
    }
}

/// The file of a folder, as its one writer has it.
#[derive(Debug)]
pub(crate) struct File {
    connection: Connection,
    pub(crate) folder: PathBuf,
    /// Which files it and its log are: whoever wipes the folder takes their names away.
    inodes: [Option<u64>; 2],
    /// Why nothing can be written, if so.
    pub(crate) warning: Option<String>,
    /// What is gone from memory and could not be written.
    unwritten: Unwritten,
    /// When something was last written to the log.
    written: Option<Instant>,
    /// When an answer was last written, if one may still be there.
    answered: Option<Instant>,
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
        // A process that was killed may have left what is gone.
        let is_owed = state(&connection, OWED).is_ok_and(|owed| owed > 0);
        File {
            gone: is_owed.then(Instant::now),
            connection,
            folder: folder.to_owned(),
            inodes: inodes(folder),
            warning: None,
            unwritten: Unwritten::default(),
            written: Some(Instant::now()),
            answered: Some(Instant::now()),
            replaced: None,
            forgets_aside: false,
            taken: Vec::new(),
            rests_until: None,
        }
    }

    /// The texts of what the user took away since the last look.
    pub(crate) fn take_taken(&mut self) -> Vec<String> {
        std::mem::take(&mut self.taken)
    }

    /// Whether it and its log still have their names.
    pub(crate) fn is_in_place(&self) -> bool {
        let ([file, log], [file_now, log_now]) = (self.inodes, inodes(&self.folder));
        // A log is there from the first write on.
        file.is_some() && file == file_now && (log.is_none() || log == log_now)
    }

    /// Makes the log again where that alone was taken away; false where the file itself was.
    pub(super) fn renew_log(&mut self) -> bool {
        let sql = "PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL;";
        let [file, _] = self.inodes;
        let is_there = file.is_some() && file == inodes(&self.folder)[0];
        if !is_there || self.connection.execute_batch(sql).is_err() {
            return false;
        }
        self.inodes[1] = None;
        // The first write makes it.
        let write = |on: &Connection| on.execute("UPDATE state SET value = value", []);
        self.in_transaction(write).is_ok()
    }

    /// Opens the file of the same name that is there now, or a new one.
    pub(super) fn open_again(&mut self) -> std::result::Result<(), String> {
        // First the old one is closed: it would take the log of the new one away, by its name.
        let none = Connection::open_in_memory().map_err(|error| failure(&error))?;
        drop(std::mem::replace(&mut self.connection, none));
        let opened = database::open(&self.folder, &MEMORY, |_| Ok(()));
        let opened = opened.map_err(|why| why.to_string())?;
        *self = File::new(&self.folder.clone(), opened.connection);
        Ok(())
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.unwritten.changes.is_empty()
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
            if self.inodes[1].is_none() {
                self.inodes = inodes(&self.folder);
            }
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
        let is_gone = |kind: &&ChangeKind| Fate::of(kind) == Some(Fate::Gone);
        let gone = kinds.clone().filter(is_gone);
        let shows_gone = gone.clone().next().is_some();
        // What cannot be read is not in a row either.
        let taken = gone.filter(|_| is_users);
        let taken = taken.flat_map(|kind| taken_by(&self.connection, kind).unwrap_or_default());
        let taken: Vec<String> = taken.collect();
        let written = self.in_transaction(|on| {
            before.write(on)?;
            kinds.clone().try_for_each(|kind| write(on, kind))?;
            let last = changes.last().map_or(0, |change| change.seq);
            set_state(on, LAST_CHANGE, last)?;
            if shows_gone {
                set_state(on, OWED, 1)?;
            }
            empty(on, emptied)?;
            answered.map_or(Ok(()), |(client, answered)| {
                // What a delete is answered shows what is gone.
                let result = answered.result.as_deref().filter(|_| !shows_gone);
                put_answer(on, client, answered, result)
            })
        });
        if let Err(why) = written {
            self.unwritten = before;
            let refusal = self.refuse(&why);
            if !only_take_away(changes) {
                return Err(refusal);
            }
            let changes = changes.iter().map(|change| change.kind.clone());
            self.unwritten.changes.extend(changes);
            self.unwritten.emptied.extend_from_slice(emptied);
        }
        self.taken.extend(taken);
        if answered.is_some() {
            self.answered = Some(Instant::now());
        }
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

    /// Has values leave the file soon that were deleted from it, and what was put aside where
    /// the user deleted them.
    pub(super) fn forget_soon(&mut self, is_users: bool) {
        self.gone.get_or_insert_with(Instant::now);
        self.forgets_aside |= is_users;
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

    pub(super) fn due(&self) -> Option<Instant> {
        let is_unwell = self.warning.is_some() || !self.is_complete();
        let again = is_unwell.then(Instant::now);
        let waits = [
            (self.gone, GONE),
            (self.replaced, REPLACED),
            (self.written, QUIET),
            (self.answered, FORGOTTEN),
            (again, Duration::ZERO),
        ];
        let due = waits
            .into_iter()
            .filter_map(|(since, wait)| since?.checked_add(wait));
        due.min()
            .map(|due| self.rests_until.map_or(due, |until| until.max(due)))
    }

    pub(crate) fn tidy(&mut self, now: DateTime<Utc>) {
        if self.warning.is_some() || !self.is_complete() {
            let unwritten = std::mem::take(&mut self.unwritten);
            let written = self.in_transaction(|on| {
                // Where there is nothing to write, this tells whether something could be.
                on.execute("DELETE FROM unread WHERE at < 0", [])?;
                unwritten.write(on)
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
        } else if is_over(self.written, QUIET) || is_over(self.answered, FORGOTTEN) {
            let is_young = |at: &Instant| at.elapsed() < FORGOTTEN;
            self.answered = self.answered.filter(is_young);
            let _ = self.in_transaction(|on| forget_answers(on, now));
            self.settle_log();
        }
    }

    /// Leaves one whole file, without what is gone.
    pub(crate) fn settle(&mut self, now: DateTime<Utc>) {
        let forgets_aside = self.forgets_aside;
        let old = now - TimeDelta::days(UNREAD_DAYS);
        let old = if forgets_aside {
            i64::MAX
        } else {
            old.timestamp_millis()
        };
        let cleared = self.in_transaction(|on| {
            on.execute("DELETE FROM unread WHERE at < ?1", [old])?;
            let ended = json(&(now - TimeDelta::days(PROPOSAL_DAYS)));
            let sql = "DELETE FROM proposals WHERE proposal ->> 'proposed_at' < ?1";
            on.execute(sql, [ended.trim_matches('"')])?;
            forget_answers(on, now)
        });
        if self.gone.is_none() && self.replaced.is_none() {
            return self.settle_log();
        }
        let removed = !forgets_aside || remove_aside(&self.folder, MEMORY.name).is_ok();
        match cleared.and_then(|_| shed(&self.connection)) {
            Ok(()) if removed => {
                (self.gone, self.replaced) = (None, None);
                self.forgets_aside = false;
                // What cannot be noted now is done once more by the next process.
                let _ = self.in_transaction(|on| set_state(on, OWED, 0));
                self.settle_log();
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

/// Writes what the last call of a client was answered.
pub(super) fn put_answer(
    on: &Connection,
    client: &str,
    answered: &Answered,
    result: Option<&RawValue>,
) -> Result<()> {
    on.prepare_cached("INSERT OR REPLACE INTO answers VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?
        .execute(params![
            client,
            number(answered.number),
            answered.print,
            json(&answered.slots),
            result.map(RawValue::get),
            answered.at,
        ])?;
    Ok(())
}

/// Forgets the answers that nobody asks for any more.
pub(super) fn forget_answers(on: &Connection, now: DateTime<Utc>) -> Result<usize> {
    let old = now.timestamp_millis() - KEPT_FOR;
    on.execute("DELETE FROM answers WHERE at < ?1", [old])
}

/// Takes out what those clients were answered.
fn empty(on: &Connection, clients: &[Arc<str>]) -> Result<()> {
    let mut empty = on.prepare_cached("UPDATE answers SET result = NULL WHERE client = ?1")?;
    let mut clients = clients.iter();
    clients.try_for_each(|client| empty.execute([&**client]).map(drop))
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

fn inodes(folder: &Path) -> [Option<u64>; 2] {
    ["", "-wal"].map(|end| {
        let seen = fs::symlink_metadata(with_end(&folder.join(MEMORY.name), end));
        seen.ok().map(|seen| file_number(&seen))
    })
}
