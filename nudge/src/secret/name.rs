//! The names under which values stand: which of them announce a credential, and of which kind.

use std::sync::LazyLock;

use super::shape;
use super::word_list::WordList;

/// What a name says about the value under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A password: short and self-chosen values count.
    Password,
    /// A token, a secret or a key of an interface: made by a machine, hence never a plain word.
    Token,
    /// Some key or session: only a random value counts.
    Weak,
}

/// How many bytes of a name are looked at, counted from its end.
const NAME_MAX: usize = 80;

/// How many words of a name are looked at, counted from its end.
const WORDS_MAX: usize = 12;

/// Words that follow the noun without changing what the value is: `API_KEY_PROD`, `TOKEN_VALUE`.
static QUALIFIERS: WordList = WordList::new(
    "\
    value val prod production staging stage stg dev development test testing live sandbox \
    old new default plain plaintext text raw base base64 b64 hex primary secondary current \
    previous ro rw read write backup local str string main",
);

/// Words for which a name is a password when it ends so.
static PASSWORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "password passwd passwort passphrase passcode userpass dbpass storepass keypass requirepass \
    masterauth rootpass smtppass adminpass pwd rootpw"
        .split(' ')
        .collect()
});

/// Words for which a name is a token when it ends so.
static TOKENS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "token secret apikey accesskey secretkey privatekey authkey signingkey encryptionkey \
    masterkey servicekey accountkey sharedkey licensekey sharedaccesskey appkey"
        .split(' ')
        .collect()
});

/// Whole words for which a name is a token.
static TOKEN_WORDS: WordList =
    WordList::new("credential credentials creds cred psk jwt pat bearer authorization tok");

/// Words that make a following `key` a credential.
static KEY_OWNERS: WordList = WordList::new(
    "\
    api secret access private auth signing sign encryption encrypt master service account \
    shared storage app application admin root server session crypt crypto jwt hmac cipher \
    deploy webhook integration ingest subscription token live cookie fernet consumer license \
    role decryption record stripe openai anthropic sendgrid datadog",
);

/// Words that make a following `key` an ordinary one.
static KEY_OTHERS: WordList = WordList::new(
    "\
    cache sort primary foreign partition public pub publishable group map object lookup \
    dedup idempotency routing row index hot arrow host range shard message lock registry \
    natural surrogate unique composite join hash enter s3 bucket gpg pgp",
);

/// Whole words for which only a random value counts.
static WEAK_WORDS: WordList = WordList::new(
    "\
    key login auth salt otp totp seed mnemonic cookie session sessionid sid sig signature code pin \
    sas webhook",
);

/// Last words of names whose hex value is the name of an object, a digest or a counter.
static OBJECTS: WordList = WordList::new(
    "\
    commit sha sha1 sha256 sha512 digest checksum hash revision rev tree blob md5 etag \
    fingerprint id uuid guid version ref tag integrity parent head build",
);

/// Says whether the name is one of an object, a digest or a version, for which hex is the usual form.
pub(super) fn is_object(name: &str) -> bool {
    words(name).next().is_some_and(|last| OBJECTS.has(last))
}

/// How the names of variables begin that everybody may read.
const PUBLISHED: [&str; 4] = ["NEXT_PUBLIC_", "EXPO_PUBLIC_", "NUXT_PUBLIC_", "PUBLIC_"];

/// Returns the kind of credential that a name announces, if any. What a framework builds into
/// pages is for everybody, unless it is called a password.
pub(super) fn kind(name: &str) -> Option<Kind> {
    let is_published = PUBLISHED.iter().any(|start| name.starts_with(start));
    announced(name).filter(|kind| *kind == Kind::Password || !is_published)
}

fn announced(name: &str) -> Option<Kind> {
    // Git has the name of a key there.
    if name.eq_ignore_ascii_case("user.signingkey") {
        return None;
    }
    let mut words = words(name);
    let mut last = words.next()?;
    while (QUALIFIERS.has(last) || is_version(last))
        && let Some(before) = words.next()
    {
        last = before;
    }
    let owner = words.next().unwrap_or_default();
    // `tokenizer`, `token_ttl` or `secret_name` are none, because the last word is the noun of a name.
    let last = last.trim_end_matches(|letter: char| letter.is_ascii_digit());
    if ends_with_any(&PASSWORDS, last)
        || last.eq_ignore_ascii_case("pass")
        || last.eq_ignore_ascii_case("pw")
    {
        return Some(Kind::Password);
    }
    if ends_with_any(&TOKENS, last) || TOKEN_WORDS.has(last) {
        return Some(Kind::Token);
    }
    if last.eq_ignore_ascii_case("key") || last.eq_ignore_ascii_case("keys") {
        if KEY_OTHERS.has(owner) {
            return None;
        }
        return Some(if KEY_OWNERS.has(owner) {
            Kind::Token
        } else {
            Kind::Weak
        });
    }
    if last.eq_ignore_ascii_case("auth") && owner.is_empty() {
        return Some(Kind::Token);
    }
    WEAK_WORDS.has(last).then_some(Kind::Weak)
}

/// Says whether a text ends with a word for a key that everybody may know: `GPG`, `public`.
pub(super) fn ends_public(text: &str) -> bool {
    ends_with_any(&["gpg", "pgp", "public"], text)
}

/// Says whether the word ends with an entry of the list, letter case ignored.
fn ends_with_any(list: &[&str], word: &str) -> bool {
    list.iter().any(|entry| {
        let tail = word
            .len()
            .checked_sub(entry.len())
            .and_then(|at| word.get(at..));
        tail.is_some_and(|tail| tail.eq_ignore_ascii_case(entry))
    })
}

/// Says whether the word is a number or `v` and a number.
fn is_version(word: &str) -> bool {
    let digits = word.strip_prefix(['v', 'V']).unwrap_or(word);
    shape::is_decimal(digits)
}

/// The words of a name, the last first, split at separators and at the humps of camel case.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let start = name.len().saturating_sub(NAME_MAX);
    let name = name.get(start..).unwrap_or_default();
    let parts = name.rsplit(|letter: char| !letter.is_alphanumeric());
    parts.flat_map(humps).take(WORDS_MAX)
}

/// The words of a part without separators, the last first.
fn humps(part: &str) -> impl Iterator<Item = &str> {
    let mut rest = part;
    std::iter::from_fn(move || {
        let begins = |at: &usize| begins_hump(part.as_bytes(), *at);
        let at = (1..rest.len()).rev().find(begins).unwrap_or_default();
        let (before, word) = rest.split_at_checked(at)?;
        rest = before;
        (!word.is_empty()).then_some(word)
    })
}

/// Says whether a capital begins a word behind a small letter, or in front of one.
fn begins_hump(part: &[u8], at: usize) -> bool {
    let [before, here, after @ ..] = part.get(at - 1..).unwrap_or_default() else {
        return false;
    };
    let next_is_lower = after.first().is_some_and(u8::is_ascii_lowercase);
    let is_inside = before.is_ascii_uppercase() && !next_is_lower;
    here.is_ascii_uppercase() && before.is_ascii_alphabetic() && !is_inside
}
