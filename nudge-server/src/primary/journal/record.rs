//! How a journal is written: one change a record, in a frame that is found again after
//! damage.
//!
//! A record is the byte 1E, the checksum of the JSON as eight hex digits, the JSON and a
//! line feed; JSON has neither of the two bytes in it. The checksum is CRC-32. It is there
//! for torn and rotten bytes and not against people, who may not write to the folder at
//! all, and `crc32fast` takes 30 ns for a record where a cryptographic hash would take a
//! microsecond.

use std::io::{self, Write};

use nudge::Change;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The form of the records.
pub(super) const FORMAT: u32 = 3;

/// What a record begins with.
const START: u8 = 0x1E;

/// What it ends with.
const END: u8 = b'\n';

/// The digits of a checksum.
const DIGITS: usize = 8;

/// Whose journal it is. It stands there twice, so that damage to one is survived; of
/// several the last counts.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Head {
    pub(super) format: u32,
    pub(super) session_id: String,
    /// When the session began, in milliseconds since 1970.
    pub(super) created_at: i64,
    /// The settings of the session. The journal does not look into them.
    pub(super) settings: Value,
}

impl Head {
    /// Appends it to what is written, as often as it is to stand there.
    pub(super) fn frame(&self, buffer: &mut Vec<u8>) -> io::Result<()> {
        frame(self, buffer)?;
        frame(self, buffer)
    }
}

/// Any other record, as it is written; only what applies is there.
#[derive(Debug, Default, Serialize)]
pub(super) struct Entry<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) change: Option<&'a Change>,
    /// Whether the operation goes on in the next record.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) more: bool,
    /// The number of the operation's last change, where that one is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) last_change: Option<u64>,
    #[serde(flatten)]
    pub(super) answered: Option<Answered<'a>>,
}

/// The call that made a change, and what it was answered, unless that may not be written.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Answered<'a> {
    pub(super) client: &'a str,
    pub(super) number: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<&'a RawValue>,
}

/// Any record, as it is read: in one go, whatever it is.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Record {
    pub(super) format: Option<u32>,
    pub(super) session_id: String,
    pub(super) created_at: i64,
    pub(super) settings: Option<Value>,
    pub(super) change: Option<Change>,
    pub(super) more: bool,
    pub(super) last_change: u64,
    pub(super) client: Option<String>,
    pub(super) number: u64,
    pub(super) result: Option<Box<RawValue>>,
}

/// Appends a record to what is written.
pub(super) fn frame(record: &impl Serialize, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.push(START);
    let digits = buffer.len();
    buffer.extend_from_slice(&[b'0'; DIGITS]);
    let json = buffer.len();
    serde_json::to_writer(&mut *buffer, record)?;
    let checksum = crc32fast::hash(buffer.get(json..).unwrap_or_default());
    if let Some(mut digits) = buffer.get_mut(digits..json) {
        write!(digits, "{checksum:08x}")?;
    }
    buffer.push(END);
    Ok(())
}

/// A piece of a journal.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'b> {
    /// The JSON of a record that is whole.
    Whole(&'b [u8]),
    /// Bytes that are not a record, up to where the next one may begin.
    Damaged,
    /// The end of a write that never came to its end.
    Torn,
}

/// The pieces of a journal, one after the other, each with all of its bytes.
pub(super) fn pieces(mut rest: &[u8]) -> impl Iterator<Item = (Piece<'_>, &[u8])> {
    std::iter::from_fn(move || {
        let (piece, length) = match rest.iter().position(|byte| *byte == END) {
            None if rest.is_empty() => return None,
            None => (Piece::Torn, rest.len()),
            Some(end) => {
                let later = || rest.iter().skip(1).position(|byte| *byte == START);
                match rest.get(..end).and_then(json) {
                    Some(json) => (Piece::Whole(json), end + 1),
                    None => (
                        Piece::Damaged,
                        later().map_or(rest.len(), |later| later + 1),
                    ),
                }
            }
        };
        let (taken, after) = rest.split_at_checked(length)?;
        rest = after;
        Some((piece, taken))
    })
}

/// The JSON of a frame without its end, if the checksum is right.
fn json(framed: &[u8]) -> Option<&[u8]> {
    let (&START, rest) = framed.split_first()? else {
        return None;
    };
    let (digits, json) = rest.split_at_checked(DIGITS)?;
    let digits = std::str::from_utf8(digits).ok()?;
    let is_right = u32::from_str_radix(digits, 16) == Ok(crc32fast::hash(json));
    is_right.then_some(json)
}
