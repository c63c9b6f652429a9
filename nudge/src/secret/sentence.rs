//! Sentences that give a credential away: `The staging key is …`.

use super::name::Kind;
use super::{shape, value};

/// Nouns for a credential.
const NOUNS: &[&str] = &[
    "key",
    "keys",
    "token",
    "tokens",
    "secret",
    "password",
    "passphrase",
    "passcode",
    "credential",
    "credentials",
    "pwd",
    "passwd",
    "pat",
    "apikey",
    "api-key",
    "api_key",
    "pw",
    "pass",
    "auth",
    "cookie",
    "webhook",
];

/// Words between the noun and the credential.
const LINKS: &[&str] = &[
    "is",
    "was",
    "are",
    "be",
    "becomes",
    "to",
    "=",
    "->",
    "=>",
    ":",
    "as",
    "currently",
    "now",
];

/// Words behind which hex is a name of an object, not a credential.
const OBJECTS: &[&str] = &[
    "commit",
    "ssh-ed25519",
    "ssh-rsa",
    "ssh-dss",
    "ecdsa-sha2-nistp256",
    "sha",
    "sha1",
    "sha256",
    "digest",
    "checksum",
    "hash",
    "revision",
    "rev",
    "tree",
    "blob",
    "md5",
    "etag",
    "fingerprint",
];

/// How many words after the noun the credential may stand.
const REACH: usize = 8;

/// Returns the rule's id when a random word follows a noun for a credential.
pub(super) fn find(text: &str) -> Option<&'static str> {
    let mut reach = 0_usize;
    let mut previous = "";
    for raw in text.split_ascii_whitespace() {
        let word = raw.trim_matches(|letter: char| {
            matches!(
                letter,
                ',' | '.'
                    | ';'
                    | '!'
                    | '?'
                    | '"'
                    | '\''
                    | '`'
                    | '('
                    | ')'
                    | '['
                    | ']'
                    | '{'
                    | '}'
                    | '*'
            )
        });
        let bare = word.trim_end_matches(':');
        if is_one_of(NOUNS, bare) && !previous.eq_ignore_ascii_case("public") {
            reach = REACH;
        } else if reach > 0 {
            reach -= 1;
            if is_given(word, previous) {
                return Some("credential-in-sentence");
            }
        }
        previous = if bare.is_empty() { word } else { bare };
        if raw.ends_with(':') && is_one_of(NOUNS, bare) {
            previous = ":";
        }
    }
    None
}

/// Says whether a word near the noun is a credential.
fn is_given(word: &str, previous: &str) -> bool {
    if word.len() < 12
        || word.len() > 1024
        || word.contains(['=', '@', '\\']) && !word.ends_with('=')
        || word.contains("://")
        || word.starts_with(['-', '/', '.']) && !word.contains('+')
    {
        return false;
    }
    if is_one_of(OBJECTS, previous) || shape::is_uuid(word) && !is_one_of(LINKS, previous) {
        return false;
    }
    if is_one_of(LINKS, previous) {
        return value::is_credential(Kind::Token, word);
    }
    !shape::is_hex(word)
        && !word.contains(['/', ':', '.'])
        && value::is_credential(Kind::Weak, word)
}

/// Says whether the list has the word, letter case ignored.
fn is_one_of(list: &[&str], word: &str) -> bool {
    list.iter().any(|entry| entry.eq_ignore_ascii_case(word))
}
