//! What a reader is told to type exists: the commands and flags of `nudge`, and the targets of
//! `make` in the Makefile.

use std::fs;

use clap::{Arg, Command};

use super::page::{Page, pages};
use crate::conformance::adapter::file;

/// What ends a command within a line.
const ENDS: [&str; 8] = ["|", "||", "&&", ";", ">", "<", "&", "#"];

/// What is wrong with a line that begins with `nudge`, if anything is.
fn wrong(nudge: &Command, line: &str) -> Option<String> {
    let words = words(line);
    let (_, words) = words.split_first()?;
    let mut before = "";
    let name = words.iter().copied().find(|word| {
        let is_port = std::mem::replace(&mut before, word) == "-p";
        !is_port && !word.starts_with('-')
    });
    let command = name.map_or(Some(nudge), |name| nudge.find_subcommand(name));
    let name = name.unwrap_or_default();
    let Some(command) = command.filter(|command| !command.is_hide_set()) else {
        return Some(format!("`{line}`: there is no command `{name}`"));
    };
    let is_known = |flag: &str| {
        let known = command.get_arguments();
        let known = known.filter_map(Arg::get_long_and_visible_aliases);
        let mut known = known.flatten();
        // `--scope-…` stands for every flag that starts so.
        known.any(|long| long == flag || flag.ends_with('-') && long.starts_with(flag))
    };
    let own = words.iter().take_while(|word| **word != "--");
    let flags = own.filter_map(|word| word.strip_prefix("--"));
    let mut flags = flags.map(|word| word.split(['=', '…']).next().unwrap_or_default());
    let unknown = flags.find(|flag| !is_known(flag))?;
    Some(format!("`{line}`: `nudge {name}` has no `--{unknown}`"))
}

/// All commands, each with the flags that every one has.
fn built() -> Command {
    let mut nudge = nudge_server::cli::command();
    nudge.build();
    nudge
}

/// The words of a line up to the end of its first command, without what is quoted.
fn words(line: &str) -> Vec<&str> {
    let mut is_quoted = false;
    let words = line.split_whitespace().filter(|word| {
        let was_quoted = is_quoted;
        let quotes = word.matches(['"', '\'']).count();
        is_quoted ^= quotes % 2 == 1;
        !was_quoted && quotes == 0
    });
    words.take_while(|word| !ENDS.contains(word)).collect()
}

/// What is wrong with the target of a `make`, if anything is.
fn no_target(line: &str, makefile: &str) -> Option<String> {
    let words = words(line);
    let mut targets = words.iter().skip(1).filter(|word| !word.contains('='));
    let missing = targets.find(|name| {
        let is_there = |line: &str| line.starts_with(&format!("{name}:"));
        !makefile.lines().any(is_there)
    })?;
    Some(format!("`{line}`: the Makefile has no `{missing}`"))
}

/// The spans of code of a page. That one is `make all` says nothing: it may be
/// the value of a hint.
fn spans(page: &Page) -> Vec<String> {
    let lines: Vec<&str> = page.prose().into_iter().map(|(_, line)| line).collect();
    let text = lines.join("\n");
    let paragraphs = text.split("\n\n");
    let spans = paragraphs.flat_map(|text| text.split('`').skip(1).step_by(2));
    spans.map(|span| span.replace('\n', " ")).collect()
}

/// The lines of a page that are for a shell and not run by a test.
fn lines(page: &Page) -> Vec<String> {
    let blocks = page.blocks().into_iter();
    let blocks = blocks.filter(|block| block.language == "sh");
    let text: String = blocks
        .map(|block| block.text.replace("\\\n", " "))
        .collect();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_command_that_a_page_names_exists() {
    let nudge = built();
    let makefile = fs::read_to_string(file("Makefile")).unwrap();
    let mut found = Vec::new();
    for page in pages() {
        let typed = lines(&page);
        let targets = typed.iter().filter(|line| line.starts_with("make "));
        let missing = targets.filter_map(|line| no_target(line, &makefile));
        found.extend(missing.map(|words| format!("{}: {words}", page.name)));
        let named = spans(&page).into_iter().chain(typed);
        let named = named.filter(|line| line.starts_with("nudge "));
        let unknown = named.filter_map(|line| wrong(&nudge, &line));
        found.extend(unknown.map(|words| format!("{}: {words}", page.name)));
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_command_that_does_not_exist_is_seen() {
    let nudge = built();
    for good in [
        "nudge get api build --raw || make --all",
        "nudge --help",
        "nudge -p 8765 status",
        "nudge set COMPONENT KEY \"a --b\" --scope-env=CI",
        "nudge serve --port 8765 # --all",
        "nudge set --scope-…",
    ] {
        assert_eq!(wrong(&nudge, good), None);
    }
    for bad in [
        "nudge gte api build",
        "nudge get api build --rwa",
        "nudge -p 1 stauts",
        "nudge --halp",
    ] {
        assert!(wrong(&nudge, bad).is_some(), "{bad}");
    }
    let makefile = "run: binary ## start\n";
    assert_eq!(no_target("make run PORT=1 # now", makefile), None);
    assert!(no_target("make rnu", makefile).is_some());
}
