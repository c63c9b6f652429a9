//! How a journal is written: records of a length, a checksum and JSON.
//!
//! The checksum is CRC-32. It is there for torn and rotten bytes and not against
//! people, who may not write to the folder at all, and `crc32fast` takes 30 ns
//! for a record where a cryptographic hash would take a microsecond.

use std::io::{self, Write};

use chrono::{DateTime, Utc};
use nudge::Change;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The form of the records after the first, and of the first itself.
pub(super) const FORMAT: u32 = 2;

/// The form of version 0.1. Its changes say the same in the same words, and some
/// of it twice, so that they are read like those of today.
const FORMAT_0_1: u32 = 1;

/// The bytes before the JSON: the length and the checksum.
const FRAME: usize = 8;

/// The first record: whose journal it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: u32,
    pub(super) session_id: String,
    #[serde(with = "millis")]
    pub(super) created_at: DateTime<Utc>,
    pub(super) epoch: u64,
}

/// What every first record says, in whatever format.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// Any other record; only what applies is there.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry<C = Vec<Change>, I = String, R = Box<RawValue>> {
    pub(super) epoch: u64,
    /// The changes of one operation.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub(super) changes: Option<C>,
    /// The number of the operation's last change, where that one is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) last_change: Option<u64>,
    /// The call that made them, and what it was answered.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub(super) answered: Option<Answered<I, R>>,
    /// The session ended well, and is kept until then for the next start.
    #[serde(
        with = "millis::option",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub(super) keep_until: Option<DateTime<Utc>>,
}

// Said by name because a derived default would ask the same of what is absent.
fn none<T>() -> Option<T> {
    None
}

/// An entry that borrows what it writes.
pub(super) type Written<'a, C = Change> = Entry<&'a [C], &'a str, &'a RawValue>;

impl<C, I, R> Entry<C, I, R> {
    /// One that says nothing yet.
    pub(super) fn empty(epoch: u64) -> Entry<C, I, R> {
        Entry {
            epoch,
            changes: None,
            last_change: None,
            answered: None,
            keep_until: None,
        }
    }
}

/// A request id and its result.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Answered<I = String, R = Box<RawValue>> {
    pub(super) id: I,
    pub(super) result: R,
}

/// Writes a record over whatever is in the buffer.
pub(super) fn write(record: &impl Serialize, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.clear();
    buffer.extend_from_slice(&[0; FRAME]);
    serde_json::to_writer(&mut *buffer, record)?;
    let Some((frame, payload)) = buffer.split_first_chunk_mut::<FRAME>() else {
        return Ok(());
    };
    let length = u32::try_from(payload.len())
        .map_err(|_| io::Error::other("a record of more than 4 GiB cannot be written"))?;
    let (first, second) = frame.split_at_mut(FRAME / 2);
    first.copy_from_slice(&length.to_le_bytes());
    second.copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
    Ok(())
}

/// Writes a record to where a whole journal is made.
pub(super) fn write_to(
    to: &mut dyn Write,
    record: &impl Serialize,
    buffer: &mut Vec<u8>,
) -> io::Result<u64> {
    write(record, buffer)?;
    to.write_all(buffer)?;
    Ok(buffer.len() as u64)
}

/// What the bytes of a journal say.
#[derive(Debug)]
pub(super) enum Journalled {
    /// There is no whole first record.
    Nothing,
    /// It is written in a form that this build does not know.
    Unknown(u32),
    /// Whose it is, and every record before the first one that is not whole.
    Session(Header, Vec<Entry>),
}

/// Reads a journal up to the first record that is torn, rotten or unreadable.
pub(super) fn read(mut bytes: &[u8]) -> Journalled {
    let Some(first) = payload(&mut bytes) else {
        return Journalled::Nothing;
    };
    match serde_json::from_slice(first) {
        Ok(Format {
            format: FORMAT | FORMAT_0_1,
        }) => {}
        Ok(Format { format }) => return Journalled::Unknown(format),
        Err(_) => return Journalled::Nothing,
    }
    let Ok(header) = serde_json::from_slice::<Header>(first) else {
        return Journalled::Nothing;
    };
    let mut newest = header.epoch;
    let mut entries = Vec::new();
    while let Some(payload) = payload(&mut bytes) {
        let Ok(entry) = serde_json::from_slice::<Entry>(payload) else {
            break;
        };
        // A writer whose turn was over did not acknowledge this.
        if entry.epoch < newest {
            continue;
        }
        newest = entry.epoch;
        entries.push(entry);
    }
    Journalled::Session(header, entries)
}

/// Takes the next record off, if it is whole and its checksum is right.
pub(super) fn payload<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (checksum, rest) = rest.split_first_chunk()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (payload, rest) = rest.split_at_checked(length)?;
    *bytes = rest;
    (crc32fast::hash(payload) == u32::from_le_bytes(*checksum)).then_some(payload)
}

/// A time as milliseconds since 1970, which is all that a store knows of one.
mod millis {
    use chrono::{DateTime, Utc};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        time: &DateTime<Utc>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(time.timestamp_millis())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<DateTime<Utc>, D::Error> {
        let millis = i64::deserialize(deserializer)?;
        DateTime::from_timestamp_millis(millis)
            .ok_or_else(|| serde::de::Error::custom("no such time"))
    }

    pub(super) mod option {
        use super::{DateTime, Deserialize, Deserializer, Serializer, Utc};

        #[expect(clippy::ref_option, reason = "serde passes the field by reference")]
        pub(in super::super) fn serialize<S: Serializer>(
            time: &Option<DateTime<Utc>>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            match time {
                Some(time) => super::serialize(time, serializer),
                None => serializer.serialize_none(),
            }
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<DateTime<Utc>>, D::Error> {
            let millis = Option::<i64>::deserialize(deserializer)?;
            Ok(millis.and_then(DateTime::from_timestamp_millis))
        }
    }
}
