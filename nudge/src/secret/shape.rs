//! The shapes of single words: hex, UUID, random, natural.

use super::encoded;
use super::rule::Alphabet;
use super::word_list::WordList;

/// How many bytes a credential that stands alone without any context has at least.
const ALONE_MIN: usize = 28;

/// How many bytes a value may have to be looked at as one word.
const WORD_MAX: usize = 512;

/// Beginnings of long words that are public: addresses, content ids, names made by compilers, keys
/// that are meant for a browser.
const PUBLIC: &[&str] = &[
    "age1", "0x", "bc1", "baf", "12D3Koo", "Qm", "_ZN", "pk_live_", "pk_test_", "phc_",
];

/// Terms of the trade with digits in their middle.
static TERMS: WordList =
    WordList::new("base64url k8s i18n l10n e2e p2p a11y utf8mb4 sha256sum x509v3 s3a");

/// Returns the id of the rule which a text that is a single word trips by its shape alone.
pub(super) fn find_alone(text: &str) -> Option<&'static str> {
    let word = text.trim();
    if word.len() < ALONE_MIN || word.len() > WORD_MAX {
        return None;
    }
    // A command or a sentence leaves at its first space, so that a clean text pays next to nothing here.
    if !word.bytes().all(in_credential) {
        return None;
    }
    if is_hex(word) {
        // Shorter ones are names of objects, longer ones checksums.
        let is_key = is_long_hex(word) && word.len() <= 64;
        return is_key.then_some("hex-value");
    }
    if is_structured(word) || is_fingerprint(word) || is_uuid(word) || is_path(word) {
        return None;
    }
    is_random(word).then_some("random-value")
}

/// Says whether the word consists of hex digits in one letter case only.
pub(super) fn is_hex(word: &str) -> bool {
    let (mut lower, mut upper) = (false, false);
    for byte in word.bytes() {
        match byte {
            b'0'..=b'9' => {}
            b'a'..=b'f' => lower = true,
            b'A'..=b'F' => upper = true,
            _ => return false,
        }
    }
    !(word.is_empty() || lower && upper)
}

/// Says whether the word is 32 to 128 hex digits, as keys and digests are, and more than one repeated digit.
pub(super) fn is_long_hex(word: &str) -> bool {
    (32..=128).contains(&word.len()) && is_hex(word) && distinct(word) > 2 && !is_decimal(word)
}

/// Says whether the word has digits, small letters and capitals.
pub(super) fn kinds(word: &str) -> [bool; 3] {
    let has = |kind: fn(&u8) -> bool| word.as_bytes().iter().any(kind);
    [
        has(u8::is_ascii_digit),
        has(u8::is_ascii_lowercase),
        has(u8::is_ascii_uppercase),
    ]
}

pub(super) fn is_decimal(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Says whether the word is a UUID in the usual 8-4-4-4-12 form.
pub(super) fn is_uuid(word: &str) -> bool {
    word.len() == 36
        && word.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Says whether the word is a published checksum: `sha512-…`, `SHA256:…`, `h1:…`.
pub(super) fn is_fingerprint(word: &str) -> bool {
    let known = [
        "sha1-", "sha256-", "sha384-", "sha512-", "sha1:", "sha256:", "sha512:", "md5:", "md5-",
        "h1:",
    ];
    known
        .iter()
        .any(|start| starts_with_ignore_case(word, start))
        || word.contains("@sha256:")
}

/// Says whether the word looks like a path: it begins as one and at least half of its segments are natural.
pub(super) fn is_path(word: &str) -> bool {
    let starts = ["/", "./", "../", "~/", "~\\", ".\\", "\\\\"];
    let drive = word
        .as_bytes()
        .get(1..3)
        .is_some_and(|rest| rest == b":\\" || rest == b":/");
    if !drive && !starts.iter().any(|start| word.starts_with(start)) {
        return false;
    }
    let segments = || {
        word.split(['/', '\\'])
            .filter(|segment| !segment.is_empty())
    };
    let natural = segments()
        .filter(|segment| is_natural_name(segment))
        .count();
    word.contains('.') || natural > 0 && natural * 2 >= segments().count()
}

/// Returns the number of different bytes in the word.
pub(super) fn distinct(word: &str) -> u32 {
    let mut seen = [0_u64; 4];
    for byte in word.bytes() {
        if let Some(cell) = seen.get_mut(usize::from(byte >> 6)) {
            *cell |= 1 << (byte & 63);
        }
    }
    seen.iter().map(|cell| cell.count_ones()).sum()
}

/// Says whether the characters change their kind as often as only chance makes them.
///
/// Names change from small to capital at the humps of their words and carry few digits; random characters change kind
/// at about every second place.
pub(super) fn is_random(word: &str) -> bool {
    if word.len() < 20 {
        return false;
    }
    let tally = Tally::of(word);
    let letters = tally.lower + tally.upper;
    if distinct(word) < 10 || letters == 0 || tally.longest < 10 {
        return false;
    }
    let length = tally.lower + tally.upper + tally.digits;
    if tally.lower >= 2 && tally.upper >= 2 {
        return (tally.digit_groups >= 2 && tally.breaks * 100 >= length * 22)
            || tally.breaks * 100 >= length * 36;
    }
    // One letter case and digits: only a long unbroken run is beyond the names of pods, builds and the like.
    tally.longest >= 24 && tally.digit_groups >= 4 && tally.breaks * 100 >= length * 22
}

/// Says whether the word reads as an identifier: its pieces are natural words, small numbers, or both joined.
pub(super) fn is_natural_name(word: &str) -> bool {
    // Bytes beyond ASCII count as letters.
    let mut pieces = word
        .as_bytes()
        .split(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric());
    pieces.all(is_natural_piece)
}

/// Says whether one text begins with another one, letter case ignored.
pub(super) fn starts_with_ignore_case(text: &str, start: &str) -> bool {
    text.as_bytes()
        .get(..start.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

/// Says whether the byte may stand in a credential that is the whole value.
fn in_credential(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-' | b'~')
}

/// Says whether the word is joined from parts, as names, tags, assignments and public keys are.
fn is_structured(word: &str) -> bool {
    let parts = word.trim_end_matches('=').contains('=');
    let [_, lower, upper] = kinds(word);
    let one_case = !(lower && upper);
    parts
        || PUBLIC.iter().any(|start| word.starts_with(start))
        || one_case && !word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Says whether a text begins with the three dotted parts of a Discord bot token, of which the first is a number in base64.
pub(super) fn is_dotted_triple(text: &[u8]) -> bool {
    let mut parts = text
        .get(..text.len().min(128))
        .unwrap_or_default()
        .split(|byte| *byte == b'.');
    let mut next = |least, most| {
        let part = parts.next().unwrap_or_default();
        let length = Alphabet::Url.run(part.iter());
        let part = part
            .get(..length)
            .and_then(|part| std::str::from_utf8(part).ok());
        part.filter(|part| (least..=most).contains(&part.len()))
    };
    let (Some(first), Some(_), Some(third)) = (next(23, 28), next(5, 7), next(26, 64)) else {
        return false;
    };
    let is_number = encoded::decode(first.as_bytes().iter()).all(|byte| byte.is_ascii_digit());
    is_number && distinct(third) >= 10
        || first.starts_with(['M', 'N', 'O']) && is_random(first) && is_random(third)
}

/// Says whether a piece between separators is a natural word, a small number, or a word with one.
fn is_natural_piece(piece: &[u8]) -> bool {
    let lead = piece
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if lead == piece.len() {
        return lead <= 8;
    }
    let trail = piece
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let word = piece.get(lead..piece.len() - trail).unwrap_or_default();
    lead <= 2 && trail <= 4 && (lead == 0 || trail == 0) && is_natural_word(word)
        || TERMS.has_bytes(piece)
}

/// Says whether letters follow each other as in a word, in capitals, or in camel case.
fn is_natural_word(word: &[u8]) -> bool {
    if word.iter().any(u8::is_ascii_digit) {
        return false;
    }
    let upper = word.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    if word.len() <= 4 || upper == 0 || upper == word.len() {
        return word.len() <= 24;
    }
    let (mut humps, mut odd, mut start) = (0, 0, 0);
    for at in 1..=word.len() {
        let pair = (word.get(at - 1), word.get(at));
        let inside =
            |left: &u8, right: &u8| !(left.is_ascii_lowercase() && right.is_ascii_uppercase());
        if matches!(pair, (Some(left), Some(right)) if inside(left, right)) {
            continue;
        }
        humps += 1;
        odd += usize::from(word.get(start..at).is_none_or(is_odd_hump));
        start = at;
    }
    (humps <= 2 && odd <= 1) || odd * 2 < humps
}

/// Says whether a hump of camel case is not a word: a single letter, capitals before small ones, or no vowel.
fn is_odd_hump(hump: &[u8]) -> bool {
    let capitals = hump
        .iter()
        .take_while(|byte| byte.is_ascii_uppercase())
        .count();
    let vowel = hump.iter().any(|byte| b"aeiouyAEIOUY".contains(byte));
    hump.len() == 1 || capitals > 1 || !vowel
}

/// The numbers of a word's characters by kind, and how often the kind changes.
#[derive(Default)]
struct Tally {
    lower: usize,
    upper: usize,
    digits: usize,
    digit_groups: usize,
    /// Changes of kind other than from a capital to a small letter, which every capitalized word has.
    breaks: usize,
    longest: usize,
}

impl Tally {
    fn of(word: &str) -> Self {
        let mut tally = Self::default();
        let mut before = Kind::Other;
        let mut run = 0;
        for byte in word.bytes() {
            let kind = Kind::of(byte);
            match kind {
                Kind::Lower => tally.lower += 1,
                Kind::Upper => tally.upper += 1,
                Kind::Digit => tally.digits += 1,
                Kind::Other => {}
            }
            if kind == Kind::Digit && before != Kind::Digit {
                tally.digit_groups += 1;
            }
            if matches!(
                (before, kind),
                (Kind::Lower, Kind::Upper)
                    | (Kind::Digit, Kind::Lower | Kind::Upper)
                    | (Kind::Lower | Kind::Upper, Kind::Digit)
            ) {
                tally.breaks += 1;
            }
            run = if kind == Kind::Other { 0 } else { run + 1 };
            tally.longest = tally.longest.max(run);
            before = kind;
        }
        tally
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    Other,
}

impl Kind {
    const fn of(byte: u8) -> Self {
        match byte {
            b'a'..=b'z' => Self::Lower,
            b'A'..=b'Z' => Self::Upper,
            b'0'..=b'9' => Self::Digit,
            _ => Self::Other,
        }
    }
}
