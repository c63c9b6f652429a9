//! `docs/promises.md`: what holds each promise is there.

use std::collections::HashSet;
use std::fs;

use serde_json::Value;

use crate::tidy::{files, root};

/// Rows of the page that name nothing, or something that is not there.
fn broken(page: &str, is_there: impl Fn(&str) -> bool) -> Vec<&str> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let rows = rows.filter(|row| !row.starts_with("| promise |"));
    let is_held = |row: &&str| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [_, holders] = cells[..] else {
            return false;
        };
        let mut named = holders.split('`').skip(1).step_by(2).peekable();
        named.peek().is_some() && named.all(&is_there)
    };
    rows.filter(|row| !is_held(row)).collect()
}

#[test]
fn every_promise_names_a_case_or_a_test_that_is_there() {
    let mut names = HashSet::new();
    let mut tables = files(&root().join("tests/conformance/vectors"), ".json");
    tables.push(root().join("tests/hooks/heeded.json"));
    for path in tables {
        let table: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let cases = table.get("cases").unwrap_or(&table).as_array();
        let cases = cases.unwrap().iter();
        names.extend(cases.map(|case| case["name"].as_str().unwrap().to_owned()));
    }
    for folder in ["nudge", "nudge-server"] {
        for path in files(&root().join(folder), ".rs") {
            let text = fs::read_to_string(path).unwrap();
            let functions = text.lines().filter_map(|line| {
                let line = line.trim_start().trim_start_matches("async ");
                line.strip_prefix("fn ")?.split('(').next()
            });
            names.extend(functions.map(str::to_owned));
        }
    }
    let page = fs::read_to_string(root().join("docs/promises.md")).unwrap();
    let broken = broken(&page, |name| names.contains(name));
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_promise_without_a_holder_is_seen() {
    let page =
        "| promise | held by |\n|---|---|\n| one | `a` |\n| two | `b` |\n| three | nobody |\n";
    let found = broken(page, |name| name == "a");
    assert_eq!(found, ["| two | `b` |", "| three | nobody |"]);
}
