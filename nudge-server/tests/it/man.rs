//! The manual pages: one for every command, that every formatter takes.

#[path = "../../examples/man/pages.rs"]
mod pages;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use crate::golden::is_as_written_down;
use crate::help::commands;
use crate::need::need;

/// A folder with the pages in it.
fn written() -> (TempDir, Vec<PathBuf>) {
    let root = tempfile::tempdir().unwrap();
    let write = |(name, page): (String, String)| {
        let path = root.path().join(name);
        fs::write(&path, page).unwrap();
        path
    };
    let pages = pages::pages().into_iter().map(write).collect();
    (root, pages)
}

#[test]
fn every_command_has_a_page() {
    let pages = pages::pages().into_iter().map(|(name, _)| name);
    let expected = commands().into_iter().map(|command| match &*command {
        "" => "nudge.1".to_owned(),
        command => format!("nudge-{command}.1"),
    });
    let pages: BTreeSet<String> = pages.collect();
    assert_eq!(pages, expected.collect());
}

#[test]
fn a_page_is_as_written_down() {
    let mut pages = pages::pages().into_iter();
    let (_, page) = pages.find(|(name, _)| name == "nudge-get.1").unwrap();
    // The one line that every release changes.
    let page = page.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    is_as_written_down("tests/transcripts/nudge-get.1", &page);
}

#[test]
fn groff_has_nothing_to_say_about_a_page() {
    if !need("groff", "groff") {
        return;
    }
    let (_root, pages) = written();
    for page in pages {
        let mut groff = Command::new("groff");
        let output = groff.args(["-man", "-Tutf8", "-ww", "-z"]).arg(&page);
        let output = output.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said, "", "{}", page.display());
    }
}

#[test]
fn mandoc_misses_nothing_but_a_date() {
    if !need("mandoc", "mandoc") {
        return;
    }
    let (_root, pages) = written();
    let mut mandoc = Command::new("mandoc");
    let output = mandoc.args(["-Tlint", "-Wwarning"]).args(pages);
    let said = String::from_utf8(output.output().unwrap().stdout).unwrap();
    // A page says none: the same source makes the same bytes.
    let mut rest = said.lines().filter(|line| !line.contains("missing date"));
    assert_eq!(rest.next(), None);
}
