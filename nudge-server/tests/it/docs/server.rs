//! The tables in `docs/server.md` are true: of settings, of files, of tools.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use nudge_server::config::VARIABLES;

use super::page::Page;
use crate::conformance::adapter::file;
use crate::faults::printed;
use crate::process::{Server, until};

const PAGE: &str = "docs/server.md";

/// The cells of a table of the page, row by row, below a heading that starts so.
fn rows(heading: &str) -> Vec<Vec<String>> {
    let page = Page::read(PAGE);
    let lines = page.text.lines();
    let lines = lines.skip_while(|line| !line.starts_with(heading));
    let lines = lines.skip(2).take_while(|line| line.starts_with('|'));
    let cells = |line: &str| {
        let cells = line.split('|').skip(1);
        cells.map(|cell| cell.trim().to_owned()).collect()
    };
    let rows: Vec<Vec<String>> = lines.map(cells).collect();
    assert!(!rows.is_empty(), "there is no table `{heading}`");
    rows
}

/// A setting: its variable, its flag, and what it is when nobody says.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Setting {
    variable: String,
    flag: String,
    default: String,
}

/// The options of `nudge serve` that a variable mirrors, as its help lists them:
/// `--max-hints <N>  The most hints in all [NUDGE_MAX_HINTS; 5000]`.
fn in_help(help: &str) -> BTreeSet<Setting> {
    let page = help.split("$ nudge serve --help\n").nth(1).unwrap();
    let page = page.split("\nFor every command").next().unwrap();
    let options = page.lines().map(str::trim);
    let options = options.filter(|line| line.starts_with("--"));
    let settings = options.filter_map(|line| {
        let (option, variable) = line.strip_suffix(']')?.rsplit_once('[')?;
        let (variable, default) = variable.split_once("; ").unwrap_or((variable, ""));
        Some(Setting {
            // That a flag turns something off is said as `NUDGE_SECRET_GUARD=0`.
            variable: variable.split('=').next().unwrap_or_default().to_owned(),
            flag: option.split("  ").next()?.replace(['<', '>'], ""),
            default: default.to_owned(),
        })
    });
    settings.collect()
}

/// The rows of the table; a cell that says `–` says nothing.
fn in_table() -> BTreeSet<Setting> {
    let settings = rows("| variable |").into_iter().map(|row| {
        let cell = |number: usize| row[number].replace(['`', '–'], "");
        Setting {
            variable: cell(0),
            flag: cell(1),
            default: cell(2),
        }
    });
    settings.collect()
}

#[test]
fn the_table_of_settings_is_that_of_the_help() {
    let help = fs::read_to_string(file("tests/transcripts/help.txt")).unwrap();
    let table = in_table();
    // What has no flag is not in the help of the server.
    let mirrored = table.into_iter().filter(|row| !row.flag.is_empty());
    assert_eq!(mirrored.collect::<BTreeSet<_>>(), in_help(&help));
}

#[test]
fn the_table_has_every_variable_that_is_read() {
    let read: BTreeSet<String> = VARIABLES.into_iter().map(str::to_owned).collect();
    let table: BTreeSet<String> = in_table().into_iter().map(|row| row.variable).collect();
    assert_eq!(table, read);
}

/// The names in a folder.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names.collect()
}

#[test]
fn the_table_of_files_is_what_a_server_makes_and_what_it_leaves() {
    let files = rows("| file |").into_iter();
    let files: Vec<(String, bool)> = files
        .map(|row| (row[0].replace('`', ""), row[2].starts_with("stays")))
        .collect();
    let all: BTreeSet<String> = files.iter().map(|(name, _)| name.clone()).collect();
    let left = files.iter().filter(|(_, stays)| *stays);
    let left: BTreeSet<String> = left.map(|(name, _)| name.clone()).collect();

    let folder = crate::process::folder();
    let _server = Server::start(folder.path());
    printed(folder.path(), &["set", "api", "build", "make"]);
    printed(folder.path(), &["ui", "--no-open"]);
    assert_eq!(names(folder.path()), all);
    printed(folder.path(), &["stop"]);
    until("the server takes its files away", || {
        names(folder.path()) == left
    });
}

#[test]
fn the_table_of_tools_has_them_all() {
    let tools = crate::schema::tools();
    let tools = tools["tools"].as_array().unwrap().iter();
    let tools: BTreeSet<&str> = tools.map(|tool| tool["name"].as_str().unwrap()).collect();
    let rows = rows("| tool |");
    let named = rows
        .iter()
        .flat_map(|row| row[0].split('`').skip(1).step_by(2));
    assert_eq!(named.collect::<BTreeSet<&str>>(), tools);
}
