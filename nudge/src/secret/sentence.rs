//! Sentences that give a credential away: `The staging key is …`.

use super::name::{self, Kind};
use super::word_list::WordList;
use super::{shape, value};

static NOUNS: WordList = WordList::new(
    "\
    key keys token tokens secret password passphrase passcode credential credentials pwd \
    passwd pat apikey api-key api_key pw pass auth cookie webhook",
);

/// Words between the noun and the credential.
static LINKS: WordList = WordList::new("is was are be becomes to = -> => : | as currently now");

/// Words behind which hex is a name of an object, not a credential.
static OBJECTS: WordList = WordList::new(
    "\
    commit ssh-ed25519 ssh-rsa ssh-dss ecdsa-sha2-nistp256 sha sha1 sha256 digest checksum \
    hash revision rev tree blob md5 etag fingerprint",
);

/// How many words after the noun the credential may stand.
const REACH: usize = 8;

/// Returns the rule's id when a random word follows a noun for a credential.
pub(super) fn find(text: &str) -> Option<&'static str> {
    let mut reach = 0_usize;
    let mut noun = "";
    let mut previous = "";
    for raw in text.split_ascii_whitespace() {
        let word = raw.trim_matches(|letter: char| ",.;!?\"'`()[]{}*".contains(letter));
        let bare = word.trim_end_matches(':');
        if (NOUNS.has(bare) || is_variable(bare)) && !name::ends_public(previous) {
            reach = REACH;
            noun = bare;
        } else if reach > 0 && OBJECTS.has(bare) {
            // What follows belongs to the new noun: `the key fingerprint is …`.
            reach = 0;
        } else if reach > 0 && !raw.ends_with("...") {
            reach -= 1;
            if is_given(word, previous) && is_meant(noun, word)
                || is_mixed(word) && LINKS.has(previous) && is_password(noun, word)
            {
                return Some("credential-in-sentence");
            }
        }
        previous = if bare.is_empty() { word } else { bare };
        if raw.ends_with(':') && NOUNS.has(bare) {
            previous = ":";
        }
    }
    None
}

/// Says whether a word is a telling name of a variable: `DB_PASSWORD`, `PGPASSWORD`.
fn is_variable(word: &str) -> bool {
    let is_named = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
    word.len() > 3 && word.bytes().all(is_named) && name::kind(word).is_some()
}

/// Says whether a noun means the word; the name of a variable may be that of a constant, behind which only chance counts.
fn is_meant(noun: &str, word: &str) -> bool {
    NOUNS.has(noun) || shape::is_random(word) && !word.contains('(')
}

/// Says whether a noun means the word as a password.
fn is_password(noun: &str, word: &str) -> bool {
    name::kind(noun) == Some(Kind::Password) && (NOUNS.has(noun) || !word.contains('('))
}

/// Says whether a word is as long as a password and has capitals, small letters and digits.
pub(super) fn is_mixed(word: &str) -> bool {
    (8..=64).contains(&word.len())
        && shape::kinds(word) == [true; 3]
        && !word.starts_with("0x")
        && !value::is_indirect(word)
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
    if shape::is_uuid(word) && !LINKS.has(previous) {
        return false;
    }
    if LINKS.has(previous) {
        return value::is_credential(Kind::Token, word);
    }
    !shape::is_hex(word)
        && !word.contains(['/', ':', '.'])
        && value::is_credential(Kind::Weak, word)
}
