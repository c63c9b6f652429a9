//! The `Authorization` header and its schemes.

use super::name::Kind;
use super::{shape, value};

/// The schemes that are followed by a credential.
const SCHEMES: &str = "bearer basic token ssws apikey digest negotiate bot oauth genie splunk";

/// Returns the rule's id when a header in the text carries its credential.
pub(super) fn find(text: &str) -> Option<&'static str> {
    let mut words = text
        .split(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | ',' | '\\'))
        .filter(|word| !word.is_empty());
    let mut previous = "";
    let mut header = false;
    while let Some(word) = words.next() {
        header |= shape::starts_with_ignore_case(word, "authorization")
            || shape::starts_with_ignore_case(word, "proxy-authorization");
        let scheme = word
            .trim_start_matches(|letter: char| !letter.is_ascii_alphabetic())
            .rsplit([':', '='])
            .next()
            .unwrap_or_default();
        let known = SCHEMES
            .split(' ')
            .position(|name| name.eq_ignore_ascii_case(scheme));
        let Some(place) = known.filter(|place| header || *place < 2 || previous.ends_with(':'))
        else {
            if header
                && previous.ends_with(':')
                && shape::starts_with_ignore_case(previous, "authorization")
                && value::is_credential(Kind::Token, word)
            {
                return Some("authorization-header");
            }
            previous = word;
            continue;
        };
        let Some(next) = words.next() else { break };
        if is_given(place, next, header) {
            return Some("authorization-header");
        }
        previous = next;
    }
    None
}

/// Says whether the word after a scheme is a credential in the clear.
fn is_given(place: usize, word: &str, header: bool) -> bool {
    let word = word.trim_end_matches([',', ';', ')', '.', '}']);
    if word.len() < 6 || value::is_indirect(word) || word.starts_with('$') {
        return false;
    }
    if place == 1 {
        // Basic carries base64 of `user:password`, which may happen to look like a word.
        return word.len() >= 8
            && word.len().is_multiple_of(4)
            && word
                .bytes()
                .all(|byte| super::rule::Alphabet::Base64.has(byte))
            && (header || !shape::is_natural_name(word));
    }
    value::is_credential(Kind::Token, word)
}
