//! `Journal`: what survives a PRIMARY, so that another can go on with its session.
//!
//! Every accepted change is appended before it is applied and acknowledged. Nothing is
//! synchronised with the disk: the page cache survives the death of a process. Who holds
//! the lock of the session, and nobody else, writes it.

mod answers;
mod ended;
mod files;
mod record;
mod replay;
mod secrets;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;
use std::time::Instant;
use std::{fmt, fs, io};

use chrono::{DateTime, Utc};
use nudge::{Answer, Caller, Change, Error, ErrorKind, Sink};
use parking_lot::Mutex;
use serde_json::Value;
use serde_json::value::RawValue;

use self::answers::{Answers, MOST_OF_ONE, split};
pub use self::ended::{Aside, Ended};
use self::files::{DAMAGED, Files, JOURNAL};
use self::record::{Answered, FORMAT, Head};
use self::writer::Writer;

/// The journal of a session, while this process is its PRIMARY.
#[derive(Debug)]
pub struct Journal {
    /// Absent where nothing is to be written.
    writer: Option<Mutex<Writer>>,
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
    /// What makes its store again: for [`nudge::Nudge::replay`].
    pub changes: Vec<Change>,
    /// Its settings, if they can be read.
    pub settings: Option<Value>,
    /// What the user is to be told.
    pub notices: Vec<String>,
}

/// Why a journal that is there cannot be used. It is left alone.
#[derive(Debug)]
pub enum Refusal {
    /// It cannot be read, is a link, is not a file, or is not ours.
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
    /// Goes on with the session whose journal is in a folder; `None` when there is none.
    ///
    /// What damage has hit is left beside the journal. Only who holds the lock may call
    /// this.
    pub fn recover(
        folder: &Path,
        now: DateTime<Utc>,
    ) -> Result<Option<(Journal, Recovered)>, Refusal> {
        Journal::recover_with(folder, now, &replay::apply)
    }

    fn recover_with(
        folder: &Path,
        now: DateTime<Utc>,
        apply: &replay::Apply<'_>,
    ) -> Result<Option<(Journal, Recovered)>, Refusal> {
        let Some(bytes) = files::read(&folder.join(JOURNAL))? else {
            return Ok(None);
        };
        let read = replay::read(&bytes, now, apply)?;
        if read.is_empty {
            return Ok(None);
        }
        let mut notices = read.notices(DAMAGED);
        // Before the journal is rewritten without it.
        if !notices.is_empty()
            && let Err(error) = files::put_beside(folder, &read.damaged)
        {
            notices.push(format!("`{DAMAGED}` cannot be written ({error})"));
        }
        let recovered = read.recovered(notices);
        let (files, answers) = (Files::of(folder), read.answers.writable());
        let mut writer = Writer::start(files, read.head, &recovered.changes, answers);
        if read.holds_gone {
            writer.forget_soon();
        }
        let journal = Journal {
            writer: Some(Mutex::new(writer)),
            answers: Mutex::new(read.answers),
        };
        Ok(Some((journal, recovered)))
    }

    /// Begins the journal of a new session. Where it cannot be written, the session lives
    /// in memory alone until it can, and a warning says so.
    ///
    /// Only who holds the lock may call this.
    #[must_use]
    pub fn begin(
        folder: &Path,
        session_id: &str,
        created_at: DateTime<Utc>,
        settings: Value,
    ) -> Journal {
        let head = Head {
            format: FORMAT,
            session_id: session_id.to_owned(),
            created_at: created_at.timestamp_millis(),
            settings,
        };
        let answers = std::iter::empty();
        let writer = Writer::start(Files::of(folder), head, &[], answers);
        Journal {
            writer: Some(Mutex::new(writer)),
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
        fs::symlink_metadata(folder.join(JOURNAL)).is_ok()
    }

    /// Says that the session has other settings from now on.
    pub fn append_head(&self, settings: Value) -> Result<(), Error> {
        let Some(writer) = &self.writer else {
            return Ok(());
        };
        writer.lock().append_head(settings).map_err(|error| {
            let words = format!("the settings cannot be written to the journal ({error})");
            Error::new(ErrorKind::Unavailable, words)
        })
    }

    /// Notes that the session is used now; see [`Journal::last_active`].
    pub fn touch(&self) {
        if let Some(writer) = &self.writer {
            writer.lock().files.touch();
        }
    }

    /// Whether the file still has its name; whoever wipes the folder takes it away, and
    /// [`Journal::compact`] puts it back.
    #[must_use]
    pub fn is_in_place(&self) -> bool {
        let writer = self.writer.as_ref().map(Mutex::lock);
        writer.is_none_or(|writer| writer.warning.is_some() || writer.files.is_in_place())
    }

    /// Why nothing is written at the moment, if so.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        self.writer.as_ref()?.lock().warning.clone()
    }

    /// Whether it has everything that it may have of the session.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let writer = self.writer.as_ref();
        writer.is_some_and(|writer| writer.lock().warning.is_none())
    }

    /// When it is to be compacted: at once when it has grown, soon when a value is gone,
    /// later when one was replaced.
    #[must_use]
    pub fn compaction_due(&self) -> Option<Instant> {
        self.writer.as_ref()?.lock().due
    }

    /// Writes what stands in place of how it came about, which turns a journal on again
    /// that a full disk has turned off. To be called with the changes that
    /// [`nudge::Nudge::standing`] gives, while it gives them.
    pub fn compact(&self, changes: &[Change]) {
        if let Some(writer) = &self.writer {
            let mut answers = self.answers.lock();
            answers.compact();
            writer.lock().compact(changes, answers.writable());
        }
    }

    /// Makes a call whose caller has this request id, or gives the answer that the id
    /// was given before. The call makes one change of the store at most.
    pub fn once<E: From<Error>>(
        &self,
        id: &str,
        call: impl FnOnce() -> Result<Box<RawValue>, E>,
    ) -> Result<Box<RawValue>, E> {
        if let Some(result) = self.repeated(id) {
            return Ok(result?);
        }
        // The first attempt may have been under way still, and done by now.
        call().or_else(|error| match self.repeated(id) {
            Some(result) => Ok(result?),
            None => Err(error),
        })
    }

    /// What a request id was answered, or why it cannot be answered again; `None` if it
    /// made no change, or its client is not one of the last 1,024.
    #[must_use]
    pub fn repeated(&self, id: &str) -> Option<Result<Box<RawValue>, Error>> {
        self.answers.lock().get(id)
    }
}

impl Sink for Journal {
    fn accept(
        &self,
        by: &Caller<'_>,
        changes: &[Change],
        answer: &Answer<'_>,
    ) -> Result<(), Error> {
        if let Some(id) = by.request.filter(|id| self.repeated(id).is_some()) {
            let words = format!("the request `{id}` was made already");
            return Err(Error::new(ErrorKind::Unavailable, words));
        }
        let answered = by
            .request
            .map(|id| answer.to_json().map(|result| (split(id), result)))
            .transpose()?;
        let shown = answered
            .as_ref()
            .map(|((client, number), result)| Answered {
                client,
                number: *number,
                result: Some(&**result).filter(|result| result.get().len() <= MOST_OF_ONE),
            });
        let writer = self.writer.as_ref();
        let is_private = writer.is_some_and(|writer| writer.lock().note(changes, shown));
        let mut answers = self.answers.lock();
        answers.follow(changes);
        if let Some((call, result)) = answered {
            answers.keep(call, Some(result), is_private);
        }
        Ok(())
    }
}
