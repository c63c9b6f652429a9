//! The table of globs in `docs/scoping.md` is true.

use nudge::{Context, GetHint, Nudge, SetHint};

use super::page::Page;

/// Whether a hint with this glob applies in a folder, in the worktree that the table names.
fn takes(glob: &str, folder: &str) -> bool {
    let nudge = Nudge::default();
    nudge
        .set_hint(SetHint::new("api", "build", "make").cwd_glob(glob))
        .unwrap();
    let there = Context::new().cwd(folder).root("/work/shop");
    nudge
        .get_hint(GetHint::new("api", "build").context(&there))
        .is_ok()
}

#[test]
fn every_glob_takes_what_the_table_says() {
    let page = Page::read("docs/scoping.md");
    let (_, table) = page.text.split_once("| glob |").unwrap();
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split('|').collect()).collect();
    assert!(rows.len() > 5, "the table is not there");
    for row in rows {
        let cell = |number: usize| row[number].split('`').skip(1).step_by(2);
        let glob = cell(1).next().unwrap();
        for (number, expected) in [(2, true), (3, false)] {
            for folder in cell(number) {
                assert_eq!(takes(glob, folder), expected, "{glob} {folder}");
            }
        }
    }
}
