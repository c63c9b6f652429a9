//! `docs/promises.md` and `SECURITY.md`: what holds each promise is there.

use std::collections::HashSet;
use std::fs;

use serde_json::Value;

use crate::tidy::{files, root, short};

/// Rows of a page whose last cell names nothing, or something that is not there.
fn broken(page: &str, is_there: impl Fn(&str) -> bool) -> Vec<&str> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let is_title = |row: &str| row.ends_with("| held by |") || row.ends_with("| tried by |");
    let is_held = |row: &str| {
        let cells = row.trim_end_matches(" |").rsplit_once(" | ");
        let holders = cells.map_or("", |(_, holders)| holders);
        let mut named = holders.split('`').skip(1).step_by(2).peekable();
        named.peek().is_some() && named.all(&is_there)
    };
    rows.filter(|row| !is_title(row) && !is_held(row)).collect()
}

#[test]
fn every_promise_names_a_case_a_test_or_an_attack_that_is_there() {
    let mut names = HashSet::new();
    let mut tables = files(&root().join("tests/conformance/vectors"), ".json");
    tables.push(root().join("tests/hooks/heeded.json"));
    for path in tables {
        let table: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let cases = table.get("cases").unwrap_or(&table).as_array();
        let cases = cases.unwrap().iter();
        names.extend(cases.map(|case| case["name"].as_str().unwrap().to_owned()));
    }
    for path in files(&root(), ".rs") {
        let text = fs::read_to_string(path).unwrap();
        let functions = text.lines().filter_map(|line| {
            let line = line.trim_start().trim_start_matches("async ");
            line.strip_prefix("fn ")?.split('(').next()
        });
        names.extend(functions.map(str::to_owned));
    }
    for path in files(&root().join("tests/attacks"), ".sh") {
        let name = short(&path);
        let name = name.strip_prefix("tests/").unwrap();
        names.insert(name.trim_end_matches(".sh").to_owned());
    }
    for page in ["docs/promises.md", "SECURITY.md"] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        assert!(text.matches("\n| ").count() > 30, "{page} is all but empty");
        let broken = broken(&text, |name| names.contains(name));
        assert!(broken.is_empty(), "{page}:\n{}", broken.join("\n"));
    }
}

#[test]
fn a_promise_without_a_holder_is_seen() {
    let page =
        "| promise | held by |\n|---|---|\n| one | `a` |\n| two | `b` |\n| three | nobody |\n";
    let found = broken(page, |name| name == "a");
    assert_eq!(found, ["| two | `b` |", "| three | nobody |"]);
}
