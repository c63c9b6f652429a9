//! Text of any kind where something with a grammar is due.

use nudge::{Context, ErrorKind, Export, GetHint, Import, ManualClock, Nudge, SetHint, from_json};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

use super::cases;
use super::stage::json;

const GLOB_PIECES: [&str; 30] = [
    "*", "**", "/", "?", "[", "]", "{", "}", ",", "..", "(", ")", "|", "!", "@", "+", "\\", "^",
    "-", "a", "b", "é", "😀", "1", "99", ":alpha:", "!(", "*(", "a/**", "{1..9}",
];

const DURATION_PIECES: [&str; 22] = [
    "P",
    "T",
    "W",
    "D",
    "H",
    "M",
    "S",
    "Y",
    "0",
    "1",
    "9",
    "3650",
    MORE_THAN_64_BITS,
    ".",
    ",",
    "-",
    "+",
    " ",
    "e",
    "٣",
    "PT",
    "session",
];

const MORE_THAN_64_BITS: &str = "18446744073709551616";

/// A payload with most of what one may have.
const PAYLOAD: &str = r#"{"schema_version":"1.1","session_id":"s","created_at":"2025-11-04T10:00:00Z","components":{"api":{"build":[{"value":"make","meta":{"ttl":"P1D","tags":["a"],"priority":7,"confidence":0.9,"scope":{"cwd_glob":["**/api/**"],"branch":["dev"]}},"version":2,"created_at":"2025-11-04T10:00:00Z","updated_at":"2025-11-04T10:00:00Z","use_count":3,"last_used_at":"2025-11-04T10:00:00Z"},{"value":{"type":"json","data":{"a":[1,null]}},"version":1,"created_at":"2025-11-04T10:00:00Z","updated_at":"2025-11-04T10:00:00Z"}]},"web":{"dir":{"value":{"type":"path","abs":"/code/web","os":["linux"]},"version":1,"created_at":"2025-11-04T10:00:00Z","updated_at":"2025-11-04T10:00:00Z"}}}}"#;

/// What may stand in the place of a value.
const OTHERS: &str = r#"null 0 -1 1e999 true "" "x" [] {} [[]] "2.0" "1.9" {"type":"command"} 99999999999999999999 "9999-12-31T23:59:59Z" "../.." "-262143-01-01T00:00:00Z" "session" {"os":[]} "\u0000""#;

fn text(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
    let made = vec(select(pieces), 0..most).prop_map(|pieces| pieces.concat());
    prop_oneof![9 => made, 1 => any::<String>()]
}

/// The payload with some of its values, or all that is below them, changed.
fn payload() -> impl Strategy<Value = Value> {
    let other = select(OTHERS.split(' ').collect::<Vec<_>>());
    vec((any::<Index>(), other), 0..4).prop_map(|harms| {
        let mut text = PAYLOAD.to_owned();
        for (place, other) in harms {
            // Somewhere after a colon or a comma, where a value may stand.
            let starts: Vec<usize> = text
                .match_indices([':', ',', '['])
                .map(|(at, _)| at + 1)
                .collect();
            let at = starts[place.index(starts.len())];
            let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
            if matches!(values.next(), Some(Ok(_))) {
                let end = at + values.byte_offset();
                text.replace_range(at..end, other);
            }
        }
        serde_json::from_str(&text).unwrap_or(Value::String(text))
    })
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_pattern_of_any_kind_is_refused_or_answers(
        glob in text(&GLOB_PIECES, 14),
        cwd in text(&GLOB_PIECES, 10),
    ) {
        let nudge = Nudge::default();
        let set = SetHint::new("api", "build", "make").cwd_glob(&*glob).branch(&*glob);
        match nudge.set_hint(set) {
            Ok(_) => {
                let here = Context::new().cwd(&*cwd).branch(&*cwd);
                let got = nudge.get_hint(GetHint::new("api", "build").context(here));
                let kind = got.err().map(|error| error.kind());
                prop_assert!(matches!(kind, None | Some(ErrorKind::NotFound)), "{:?}", kind);
            }
            Err(error) => {
                let expected = [ErrorKind::ScopeInvalid, ErrorKind::Invalid, ErrorKind::SecretRejected];
                prop_assert!(expected.contains(&error.kind()), "{:?}", error);
                prop_assert_eq!(nudge.last_change(), 0);
            }
        }
    }

    #[test]
    fn a_duration_of_any_kind_is_refused_or_ends(ttl in text(&DURATION_PIECES, 9)) {
        let clock = std::sync::Arc::new(ManualClock::at("2025-11-04T10:00:00Z".parse().unwrap()));
        let nudge = Nudge::default().with_clock(std::sync::Arc::clone(&clock));
        let set = ttl
            .parse()
            .and_then(|ttl| nudge.set_hint(SetHint::new("api", "build", "make").ttl(ttl)));
        match set {
            Ok(_) => {
                prop_assert!(nudge.get_hint(GetHint::new("api", "build")).is_ok());
                // 3,650 days and a millisecond later.
                clock.set("2035-11-02T10:00:00.001Z".parse().unwrap());
                let lives = nudge.get_hint(GetHint::new("api", "build")).is_ok();
                prop_assert_eq!(lives, ttl == "session");
            }
            Err(error) => {
                let expected = [ErrorKind::Invalid, ErrorKind::SecretRejected];
                prop_assert!(expected.contains(&error.kind()), "{:?}", error);
            }
        }
    }

    #[test]
    fn a_payload_of_any_kind_is_refused_or_kept(payload in payload(), replace in any::<bool>()) {
        let nudge = Nudge::default();
        nudge.set_hint(SetHint::new("here", "before", "x")).unwrap();
        let mode = if replace { "replace" } else { "merge" };
        let import = serde_json::json!({"payload": payload, "mode": mode});
        let import = from_json::<Import>(import.to_string().as_bytes());
        match import.and_then(|import| nudge.import(import)) {
            Ok(_) => {
                let export = nudge.export(Export::default()).unwrap();
                let again = Nudge::default();
                let import = serde_json::json!({"payload": json(&export)["payload"], "mode": "replace"});
                let import = from_json::<Import>(import.to_string().as_bytes()).unwrap();
                again.import(import).unwrap();
                let [mut one, mut two] = [export, again.export(Export::default()).unwrap()].map(|export| json(&export));
                for export in [&mut one, &mut two] {
                    export["payload"]["session_id"] = Value::Null;
                    export["payload"]["created_at"] = Value::Null;
                }
                prop_assert_eq!(one, two);
            }
            Err(error) => {
                prop_assert_ne!(error.kind(), ErrorKind::Internal);
                prop_assert_eq!(nudge.last_change(), 1);
            }
        }
    }
}
