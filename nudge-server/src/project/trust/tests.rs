//! What makes a hash another one, and files that mean harm.

use super::*;

fn of(json: &str) -> String {
    let hint = serde_json::from_str(json).unwrap();
    ProjectHint::new("api", "build", hint).hash
}

/// A file with these components.
fn read(components: &str) -> Result<Vec<ProjectHint>, String> {
    let file = format!(r#"{{"schema_version": "1.0", "components": {components}}}"#);
    hints(file.as_bytes())
}

#[test]
fn a_hash_is_that_of_what_is_said_and_not_of_its_layout() {
    let plain = r#"{"value": "make", "meta": {"tags": ["a", "b"], "priority": 7}}"#;
    let same =
        "{\"meta\":{\"priority\":7,\n\"tags\":[\"\\u0061\",\"b\"]},\"value\":\"m\\u0061ke\"}";
    assert_eq!(of(plain), of(same));
    // Every version of Nudge must know what the user trusted.
    assert_eq!(
        of(plain),
        "d23aab6b263b31e0a6a168d4c3fd2fae78b6dc53f6ac4945f9fcba67690358da"
    );
    let others = [
        r#"{"value": "make", "meta": {"tags": ["b", "a"], "priority": 7}}"#,
        r#"{"value": "make", "meta": {"tags": ["a", "b"], "priority": "7"}}"#,
        r#"{"value": "make", "meta": {"tags": ["a", "b"]}, "priority": 7}"#,
        r#"{"value": "make ", "meta": {"tags": ["a", "b"], "priority": 7}}"#,
        r#"{"value": "make", "meta": {"tags": ["a", "b"], "priority": 7}, "trusted": true}"#,
        r#"{"value": "make", "meta": {"tags": ["a", "b"], "priority": 7, "x": null}}"#,
    ];
    for other in others {
        assert_ne!(of(other), of(plain), "{other}");
    }
}

#[test]
fn no_name_is_taken_for_a_part_of_another() {
    let hint = json!({"value": "make"});
    let names = [
        ("a", "b"),
        ("a\",\"b", "c"),
        ("a", "b\",\"c"),
        ("", "ab"),
        ("ab", ""),
        ("b", "a"),
    ];
    let mut hashes: Vec<String> = names
        .map(|(one, two)| ProjectHint::new(one, two, hint.clone()).hash)
        .into();
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), names.len());
}

#[test]
fn a_file_is_read_into_single_hints() {
    let found = read(
        r#"{
            "web": {"hints": {"test": [{"value": "a"}, {"value": "b", "trusted": true}, 7]}},
            "api": {"hints": {"build": {"value": "make"}, "bad": "make", "none": []}},
            "bad": {"hints": []}, "worse": 7, "empty": {"hints": {}}
        }"#,
    );
    let mut found = found.unwrap();
    found.sort_by_key(|hint| hint.component.clone());
    let expected = [
        ProjectHint::new("api", "build", json!({"value": "make"})),
        ProjectHint::new("web", "test", json!({"value": "a"})),
        ProjectHint::new("web", "test", json!({"value": "b", "trusted": true})),
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_is_said_twice_is_hashed_as_it_is_used() {
    let found = read(r#"{"api": {"hints": {"build": {"value": "make", "value": "rm"}}}}"#);
    let found = found.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].hint, json!({"value": "rm"}));
}

#[test]
fn a_file_that_is_not_one_is_refused_whole() {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let many = |count: usize| {
        let hints: Vec<String> = (0..count).map(|key| format!(r#""{key}":{{}}"#)).collect();
        let hints = hints.join(",");
        format!(r#"{{"api":{{"hints":{{{hints}}}}}}}"#)
    };
    assert_eq!(read(&many(1_000)).unwrap().len(), 1_000);
    let nested = |depth| {
        format!(
            r#"{{"api":{{"hints":{{"x":{{"value":{}}}}}}}}}"#,
            deep(depth)
        )
    };
    assert_eq!(read(&nested(100)).unwrap().len(), 1);
    for (components, why) in [
        (many(1_001), "it has more than 1000 hints"),
        (nested(200), "it is not JSON: recursion limit exceeded"),
        ("[]".to_owned(), "its components are not an object"),
        ("{".to_owned(), "it is not JSON: EOF"),
    ] {
        let words = read(&components).unwrap_err();
        assert!(words.starts_with(why), "{words}");
    }
    for (file, why) in [
        (&b"\xff"[..], "it is not JSON"),
        (b"", "it is not JSON"),
        (b"7", "its schema_version is not `1.0` or `1.1`"),
        (b"{}", "its schema_version is not `1.0` or `1.1`"),
        (
            br#"{"schema_version": "2.0", "components": {}}"#,
            "its schema_version",
        ),
        (
            br#"{"schema_version": "1.0"}"#,
            "its components are not an object",
        ),
    ] {
        let words = hints(file).unwrap_err();
        assert!(words.starts_with(why), "{words}");
    }
}
