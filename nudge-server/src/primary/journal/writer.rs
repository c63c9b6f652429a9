//! `Writer`: the one process that writes a journal.

use std::io;
use std::time::{Duration, Instant};

use nudge::Change;
use serde_json::Value;

use super::answers::Fate;
use super::files::{DAMAGED, Files, remove};
use super::record::{Answered, Entry, Head, frame};
use super::secrets::{Secrets, standing};
use crate::config::LogLevel;
use crate::log::log;

/// A journal up to this size is never worth compacting.
const SMALL: u64 = 1024 * 1024;

/// How many times its compacted form a larger one may be.
const GROWTH: u64 = 4;

/// How long a value that is gone may stay in the file, so that many go at once.
const GONE: Duration = Duration::from_secs(1);

/// How long a value that was replaced may.
const REPLACED: Duration = Duration::from_mins(10);

/// When a compaction that failed is tried again.
const AGAIN: Duration = Duration::from_secs(10);

/// A buffer that a large record has left behind is not kept above this size.
const BUFFER: usize = 256 * 1024;

/// Whoever writes the journal.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) files: Files,
    head: Head,
    /// Why it is off, if it is: it could not be written, and the session goes on in memory.
    pub(super) warning: Option<String>,
    /// The bytes of the journal, all of them whole records.
    size: u64,
    /// The bytes that it had when it was last compacted.
    compacted: u64,
    /// When it is to be compacted.
    pub(super) due: Option<Instant>,
    /// Whether it has a value that is gone.
    holds_gone: bool,
    secrets: Secrets,
    buffer: Vec<u8>,
}

impl Writer {
    /// Starts a journal in the place of the one that has the name; where that cannot be
    /// written, it is off.
    pub(super) fn start<'a>(
        files: Files,
        head: Head,
        changes: &[Change],
        answers: impl Iterator<Item = Answered<'a>>,
    ) -> Writer {
        let mut writer = Writer {
            files,
            head,
            warning: None,
            size: 0,
            compacted: 0,
            due: None,
            holds_gone: false,
            secrets: Secrets::default(),
            buffer: Vec::new(),
        };
        if let Err(error) = writer.replace(changes, answers) {
            writer.turn_off(&error);
        }
        writer
    }

    /// Writes the changes of an operation down, and says whether its answer has to stay in
    /// this process.
    pub(super) fn note(&mut self, changes: &[Change], answered: Option<Answered<'_>>) -> bool {
        let writable = self.secrets.sift(changes);
        let is_private = writable.is_private;
        let answered = answered.map(|answered| Answered {
            result: answered.result.filter(|_| !is_private),
            ..answered
        });
        self.buffer.clear();
        // An operation of which nothing may be written still counts its changes.
        let count = writable.changes.len().max(1);
        let last = changes.last().map(|change| change.seq);
        let made = (0..count).try_for_each(|at| {
            let change = writable.changes.get(at);
            let more = at + 1 < count;
            let is_counted = more || change.map(|change| change.seq) == last;
            let entry = Entry {
                change,
                more,
                last_change: last.filter(|_| !is_counted),
                answered: answered.filter(|_| !more),
            };
            frame(&entry, &mut self.buffer)
        });
        let fates = writable.changes.iter().filter_map(Fate::of);
        let fate = fates.reduce(|one, other| if one == Fate::Gone { one } else { other });
        self.append(made);
        match fate {
            Some(Fate::Gone) => self.forget_soon(),
            Some(Fate::Replaced) => self.compact_in(REPLACED),
            None => {}
        }
        is_private
    }

    /// Has a value forgotten that is gone, here and in what damage has left.
    pub(super) fn forget_soon(&mut self) {
        self.holds_gone = true;
        self.compact_in(GONE);
    }

    /// Says that the session has other settings from now on.
    pub(super) fn append_head(&mut self, settings: Value) -> io::Result<()> {
        let before = std::mem::replace(&mut self.head.settings, settings);
        self.buffer.clear();
        let made = self.head.frame(&mut self.buffer);
        let appended = made.and_then(|()| self.files.append(&self.buffer));
        if appended.is_ok() {
            self.size += self.buffer.len() as u64;
        } else {
            self.files.cut(self.size);
            self.head.settings = before;
        }
        appended
    }

    /// Writes what stands in place of how it came about, also where it was off.
    pub(super) fn compact<'a>(
        &mut self,
        changes: &[Change],
        answers: impl Iterator<Item = Answered<'a>>,
    ) {
        if let Err(error) = self.replace(changes, answers) {
            let words = format!("the journal was not compacted ({error})");
            // Once, and not where it is off anyway.
            if self.compacted != self.size && self.warning.is_none() {
                log(LogLevel::Warn, &words);
            }
            // The old one is whole. It may grow as much again before size is a reason.
            self.compacted = self.size;
            self.due = Instant::now().checked_add(AGAIN);
        }
    }

    fn replace<'a>(
        &mut self,
        changes: &[Change],
        answers: impl Iterator<Item = Answered<'a>>,
    ) -> io::Result<()> {
        let Writer { head, buffer, .. } = self;
        let mut size = 0;
        self.files.replace(|to| {
            buffer.clear();
            head.frame(buffer)?;
            to.write_all(buffer)?;
            size = buffer.len() as u64;
            let mut write = |entry: Entry<'_>| {
                buffer.clear();
                frame(&entry, buffer)?;
                size += buffer.len() as u64;
                to.write_all(buffer)
            };
            if let Some(last) = changes.last() {
                write(Entry {
                    last_change: Some(last.seq),
                    ..Entry::default()
                })?;
            }
            for change in standing(changes) {
                let change = Some(&*change);
                write(Entry {
                    change,
                    ..Entry::default()
                })?;
            }
            for answered in answers.map(Some) {
                write(Entry {
                    answered,
                    ..Entry::default()
                })?;
            }
            Ok(())
        })?;
        (self.size, self.compacted, self.due, self.warning) = (size, size, None, None);
        // What damage left may have what is gone.
        if std::mem::take(&mut self.holds_gone) {
            remove(&self.files.folder.join(DAMAGED))?;
        }
        Ok(())
    }

    /// Appends the records that are in the buffer.
    fn append(&mut self, made: io::Result<()>) {
        if self.warning.is_some() {
            return;
        }
        match made.and_then(|()| self.files.append(&self.buffer)) {
            Ok(()) => self.size += self.buffer.len() as u64,
            Err(error) => return self.turn_off(&error),
        }
        if self.buffer.capacity() > BUFFER {
            self.buffer = Vec::new();
        }
        if self.size > SMALL.saturating_add(GROWTH.saturating_mul(self.compacted)) {
            self.compact_in(Duration::ZERO);
        }
    }

    /// Has it compacted after a while, if it is not to be sooner.
    fn compact_in(&mut self, wait: Duration) {
        let at = Instant::now().checked_add(wait);
        self.due = self.due.into_iter().chain(at).min();
    }

    pub(super) fn turn_off(&mut self, error: &io::Error) {
        self.files.cut(self.size);
        let words = format!(
            "the journal cannot be written ({error}); the session goes on in memory, and \
             what is set from now on ends with this process"
        );
        log(LogLevel::Warn, &words);
        self.warning = Some(words);
        self.due = Instant::now().checked_add(AGAIN);
    }
}
