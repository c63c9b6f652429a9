//! What the bytes of a journal come to.

use std::panic::{AssertUnwindSafe, catch_unwind};

use chrono::{DateTime, Utc};
use nudge::{Change, ManualClock, Nudge};

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
    pub(super) changes: Vec<Change>,
    pub(super) last_change: u64,
    pub(super) answers: Answers,
    /// The bytes that damage has hit, that cannot be read, or that panicked.
    pub(super) damaged: Vec<&'b [u8]>,
    /// Whether it has a value that is gone, and so may what is damaged.
    pub(super) holds_gone: bool,
    /// Whether it says nothing at all.
    pub(super) is_empty: bool,
}

impl Read<'_> {
    /// What whoever goes on with the session needs.
    pub(super) fn recovered(self, notices: Vec<String>) -> Recovered {
        let created_at = DateTime::from_timestamp_millis(self.head.created_at);
        Recovered {
            session_id: self.head.session_id,
            created_at: created_at.unwrap_or_default(),
            last_change: self.last_change,
            changes: self.changes,
            settings: Some(self.head.settings).filter(|settings| !settings.is_null()),
            notices,
        }
    }
}

/// Reads a journal. An operation whose last record was never written does not count;
/// of one that damage has hit, only the record that was hit does not.
pub(super) fn read<'b>(
    bytes: &'b [u8],
    now: DateTime<Utc>,
    apply: &Apply<'_>,
) -> Result<Read<'b>, Refusal> {
    let store = Nudge::default().with_clock(ManualClock::at(now));
    let mut replay = Replay {
        // For a journal whose heads are lost.
        head: Head {
            format: FORMAT,
            session_id: store.session_id().to_owned(),
            created_at: now.timestamp_millis(),
            settings: serde_json::Value::Null,
        },
        store,
        answers: Answers::default(),
        damaged: Vec::new(),
        last_change: 0,
        holds_gone: false,
        apply,
    };
    let mut held: Vec<(Record, &[u8])> = Vec::new();
    let (mut is_empty, mut was_damaged) = (true, false);
    for (piece, whole) in pieces(bytes) {
        let json = match piece {
            Piece::Whole(json) => json,
            Piece::Damaged => {
                (is_empty, was_damaged) = (false, true);
                replay.damaged.push(whole);
                continue;
            }
            Piece::Torn => {
                was_damaged = false;
                break;
            }
        };
        is_empty = false;
        let record = catch_unwind(|| serde_json::from_slice::<Record>(json));
        let record = record.ok().and_then(Result::ok);
        let format = match &record {
            Some(record) => record.format,
            // Another version's head may look otherwise.
            None => serde_json::from_slice::<Format>(json)
                .ok()
                .map(|head| head.format),
        };
        if let Some(format) = format.filter(|format| *format != FORMAT) {
            return Err(Refusal::Format(format));
        }
        was_damaged = record.is_none();
        match record {
            Some(record) => {
                let is_last = !record.more;
                held.push((record, whole));
                if is_last {
                    replay.play(&mut held);
                }
            }
            None => replay.damaged.push(whole),
        }
    }
    // What is damaged was written once, so that the operation was whole.
    if was_damaged {
        replay.play(&mut held);
    }
    replay.answers.compact();
    let store = replay.store;
    store.resume(store.created_at(), replay.last_change);
    Ok(Read {
        head: replay.head,
        changes: store.standing(|changes| changes),
        last_change: store.last_change(),
        answers: replay.answers,
        damaged: replay.damaged,
        holds_gone: replay.holds_gone,
        is_empty,
    })
}

/// What every head says, in whatever format.
#[derive(serde::Deserialize)]
struct Format {
    format: u32,
}

/// What a journal has come to so far.
struct Replay<'a, 'b> {
    head: Head,
    store: Nudge,
    answers: Answers,
    damaged: Vec<&'b [u8]>,
    last_change: u64,
    holds_gone: bool,
    apply: &'a Apply<'a>,
}

impl<'b> Replay<'_, 'b> {
    /// Does what the records of an operation say.
    fn play(&mut self, held: &mut Vec<(Record, &'b [u8])>) {
        let changes = held.iter().filter_map(|(record, _)| record.change.as_ref());
        let mut fates = changes.clone().filter_map(Fate::of);
        self.holds_gone |= fates.any(|fate| fate == Fate::Gone);
        self.answers.follow(changes);
        for (record, whole) in held.drain(..) {
            if let Some(format) = record.format {
                self.head = Head {
                    format,
                    session_id: record.session_id,
                    created_at: record.created_at,
                    settings: record.settings.unwrap_or_default(),
                };
            }
            if let Some(change) = record.change {
                self.last_change = self.last_change.max(change.seq);
                // A store that a panic went through is not used any further than this.
                let done = catch_unwind(AssertUnwindSafe(|| (self.apply)(&self.store, change)));
                if done.is_err() {
                    self.damaged.push(whole);
                }
            }
            self.last_change = self.last_change.max(record.last_change);
            if let Some(client) = record.client {
                self.answers
                    .keep((&client, record.number), record.result, false);
            }
        }
    }
}

/// What the user is told of damage, if there is any.
pub(super) fn notice(damaged: &[&[u8]], where_it_is: &str) -> Option<String> {
    let count = match damaged.len() {
        0 => return None,
        1 => "a damaged part of the journal was".to_owned(),
        count => format!("{count} damaged parts of the journal were"),
    };
    Some(format!(
        "{count} left out; what is left of it is in `{where_it_is}`"
    ))
}
