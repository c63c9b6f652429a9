//! What only a terminal shows: questions and their answers, widths, progress.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use super::Session;
use crate::process::within;
use crate::says::Says;

#[test]
fn at_a_terminal_a_session_with_hints_ends_only_by_a_yes() {
    let session = Session::start();
    for line in [
        "nudge set api build make --ttl session",
        "nudge set api test make",
    ] {
        assert!(session.typed(line).contains('✔'));
    }
    let asked = "end the session, and 1 hint with it? [y/N]";
    let said = session.answered_at_terminal("nudge stop", "n\n");
    assert!(said.contains(asked) && !said.contains('✔'), "{said}");
    said.says("the session goes on");
    assert_eq!(session.typed("nudge get api build --raw"), "make\n");
    let said = session.answered_at_terminal("nudge stop", "y\n");
    let ended = "1 kept hint stays, 1 of this session ended (nudge restore)";
    said.says(asked).says(ended);
}

#[test]
fn at_a_terminal_observations_are_purged_only_by_a_yes() {
    let session = Session::start();
    session.typed("# observe");
    for command in ["make", "ninja"] {
        let event = format!(
            r#"{{"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {{"command": "{command}"}}, "tool_response": {{}}}}"#
        );
        session.typed(&format!("echo '{event}' | nudge hook claude"));
    }
    for (line, asked) in [
        (
            "nudge purge --here",
            "delete 2 observations of git:github.com/acme/http-proxy for good? [y/N]",
        ),
        (
            "nudge purge --before 2025-11-05",
            "delete 2 observations of all repositories from before 2025-11-05 00:00 for good? [y/N]",
        ),
        ("nudge purge --id 2", "delete 1 observation for good? [y/N]"),
    ] {
        let said = session.answered_at_terminal(line, "n\n");
        assert!(said.contains(asked) && !said.contains('✔'), "{said}");
        said.says("nothing was deleted");
    }
    assert_eq!(session.typed("nudge log --ids"), "2\n1\n");
    let said = session.answered_at_terminal("nudge purge --id 2", "y\n");
    said.says("deleted 1 observation");
    assert_eq!(session.typed("nudge log --ids"), "1\n");
    let said = session.answered_at_terminal("nudge purge --id 2", "");
    said.says("nothing was deleted").hides("?");
    let said = session.answered_at_terminal("nudge fix", "");
    said.says("say what the command printed");
}

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

#[test]
fn who_sits_at_a_terminal_edits_again_what_was_refused() {
    let session = Session::start();
    session.typed("nudge set api build 'make all'");
    let editor =
        r#"test -e seen && echo '{"value": "just all"}' > "$1" || echo oops > "$1"; touch seen"#;
    let script = session.root.path().join("http-proxy/ed");
    fs::write(script, editor).unwrap();
    let said = session.answered_at_terminal("EDITOR='sh ed' nudge edit api build", "\n");
    for part in ["this is not JSON", "Enter opens it again", "set api/build "] {
        said.says(part);
    }
    assert_eq!(session.typed("nudge get api build --raw"), "just all\n");
}
