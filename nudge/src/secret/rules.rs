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
    use std::collections::HashMap;

    use super::all;
    use crate::secret::find;

    /// Shapes of values for each format.
    const SHAPES: &str = include_str!("../../../tests/corpus/formats.tsv");

    #[test]
    fn every_rule_catches_its_own_values_and_lets_masks_pass() {
        let mut seen: HashMap<&str, [usize; 2]> = HashMap::new();
        let rows = SHAPES.lines().filter(|line| !line.starts_with('#'));
        for (seed, row) in rows.enumerate() {
            let [id, verdict, shape] = row.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{row} is not a row of three cells");
            };
            let trips = verdict == "trips";
            seen.entry(id).or_default()[usize::from(trips)] += 1;
            for round in 0..20 {
                let value = fill(shape, seed * 1000 + round);
                let sentence = format!("The staging one is {value}, ask Dana.");
                assert_eq!(find(&sentence), trips.then_some(id), "{shape}");
                assert!(!trips || find(&value) == Some(id), "{shape}");
            }
        }
        for rule in all() {
            let kebab = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
            assert!(rule.id.bytes().all(kebab), "{}", rule.id);
            // A second rule of the same id finds nothing left.
            let seen = seen.remove(rule.id).unwrap_or_default();
            assert!(seen.iter().all(|count| *count > 0), "{}", rule.id);
        }
        assert!(seen.is_empty(), "no rules: {:?}", seen.keys());
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
