//! The blocks of a page that show what is typed and what it prints.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::process::within;

/// One command, and the lines that it prints.
pub(crate) struct Block {
    pub(crate) typed: String,
    pub(crate) expected: Vec<String>,
}

/// Every command of a page, in its order.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for session in page.split("```console\n").skip(1) {
        let (session, _) = session.split_once("```").unwrap();
        for line in session.lines() {
            match (line.strip_prefix("$ "), blocks.last_mut()) {
                (Some(typed), _) => blocks.push(Block {
                    typed: typed.to_owned(),
                    expected: Vec::new(),
                }),
                (None, Some(block)) => block.expected.push(line.to_owned()),
                (None, None) => panic!("nobody typed what prints {line:?}"),
            }
        }
    }
    blocks
}

/// What a command prints. A stream of events never ends by itself, and is ended
/// when it has printed as many lines as are wanted.
pub(crate) fn printed(typed: &str, wanted: usize) -> Vec<String> {
    let mut child = Command::new("sh")
        .args(["-c", typed])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    let group = Pid::from_child(&child);
    let output = BufReader::new(child.stdout.take().unwrap());
    let most = if typed.contains("/events") {
        wanted
    } else {
        usize::MAX
    };
    let lines = within(move || {
        let lines = output.lines().take(most);
        lines.collect::<Result<Vec<String>, _>>().unwrap()
    });
    // It has ended already, unless it is a stream.
    let _ = kill_process_group(group, Signal::KILL);
    child.wait().unwrap();
    lines
}

/// Whether a line is the expected one, in which `[..]` stands for anything.
pub(crate) fn fits(expected: &str, line: &str) -> bool {
    let mut parts = expected.split("[..]");
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    true
}

#[test]
fn two_dots_in_brackets_stand_for_anything() {
    for (expected, line, is_same) in [
        ("a", "a", true),
        ("a", "ab", false),
        ("[..]", "", true),
        ("a[..]c", "abc", true),
        ("a[..]c", "abcd", false),
        ("a[..]c[..]", "abcd", true),
        ("a[..]x[..]", "abcd", false),
    ] {
        assert_eq!(fits(expected, line), is_same, "{expected} {line}");
    }
}
