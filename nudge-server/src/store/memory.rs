//! `Memory`: `nudge.db`, as its one writer has it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use chrono::{DateTime, Utc};
use nudge::{Answer, Caller, Change, ChangeKind, Error, ErrorKind, Lifetime, Sink};
use nudge_client::random::nonce;
use parking_lot::{Mutex, MutexGuard};
use rusqlite::Connection;
use serde_json::value::RawValue;

use super::answers::{Answered, Answers, KEPT, MOST_OF_ONE, split};
use super::database::{self, Refusal, query, salvage};
use super::file::{File, forget_answers, put_answer};
use super::load;
use super::rows::{LAST_CHANGE, MEMORY, set_state, state, write};
use super::sessions::{Roots, Session, begin, roots, trust};
use crate::platform::sha256;

/// After how long it is asked again what is due, where somebody writes.
const BUSY: Duration = Duration::from_millis(100);

/// The memory of a user, while this process is the PRIMARY.
#[derive(Debug)]
pub struct Memory {
    file: Mutex<File>,
    /// Apart from the file: a call is looked up here before it waits for others.
    answers: Mutex<Answers>,
    /// What tells the calls apart that are under way, by their requests.
    prints: Mutex<HashMap<String, String>>,
    key: String,
}

/// What a file had in it.
#[derive(Debug, Default)]
pub struct Loaded {
    /// What makes its store again: for [`nudge::Nudge::replay_kinds`].
    pub changes: Vec<ChangeKind>,
    pub(crate) last_change: u64,
    /// The hashes of what the user trusts of projects' files, by repository.
    pub(crate) trusted: BTreeMap<String, BTreeSet<String>>,
    pub(crate) roots: Roots,
    /// What the user is to know.
    pub(crate) notices: Vec<String>,
}

impl Loaded {
    /// Leaves out what has ended with the session.
    pub(crate) fn end_session(&mut self) {
        self.changes.retain(|change| match change {
            ChangeKind::Set { hint, .. } => hint.lifetime != Lifetime::Session,
            ChangeKind::Context { .. } | ChangeKind::Lost { .. } => false,
            _ => true,
        });
    }
}

impl Memory {
    /// Opens the file in a folder. Only who holds the lock may call this. Of one that is damaged,
    /// what can be read is taken over.
    pub fn open(folder: &Path, now: DateTime<Utc>) -> Result<(Memory, Loaded), Refusal> {
        let opened = database::open(folder, &MEMORY, |on| {
            let (changes, unread) = load::living(on, now.timestamp_millis())?;
            let loaded = Loaded {
                changes,
                last_change: state(on, LAST_CHANGE)?,
                trusted: trusted(on)?,
                roots: roots(on)?,
                notices: Vec::new(),
            };
            Ok((loaded, unread, key(on)?, answers(on, now)?))
        })?;
        let (mut loaded, unread, key, answers) = opened.loaded;
        loaded.notices = opened.notices;
        if unread > 0 {
            let rows = if unread == 1 { "row was" } else { "rows were" };
            loaded.notices.push(format!(
                "{unread} {rows} unreadable in `{}` and put aside; the others are there",
                MEMORY.name
            ));
        }
        let memory = Memory {
            key,
            answers: Mutex::new(answers),
            file: Mutex::new(File::new(folder, opened.connection)),
            prints: Mutex::default(),
        };
        let damaged = opened.aside.and_then(|aside| salvage(&aside, &MEMORY));
        if let Some(damaged) = damaged {
            let found = load::salvaged(&damaged);
            // What cannot be written now is in memory, and told as a warning.
            let _ = memory.on_file(|on| found.iter().try_for_each(|kind| write(on, kind)));
            loaded.changes.extend(found);
        }
        Ok((memory, loaded))
    }

    /// Whether a folder has a file, whatever is in it.
    #[must_use]
    pub(crate) fn is_there(folder: &Path) -> bool {
        fs::symlink_metadata(folder.join(MEMORY.name)).is_ok()
    }

    /// Moves the file of a folder aside that no server could start with.
    pub(crate) fn put_aside(folder: &Path) -> io::Result<Option<PathBuf>> {
        super::aside::put_aside(folder, MEMORY.name)
    }

    /// The file, for who asks it something or has it do what is due.
    pub(crate) fn file(&self) -> MutexGuard<'_, File> {
        self.file.lock()
    }

    /// Makes the file again that somebody took away, of all that stands.
    pub(crate) fn make_again(
        &self,
        session: &Session,
        changes: &[Change],
        trusted: &BTreeMap<String, BTreeSet<String>>,
    ) -> Result<(), Error> {
        let mut file = self.file();
        if file.renew_log() {
            return Ok(());
        }
        file.open_again()
            .map_err(|why| Error::new(ErrorKind::Unavailable, why))?;
        let answers = self.answers.lock();
        let written = file.in_transaction(|on| {
            begin(on, session)?;
            on.execute(
                "INSERT OR REPLACE INTO state VALUES ('key', ?1)",
                [&self.key],
            )?;
            for change in changes {
                write(on, &change.kind)?;
            }
            for (repo, hashes) in trusted {
                trust(on, repo, hashes.iter(), true)?;
            }
            for (client, answered) in answers.all() {
                put_answer(on, client, answered, answered.result.as_deref())?;
            }
            let last = changes.last().map_or(0, |change| change.seq);
            set_state(on, LAST_CHANGE, last)
        });
        written.map_err(|why| file.refuse(&why))
    }

    /// What the file is asked to do besides taking changes, all at once.
    pub(super) fn on_file<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        let mut file = self.file();
        file.in_transaction(work).map_err(|why| file.refuse(&why))
    }

    /// When there is something to do: values to be forgotten, a log to be emptied, or what could
    /// not be written before. Who asks does not wait for a large write.
    #[must_use]
    pub(crate) fn due(&self) -> Option<Instant> {
        match self.file.try_lock() {
            Some(file) => file.due(),
            None => Instant::now().checked_add(BUSY),
        }
    }

    /// Makes a call whose caller has this request id, or gives the answer that the id
    /// was given before. The call makes one change of the store at most.
    pub(crate) fn once<E: From<Error>>(
        &self,
        id: &str,
        said: [&str; 2],
        call: impl FnOnce() -> Result<Box<RawValue>, E>,
    ) -> Result<Box<RawValue>, E> {
        let print = self.print(said);
        if let Some(result) = self.repeated(id, &print) {
            return Ok(result?);
        }
        self.prints.lock().insert(id.to_owned(), print.clone());
        let result = call();
        self.prints.lock().remove(id);
        // The first attempt may have been under way still, and done by now.
        result.or_else(|error| match self.repeated(id, &print) {
            Some(result) => Ok(result?),
            None => Err(error),
        })
    }

    /// A keyed hash of what a call says: nobody can tell from it what that was.
    fn print(&self, said: [&str; 2]) -> String {
        let [method, params] = said;
        sha256(&format!("{}\n{method}\n{params}", self.key))
    }

    fn repeated(&self, id: &str, print: &str) -> Option<Result<Box<RawValue>, Error>> {
        self.answers.lock().get(id, print)
    }
}

impl Sink for Memory {
    fn accept(
        &self,
        by: &Caller<'_>,
        changes: &[Change],
        answer: &Answer<'_>,
    ) -> Result<(), Error> {
        let print = by
            .request
            .and_then(|id| self.prints.lock().get(id).cloned());
        let request = by.request.zip(print);
        if let Some((id, print)) = &request
            && self.repeated(id, print).is_some()
        {
            let words = format!("the request `{id}` was made already");
            return Err(Error::new(ErrorKind::Unavailable, words));
        }
        let is_secret = |change: &Change| change.kind.hint().is_some_and(|hint| hint.is_secret());
        // A call that stored a secret is made again, and leaves nothing behind.
        let answered = request.filter(|_| !changes.iter().any(is_secret));
        let answered = answered.map(|(id, print)| {
            let (client, number) = split(id);
            let slots = changes.iter().filter_map(|change| change.kind.slot());
            let answered = Answered {
                number,
                print,
                result: Some(answer.to_json()?).filter(|result| result.get().len() <= MOST_OF_ONE),
                slots: slots
                    .map(|(component, key)| (component.clone(), key.clone()))
                    .collect(),
                at: changes
                    .last()
                    .map_or(0, |change| change.at.timestamp_millis()),
            };
            Ok::<_, Error>((client, answered))
        });
        let answered = answered.transpose()?;
        let emptied = self.answers.lock().showing(changes);
        let row = answered
            .as_ref()
            .map(|(client, answered)| (*client, answered));
        self.file().take(changes, by.is_user(), row, &emptied)?;
        let mut answers = self.answers.lock();
        answers.empty(&emptied);
        if let Some((client, answered)) = answered {
            answers.keep(client, answered);
        }
        Ok(())
    }
}

/// What the calls of this memory are told apart with: made once, and never shown.
fn key(on: &Connection) -> rusqlite::Result<String> {
    on.execute("INSERT OR IGNORE INTO state VALUES ('key', ?1)", [nonce()])?;
    let sql = "SELECT value FROM state WHERE name = 'key'";
    on.query_row(sql, [], |row| row.get(0))
}

fn trusted(on: &Connection) -> rusqlite::Result<BTreeMap<String, BTreeSet<String>>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (repo, hash) in query(on, "SELECT repo, hash FROM trusted", [], |row| {
        row.try_into()
    })? {
        all.entry(repo).or_default().insert(hash);
    }
    Ok(all)
}

/// Reads as many answers as are kept, and forgets those that nobody asks for any more.
fn answers(on: &Connection, now: DateTime<Utc>) -> rusqlite::Result<Answers> {
    let mut all = Answers::default();
    // Where nothing can be written they go later.
    let _ = forget_answers(on, now);
    let columns = "client, number, print, slots, result, at";
    let sql = format!("SELECT {columns} FROM answers ORDER BY at DESC LIMIT {KEPT}");
    let rows = query(on, &sql, [], |row| {
        let slots: String = row.get(3)?;
        let result: Option<String> = row.get(4)?;
        let answered = Answered {
            number: row.get::<_, i64>(1)?.unsigned_abs(),
            print: row.get(2)?,
            slots: serde_json::from_str(&slots).unwrap_or_default(),
            result: result.and_then(|result| RawValue::from_string(result).ok()),
            at: row.get(5)?,
        };
        Ok((row.get::<_, String>(0)?, answered))
    })?;
    for (client, answered) in rows {
        all.keep(&client, answered);
    }
    Ok(all)
}
