//! Payloads that are read forever: one export of every schema, and the seed of the examples.

use std::fs;
use std::sync::Arc;

use nudge::{Config, Export, Import, ListComponents, ManualClock, Nudge};
use serde_json::Value;

use crate::conformance::file;

#[test]
fn an_export_of_schema_1_0_comes_back_as_it_was() {
    comes_back("tests/exports/v1.0.json", 6);
}

#[test]
fn an_export_of_schema_1_1_comes_back_as_it_was() {
    comes_back("tests/exports/v1.1.json", 5);
}

#[test]
fn a_kept_file_of_version_0_1_is_taken_as_it_is() {
    let nudge = store();
    let imported = nudge.import(Import::new(read("tests/exports/kept-0.1.json")));
    let imported = imported.unwrap();
    assert_eq!(imported.problems, []);
    assert_eq!((imported.imported, imported.skipped), (4, 0));
    let bytes = exported(&nudge);
    // Whose word each is stays as it was.
    assert_eq!(bytes.matches(r#""source":"user""#).count(), 3, "{bytes}");
    assert_eq!(bytes.matches(r#""source":"tool-output""#).count(), 1);
}

#[test]
fn the_seed_of_the_examples_is_taken_whole() {
    let nudge = store();
    let imported = nudge.import(Import::new(read("examples/seed-hints.json")));
    let imported = imported.unwrap();
    assert_eq!(imported.problems, []);
    assert_eq!((imported.imported, imported.skipped), (8, 0));
    let listed = nudge.list_components(ListComponents::new()).unwrap();
    let names: Vec<&str> = listed.components.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["api", "http-proxy", "infra"]);
}

/// Imports a file, and checks that the next export says the same and that the
/// one after that is the same bytes.
fn comes_back(file: &str, hints: usize) {
    let text = read(file);
    let first = store();
    let imported = first.import(Import::new(&*text)).unwrap();
    assert_eq!(imported.problems, []);
    assert_eq!((imported.imported, imported.skipped), (hints, 0));
    let bytes = exported(&first);
    assert_eq!(comparable(&bytes), comparable(&text), "{file}");

    let second = store();
    second.import(Import::new(&*bytes)).unwrap();
    assert_eq!(exported(&second), bytes, "{file}");
}

/// A store a moment after the files were written.
fn store() -> Nudge {
    let clock = ManualClock::at("2025-11-04T12:00:00Z".parse().unwrap());
    let config = Config {
        session_id: Some("s-1".into()),
        ..Config::default()
    };
    Nudge::new(config).with_clock(Arc::new(clock))
}

fn exported(nudge: &Nudge) -> String {
    let exported = nudge.export(Export::new()).unwrap();
    assert_eq!(exported.secrets_left_out, 0);
    serde_json::to_string(&exported.payload).unwrap()
}

/// A payload without what tells one session from another.
fn comparable(text: &str) -> Value {
    let mut payload: Value = serde_json::from_str(text).unwrap();
    let fields = payload.as_object_mut().unwrap();
    assert!(fields.remove("session_id").is_some());
    assert!(fields.remove("created_at").is_some());
    forget_lifetimes(&mut payload);
    payload
}

/// Takes out what a reader says of hints, and what older writers did not.
fn forget_lifetimes(part: &mut Value) {
    if let Some(fields) = part.as_object_mut() {
        fields.remove("lifetime");
        fields.remove("expires_at");
        fields.values_mut().for_each(forget_lifetimes);
    }
    let items = part.as_array_mut().into_iter().flatten();
    items.for_each(forget_lifetimes);
}

fn read(path: &str) -> String {
    fs::read_to_string(file(path)).unwrap()
}
