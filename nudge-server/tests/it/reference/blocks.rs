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
    let is_stream = typed.contains("/events");
    let most = if is_stream { wanted } else { usize::MAX };
    let lines = within(move || {
        let lines = output.lines().take(most);
        lines.collect::<Result<Vec<String>, _>>().unwrap()
    });
    // It has ended already, unless it is a stream.
    let _ = kill_process_group(group, Signal::KILL);
    child.wait().unwrap();
    lines
}
