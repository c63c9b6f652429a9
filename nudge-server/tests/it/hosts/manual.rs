//! `docs/hosts.md` shows what `--print` prints. `UPDATE=1` updates its blocks.

use std::fs;

use serde_json::Value;

use super::home::{BINARY, Home};
use crate::conformance::adapter::file;

/// The path that the binary has in the manual.
const INSTALLED: &str = "/usr/local/bin/nudge";

#[test]
fn the_blocks_of_the_manual_are_what_is_printed() {
    let home = Home::empty();
    let printed = home.nudge("install --print --json").done();
    let printed: Vec<Value> = serde_json::from_str(&printed).unwrap();
    let path = file("docs/hosts.md");
    let mut manual = fs::read_to_string(&path).unwrap();
    assert_eq!(printed.len(), 7);
    for report in printed {
        let text = |field: &str| report[field].as_str().unwrap().to_owned();
        let fence = if text("host") == "codex" {
            "toml"
        } else {
            "json"
        };
        let block = text("text").replace(BINARY, INSTALLED);
        let block = format!("## {}\n\n```{fence}\n{block}```\n", text("name"));
        if std::env::var_os("UPDATE").is_some() {
            manual = with_block(&manual, &text("name"), &block);
        }
        assert!(
            manual.contains(&block),
            "docs/hosts.md does not show\n{block}"
        );
        // The table has the file of each host.
        let name = text("file").replace(home.path("").to_str().unwrap(), "~/");
        assert!(
            manual.contains(&format!("`{}`", name.replace("//", "/"))),
            "{name}"
        );
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, manual).unwrap();
    }
}

/// The manual with another block below a heading.
fn with_block(manual: &str, name: &str, block: &str) -> String {
    let heading = format!("## {name}\n\n");
    let (before, rest) = manual.split_once(&heading).unwrap();
    let after = match rest.strip_prefix("```") {
        Some(rest) => rest.split_once("```\n").unwrap().1,
        None => rest.split_once('\n').unwrap().1,
    };
    format!("{before}{block}{after}")
}
