//! The table of providers' credential formats, by what the providers do.

mod ai;
mod chat;
mod cloud;
mod code;
mod hosting;
mod pay;
mod watch;
mod work;

use super::rule::Rule;

/// Returns all formats.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    [
        ai::RULES,
        chat::RULES,
        cloud::RULES,
        code::RULES,
        hosting::RULES,
        pay::RULES,
        watch::RULES,
        work::RULES,
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::all;
    use crate::secret::find;

    #[test]
    fn every_rule_catches_its_own_values() {
        for rule in all() {
            for (seed, shape) in rule.hit.iter().enumerate() {
                for round in 0..20 {
                    let value = fill(shape, seed * 1000 + round);
                    assert_eq!(find(&value), Some(rule.id), "{shape}");
                    let sentence = format!("The staging one is {value}, ask Dana.");
                    assert_eq!(find(&sentence), Some(rule.id), "{shape}");
                }
            }
        }
    }

    #[test]
    fn every_rule_lets_masks_pass() {
        for rule in all() {
            for shape in rule.pass {
                assert_eq!(find(&format!("see {}", fill(shape, 7))), None, "{shape}");
            }
        }
    }

    #[test]
    fn ids_are_unique_and_in_kebab_case() {
        let mut seen = HashSet::new();
        for rule in all() {
            assert!(seen.insert(rule.id), "{}", rule.id);
            assert!(
                rule.id
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            );
            assert!(!rule.hit.is_empty() && !rule.pass.is_empty(), "{}", rule.id);
        }
    }

    /// Replaces each `{36w}` in a shape by that many characters of the named alphabet.
    fn fill(shape: &str, seed: usize) -> String {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64 ^ u64::try_from(seed).unwrap();
        let mut out = String::new();
        let mut rest = shape;
        while let Some((fixed, after)) = rest.split_once('{') {
            let (run, after) = after.split_once('}').unwrap();
            let (count, alphabet) = run.split_at(run.len() - 1);
            let letters: &[u8] = match alphabet {
                "d" => b"0123456789",
                "h" => b"0123456789abcdef",
                "l" => b"abcdefghijklmnopqrstuvwxyz0123456789",
                "u" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
                _ => b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            };
            out.push_str(fixed);
            for _ in 0..count.parse::<usize>().unwrap() {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let place = usize::try_from(state >> 33).unwrap() % letters.len();
                out.push(char::from(letters[place]));
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }
}
