//! What a reader is told to type exists: the commands and flags of `nudge` are in
//! its help, and the targets of `make` in the Makefile.

use std::fs;

use super::page::{Page, pages};
use crate::conformance::adapter::file;

/// What ends a command within a line.
const ENDS: [&str; 8] = ["|", "||", "&&", ";", ">", "<", "&", "#"];

/// The pages of `nudge --help`, as they are written down.
struct Help(String);

impl Help {
    fn read() -> Help {
        Help(fs::read_to_string(file("tests/transcripts/help.txt")).unwrap())
    }

    /// The page of a command; of `nudge` itself where it is empty.
    fn page(&self, command: &str) -> Option<&str> {
        let typed = format!("$ nudge {command} --help\n").replace("  ", " ");
        let (_, page) = self.0.split_once(&typed)?;
        Some(page.split("\n$ nudge ").next().unwrap_or_default())
    }

    /// What is wrong with the words after `nudge`, if anything is.
    fn wrong(&self, line: &str) -> Option<String> {
        let words = words(line);
        let (_, words) = words.split_first()?;
        let mut before = "";
        let command = words.iter().copied().find(|word| {
            let is_port = std::mem::replace(&mut before, word) == "-p";
            !is_port && !word.starts_with('-')
        });
        let command = command.unwrap_or_default();
        let Some(page) = self.page(command) else {
            return Some(format!("`{line}`: there is no command `{command}`"));
        };
        let is_known = |flag: &str| {
            let mut said = page.split(|at: char| at.is_whitespace() || ",[]".contains(at));
            // `--scope-…` stands for every flag that starts so.
            said.any(|word| word == flag || flag.ends_with('-') && word.starts_with(flag))
        };
        let flags = words.iter().filter(|word| word.starts_with("--"));
        let mut flags = flags.map(|word| word.split(['=', '…']).next().unwrap_or_default());
        let unknown = flags.find(|flag| !is_known(flag))?;
        Some(format!("`{line}`: `nudge {command}` has no `{unknown}`"))
    }
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
    let help = Help::read();
    let makefile = fs::read_to_string(file("Makefile")).unwrap();
    let mut wrong = Vec::new();
    for page in pages() {
        let typed = lines(&page);
        let targets = typed.iter().filter(|line| line.starts_with("make "));
        let missing = targets.filter_map(|line| no_target(line, &makefile));
        wrong.extend(missing.map(|words| format!("{}: {words}", page.name)));
        let named = spans(&page).into_iter().chain(typed);
        let named = named.filter(|line| line.starts_with("nudge "));
        let unknown = named.filter_map(|line| help.wrong(&line));
        wrong.extend(unknown.map(|words| format!("{}: {words}", page.name)));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_command_that_does_not_exist_is_seen() {
    let help = Help::read();
    for good in [
        "nudge get api build --raw || make --all",
        "nudge --help",
        "nudge -p 8765 status",
        "nudge set COMPONENT KEY \"a --b\" --scope-env=CI",
        "nudge serve --port 8765 # --all",
        "nudge set --scope-…",
    ] {
        assert_eq!(help.wrong(good), None);
    }
    for bad in [
        "nudge gte api build",
        "nudge get api build --rwa",
        "nudge -p 1 stauts",
        "nudge --halp",
    ] {
        assert!(help.wrong(bad).is_some(), "{bad}");
    }
    let makefile = "run: binary ## start\n";
    assert_eq!(no_target("make run PORT=1 # now", makefile), None);
    assert!(no_target("make rnu", makefile).is_some());
}
