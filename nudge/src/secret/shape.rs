//! The shapes of single words: hex, UUID, random, natural.

/// How many bytes a credential that stands alone without any context has at least.
const ALONE_MIN: usize = 28;

/// How many bytes a value may have to be looked at as one word.
const WORD_MAX: usize = 512;

/// Terms of the trade with digits in their middle.
const TERMS: &[&str] = &[
    "base64url",
    "k8s",
    "i18n",
    "l10n",
    "e2e",
    "p2p",
    "a11y",
    "utf8mb4",
    "sha256sum",
    "x509v3",
    "s3a",
];

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
    if is_long_hex(word) {
        return Some("hex-value");
    }
    if is_dotted_triple(word) {
        return Some("discord-bot-token");
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
    !word.is_empty() && !(lower && upper)
}

/// Says whether the word is 32 to 128 hex digits, as keys and digests are, and more than one repeated digit.
pub(super) fn is_long_hex(word: &str) -> bool {
    (32..=128).contains(&word.len()) && is_hex(word) && distinct(word) > 2 && !is_decimal(word)
}

/// Says whether the word consists of decimal digits.
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

/// Says whether the word looks like a path: it begins as one and has several natural segments.
pub(super) fn is_path(word: &str) -> bool {
    let begins = ["/", "./", "../", "~/", "~\\", ".\\", "\\\\"]
        .iter()
        .any(|start| word.starts_with(start))
        || word
            .as_bytes()
            .get(1..3)
            .is_some_and(|rest| rest == b":\\" || rest == b":/");
    begins
        && (word.contains('.')
            || word
                .split(['/', '\\'])
                .filter(|part| is_natural_name(part))
                .count()
                >= 2)
}

/// Returns the number of different bytes in the word.
pub(super) fn distinct(word: &str) -> u32 {
    let (mut low, mut high) = (0_u128, 0_u128);
    for byte in word.bytes() {
        if byte < 128 {
            low |= 1 << byte;
        } else {
            high |= 1 << (byte - 128);
        }
    }
    low.count_ones() + high.count_ones()
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
    word.split(|letter: char| !letter.is_alphanumeric())
        .all(is_natural_piece)
}

/// Says whether one text begins with another one, letter case ignored.
pub(super) fn starts_with_ignore_case(text: &str, start: &str) -> bool {
    text.as_bytes()
        .get(..start.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
}

/// Says whether the byte may stand in a credential that is the whole value.
fn in_credential(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-' | b'.' | b'~' | b':')
}

/// Says whether the word is joined from parts, as names, tags, assignments and public keys are.
fn is_structured(word: &str) -> bool {
    let parts = word.contains(['.', ':']) || word.trim_end_matches('=').contains('=');
    let one_case = !(word.bytes().any(|byte| byte.is_ascii_lowercase())
        && word.bytes().any(|byte| byte.is_ascii_uppercase()));
    parts
        || word.starts_with("age1")
        || one_case && !word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Says whether the word has the three dotted parts of a Discord bot token.
fn is_dotted_triple(word: &str) -> bool {
    let mut parts = word.split('.');
    let (Some(first), Some(second), Some(third), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    (23..=28).contains(&first.len())
        && (5..=7).contains(&second.len())
        && (26..=40).contains(&third.len())
        && is_random(first)
        && is_random(third)
}

/// Says whether a piece between separators is a natural word, a small number, or a word with one.
fn is_natural_piece(piece: &str) -> bool {
    if TERMS.iter().any(|term| term.eq_ignore_ascii_case(piece)) {
        return true;
    }
    let rest = piece.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let lead = piece.len() - rest.len();
    if rest.is_empty() {
        return lead <= 8;
    }
    let word = rest.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let trail = rest.len() - word.len();
    lead <= 2 && trail <= 4 && is_natural_word(word)
}

/// Says whether letters follow each other as in a word, in capitals, or in camel case.
fn is_natural_word(word: &str) -> bool {
    if word.len() > 24 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let bytes = word.as_bytes();
    let upper = bytes
        .iter()
        .filter(|byte| byte.is_ascii_uppercase())
        .count();
    if word.len() <= 4 || upper == 0 || upper == word.len() {
        return true;
    }
    let (mut humps, mut odd, mut start) = (0, 0, 0);
    for at in 1..=bytes.len() {
        let pair = (bytes.get(at - 1), bytes.get(at));
        if matches!(pair, (Some(left), Some(right)) if !(left.is_ascii_lowercase() && right.is_ascii_uppercase()))
        {
            continue;
        }
        humps += 1;
        odd += usize::from(bytes.get(start..at).is_none_or(is_odd_hump));
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
    /// Small letters.
    lower: usize,
    /// Capital letters.
    upper: usize,
    /// Decimal digits.
    digits: usize,
    /// Runs of digits.
    digit_groups: usize,
    /// Changes of kind other than from a capital to a small letter, which every capitalized word has.
    breaks: usize,
    /// The longest run of letters and digits.
    longest: usize,
}

impl Tally {
    /// Counts the characters of a word.
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

/// The kind of a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A small letter.
    Lower,
    /// A capital letter.
    Upper,
    /// A decimal digit.
    Digit,
    /// Anything else.
    Other,
}

impl Kind {
    /// Returns the kind of a byte.
    const fn of(byte: u8) -> Self {
        match byte {
            b'a'..=b'z' => Self::Lower,
            b'A'..=b'Z' => Self::Upper,
            b'0'..=b'9' => Self::Digit,
            _ => Self::Other,
        }
    }
}
