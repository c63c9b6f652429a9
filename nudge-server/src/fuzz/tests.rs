//! Each reader over examples that were harmed at random, the same in every run.

use std::panic::catch_unwind;
use std::thread;

use super::*;
use crate::table::rows;

/// How often each example is harmed.
const ROUNDS: u64 = 100;

const EXPORT: &str = include_str!("../../../tests/exports/v1.1.json");

/// What each reader takes as it is.
const EXAMPLES: &str = include_str!("../../../tests/corpus/foreign.tsv");

/// Pieces that mean something to one of the readers.
const PIECES: [&str; 26] = [
    "{", "}", "[", "]", ",", ":", "\"", "'", "\\", "\n", "\r\n", "\t", "  ", "#", "=", "null",
    "1e999", "-1", "\\ud800", "\u{feff}", "\0", "é", "{{", "}}", "${", "***",
];

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (sides.max(1) as u64)).unwrap()
    }

    /// Does one to four things to an example.
    fn harm(&mut self, example: &[u8]) -> Vec<u8> {
        let mut bytes = example.to_vec();
        for _ in 0..=self.roll(4) {
            let from = self.roll(bytes.len() + 1);
            let to = (from + self.roll(40)).min(bytes.len());
            match self.roll(5) {
                0 => drop(bytes.drain(from..to)),
                1 => {
                    let part = bytes[from..to].repeat(1 + self.roll(50));
                    bytes.splice(from..from, part);
                }
                2 if from < bytes.len() => bytes[from] ^= 1 << self.roll(8),
                3 => bytes.truncate(from),
                _ => {
                    let piece = PIECES[self.roll(PIECES.len())].repeat(1 + self.roll(3));
                    bytes.splice(from..from, piece.bytes());
                }
            }
        }
        bytes
    }
}

fn examples(name: &str) -> Vec<Vec<u8>> {
    let named = rows(EXAMPLES).into_iter();
    let named = named.filter(|[known, _]| known == name);
    let mut found: Vec<Vec<u8>> = named.map(|[_, text]| text.into_bytes()).collect();
    if name == "project_file" {
        found.push(EXPORT.into());
    }
    if name == "store" {
        let folder = tempdir().unwrap();
        let (memory, _) = Memory::open(folder.path(), DateTime::UNIX_EPOCH).unwrap();
        let nudge = Nudge::default().with_sink(memory);
        let set = nudge::SetHint::new("api", "build", "make");
        nudge.set_hint(set).unwrap();
        drop(nudge);
        found.push(fs::read(folder.path().join("nudge.db")).unwrap());
    }
    if name == "past_atuin" {
        let file = tempfile::NamedTempFile::new().unwrap();
        let history = rusqlite::Connection::open(file.path()).unwrap();
        let made = history.execute_batch(
            "CREATE TABLE history (id TEXT PRIMARY KEY, timestamp INTEGER NOT NULL,
                duration INTEGER NOT NULL, exit INTEGER NOT NULL, command TEXT NOT NULL,
                cwd TEXT NOT NULL, session TEXT NOT NULL, hostname TEXT NOT NULL,
                deleted_at INTEGER);
            INSERT INTO history VALUES ('1', 1790000000000000000, 5, 0, 'make', '/', 's', 'h', NULL);",
        );
        made.unwrap();
        history.close().unwrap();
        found.push(fs::read(file.path()).unwrap());
    }
    found
}

#[test]
fn no_reader_of_foreign_text_panics() {
    let read_all = |(name, read): Target| {
        let examples = examples(name);
        assert!(!examples.is_empty(), "{name} has no example");
        for example in examples {
            read(&example);
            let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
            for _ in 0..ROUNDS {
                let harmed = dice.harm(&example);
                let read = catch_unwind(|| read(&harmed));
                let shown = String::from_utf8_lossy(&harmed);
                assert!(read.is_ok(), "{name}: {shown:?}");
            }
        }
    };
    // Most of them wait for the disk.
    thread::scope(|scope| {
        for target in TARGETS {
            scope.spawn(move || read_all(target));
        }
    });
}

#[test]
fn cargo_fuzz_has_every_reader() {
    let manifest = include_str!("../../../fuzz/Cargo.toml");
    let bins: Vec<&str> = manifest.matches("[[bin]]").collect();
    assert_eq!(bins.len(), TARGETS.len());
    for (name, _) in TARGETS {
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name}");
    }
}
