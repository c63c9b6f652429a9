//! What hides a secret from a reader's eye does not hide it from the guard.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use nudge::{Nudge, SetHint, redact};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::cases;
use crate::corpus;

/// Letters that show nothing.
const UNSEEN: [char; 8] = [
    '\u{200b}',
    '\u{200d}',
    '\u{2060}',
    '\u{feff}',
    '\u{ad}',
    '\u{34f}',
    '\u{fe0f}',
    '\u{e0061}',
];

/// The texts of the table that are refused.
fn secrets() -> Vec<String> {
    let texts = corpus::texts(true).into_iter();
    texts.filter(|text| is_refused(text)).collect()
}

fn is_refused(text: &str) -> bool {
    Nudge::default()
        .set_hint(SetHint::new("api", "note", text))
        .is_err()
}

/// Writes the letters for which something holds in their full-width forms.
fn widened(text: &str, mut is_wide: impl FnMut() -> bool) -> String {
    let wide = |letter: char| {
        let is_wide = letter.is_ascii_graphic() && is_wide();
        let wide = char::from_u32(u32::from(letter) + 0xfee0).filter(|_| is_wide);
        wide.unwrap_or(letter)
    };
    text.chars().map(wide).collect()
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn letters_without_a_shape_hide_no_secret(
        text in select(secrets()), places in vec((any::<Index>(), select(&UNSEEN[..])), 1..40),
    ) {
        let mut letters: Vec<char> = text.chars().collect();
        for (place, unseen) in places {
            letters.insert(place.index(letters.len() + 1), unseen);
        }
        let hidden: String = letters.into_iter().collect();
        prop_assert!(is_refused(&hidden), "{}", hidden.escape_debug());
        let left = redact(&hidden);
        prop_assert!(!is_refused(&left) && left.contains("***"), "{}", left.escape_debug());
    }

    #[test]
    fn full_width_forms_hide_no_secret(
        text in select(secrets()), wide in vec(any::<bool>(), 1..40),
    ) {
        let mut turns = wide.iter().cycle();
        for hidden in [
            widened(&text, || true),
            widened(&text, || *turns.next().unwrap()),
        ] {
            prop_assert!(is_refused(&hidden), "{}", hidden);
            let left = redact(&hidden);
            prop_assert!(!is_refused(&left) && left.contains("***"), "{}", left);
        }
    }
}

#[test]
fn base64_hides_no_key() {
    let keys: Vec<String> = corpus::texts(true)
        .into_iter()
        .filter(|text| text.starts_with("-----BEGIN"))
        .collect();
    assert!(keys.len() > 2);
    for key in keys {
        for text in [
            STANDARD_NO_PAD.encode(&key),
            STANDARD_NO_PAD.encode(format!("# old\n{key}")),
        ] {
            assert!(
                is_refused(&format!("    client-key-data: {text}\n")),
                "{key}"
            );
        }
    }
}
