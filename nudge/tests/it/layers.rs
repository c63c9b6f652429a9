//! Which folder knows which: the arrows between the units of a crate, and that
//! none of them leads back to where it came from.
//!
//! A unit is a folder of `src`, or a file of it that is no folder's. The code of the product names
//! one by `crate::unit` and in no other way, so that the arrows can be read off its lines.

mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::tidy::{files, root, short};

/// Where the names of methods are written: the operation table, and the server's.
const MAY_NAME_METHODS: [&str; 2] = [
    "nudge/src/operations.rs",
    "nudge-server/src/primary/operations.rs",
];

/// What begins as the name of a method does and is none: files, and modules of Python.
const NO_METHODS: [&str; 5] = ["db", "sock", "errors", "answers", "_nudge"];

/// A file of a crate: its path below `src`, and its text.
type Source<'a> = (&'a str, &'a str);

/// From a unit to another that it names: how often, and where first.
type Arrows = BTreeMap<(String, String), (usize, String)>;

#[test]
fn no_import_cycle_between_folders_of_the_library() {
    has_no_cycle("nudge");
}

#[test]
fn no_import_cycle_between_folders_of_the_server() {
    has_no_cycle("nudge-server");
}

#[test]
fn method_names_are_written_once() {
    let crates = ["nudge", "nudge-ffi", "nudge-py", "nudge-server"];
    let mut found = Vec::new();
    for path in crates.iter().flat_map(|name| product_files(name)) {
        let file = short(&path);
        if !MAY_NAME_METHODS.contains(&&*file) {
            let text = fs::read_to_string(&path).unwrap();
            let names = method_names(&text).into_iter();
            found.extend(names.map(|(line, name)| format!("{file}:{line} says nudge.{name}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn has_no_cycle(name: &str) {
    let src = root().join(name).join("src");
    let paths = product_files(name).into_iter();
    let read = |path: PathBuf| {
        let below = path.strip_prefix(&src).unwrap().to_str().unwrap();
        (below.to_owned(), fs::read_to_string(&path).unwrap())
    };
    let sources: Vec<(String, String)> = paths.map(read).collect();
    let sources: Vec<Source<'_>> = sources
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let cycles = cycles(&arrows(&sources));
    assert!(cycles.is_empty(), "{name}:\n{cycles}");
}

/// The sources of a crate without those of its tests.
fn product_files(name: &str) -> Vec<PathBuf> {
    let all = files(&root().join(name).join("src"), ".rs").into_iter();
    let is_test = |path: &Path| path.components().any(|part| part.as_os_str() == "tests");
    all.filter(|path| !is_test(&path.with_extension("")))
        .collect()
}

/// The lines of code of a file with their numbers: no comments, and no tests, which stand last.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let product = text.split("\n#[cfg(test)]\nmod tests {").next();
    let lines = (1..).zip(product.unwrap_or_default().lines());
    let code = lines.filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.map(|(number, line)| (number, line.split(" // ").next().unwrap_or_default()))
}

/// The arrows between the units of a crate.
fn arrows(sources: &[Source<'_>]) -> Arrows {
    let units: BTreeSet<&str> = sources.iter().filter_map(|(path, _)| unit(path)).collect();
    // A macro names what `lib.rs` gives on by `$crate`, for whoever uses it.
    let name = Regex::new(r"(?:^|[^$\w])crate::(\w*)|((?:super::)+)").unwrap();
    let mut arrows = Arrows::new();
    for (path, text) in sources {
        let Some(from) = unit(path) else { continue };
        let depth = path.trim_end_matches("/mod.rs").split('/').count();
        for (line, code) in code(text) {
            for named in name.captures_iter(code) {
                let Some(to) = named.get(1) else {
                    let hops = named[2].matches("super").count();
                    assert!(hops < depth, "{path}:{line} names the root by `super`");
                    continue;
                };
                let to = to.as_str();
                assert!(units.contains(to), "{path}:{line} names no unit: {code}");
                if to != from {
                    let first = || (0, format!("{path}:{line}"));
                    let arrow = arrows.entry((from.to_owned(), to.to_owned()));
                    arrow.or_insert_with(first).0 += 1;
                }
            }
        }
    }
    arrows
}

/// The unit of a file; `lib.rs` and `main.rs` are of none.
fn unit(path: &str) -> Option<&str> {
    let first = path.split('/').next()?;
    let unit = first.strip_suffix(".rs").unwrap_or(first);
    (!["lib", "main"].contains(&unit)).then_some(unit)
}

/// All arrows and, with a place where each is drawn, those of them that are part
/// of a cycle; nothing if there is none.
fn cycles(arrows: &Arrows) -> String {
    let mut next: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in arrows.keys() {
        next.entry(from).or_default().push(to);
    }
    let leads_back = |(from, to): &(String, String)| {
        let (mut seen, mut ahead) = (BTreeSet::new(), vec![&**to]);
        while let Some(unit) = ahead.pop() {
            if seen.insert(unit) {
                ahead.extend(next.get(unit).into_iter().flatten());
            }
        }
        seen.contains(&**from)
    };
    let cycle: Vec<_> = arrows
        .iter()
        .filter(|(arrow, _)| leads_back(arrow))
        .collect();
    let mut report = String::new();
    if cycle.is_empty() {
        return report;
    }
    for (from, to) in &next {
        writeln!(report, "{from} -> {}", to.join(", ")).unwrap();
    }
    writeln!(report, "\nin a cycle:").unwrap();
    for ((from, to), (count, first)) in cycle {
        writeln!(
            report,
            "{from} -> {to}, {count} in all, the first in {first}"
        )
        .unwrap();
    }
    report
}

/// The methods whose names are string literals in code, each with its line.
fn method_names(text: &str) -> Vec<(usize, String)> {
    let literal = Regex::new(r#""nudge\.(\w+)""#).unwrap();
    let named = |(line, code)| {
        let names = literal.captures_iter(code);
        let names: Vec<_> = names.map(|name| (line, name[1].to_owned())).collect();
        names
    };
    let named = code(text).flat_map(named);
    named
        .filter(|(_, name)| !NO_METHODS.contains(&&**name))
        .collect()
}
