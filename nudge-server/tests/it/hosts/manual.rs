//! `docs/hosts.md` shows what `--print` prints. `UPDATE=1` updates its blocks.

use std::collections::HashSet;
use std::fs;

use serde_json::Value;

use super::home::{BINARY, HOSTS, Home, INSTALLED};
use crate::conformance::adapter::file;
use crate::golden::is_as_written_down;
use crate::hooks::wiring::HOOKS;

const MANUAL: &str = "docs/hosts.md";

#[test]
fn the_blocks_of_the_manual_are_what_is_printed() {
    let home = Home::empty();
    let printed = home.nudge("install --hooks --print --json").done();
    let printed: Vec<Value> = serde_json::from_str(&printed).unwrap();
    assert_eq!(printed.len(), HOSTS.len() + HOOKS.len());
    let mut manual = fs::read_to_string(file(MANUAL)).unwrap();
    let mut hosts = HashSet::new();
    for report in &printed {
        let text = |field: &str| report[field].as_str().unwrap();
        // Of each host its server is printed first.
        let is_hooks = !hosts.insert(text("host"));
        let above = ["## ", "### Hooks of "][usize::from(is_hooks)];
        let heading = format!("{above}{}\n\n", text("name"));
        // The table has the file of each host.
        let name = text("file").replace(home.path("").to_str().unwrap(), "~/");
        let name = name.replace("//", "/");
        assert!(manual.contains(&format!("`{name}`")), "{name}");
        let end = name.rsplit('.').next();
        // Nobody pastes a program.
        if end == Some("js") {
            assert!(manual.contains(&heading), "{heading}");
            continue;
        }
        let fence = ["json", "toml"][usize::from(end == Some("toml"))];
        let block = text("text").replace(BINARY, INSTALLED);
        manual = with_block(&manual, &heading, &format!("```{fence}\n{block}```\n"));
    }
    is_as_written_down(MANUAL, &manual);
}

/// The manual with another block below a heading.
fn with_block(manual: &str, heading: &str, block: &str) -> String {
    let (before, rest) = manual.split_once(heading).unwrap();
    let after = match rest.strip_prefix("```") {
        Some(rest) => rest.split_once("```\n").unwrap().1,
        None => rest.split_once('\n').unwrap().1,
    };
    format!("{before}{heading}{block}{after}")
}
