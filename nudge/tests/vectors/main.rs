//! Every vector of `tests/conformance`, through the library: what Nudge does,
//! without building the server.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on says so by panicking"
)]

mod driver;
mod messages;
mod rust;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use self::driver::{Case, Surface, conforms, conforms_to, run, topics};
use self::rust::Rust;

#[test]
fn rust() {
    let name = if cfg!(windows) { "windows" } else { "rust" };
    conforms(name, &mut Rust::default());
}

/// What is said of the way by which a caller comes, and of where it is.
#[test]
fn library() {
    conforms_to::<Rust>("library");
}

#[test]
fn every_case_has_a_name_of_its_own() {
    let mut names = BTreeSet::new();
    for topic in topics() {
        for case in &topic.cases {
            let in_a_shell = case.name.find(['"', '$', '`', '\\', '!']);
            assert_eq!(in_a_shell, None, "not for CASE=\"…\": {}", case.name);
            assert!(
                names.insert(case.name.clone()),
                "two cases: {:?}",
                case.name
            );
        }
    }
}

#[test]
fn a_surface_that_answers_anything_fails() {
    struct Liar(Result<Value, Value>);

    impl Surface for Liar {
        fn open(&mut self, _: &Value, _: &str) {}

        fn at(&mut self, _: &str) {}

        fn caller(&mut self, _: Option<&str>) {}

        fn call(&mut self, _: &str, _: &Value) -> Result<Value, Value> {
            self.0.clone()
        }
    }

    let cases: Vec<Case> = topics().into_iter().flat_map(|topic| topic.cases).collect();
    for answer in [Ok(json!({})), Err(json!({"code": 50001}))] {
        let mut liar = Liar(answer);
        let fooled = cases
            .iter()
            .filter(|case| run(case, &mut liar, &|_| ()).is_ok());
        let names: Vec<&str> = fooled.map(|case| &*case.name).collect();
        assert!(names.is_empty(), "these expect nothing: {names:?}");
    }
}
