//! What the bytes of a journal come to.

use std::panic::{AssertUnwindSafe, catch_unwind};

use chrono::{DateTime, Utc};
use nudge::{Change, ManualClock, Nudge};
use serde::Deserialize;
use serde_json::Value;

use super::answers::{Answers, Fate};
use super::record::{FORMAT, Head, Piece, Record, pieces};
use super::{Recovered, Refusal};

/// Does what a change says. A parameter, so that a test can have one that panics.
pub(super) type Apply<'a> = dyn Fn(&Nudge, Change) + 'a;

/// Does it as a store does.
pub(super) fn apply(store: &Nudge, change: Change) {
    store.replay([change]);
}

/// A journal that was read.
pub(super) struct Read<'b> {
    pub(super) head: Head,
    store: Nudge,
    last_change: u64,
    pub(super) answers: Answers,
    /// The bytes that damage has hit, that cannot be read, or that panicked.
    pub(super) damaged: Vec<&'b [u8]>,
    /// Whether it has a value that is gone, and so may what is damaged.
    pub(super) holds_gone: bool,
    /// Whether it says nothing at all.
    pub(super) is_empty: bool,
}

/// What every head says, in whatever format.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// Reads a journal. An operation whose last record was never written does not count;
/// of one that damage has hit, only the record that was hit does not.
pub(super) fn read<'b>(
    bytes: &'b [u8],
    now: DateTime<Utc>,
    apply: &Apply<'_>,
) -> Result<Read<'b>, Refusal> {
    let store = Nudge::default().with_clock(ManualClock::at(now));
    let mut read = Read {
        // For a journal whose heads are lost.
        head: Head {
            format: FORMAT,
            session_id: store.session_id().to_owned(),
            created_at: now.timestamp_millis(),
            settings: Value::Null,
        },
        store,
        last_change: 0,
        answers: Answers::default(),
        damaged: Vec::new(),
        holds_gone: false,
        is_empty: true,
    };
    let mut held: Vec<(Record, &[u8])> = Vec::new();
    let mut is_whole = true;
    for (piece, bytes) in pieces(bytes) {
        is_whole = piece != Piece::Torn;
        let json = match piece {
            Piece::Whole(json) => Some(json),
            Piece::Damaged => None,
            Piece::Torn => break,
        };
        read.is_empty = false;
        match json.map(parse).transpose()?.flatten() {
            Some(record) => {
                is_whole = !record.more;
                held.push((record, bytes));
            }
            None => read.damaged.push(bytes),
        }
        if json.is_some() && is_whole {
            read.play(&mut held, apply);
        }
    }
    // What is damaged was written once, so that its operation was whole.
    if is_whole {
        read.play(&mut held, apply);
    }
    read.answers.compact();
    Ok(read)
}

/// Reads the JSON of a record, in one go; `None` if it says nothing that is known.
fn parse(json: &[u8]) -> Result<Option<Record>, Refusal> {
    let record = catch_unwind(|| serde_json::from_slice::<Record>(json));
    let record = record.ok().and_then(Result::ok);
    let format = match &record {
        Some(record) => record.format,
        // The head of another version may look otherwise.
        None => serde_json::from_slice(json)
            .ok()
            .map(|Format { format }| format),
    };
    match format.filter(|format| *format != FORMAT) {
        Some(format) => Err(Refusal::Format(format)),
        None => Ok(record),
    }
}

impl<'b> Read<'b> {
    /// Does what the records of an operation say.
    fn play(&mut self, held: &mut Vec<(Record, &'b [u8])>, apply: &Apply<'_>) {
        let changes = held.iter().filter_map(|(record, _)| record.change.as_ref());
        let mut fates = changes.clone().filter_map(Fate::of);
        self.holds_gone |= fates.any(|fate| fate == Fate::Gone);
        self.answers.follow(changes);
        for (record, bytes) in held.drain(..) {
            if let Some(format) = record.format {
                self.head = Head {
                    format,
                    session_id: record.session_id,
                    created_at: record.created_at,
                    settings: record.settings.unwrap_or_default(),
                };
            }
            self.last_change = self.last_change.max(record.last_change);
            if let Some(change) = record.change {
                self.last_change = self.last_change.max(change.seq);
                // What stands in a store that a panic went through is all that is asked of it.
                let done = catch_unwind(AssertUnwindSafe(|| apply(&self.store, change)));
                if done.is_err() {
                    self.damaged.push(bytes);
                }
            }
            if let Some(client) = record.client {
                let call = (&*client, record.number);
                self.answers.keep(call, record.result, false);
            }
        }
    }

    /// What whoever goes on with the session needs.
    pub(super) fn recovered(&self, notices: Vec<String>) -> Recovered {
        let created_at = DateTime::from_timestamp_millis(self.head.created_at).unwrap_or_default();
        // The changes that stand have this number.
        self.store.resume(created_at, self.last_change);
        let settings = Some(self.head.settings.clone());
        Recovered {
            session_id: self.head.session_id.clone(),
            created_at,
            last_change: self.store.last_change(),
            changes: self.store.standing(|changes| changes),
            settings: settings.filter(|settings| !settings.is_null()),
            notices,
        }
    }

    /// What the user is told of damage, if there is any.
    pub(super) fn notices(&self, left_in: &str) -> Vec<String> {
        let count = match self.damaged.len() {
            0 => return Vec::new(),
            1 => "a damaged part of the journal was".to_owned(),
            count => format!("{count} damaged parts of the journal were"),
        };
        vec![format!(
            "{count} left out; what is left of it is in `{left_in}`"
        )]
    }
}
