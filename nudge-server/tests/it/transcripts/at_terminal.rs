//! What only a terminal shows and no transcript can: widths, progress.

use std::io::Read;
use std::process::Stdio;

use super::Session;
use crate::process::within;
use crate::says::Says;

#[test]
fn at_a_terminal_a_table_is_as_wide_as_it() {
    let session = Session::start();
    let lines = "make one\nmake two ".repeat(20);
    session.typed(&format!("nudge set api build '{lines}' --scope-branch dev"));
    for columns in [80, 100] {
        let typed = format!("stty cols {columns}; nudge --color never ls -l");
        let table = session.typed_at_terminal(&typed);
        let widths = table.lines().map(|line| line.chars().count());
        assert_eq!(widths.collect::<Vec<_>>().len(), 2, "{table}");
        let mut lines = table.lines();
        let fits = lines.all(|line| line.chars().count() <= columns);
        assert!(fits, "{table}");
        table.says("…  git:github.com/");
    }
    assert!(session.typed("nudge ls -l").contains("make two make one"));
}

#[test]
fn at_a_terminal_what_takes_long_says_so_until_it_is_done() {
    let session = Session::start();
    session.typed("nudge set api build make && nudge export -o hints.json && mkfifo slow");
    let mut terminal = session.in_checkout("/usr/bin/script");
    terminal.args(["-qec", "nudge import slow", "/dev/null"]);
    terminal.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = terminal.spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    within(move || {
        let mut until = |end: &str| {
            let mut said = Vec::new();
            while !said.ends_with(end.as_bytes()) {
                let mut byte = [0];
                stdout.read_exact(&mut byte).unwrap();
                said.extend(byte);
            }
        };
        until("\r\u{1b}[K\u{1b}[2mimporting…\u{1b}[0m");
        session.typed("cat hints.json > slow");
        until("\r\u{1b}[K");
        until("imported 0 hints, skipped 1");
        child.wait().unwrap();
    });
}
