//! The kinds of rules that look at a whole text, and the words that call for them.

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
        "key|token|secret|pass|pwd|cred|auth|psk|jwt|_pat|cookie|session|signature|bearer|\
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
        requirepass |auth |--creds|--user|-u |-stdin|<<<",
    ),
    (
        Topics::KEY_BLOCK,
        "-----begin|putty-user-key-file|---- begin",
    ),
    (Topics::JWT, "eyj|eyai|ewog|ewoi|ewoj|ew0k"),
    (Topics::HEADER, "bearer|basic |authorization|ssws|digest "),
];
