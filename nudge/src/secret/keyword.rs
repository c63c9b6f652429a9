//! The one pass over a text that says which rules are worth running.

use std::sync::LazyLock;

use super::rule::Rule;
use super::rules;

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
    /// The beginning of a key block.
    pub(super) const KEY_BLOCK: Self = Self(8);
    /// The beginning of a JWT.
    pub(super) const JWT: Self = Self(16);
    /// An HTTP authentication scheme.
    pub(super) const HEADER: Self = Self(32);

    /// Says whether the set has the topic.
    pub(super) const fn has(self, topic: Self) -> bool {
        self.0 & topic.0 != 0
    }

    /// Adds a topic.
    const fn add(&mut self, topic: Self) {
        self.0 |= topic.0;
    }
}

/// What the pass over a text found.
pub(super) enum Finding {
    /// A provider's format.
    Rule(&'static str),
    /// No format, but perhaps words that call for the rules of these topics.
    Topics(Topics),
}

/// The words that call for a topic's rules, letter case ignored.
const WORDS: &[(Topics, &[&str])] = &[
    (
        Topics::NAME,
        &[
            "key",
            "token",
            "secret",
            "pass",
            "pwd",
            "cred",
            "auth",
            "psk",
            "jwt",
            "_pat",
            "cookie",
            "session",
            "signature",
            "bearer",
            "identified by",
            "_pw",
            "pw=",
            "pw:",
            "salt",
            "seed",
            "sid=",
            "sig=",
            "webhook",
            "masterauth",
        ],
    ),
    (Topics::URL, &["://", "jdbc:oracle", "sqlplus"]),
    (
        Topics::COMMAND,
        &[
            "mysql",
            "mariadb",
            "psql",
            "sshpass",
            "curl",
            "wget",
            "redis-cli",
            "mongo",
            "login",
            "ldap",
            "smbclient",
            "net use",
            "zip",
            "7z ",
            "openssl",
            "keytool",
            "jarsigner",
            "sqlcmd",
            "bcp ",
            "sqlplus",
            "ansible",
            "gpg",
            "htpasswd",
            "sudo -s",
            "snowsql",
            "kinit",
            "http -a",
            "https -a",
            "xh -a",
            "lftp",
            "ftp ",
            "rabbitmqctl",
            "passwd",
            "cryptsetup",
            "xfreerdp",
            "rdesktop",
            "plink",
            "pscp",
            "psftp",
            "putty",
            "twine",
            "nuget",
            "cqlsh",
            "mosquitto",
            "etcdctl",
            "skopeo",
            "ipmitool",
            "rpcclient",
            "ssh-keygen",
            "net rpc",
            "mc alias",
            "mc config",
            "net user",
            "valkey-cli",
            "keydb-cli",
            "rar ",
            "db2 ",
            "psexec",
            "nmcli",
            "jenkins-cli",
            "isql",
            "influx",
            "pg_dump",
            "pg_restore",
            "impdp",
            "expdp",
            "crane",
            "oras",
            "-pass",
            "-token",
            "-secret",
            "-key",
            "http --auth",
            "curlie",
            "aria2c",
            "clickhouse",
            "user-secrets",
            " set ",
            "setx",
            "restic",
            "runas",
            "svn ",
            "neo4j",
            "cypher-shell",
            "cmdkey",
            "wmic",
            "rclone",
            "bteq",
            "kafka",
            "beeline",
            "tsql",
            "mssql",
            "password ",
            "passphrase ",
            "machine ",
            "token ",
            "secret ",
            "requirepass ",
            "auth ",
            "--creds",
            "--user",
            "-u ",
            "-stdin",
            "<<<",
        ],
    ),
    (
        Topics::KEY_BLOCK,
        &["-----begin", "putty-user-key-file", "---- begin"],
    ),
    (Topics::JWT, &["eyj"]),
    (
        Topics::HEADER,
        &["bearer", "basic ", "authorization", "ssws", "digest "],
    ),
];

/// How many bits the filter has; a power of two.
const BITS: usize = 1 << 15;

/// How many slots the words are spread over; a power of two.
const SLOTS: usize = 1 << 11;

/// Looks for the formats of providers and the words of topics in a text.
pub(super) fn scan(text: &[u8]) -> Finding {
    let table = &*TABLE;
    let filter = &*table.filter;
    let mut topics = Topics::default();
    let [first, second, rest @ ..] = text else {
        return Finding::Topics(topics);
    };
    let mut three = (u32::from(first | 0x20) << 16) | (u32::from(second | 0x20) << 24);
    for (at, byte) in rest.iter().enumerate() {
        three = (three >> 8) | (u32::from(byte | 0x20) << 24);
        let bit = hash(three);
        if filter
            .get(bit / 64)
            .is_some_and(|cell| cell >> (bit % 64) & 1 == 1)
            && let Some(id) = table.look(text, at, three & !0xFF, &mut topics)
        {
            return Finding::Rule(id);
        }
    }
    Finding::Topics(topics)
}

/// All words, found by their first three bytes.
static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

/// The words by their first three bytes, behind a filter that says no for nearly all others.
struct Table {
    /// One bit for each hash of three bytes with which a word begins.
    filter: Box<[u64; BITS / 64]>,
    /// The words of each slot.
    slots: Vec<Vec<Entry>>,
}

/// A word and what it calls for.
struct Entry {
    /// The first three bytes, folded.
    three: u32,
    /// The whole word.
    word: &'static str,
    /// What the word calls for.
    target: Target,
}

/// What a word calls for.
enum Target {
    /// The check of one format.
    Rule(&'static Rule),
    /// The later run of a topic's rules.
    Topic(Topics),
}

impl Table {
    /// Builds the table from the rules and the topics.
    fn new() -> Self {
        let mut table = Self {
            filter: Box::new([0; BITS / 64]),
            slots: Vec::new(),
        };
        table.slots.resize_with(SLOTS, Vec::new);
        for rule in rules::all() {
            for key in rule.keys {
                table.add(key, Target::Rule(rule));
            }
        }
        for (topic, words) in WORDS {
            for word in *words {
                table.add(word, Target::Topic(*topic));
            }
        }
        table
    }

    /// Adds a word of three bytes or more.
    fn add(&mut self, word: &'static str, target: Target) {
        let [a, b, c, ..] = word.as_bytes() else {
            return;
        };
        let three =
            (u32::from(a | 0x20) << 8) | (u32::from(b | 0x20) << 16) | (u32::from(c | 0x20) << 24);
        let bit = hash(three);
        if let Some(cell) = self.filter.get_mut(bit / 64) {
            *cell |= 1_u64 << (bit % 64);
        }
        if let Some(slot) = self.slots.get_mut(bit % SLOTS) {
            slot.push(Entry {
                three,
                word,
                target,
            });
        }
    }

    /// Checks the words that begin with the three bytes at the place.
    fn look(
        &self,
        text: &[u8],
        at: usize,
        three: u32,
        topics: &mut Topics,
    ) -> Option<&'static str> {
        let rest = text.get(at..)?;
        for entry in self.slots.get(hash(three) % SLOTS)? {
            if entry.three != three {
                continue;
            }
            match &entry.target {
                Target::Rule(rule) if rule.matches(text, at, entry.word) => return Some(rule.id),
                Target::Topic(topic) if !topics.has(*topic) && begins(rest, entry.word) => {
                    topics.add(*topic)
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

/// Returns the filter's bit for three folded bytes.
const fn hash(three: u32) -> usize {
    ((three >> 8).wrapping_mul(0x9E37_79B1) >> 17) as usize & (BITS - 1)
}
