//! How much code there is, against what `budgets.txt` allows each folder.

#![expect(clippy::print_stdout, reason = "what it counted is shown")]

use std::fmt::Write;
use std::fs;

use crate::tidy::{files, root};

/// How many lines the files below a folder have whose names end so.
fn lines(folder: &str, endings: &[&str]) -> usize {
    let found = files(&root().join(folder), "").into_iter();
    let is_counted = |name: &str| endings.iter().any(|ending| name.ends_with(ending));
    let counted = found.filter(|path| is_counted(path.to_str().unwrap()));
    counted
        .map(|path| fs::read_to_string(path).unwrap().lines().count())
        .sum()
}

/// The table of a file of budgets, with what is used of each, and the rows that are over.
fn compare(budgets: &str, used: impl Fn(&str, &[&str]) -> usize) -> (String, Vec<String>) {
    let (mut table, mut over) = (String::new(), Vec::new());
    let rows = budgets.lines().filter(|line| !line.starts_with('#'));
    for row in rows.filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let [folder, endings @ .., most] = &*words else {
            panic!("`{row}` is not a folder, endings and a number");
        };
        let (used, most) = (used(folder, endings), most.parse::<usize>().unwrap());
        writeln!(table, "{folder:22}{used:>7} of {most}").unwrap();
        if used > most {
            over.push(format!("{folder} is {} lines over", used - most));
        }
    }
    (table, over)
}

#[test]
fn every_folder_keeps_to_its_budget_of_lines() {
    let budgets = fs::read_to_string(root().join("budgets.txt")).unwrap();
    let (table, over) = compare(&budgets, lines);
    print!("{table}");
    assert!(over.is_empty(), "{}\n\n{table}", over.join("\n"));
}

#[test]
fn one_line_too_many_is_seen() {
    let (table, over) = compare("# a remark\n\na .rs .py 2\nb .rs 2\n", |folder, endings| {
        if folder == "a" { endings.len() } else { 3 }
    });
    assert_eq!(over, ["b is 1 lines over"]);
    assert_eq!(table.lines().count(), 2);
}
