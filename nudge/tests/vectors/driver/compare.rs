//! The comparer: whole, by named fields, and errors. There is no other rule.

use serde_json::{Map, Value};

/// How far apart two numbers may be and still be the same.
const CLOSE: f64 = 1e-9;

/// Says where `got` is not `expected`, compared whole.
pub(crate) fn difference(expected: &Value, got: &Value) -> Option<String> {
    compare(expected, got, true, "result")
}

/// Says where `got` lacks what `expected` names. Objects may hold more;
/// arrays may not.
pub(crate) fn has_difference(expected: &Value, got: &Value) -> Option<String> {
    compare(expected, got, false, "result")
}

/// Says where an error object lacks what `expected` names of its code, its
/// reason and the rest of its data.
pub(crate) fn error_difference(expected: &Value, got: &Value) -> Option<String> {
    let mut flat = match got.get("data") {
        Some(Value::Object(data)) => data.clone(),
        _ => Map::new(),
    };
    flat.insert("code".into(), got.get("code").cloned().unwrap_or_default());
    compare(expected, &Value::Object(flat), false, "error")
}

/// Takes the origins away that a surface stamped on hints by its own door: who
/// called, and from where, is of the machine and not of the vectors.
pub(crate) fn without_origins(got: &mut Value, via: &str) {
    match got {
        Value::Object(fields) => {
            if let Some(Value::Object(meta)) = fields.get_mut("meta") {
                let is_own = |origin: &Value| origin.get("via") == Some(&Value::from(via));
                if meta.get("origin").is_some_and(is_own) {
                    meta.remove("origin");
                }
            }
            fields
                .values_mut()
                .for_each(|field| without_origins(field, via));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without_origins(item, via)),
        _ => {}
    }
}

fn compare(expected: &Value, got: &Value, whole: bool, path: &str) -> Option<String> {
    match (expected, got) {
        (Value::Object(expected), Value::Object(got)) => {
            let named = expected.iter().find_map(|(name, expected)| {
                let path = format!("{path}.{name}");
                match got.get(name) {
                    Some(got) => compare(expected, got, whole, &path),
                    None => Some(format!("{path} is missing")),
                }
            });
            let more = || got.keys().find(|name| !expected.contains_key(*name));
            named.or_else(|| {
                let name = if whole { more() } else { None }?;
                Some(format!("{path}.{name} was not expected"))
            })
        }
        (Value::Array(expected), Value::Array(got)) if expected.len() == got.len() => {
            let mut pairs = expected.iter().zip(got).enumerate();
            pairs.find_map(|(index, (expected, got))| {
                compare(expected, got, whole, &format!("{path}[{index}]"))
            })
        }
        (Value::Array(expected), Value::Array(got)) => Some(format!(
            "{path} has {} items, not {}",
            got.len(),
            expected.len()
        )),
        (Value::Number(a), Value::Number(b)) if a == b => None,
        (Value::Number(a), Value::Number(b)) => {
            let close = (a.as_f64()? - b.as_f64()?).abs() <= CLOSE;
            (!close).then(|| format!("{path} is {b}, not {a}"))
        }
        _ if expected == got => None,
        _ => Some(format!("{path} is {got}, not {expected}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_equal_matches_whole() {
        let got = json!({"a": [1, {"b": 0.3}], "c": null});
        let expected = json!({"c": null, "a": [1.0, {"b": 0.300_000_000_1}]});
        assert_eq!(difference(&expected, &got), None);
    }

    #[test]
    fn what_differs_does_not_match_whole() {
        for (expected, got) in [
            (json!({"a": 1}), json!({"a": 2})),
            (json!({"a": 1}), json!({"a": "1"})),
            (json!({"a": 1}), json!({"a": 1, "b": 2})),
            (json!({"a": 1, "b": 2}), json!({"a": 1})),
            (json!({"a": null}), json!({})),
            (json!({"a": {"b": 1}}), json!({"a": {"b": 1, "c": 1}})),
            (json!([1, 2]), json!([2, 1])),
            (json!([1]), json!([1, 2])),
            (json!(0.3), json!(0.300_000_01)),
            (json!(1), json!(true)),
            (json!(false), json!(null)),
            (json!({}), json!([])),
        ] {
            assert!(difference(&expected, &got).is_some(), "{expected} {got}");
        }
    }

    #[test]
    fn named_fields_are_enough_and_needed() {
        let got = json!({"hint": {"value": "make", "version": 1}, "tags": ["a", "b"]});
        for expected in [
            json!({}),
            json!({"hint": {}}),
            json!({"hint": {"version": 1}}),
            json!({"tags": ["a", "b"]}),
        ] {
            assert_eq!(has_difference(&expected, &got), None);
        }
        for expected in [
            json!({"hint": {"version": 2}}),
            json!({"hint": {"meta": {}}}),
            json!({"hint": null}),
            json!({"tags": ["a"]}),
            json!({"tags": ["b", "a"]}),
            json!({"tags": ["a", "b", "c"]}),
            json!({"tags": {}}),
        ] {
            assert!(has_difference(&expected, &got).is_some(), "{expected}");
        }
    }

    #[test]
    fn only_what_a_surface_stamped_itself_is_set_aside() {
        let hint = |via: &str| json!({"value": "make", "meta": {"origin": {"via": via}}});
        let plain = json!({"value": "make", "meta": {}});
        let mut got = json!({"hint": hint("cli"), "all": [hint("cli"), hint("mcp")]});
        without_origins(&mut got, "cli");
        assert_eq!(got, json!({"hint": plain, "all": [plain, hint("mcp")]}));
        let mut value = json!({"value": {"data": {"origin": {"via": "cli"}}}});
        without_origins(&mut value, "cli");
        assert_eq!(value["value"]["data"]["origin"]["via"], "cli");
    }

    #[test]
    fn an_error_is_compared_by_code_and_data_and_not_by_its_words() {
        let data = json!({"reason": "E_INVALID", "field": "limit"});
        let got = json!({"code": 40001, "message": "limit is 0", "data": data});
        let same = json!({"code": 40001, "reason": "E_INVALID", "field": "limit"});
        assert_eq!(error_difference(&same, &got), None);
        for other in [
            json!({"code": 40002, "reason": "E_INVALID"}),
            json!({"code": 40001, "reason": "E_QUOTA"}),
            json!({"code": 40001, "reason": "E_INVALID", "field": "delta"}),
            json!({"code": 40001, "reason": "E_INVALID", "rule": "jwt"}),
        ] {
            assert!(error_difference(&other, &got).is_some(), "{other}");
        }
    }
}
