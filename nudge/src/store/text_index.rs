//! The searchable text of all hints, laid end to end.
//!
//! A regex over a million hints is one pass over a few hundred long texts
//! here; through the strings of the hints it took about twenty times as long.

use std::ops::RangeInclusive;

use crate::hint::Hint;
use crate::model::name::Name;
use crate::store::automaton::ReadBudget;
use crate::store::pattern::ByLine;

/// How long a chunk may grow. Long enough that the ends do not count, short
/// enough that closing the gaps in one is not felt.
const CHUNK_BYTES: usize = 128 * 1024;

/// The slot of an entry whose hint is gone.
const GONE: u32 = u32::MAX;

/// The searchable text of all hints of a store.
#[derive(Debug, Default)]
pub(crate) struct TextIndex {
    chunks: Vec<Chunk>,
    /// The chunk that new text goes to.
    filling: usize,
    /// Chunks in which nothing is left.
    empty: Vec<usize>,
}

/// Text of many hints, each ended by a line feed, and where each begins.
#[derive(Debug, Default)]
struct Chunk {
    text: String,
    entries: Vec<Entry>,
    gone_bytes: usize,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    start: u32,
    slot: u32,
}

/// Where the text of a hint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextPosition {
    chunk: u32,
    entry: u32,
}

/// The text of a hint went from one place to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moved {
    pub(crate) slot: u32,
    pub(crate) from: TextPosition,
    pub(crate) to: TextPosition,
}

impl TextPosition {
    fn at(chunk: usize, entry: usize) -> TextPosition {
        TextPosition {
            chunk: count(chunk),
            entry: count(entry),
        }
    }
}

impl TextIndex {
    /// Adds the text of a hint: its key, value, tags and reason, a line each.
    pub(crate) fn add(&mut self, slot: u32, key: &str, hint: &Hint) -> TextPosition {
        let value = hint.value.text();
        let parts = parts(key, &value, hint);
        let bytes = parts.clone().map(|part| part.len() + 1).sum();
        let number = self.chunk_for(bytes);
        let Some(chunk) = self.chunks.get_mut(number) else {
            // `chunk_for` has just made it.
            return TextPosition::at(0, 0);
        };
        let place = TextPosition::at(number, chunk.entries.len());
        chunk.entries.push(Entry {
            start: count(chunk.text.len()),
            slot,
        });
        if chunk.text.is_empty() {
            // At once, because growing would leave holes of every size behind.
            chunk.text.reserve_exact(bytes.max(CHUNK_BYTES));
        }
        for part in parts {
            chunk.text.push_str(part);
            chunk.text.push('\n');
        }
        place
    }

    /// Forgets the text of a hint; tells what moved where it closed the gaps.
    pub(crate) fn remove(&mut self, place: TextPosition) -> Vec<Moved> {
        let number = place.chunk as usize;
        let Some(chunk) = self.chunks.get_mut(number) else {
            return Vec::new();
        };
        let entry = place.entry as usize;
        chunk.gone_bytes += chunk.range(entry).len();
        if let Some(entry) = chunk.entries.get_mut(entry) {
            entry.slot = GONE;
        }
        if chunk.gone_bytes * 2 <= chunk.text.len().max(CHUNK_BYTES / 8) {
            return Vec::new();
        }
        let moved = chunk.close_gaps(number);
        if chunk.entries.is_empty() && number != self.filling {
            self.empty.push(number);
        }
        moved
    }

    /// Calls `found` for each entry in which `needle` may match; whether it
    /// does, the hint itself has to say, because a match may run across lines.
    pub(crate) fn search(
        &self,
        needle: &ByLine,
        budget: &ReadBudget,
        mut found: impl FnMut(u32, TextPosition),
    ) {
        for (number, chunk) in self.chunks.iter().enumerate() {
            let mut at = 0;
            while at < chunk.text.len() {
                let Some(entries) = chunk.next_match(needle, at, budget) else {
                    break;
                };
                at = chunk.range(*entries.end()).end;
                for entry in entries {
                    let place = TextPosition::at(number, entry);
                    let slot = chunk.entries.get(entry).map_or(GONE, |entry| entry.slot);
                    if slot != GONE {
                        found(slot, place);
                    }
                }
            }
        }
    }

    /// A chunk with room for this many bytes.
    fn chunk_for(&mut self, bytes: usize) -> usize {
        let fits = |chunk: &Chunk| chunk.text.is_empty() || chunk.text.len() + bytes <= CHUNK_BYTES;
        if self.chunks.get(self.filling).is_some_and(fits) {
            return self.filling;
        }
        self.filling = self.empty.pop().unwrap_or_else(|| {
            self.chunks.push(Chunk::default());
            self.chunks.len() - 1
        });
        self.filling
    }
}

impl Chunk {
    /// The entries to look at next; there is no match between `at` and them.
    ///
    /// Where a match cannot leave its line, that is the entry of the first match. Otherwise it
    /// is all entries up to where one ends.
    fn next_match(
        &self,
        needle: &ByLine,
        at: usize,
        budget: &ReadBudget,
    ) -> Option<RangeInclusive<usize>> {
        let end = needle.scan.end_of_match(&self.text, at, budget, || true)?;
        // The last byte of the match, or the place of an empty one.
        let last = self.entry_at(end.saturating_sub(1).max(at));
        let first = if needle.stays_in_line {
            last
        } else {
            self.entry_at(at)
        };
        Some(first..=last)
    }

    /// The bytes of an entry.
    fn range(&self, entry: usize) -> std::ops::Range<usize> {
        let start = |entry: usize| self.entries.get(entry).map(|entry| entry.start as usize);
        let end = start(entry + 1).unwrap_or(self.text.len());
        start(entry).unwrap_or(end)..end
    }

    /// The entry that a byte belongs to.
    fn entry_at(&self, byte: usize) -> usize {
        let after = self
            .entries
            .partition_point(|entry| entry.start as usize <= byte);
        after.saturating_sub(1)
    }

    fn close_gaps(&mut self, number: usize) -> Vec<Moved> {
        let mut kept = Chunk::default();
        kept.text.reserve_exact(self.text.len() - self.gone_bytes);
        let mut moved = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            if entry.slot == GONE {
                continue;
            }
            moved.push(Moved {
                slot: entry.slot,
                from: TextPosition::at(number, index),
                to: TextPosition::at(number, kept.entries.len()),
            });
            kept.entries.push(Entry {
                start: count(kept.text.len()),
                slot: entry.slot,
            });
            kept.text
                .push_str(self.text.get(self.range(index)).unwrap_or_default());
        }
        *self = kept;
        moved
    }
}

/// What a regex is matched against, part by part.
pub(crate) fn parts<'a>(
    key: &'a str,
    value: &'a str,
    hint: &'a Hint,
) -> impl Iterator<Item = &'a str> + Clone {
    let tags = hint.meta.tags.iter().map(Name::as_str);
    [key, value]
        .into_iter()
        .chain(tags)
        .chain(hint.meta.reason.as_deref())
}

/// Numbers here stay below four billion: a chunk is small, and a store with
/// that many chunks or slots would not fit into memory.
fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(GONE)
}
