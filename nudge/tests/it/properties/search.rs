//! Regexes and words over a whole store, against the same over its parts.
//!
//! A query without other filters goes through one long text of all hints; one
//! that names a component looks at each hint by itself. Both must find the
//! same, however the long text was torn and mended before.

use nudge::{Config, DeleteHint, Limits, Nudge, Query, SetHint};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::cases;

const COMPONENTS: [&str; 3] = ["api", "db", "web"];

const WORDS: [&str; 16] = [
    "", "a", "b", "x", "ab", "xb", "y", " ", "\n", "\r", "\t", "é", "ß", "A", "b\n", "\nxb",
];

const PATTERNS: [&str; 34] = [
    "a", "b", "x", "y", "xb", "^", "$", "^a", "b$", "^$", r"\b", r"\B", r"\A", r"\z", r"\s", r"\S",
    ".", "[^x]", "[^x]*", r"\n", r"\r", "(?i)a", "(?s).", "(?m)^a", "(?s:a.b)", "(?R)$", "a|b",
    "(?:x|y)", "é", r"\w+", ".*", "x?", "(?-m)^", "|",
];

/// A text, now and then a long one, so that chunks fill up and gaps get closed.
fn text() -> impl Strategy<Value = String> {
    let words = vec(select(&WORDS[..]), 0..5).prop_map(|words| words.concat());
    let filler = prop_oneof![6 => Just(0_usize), 1 => 2_000..9_000_usize, 1 => Just(50_000)];
    (words, filler, any::<bool>()).prop_map(|(words, filler, before)| {
        let filler = "-".repeat(filler);
        if before {
            filler + &words
        } else {
            words + &filler
        }
    })
}

fn regex() -> impl Strategy<Value = String> {
    let some = vec(select(&PATTERNS[..]), 1..5).prop_map(|patterns| patterns.concat());
    let more = some.clone();
    prop_oneof![3 => some.clone(), 2 => (some, more).prop_map(|(a, b)| format!("{a}|{b}"))]
}

#[derive(Debug, Clone)]
enum Edit {
    Set(usize, usize, String, String),
    Delete(usize, usize),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let set =
        (0..3_usize, 0..8_usize, text(), text()).prop_map(|(component, key, value, reason)| {
            let reason = reason.chars().take(200).collect();
            Edit::Set(component, key, value, reason)
        });
    let delete = (0..3_usize, 0..8_usize).prop_map(|(component, key)| Edit::Delete(component, key));
    vec(prop_oneof![3 => set, 1 => delete], 0..24)
}

fn store() -> Nudge {
    let limits = Limits {
        value_bytes: 1 << 20,
        ..Limits::default()
    };
    Nudge::new(Config {
        limits,
        secret_guard: false,
        ..Config::default()
    })
}

fn edit(nudge: &Nudge, edit: Edit) {
    match edit {
        Edit::Set(component, key, value, reason) => {
            let key = format!("key-{key}");
            let set = SetHint::new(COMPONENTS[component], key, value).reason(reason);
            nudge.set_hint(set).unwrap();
        }
        Edit::Delete(component, key) => {
            let _ = nudge.delete_hint(DeleteHint::new(COMPONENTS[component], format!("key-{key}")));
        }
    }
}

/// What a query finds, in the order of names; nothing where it takes too long.
fn found(nudge: &Nudge, query: Query) -> Option<Vec<(String, String)>> {
    let found = match nudge.query(query.limit(100)) {
        Err(error) if error.data().detail.as_deref() == Some("too_slow") => return None,
        found => found.unwrap(),
    };
    assert_eq!(found.total, found.hints.len());
    let names = |ranked: &nudge::Ranked| (ranked.component.to_string(), ranked.key.to_string());
    let mut names: Vec<_> = found.hints.iter().map(names).collect();
    names.sort();
    Some(names)
}

fn at_once_and_one_by_one(nudge: &Nudge, query: &Query) -> [Vec<(String, String)>; 2] {
    let one = |name: &&str| found(nudge, query.clone().component(*name));
    let one_by_one: Option<Vec<_>> = COMPONENTS.iter().map(one).collect();
    match (found(nudge, query.clone()), one_by_one) {
        (Some(at_once), Some(one_by_one)) => [at_once, one_by_one.concat()],
        // Values here may be far longer than usual, and then one of them may not be answered.
        _ => [Vec::new(), Vec::new()],
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn a_regex_finds_at_once_what_it_finds_one_by_one(
        stories in vec((edits(), vec(regex(), 1..6)), 1..4),
    ) {
        let nudge = store();
        for (edits, regexes) in stories {
            for change in edits {
                edit(&nudge, change);
            }
            for regex in regexes {
                let [at_once, one_by_one] = at_once_and_one_by_one(&nudge, &Query::new().regex(&regex));
                prop_assert_eq!(at_once, one_by_one, "regex {:?}", regex);
            }
        }
    }

    #[test]
    fn words_find_at_once_what_they_find_one_by_one(
        edits in edits(),
        texts in vec(vec(select(&["api", "w", "key", "a", "B", "x", "xb", "é", "ß", "3"][..]), 1..3), 1..6),
    ) {
        let nudge = store();
        for change in edits {
            edit(&nudge, change);
        }
        for text in texts {
            let query = Query::new().text(text.join(" "));
            let [at_once, one_by_one] = at_once_and_one_by_one(&nudge, &query);
            prop_assert_eq!(at_once, one_by_one, "text {:?}", text);
        }
    }
}

#[test]
fn a_match_that_runs_on_into_the_next_hint_hides_none() {
    // Each regex has a longer match that starts in the first hint and ends in
    // the second, and a shorter one that the first hint has by itself.
    let mut missed = Vec::new();
    for (first, second, regex) in [
        ("xb", "y", r"xb\s+key-2\s+y|b"),
        ("xb", "y", r"xb\n\nkey-2\ny|b"),
        ("xb", "y", r"xb\n\nkey-2\ny|xc\n\nkey-2\ny|b"),
        ("x b", "y", r"x[^q]*y|b"),
        ("x é b", "y", r"\bx[^q]*\by|\bb"),
        ("xb", "y", r"(?s)x.*y|b$"),
        ("xby", "y", r"(?s)x.*key-2.*y|by"),
        ("abc\r", "", r"(?R)c\r$"),
        ("", "", r"^\B$"),
    ] {
        let nudge = store();
        edit(&nudge, Edit::Set(0, 1, first.into(), String::new()));
        edit(&nudge, Edit::Set(0, 2, second.into(), String::new()));
        let [at_once, one_by_one] = at_once_and_one_by_one(&nudge, &Query::new().regex(regex));
        assert!(!one_by_one.is_empty(), "{regex} is found in {first:?}");
        if at_once != one_by_one {
            missed.push(format!("{regex} in {first:?} before {second:?}"));
        }
    }
    assert_eq!(missed, Vec::<String>::new());
}
