//! The two tools that tell what happened: listed where it is recorded, and short.

use std::sync::Arc;

use nudge_server::primary::Primary;
use nudge_server::primary::call::call;
use nudge_server::primary::operations::Method;
use serde_json::{Value, json};

use super::client::Client;
use super::primary;
use super::small::{answered, client_at, here};
use crate::process::{folder, until};
use crate::says::Says;

/// The most characters of both tools, and of an answer to a search at four a token.
const MAX_TOOLS: usize = 1_600;
const MAX_SEARCH: usize = 700 * 4;

fn tell(primary: &Primary, event: Value) {
    let mut event = event;
    event["context"] = here();
    event["context"]["root"] = json!("/work/shop");
    (event["host"], event["session"]) = (json!("claude"), json!("s-1"));
    let method = Method::named("nudge.on_event").unwrap();
    call(primary, &nudge::Caller::user(), method, &event.to_string()).unwrap();
}

fn ran(primary: &Primary, command: &str, exit_code: u8, output: &str) {
    let event = json!({"event": "after_command", "command": command, "exit_code": exit_code, "output": output});
    tell(primary, event);
}

/// A store that records, and its client.
fn observing(home: &std::path::Path) -> (Arc<Primary>, Client) {
    let primary = primary();
    primary.observe_in(home);
    let client = client_at(&primary);
    (primary, client)
}

/// A line whose age in seconds is that of a machine without other work.
fn just_now(line: &str) -> String {
    (1..60).fold(line.to_owned(), |line, seconds| {
        line.replace(&format!(" {seconds}s ago"), " 0s ago")
    })
}

fn lines(client: &mut Client, tool: &str, mut arguments: Value) -> (usize, Vec<String>) {
    arguments["context"] = here();
    let (letters, answer) = answered(client, tool, arguments);
    let lines = answer["lines"].as_array().unwrap().iter();
    let lines = lines.map(|line| just_now(line.as_str().unwrap()));
    (letters, lines.collect())
}

#[test]
fn the_tools_are_listed_where_it_is_recorded_and_are_short() {
    let home = folder();
    let (_primary, mut client) = observing(home.path());
    let listed = client.request("tools/list", json!({})).unwrap();
    let listed = listed["tools"].as_array().unwrap();
    assert_eq!(listed.len(), 12);
    let letters = listed[10..].iter().map(|tool| {
        let parts = ["name", "description", "inputSchema"];
        let parts = parts.map(|part| tool[part].to_string().chars().count());
        parts.iter().sum::<usize>()
    });
    let letters: usize = letters.sum();
    assert!(letters <= MAX_TOOLS, "{letters}");

    let mut without = client_at(&primary());
    let listed = without.request("tools/list", json!({})).unwrap();
    assert_eq!(listed["tools"].as_array().unwrap().len(), 10);
    let refused = without.call("nudge_search", json!({"query": "make", "context": here()}));
    assert_eq!(refused["isError"], true);
    let said = refused["content"][0]["text"].as_str().unwrap();
    said.says("`nudge observe on`");
}

#[test]
fn a_search_is_at_most_twenty_lines_and_seven_hundred_tokens() {
    let home = folder();
    let (primary, mut client) = observing(home.path());
    for number in 0..30 {
        let command = format!("cargo test --package crate-{number} -- {}", "x".repeat(150));
        ran(&primary, &command, 101, "error: boom");
    }
    // They are written down behind the events.
    let last = json!({"query": "\"crate-29\""});
    until("the last one is found", || {
        let last = lines(&mut client, "nudge_search", last.clone());
        last.1.iter().any(|line| line.starts_with("30 "))
    });
    let (letters, found) = lines(&mut client, "nudge_search", json!({"query": "cargo test"}));
    assert!((5..=20).contains(&found.len()), "{found:?}");
    assert!(letters <= MAX_SEARCH, "{letters}");
    let start = "30 0s ago command_error (101): cargo test --package";
    let is_there = found.iter().any(|line| line.starts_with(start));
    assert!(is_there, "{found:?}");
}

#[test]
fn each_question_is_answered_by_one_tool() {
    let home = folder();
    let (primary, mut client) = observing(home.path());
    let prompt = json!({"event": "prompt", "prompt": "fix the login"});
    tell(&primary, prompt);
    let error = "error: linker `mold` not found";
    for _ in 0..2 {
        ran(&primary, "cargo test", 101, error);
        let edit = json!({"event": "after_edit", "file": "src/auth.rs"});
        tell(&primary, edit);
        ran(&primary, "apt install mold", 0, "");
        ran(&primary, "cargo test", 0, "");
    }
    let failed = format!("2 0s ago command_error (101): cargo test\n{error}");
    let helped = "8 0s ago command: apt install mold, 2× after `cargo test` failed";
    let edited = "  7 0s ago file_edit: src/auth.rs, for: fix the login";
    for (arguments, expected) in [
        (json!({"ids": [2]}), &*failed),
        (json!({"anchor": 2}), &*format!("> {failed}")),
        (json!({"session_id": "s-1"}), "1 0s ago user: fix the login"),
        (json!({"file_path": "src/auth.rs"}), edited),
        (json!({ "text": error }), helped),
        (json!({}), "1 0s ago user_prompt: fix the login"),
    ] {
        let (_, said) = lines(&mut client, "nudge_observations", arguments.clone());
        let is_there = said.iter().any(|line| line == expected);
        assert!(is_there, "{arguments}: {said:#?}");
    }
    let elsewhere = json!({"ids": [2], "context": {"repo": "git:acme/other"}});
    let (_, answer) = answered(&mut client, "nudge_observations", elsewhere);
    assert_eq!(answer, json!({"lines": []}));
}
