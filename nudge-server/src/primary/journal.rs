//! `Journal`: what survives a PRIMARY, so that another can take its place.
//!
//! Every accepted change is appended before it is applied and acknowledged.
//! Nothing is synchronised with the disk: the page cache survives the death of a
//! process, and a reboot ends the session anyway.

mod answers;
mod files;
mod protocol;
mod record;
mod secrets;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;
use std::{fmt, io};

use chrono::{DateTime, TimeDelta, Utc};
use nudge::{Answer, Caller, Change, Error, ErrorKind, ManualClock, Nudge, Sink};
use parking_lot::Mutex;
use serde_json::value::RawValue;

use self::answers::Answers;
use self::files::Files;
use self::record::{Answered, Entry, FORMAT, Header, Journalled};
use self::writer::Writer;
use crate::config::LogLevel;
use crate::log::log;

/// How long a journal counts that a crash left behind: a host restarts a crashed
/// server within seconds, and a person within minutes.
const CRASHED: TimeDelta = TimeDelta::minutes(10);

/// The journal of a session, while this process is its PRIMARY.
#[derive(Debug)]
pub struct Journal {
    /// Absent where nothing can be written.
    writer: Option<Mutex<Writer<Files>>>,
    /// Apart from the writer: a call is looked up here before it waits for others.
    answers: Mutex<Answers>,
}

/// What a journal says of the session that it belongs to.
#[derive(Debug)]
pub struct Recovered {
    /// What exports call the session.
    pub session_id: String,
    /// When it began.
    pub created_at: DateTime<Utc>,
    /// The number of its last change.
    pub last_change: u64,
    /// What makes its store anew: for [`Nudge::replay`].
    pub changes: Vec<Change>,
}

/// Why a journal that is there cannot be taken over. It is left alone.
#[derive(Debug)]
pub enum Refusal {
    /// It cannot be read, is a link, is no file, or is not ours.
    Unusable(io::Error),
    /// Another version of Nudge wrote it, in a form that this one does not know.
    Format(u32),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unusable(error) => {
                write!(f, "the journal cannot be used ({error}); remove it")
            }
            Refusal::Format(format) => write!(
                f,
                "the journal has the format `{format}`, not {FORMAT}; \
                 start the version of nudge that wrote it, or remove it"
            ),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::Unusable(error)
    }
}

impl Journal {
    /// Takes over the session whose journal is in a folder; `None` when there is
    /// none that still counts, and then it is deleted.
    ///
    /// It always counts while members of the session live. Otherwise one that a
    /// crash left behind counts for ten minutes, and one that was kept on
    /// purpose for as long as it says. Only who holds the lock may call this.
    pub fn take_over(
        folder: &Path,
        now: DateTime<Utc>,
        members_live: bool,
    ) -> Result<Option<(Journal, Recovered)>, Refusal> {
        let mut files = Files::open(folder)?;
        let (epoch, bytes) = protocol::take_over(&mut files)?;
        let (header, entries) = match record::read(&bytes) {
            Journalled::Session(header, entries) => (header, entries),
            Journalled::Unknown(format) => return Err(Refusal::Format(format)),
            Journalled::Nothing => {
                Files::delete(folder)?;
                return Ok(None);
            }
        };
        if !members_live && !still_counts(entries.last(), &files, now)? {
            Files::delete(folder)?;
            return Ok(None);
        }
        let header = Header {
            format: FORMAT,
            epoch,
            ..header
        };
        let (recovered, answers) = recover(&header, entries, now);
        let kept: Vec<Answered> = answers.writable().collect();
        let writer = Writer::start(files, header, &recovered.changes, &kept);
        let journal = Journal {
            writer: Some(Mutex::new(writer)),
            answers: Mutex::new(answers),
        };
        Ok(Some((journal, recovered)))
    }

    /// Begins the journal of a new session. Where it cannot be written, the
    /// session lives in memory alone, and a warning says so.
    ///
    /// Only who holds the lock may call this.
    #[must_use]
    pub fn begin(folder: &Path, session_id: &str, created_at: DateTime<Utc>) -> Journal {
        let begun = || {
            let mut files = Files::open(folder)?;
            // What is no file of ours is left alone.
            let _ = Files::find(folder)?;
            let (epoch, _) = protocol::take_over(&mut files)?;
            let header = Header {
                format: FORMAT,
                session_id: session_id.to_owned(),
                created_at,
                epoch,
            };
            Ok(Writer::start(files, header, &[], &[]))
        };
        let writer = begun().map_err(|error: io::Error| {
            let words = format!("the journal cannot be used ({error}); this session has none");
            log(LogLevel::Warn, &words);
        });
        Journal {
            writer: writer.ok().map(Mutex::new),
            answers: Mutex::default(),
        }
    }

    /// A journal that is written nowhere; calls that are repeated are still known.
    #[must_use]
    pub fn in_memory() -> Journal {
        Journal {
            writer: None,
            answers: Mutex::default(),
        }
    }

    /// Whether a folder has a journal, whatever is in it.
    #[must_use]
    pub fn is_there(folder: &Path) -> bool {
        Files::is_there(folder)
    }

    /// Removes the journal of a session that has ended.
    pub fn delete(folder: &Path) -> io::Result<()> {
        Files::delete(folder)
    }

    /// Says, as the last thing, until when the session is kept for the next start.
    pub fn keep_until(&self, at: DateTime<Utc>) -> Result<(), Error> {
        let Some(writer) = &self.writer else {
            return Ok(());
        };
        writer.lock().keep_until(at)
    }

    /// Whether the files still have their names; whoever wipes the folder takes
    /// them away, and [`Journal::compact`] puts them back.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        let writer = self.writer.as_ref();
        writer.is_none_or(|writer| writer.lock().medium.are_in_place())
    }

    /// Whether another process has taken over, so that nothing is accepted any more.
    #[must_use]
    pub fn is_superseded(&self) -> bool {
        let writer = self.writer.as_ref();
        writer.is_some_and(|writer| writer.lock().is_over())
    }

    /// Finds out whether that is so, without a write.
    pub fn look_for_successor(&self) {
        if let Some(writer) = &self.writer {
            // Whether it is so is known to the writer from now on.
            let _ = writer.lock().look();
        }
    }

    /// Whether the journal has grown so much that it should be compacted.
    #[must_use]
    pub fn wants_compaction(&self) -> bool {
        let writer = self.writer.as_ref();
        writer.is_some_and(|writer| writer.lock().wants_compaction())
    }

    /// Writes what stands in place of how it came about; to be called with the
    /// changes that [`Nudge::standing`] gives, while it gives them.
    pub fn compact(&self, changes: &[Change]) {
        if let Some(writer) = &self.writer {
            let answers: Vec<Answered> = self.answers.lock().writable().collect();
            writer.lock().compact(changes, &answers);
        }
    }

    /// Makes a call whose caller has this request id, or gives the answer that the id
    /// was given before. The call makes one change of the store at most.
    pub fn once<E>(
        &self,
        id: &str,
        call: impl FnOnce() -> Result<Box<RawValue>, E>,
    ) -> Result<Box<RawValue>, E> {
        if let Some(result) = self.repeated(id) {
            return Ok(result);
        }
        // The first attempt may have been under way still, and done by now.
        call().or_else(|error| self.repeated(id).ok_or(error))
    }

    /// What a request id was answered, if it made a change and was one of the last 256.
    #[must_use]
    pub fn repeated(&self, id: &str) -> Option<Box<RawValue>> {
        self.answers.lock().get(id).map(ToOwned::to_owned)
    }
}

impl Sink for Journal {
    fn accept(
        &self,
        by: &Caller<'_>,
        changes: &[Change],
        answer: &Answer<'_>,
    ) -> Result<(), Error> {
        let is_known = |id: &&str| self.answers.lock().get(id).is_some();
        if let Some(id) = by.request.filter(is_known) {
            let words = format!("the request `{id}` was answered already");
            return Err(Error::new(ErrorKind::Unavailable, words));
        }
        let answered = by
            .request
            .map(|id| answer.to_json().map(|result| (id, result)))
            .transpose()?;
        let borrowed = answered.as_ref().map(|(id, result)| (*id, &**result));
        let is_secret = match &self.writer {
            Some(writer) => writer.lock().note(changes, borrowed)?,
            None => false,
        };
        if let Some((id, result)) = answered {
            self.answers.lock().keep(id.to_owned(), result, is_secret);
        }
        Ok(())
    }
}

/// Whether a journal without living members is still that of a session.
fn still_counts(
    last: Option<&Entry>,
    files: &Files,
    now: DateTime<Utc>,
) -> Result<bool, io::Error> {
    // A session that ended well says by itself how long it is kept.
    if let Some(until) = last.and_then(|last| last.keep_until) {
        return Ok(now < until);
    }
    let modified = files.modified()?.map(DateTime::<Utc>::from);
    Ok(modified.is_some_and(|modified| now.signed_duration_since(modified) < CRASHED))
}

/// What entries come to: what stands, and what was answered.
fn recover(header: &Header, entries: Vec<Entry>, now: DateTime<Utc>) -> (Recovered, Answers) {
    let store = Nudge::default().with_clock(ManualClock::at(now));
    let mut answers = Answers::default();
    for entry in entries {
        store.replay(entry.changes.into_iter().flatten());
        store.resume(header.created_at, entry.last_change.unwrap_or_default());
        if let Some(Answered { id, result }) = entry.answered {
            answers.keep(id, result, false);
        }
    }
    let recovered = Recovered {
        session_id: header.session_id.clone(),
        created_at: header.created_at,
        last_change: store.last_change(),
        changes: store.standing(|changes| changes),
    };
    (recovered, answers)
}
