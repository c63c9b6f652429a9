//! The README and the pages in `docs`: every block of code is run or checked,
//! every link leads somewhere, every command that is named exists.
//!
//! Sessions at a terminal are replayed by `transcripts.rs`, Rust runs as doctests
//! of `nudge`, and Python, C and Go by the scripts of their folders in `tests`.

mod commands;
mod ecosystems;
mod globs;
mod links;
pub(crate) mod page;
mod picture;
mod server;

use std::fs;
use std::process::Command;

use crate::conformance::adapter::file;
use page::{Page, pages};

/// Who runs the blocks of a language; `text` is for what nobody can.
const RUNNERS: [(&str, &str); 13] = [
    ("bash", "nudge-server/tests/it/entering.rs"),
    ("c", "tests/c/run"),
    ("console", "nudge-server/tests/it/transcripts.rs"),
    ("fish", "nudge-server/tests/it/entering.rs"),
    ("go", "tests/go/run"),
    ("json", "nudge-server/tests/it/docs.rs"),
    ("jsonc", "nudge-server/tests/it/docs.rs"),
    ("python", "tests/python/test_readme.py"),
    ("rust", "nudge/src/lib.rs"),
    ("sh", "nudge-server/tests/it/docs/commands.rs"),
    ("text", "nudge-server/tests/it/docs.rs"),
    ("toml", "nudge-server/tests/it/docs.rs"),
    ("zsh", "nudge-server/tests/it/entering.rs"),
];

/// Every block of these pages with what is wrong with it, if anything is.
fn wrong(judge: impl Fn(&Page, &page::Block) -> Option<String>) -> Vec<String> {
    let pages = pages();
    let blocks = pages
        .iter()
        .flat_map(|page| page.blocks().into_iter().map(move |block| (page, block)));
    let wrong = blocks.filter_map(|(page, block)| {
        let words = judge(page, &block)?;
        Some(format!("{}:{}: {words}", page.name, block.line))
    });
    wrong.collect()
}

#[test]
fn every_block_has_a_runner() {
    let wrong = wrong(|_, block| {
        let known = RUNNERS.iter().any(|(name, _)| *name == block.language);
        (!known).then(|| format!("no runner for a block of `{}`", block.language))
    });
    assert_eq!(wrong, Vec::<String>::new());
    for (language, runner) in RUNNERS {
        assert!(file(runner).exists(), "{language}: there is no {runner}");
    }
}

#[test]
fn every_page_with_rust_is_a_doctest() {
    let library = fs::read_to_string(file("nudge/src/lib.rs")).unwrap();
    let wrong = wrong(|page, block| {
        let include = format!("include_str!(\"../../{}\")", page.name);
        let is_run = block.language != "rust" || library.contains(&include);
        (!is_run).then(|| format!("nudge/src/lib.rs has no `{include}`"))
    });
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_block_of_data_can_be_read() {
    let wrong = wrong(|_, block| {
        let text = &block.text;
        let error = match block.language.as_str() {
            "json" => serde_json::from_str::<serde::de::IgnoredAny>(text)
                .map(drop)
                .map_err(|error| error.to_string()),
            "jsonc" => {
                jsonc_parser::cst::CstRootNode::parse(text, &jsonc_parser::ParseOptions::default())
                    .map(drop)
                    .map_err(|error| error.to_string())
            }
            "toml" => text
                .parse::<toml_edit::DocumentMut>()
                .map(drop)
                .map_err(|error| error.to_string()),
            _ => Ok(()),
        };
        error.err()
    });
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_block_for_a_shell_is_one() {
    let wrong = wrong(|_, block| {
        if block.language != "sh" {
            return None;
        }
        let output = Command::new("sh").args(["-n", "-c", &block.text]).output();
        let said = String::from_utf8_lossy(&output.unwrap().stderr).into_owned();
        (!said.is_empty()).then_some(said)
    });
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_index_names_every_page() {
    let index = Page::read("docs/README.md");
    let linked: Vec<String> = links::of(&index).into_iter().map(|link| link.to).collect();
    let missing = pages().into_iter().map(|page| page.name).filter(|name| {
        let below = name.strip_prefix("docs/");
        below.is_some_and(|below| below != "README.md" && !linked.iter().any(|to| to == below))
    });
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<String>::new());
}
