//! The one pass over a text that says which rules are worth running.

use std::sync::LazyLock;

use super::programs::PROGRAMS;
use super::rule::Rule;
use super::rules::RULES;

pub(super) enum Finding {
    Rule(&'static str),
    /// No format, but perhaps words that call for the rules of these topics.
    Topics(Topics),
}

/// How many bits a filter has: three times five.
const BITS: usize = 1 << 15;

/// The names of programs that are shorter are parts of other words.
const SHORTEST_NAME: usize = 5;

/// Looks for the formats of providers and the words of topics in a text.
pub(super) fn scan(text: &[u8]) -> Finding {
    let table = &*TABLE;
    let mut topics = Topics::default();
    let [first, second, rest @ ..] = text else {
        return Finding::Topics(topics);
    };
    // Five bits of each byte are enough to send nearly all places away, and letter case is not among them.
    let mut window = (usize::from(first & 31) << 5) | usize::from(second & 31);
    for (at, byte) in rest.iter().enumerate() {
        window = (window << 5) | usize::from(byte & 31);
        let bit = window & (BITS - 1);
        if table.threes.has(bit)
            && let Some(id) = table.look(text, at, &mut topics)
        {
            return Finding::Rule(id);
        }
    }
    Finding::Topics(topics)
}

/// All words, found by their first three bytes.
static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// The words by their first three bytes, behind filters that say no for nearly all others.
struct Table {
    /// The three bytes with which words begin, five bits of each.
    threes: Filter,
    /// The hashes of the four bytes with which words begin, or of all three.
    fours: Filter,
    /// The words behind those three bytes, folded, in the order of these.
    words: Vec<(u32, &'static str, Target)>,
}

/// A set of numbers below [`BITS`].
struct Filter(Box<[u64; BITS / 64]>);

impl Filter {
    fn has(&self, bit: usize) -> bool {
        self.0
            .get(bit / 64)
            .is_some_and(|cell| cell >> (bit % 64) & 1 == 1)
    }

    fn add(&mut self, bit: usize) {
        if let Some(cell) = self.0.get_mut(bit / 64) {
            *cell |= 1_u64 << (bit % 64);
        }
    }
}

enum Target {
    Rule(&'static Rule),
    Topic(Topics),
}

impl Table {
    fn new() -> Self {
        let empty = || Filter(Box::new([0; BITS / 64]));
        let mut table = Self {
            threes: empty(),
            fours: empty(),
            words: Vec::new(),
        };
        for rule in RULES {
            for key in rule.keys {
                table.add(key, Target::Rule(rule));
            }
        }
        for (topic, words) in WORDS {
            for word in words.split('|') {
                table.add(word, Target::Topic(topic));
            }
        }
        // A program that takes a password without another word calls for its rules by its name.
        let programs = PROGRAMS.iter().filter(|program| program.is_telling());
        let names = programs.flat_map(|program| program.names.split_ascii_whitespace());
        for name in names.filter(|name| name.len() >= SHORTEST_NAME) {
            table.add(name, Target::Topic(Topics::COMMAND));
        }
        table.words.sort_by_key(|(three, ..)| *three);
        table
    }

    /// Adds a word of three bytes or more.
    fn add(&mut self, word: &'static str, target: Target) {
        let [a, b, c, rest @ ..] = word.as_bytes() else {
            return;
        };
        let short = |byte: &u8| usize::from(byte & 31);
        self.threes
            .add((short(a) << 10) | (short(b) << 5) | short(c));
        let three = fold(*a, *b, *c);
        // A word of three bytes goes on with anything.
        let begins = rest.first().map_or(three, |next| four(three, *next));
        self.fours.add(hash(begins));
        self.words.push((three, word, target));
    }

    /// Checks the words that begin at the place.
    fn look(&self, text: &[u8], at: usize, topics: &mut Topics) -> Option<&'static str> {
        let rest = text.get(at..)?;
        let [a, b, c, after @ ..] = rest else {
            return None;
        };
        let three = fold(*a, *b, *c);
        let has = |number| self.fours.has(hash(number));
        let next = after.first();
        if next.is_some_and(|next| !has(three) && !has(four(three, *next))) {
            return None;
        }
        let first = self.words.partition_point(|(begin, ..)| *begin < three);
        let words = self.words.get(first..)?.iter();
        for (_, word, target) in words.take_while(|(begin, ..)| *begin == three) {
            match target {
                Target::Rule(rule) if rule.matches(text, at, word) => return Some(rule.id),
                Target::Topic(topic) if !topics.has(*topic) && begins(rest, word) => {
                    topics.add(*topic);
                }
                _ => {}
            }
        }
        None
    }
}

/// Says whether the text begins with the word, letter case ignored.
fn begins(text: &[u8], word: &str) -> bool {
    text.get(..word.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
}

/// Joins three bytes, folded so that letter case does not matter.
const fn fold(a: u8, b: u8, c: u8) -> u32 {
    (a | 0x20) as u32 | ((b | 0x20) as u32) << 8 | ((c | 0x20) as u32) << 16
}

/// Joins three folded bytes and the next one.
const fn four(three: u32, next: u8) -> u32 {
    three | ((next | 0x20) as u32) << 24
}

const fn hash(number: u32) -> usize {
    (number.wrapping_mul(0x9E37_79B1) >> 17) as usize & (BITS - 1)
}

/// Kinds of rules that run over the whole text when a word of theirs was seen.
#[derive(Clone, Copy, Default)]
pub(super) struct Topics(u8);

impl Topics {
    /// A telling name such as `password`.
    pub(super) const NAME: Self = Self(1);
    /// The beginning of an address: `://`.
    pub(super) const URL: Self = Self(2);
    /// A program that takes passwords on its command line.
    pub(super) const COMMAND: Self = Self(4);
    pub(super) const KEY_BLOCK: Self = Self(8);
    pub(super) const JWT: Self = Self(16);
    /// An HTTP authentication scheme.
    pub(super) const HEADER: Self = Self(32);

    pub(super) const fn has(self, topic: Self) -> bool {
        self.0 & topic.0 != 0
    }

    pub(super) const fn add(&mut self, topic: Self) {
        self.0 |= topic.0;
    }
}

/// The words that call for a topic's rules, letter case ignored, between bars: some end in a space.
pub(super) const WORDS: [(Topics, &str); 6] = [
    (
        Topics::NAME,
        "key|token|secret|pass|pwd|cred|auth|psk|jwt|_pat|pw is|cookie|session|signature|bearer|\
        identified by|_pw|pw=|pw:|salt|seed|sid=|login=|sig=|webhook|masterauth",
    ),
    (Topics::URL, "://|jdbc:oracle|sqlplus"),
    (
        Topics::COMMAND,
        "mysql|mariadb|psql|curl|wget|login|ldap|net use|zip|7z |bcp |ansible|gpg|sudo -s|\
        http -a|https -a|xh -a|lftp|ftp |rabbitmq|private-key|preshared-key|passwd|\
        cryptsetup|pscp|net rpc|mc alias|mc config|net user|rar |db2 |isql|pg_dump|\
        pg_restore|crane|oras|-pass|-token|-secret|-key|http --auth|aria2c|clickhouse|\
        user-secrets| set |set -|setenv|env add|setx|restic|runas|svn |neo4j|wmic|bteq|\
        kafka|tsql|mssql|password |passphrase |machine |http-basic|securestr|token |secret |\
        requirepass |auth |--creds|--user|-u |-stdin|<<<|\
        keychain|unlock |-password",
    ),
    (
        Topics::KEY_BLOCK,
        "-----begin|putty-user-key-file|---- begin",
    ),
    (Topics::JWT, "eyj|eyai|ewog|ewoi|ewoj|ew0k"),
    (Topics::HEADER, "bearer|basic |authorization|ssws|digest "),
];

#[cfg(test)]
mod tests {
    use super::{Finding, RULES, WORDS, scan};

    #[test]
    fn every_word_is_long_enough_to_be_found() {
        let keys = RULES.iter().flat_map(|rule| rule.keys);
        let words = WORDS.iter().flat_map(|(_, words)| words.split('|'));
        assert!(keys.copied().chain(words).all(|word| word.len() >= 3));
    }

    #[test]
    fn every_topic_word_calls_for_its_topic() {
        for (topic, words) in WORDS {
            for word in words.split('|') {
                let text = format!("x {} y", word.to_ascii_uppercase());
                assert!(
                    matches!(scan(text.as_bytes()), Finding::Topics(found) if found.has(topic)),
                    "{word}"
                );
                assert!(
                    matches!(scan(word.as_bytes()), Finding::Topics(found) if found.has(topic)),
                    "{word}"
                );
            }
        }
    }
}
