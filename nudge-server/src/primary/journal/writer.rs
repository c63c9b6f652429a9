//! `Writer`: one process that writes a journal, for as long as it may.

use std::io;

use chrono::{DateTime, Utc};
use nudge::{Change, Error, ErrorKind};
use serde_json::value::RawValue;

use super::protocol::{self, Medium, Turn};
use super::record::{Answered, Header, Written, write, write_to};
use super::secrets::{Secrets, is_secret};
use crate::config::LogLevel;
use crate::log::log;

/// A journal up to this size is never worth compacting.
const SMALL: u64 = 1024 * 1024;

/// How many times its compacted form a larger one may be.
const GROWTH: u64 = 4;

/// How many changes a record of a compacted journal holds.
const TOGETHER: usize = 64;

/// A buffer that a large record has left behind is not kept above this size.
const BUFFER: usize = 256 * 1024;

/// Whoever writes the journal.
#[derive(Debug)]
pub(super) struct Writer<M> {
    pub(super) medium: M,
    header: Header,
    state: State,
    /// The bytes of the journal, all of them whole records.
    size: u64,
    /// The bytes that it had when it was last compacted.
    compacted: u64,
    secrets: Secrets,
    buffer: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Writing,
    /// It could not be written once: the session goes on in memory.
    Off,
    /// Another process took over: nothing is accepted any more.
    Over,
}

impl<M: Medium> Writer<M> {
    /// Starts a journal in the place of the one that has the name.
    ///
    /// Where that cannot be written, nothing is from the start.
    pub(super) fn start(
        medium: M,
        header: Header,
        changes: &[Change],
        answers: &[Answered],
    ) -> Writer<M> {
        let mut writer = Writer {
            medium,
            header,
            state: State::Writing,
            size: 0,
            compacted: 0,
            secrets: Secrets::default(),
            buffer: Vec::new(),
        };
        if let Err(error) = writer.replace(changes, answers) {
            writer.turn_off(&error);
        }
        writer
    }

    /// Writes the changes of an operation down, and says whether its answer has
    /// to stay in this process. An error refuses them.
    pub(super) fn note(
        &mut self,
        changes: &[Change],
        answered: Option<(&str, &RawValue)>,
    ) -> Result<bool, Error> {
        let writable = self.secrets.sift(changes);
        let written = writable.changes.last().map(|change| change.seq);
        let last = changes.last().map(|change| change.seq);
        let entry = Written {
            epoch: self.header.epoch,
            changes: written.map(|_| &*writable.changes),
            last_change: last.filter(|_| written != last),
            answered: answered
                .filter(|_| !writable.is_secret)
                .map(|(id, result)| Answered { id, result }),
            keep_until: None,
        };
        let is_secret = writable.is_secret;
        let made = write(&entry, &mut self.buffer);
        self.append(made).map(|()| is_secret)
    }

    /// Says until when the session is kept after a clean end.
    pub(super) fn keep_until(&mut self, at: DateTime<Utc>) -> Result<(), Error> {
        let epoch = self.header.epoch;
        let entry: Written<'_> = Written {
            keep_until: Some(at),
            ..Written::empty(epoch)
        };
        let made = write(&entry, &mut self.buffer);
        self.append(made)
    }

    /// Whether another process has taken over.
    pub(super) fn is_over(&self) -> bool {
        self.state == State::Over
    }

    /// Whether the journal has grown so much that it should be compacted.
    pub(super) fn wants_compaction(&self) -> bool {
        self.state == State::Writing
            && self.size > SMALL.saturating_add(GROWTH.saturating_mul(self.compacted))
    }

    /// Writes what stands in place of how it came about.
    pub(super) fn compact(&mut self, changes: &[Change], answers: &[Answered]) {
        if self.state != State::Writing {
            return;
        }
        if let Err(error) = self.replace(changes, answers) {
            // The old one is whole. It may grow as much again before the next attempt.
            self.compacted = self.size;
            log(
                LogLevel::Warn,
                &format!("the journal was not compacted: {error}"),
            );
        }
    }

    fn replace(&mut self, changes: &[Change], answers: &[Answered]) -> io::Result<()> {
        let epoch = self.header.epoch;
        let (header, buffer) = (&self.header, &mut self.buffer);
        let open: Vec<&Change> = changes.iter().filter(|change| !is_secret(change)).collect();
        let mut size = 0;
        let turn = protocol::replace(&mut self.medium, epoch, &mut |to| {
            size = write_to(to, header, buffer)?;
            for changes in open.chunks(TOGETHER) {
                let entry = Written {
                    changes: Some(changes),
                    ..Written::empty(epoch)
                };
                size += write_to(to, &entry, buffer)?;
            }
            for Answered { id, result } in answers {
                let entry: Written<'_> = Written {
                    answered: Some(Answered { id, result }),
                    ..Written::empty(epoch)
                };
                size += write_to(to, &entry, buffer)?;
            }
            Ok(())
        })?;
        match turn {
            Turn::Ours => (self.size, self.compacted) = (size, size),
            Turn::Over => self.state = State::Over,
        }
        Ok(())
    }

    /// Appends the record that is in the buffer.
    fn append(&mut self, made: io::Result<()>) -> Result<(), Error> {
        match self.state {
            State::Over => return Err(over()),
            State::Off => return self.look(),
            State::Writing => {}
        }
        let epoch = self.header.epoch;
        let appended = made.and_then(|()| protocol::append(&mut self.medium, epoch, &self.buffer));
        match appended {
            Ok(Turn::Ours) => self.size += self.buffer.len() as u64,
            Ok(Turn::Over) => {
                self.state = State::Over;
                return Err(over());
            }
            Err(error) => {
                self.turn_off(&error);
                return self.look();
            }
        }
        if self.buffer.capacity() > BUFFER {
            self.buffer = Vec::new();
        }
        Ok(())
    }

    /// Refuses if another process took over. One that does not write any more
    /// must not acknowledge anything then, either.
    pub(super) fn look(&mut self) -> Result<(), Error> {
        match protocol::turn(&self.medium, self.header.epoch) {
            Ok(Turn::Over) => {
                self.state = State::Over;
                Err(over())
            }
            // An epoch that cannot be read says nothing about others.
            Ok(Turn::Ours) | Err(_) => Ok(()),
        }
    }

    fn turn_off(&mut self, error: &io::Error) {
        self.state = State::Off;
        // What cannot be cut off is a torn tail for whoever reads it.
        let _ = self.medium.cut(self.size);
        let words = format!(
            "the journal cannot be written ({error}); this session goes on in memory \
             and ends with this process"
        );
        log(LogLevel::Warn, &words);
    }
}

fn over() -> Error {
    let words = "another server has taken over this session; repeat the call to reach it";
    Error::new(ErrorKind::Unavailable, words)
}
