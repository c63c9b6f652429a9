//! Answers for callers who show them to people: the values of secrets stay here.
//!
//! JSON results carry what is marked as secret, for programs that need it. The
//! page asks for all hints to show them, and a value that never reaches it can
//! neither be shown nor kept in a browser.

use axum::http::{HeaderMap, HeaderName};
use serde_json::Value;

use crate::primary::events::MASK;

/// By what a caller says that it wants no secrets.
const HEADER: HeaderName = HeaderName::from_static("nudge-mask");

/// How every hint that is marked as secret says so.
const MARK: &[u8] = br#""sensitivity":"secret""#;

/// Whether the caller wants the values of secrets masked.
pub(super) fn is_asked_for(headers: &HeaderMap) -> bool {
    headers
        .get(HEADER)
        .is_some_and(|header| header == "secrets")
}

/// An answer in which the value of every hint that is marked as secret is masked.
///
/// One without such hints is left as it is, to the byte: what a delete took away
/// may be put back, and no number in it may have changed on the way.
pub(super) fn without_secrets(answer: Vec<u8>) -> Vec<u8> {
    if !answer.windows(MARK.len()).any(|window| window == MARK) {
        return answer;
    }
    let Ok(mut told) = serde_json::from_slice(&answer) else {
        // It is ours, so it can be read; if not, it is not passed on.
        return Vec::new();
    };
    mask(&mut told);
    told.to_string().into_bytes()
}

fn mask(told: &mut Value) {
    match told {
        Value::Object(hint) if hint.contains_key("value") && hint.contains_key("version") => {
            let mark = hint.get("meta").and_then(|meta| meta.get("sensitivity"));
            if mark.is_some_and(|mark| mark == "secret") {
                hint.insert("value".to_owned(), MASK.into());
            }
        }
        Value::Object(fields) => fields.values_mut().for_each(mask),
        Value::Array(items) => items.iter_mut().for_each(mask),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_is_masked_wherever_a_hint_may_stand() {
        let hint = |value: &str, mark: &str| json!({"value": value, "version": 1, "meta": {"sensitivity": mark}});
        let told = json!([
            {"id": 0, "result": {"hint": hint("swordfish", "secret"), "alternatives": [{"hint": hint("swordfish", "secret")}]}},
            {"id": 1, "result": {"payload": {"components": {"a": {"hints": {"k": [hint("swordfish", "secret"), hint("make", "normal")]}}}}}},
        ]);
        let masked = without_secrets(told.to_string().into_bytes());
        let masked = String::from_utf8(masked).unwrap();
        assert!(!masked.contains("swordfish"), "{masked}");
        assert!(masked.contains("make"), "{masked}");
        assert_eq!(masked.matches(MASK).count(), 3, "{masked}");
    }

    #[test]
    fn what_holds_no_secret_stays_as_it_is() {
        for told in [
            r#"{"result":{"hint":{"value":{"type":"json","data":{"pi":3.14159265358979312,"n":12345678901234567890}},"version":1}}}"#,
            r#"{"result":{"hint":{"value":"\"sensitivity\":\"secret\"","version":1,"meta":{}}}}"#,
        ] {
            assert_eq!(without_secrets(told.as_bytes().to_vec()), told.as_bytes());
        }
        // Data that looks like a secret hint is data.
        let data = json!({"value": {"type": "json", "data": {"value": "x", "version": 1, "meta": {"sensitivity": "secret"}}}, "version": 1, "meta": {}});
        let masked = without_secrets(data.to_string().into_bytes());
        assert_eq!(serde_json::from_slice::<Value>(&masked).unwrap(), data);
    }
}
