//! What holds of whatever is recorded.

use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nudge::redact;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::requests::{
    FileHistory, Fix, GetLog, GetObservations, GetTimeline, RecentContext, Search, SessionTrace,
};
use super::{Desk, place};

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{3,9}",
        "[A-Z][a-z]{2,6}[0-9]{1,3}",
        "[a-zäöü]{3,7}",
        "x[0-9]{2,5}"
    ]
}

fn command() -> impl Strategy<Value = String> {
    let sign = prop_oneof![
        Just(" "),
        Just("-"),
        Just("/"),
        Just("::"),
        Just(" --"),
        Just("=")
    ];
    let parts = prop::collection::vec((word(), sign), 1..6);
    parts.prop_map(|parts| parts.into_iter().map(|(word, sign)| word + sign).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_recorded_is_found_by_each_of_its_words(commands in prop::collection::vec(command(), 1..8)) {
        let mut desk = Desk::new();
        for (index, command) in commands.iter().enumerate() {
            match index % 3 {
                0 => desk.ran("s1", command, 1, "it went wrong"),
                1 => desk.asked("s1", command),
                _ => desk.edited("s1", &format!("src/{}", command.replace(' ', "_"))),
            }
        }
        for (index, command) in commands.iter().enumerate() {
            let command = redact(command);
            let words = command.split(|letter: char| !letter.is_alphanumeric());
            for word in words.filter(|word| !word.is_empty()) {
                let question = json!({"query": word.to_lowercase(), "limit": 100});
                let found = desk.ask::<Search>(question).unwrap();
                let ids: Vec<_> = found["observations"].as_array().unwrap().iter()
                    .map(|it| it["id"].as_u64().unwrap()).collect();
                prop_assert!(ids.contains(&(index as u64 + 1)), "{word} of {command}: {found}");
            }
        }
    }

    #[test]
    fn nothing_of_another_repository_is_ever_returned(events in prop::collection::vec((0..3usize, command()), 3..20)) {
        let mut desk = Desk::new();
        let names = ["api", "web", "api-two"];
        for (index, (repo, command)) in events.iter().enumerate() {
            let command = format!("{command} shared");
            let event = match index % 3 {
                0 => json!({"event": "after_command", "command": command, "exit_code": 1, "output": "error: shared trouble"}),
                1 => json!({"event": "prompt", "prompt": command}),
                _ => json!({"event": "after_write", "file": "src/shared.rs"}),
            };
            let mut event = event;
            event["context"] = place(names[*repo]);
            desk.tell(event);
        }
        for name in names {
            let own = format!("git:github.com/acme/{name}");
            let here = place(name);
            let mut answers = vec![
                desk.ask::<Search>(json!({"query": "shared", "limit": 100, "context": here})),
                desk.ask::<RecentContext>(json!({"limit": 100, "context": here})),
                desk.ask::<GetLog>(json!({"limit": 100, "context": here})),
                desk.ask::<GetLog>(json!({"session_id": "s", "after_id": 1, "context": here})),
                desk.ask::<SessionTrace>(json!({"session_id": "s1", "context": here})),
                desk.ask::<FileHistory>(json!({"file_path": "src/shared.rs", "limit": 50, "context": here})),
                desk.ask::<Fix>(json!({"text": "error: shared trouble", "context": here})),
                desk.ask::<GetObservations>(json!({"ids": (1..=20).collect::<Vec<_>>(), "context": here})),
            ];
            answers.extend((1..=20).map(|id| desk.ask::<GetTimeline>(json!({"anchor": id, "context": here}))));
            for answer in answers.into_iter().flatten() {
                for id in ids(&answer) {
                    let repo = names[events[usize::try_from(id).unwrap() - 1].0];
                    prop_assert_eq!(repo, name, "{}", answer);
                }
                let text = answer.to_string();
                let projects = text.matches("\"project\":\"").count();
                prop_assert_eq!(projects, text.matches(&format!("\"project\":\"{own}\"")).count());
            }
            for project in ["web", "git:github.com/acme/web", "https://github.com/acme/web"] {
                let question = json!({"query": "shared", "project": project, "context": here});
                let found = desk.ask::<Search>(question).unwrap();
                prop_assert!(name == "web" || ids(&found).is_empty(), "{}", found);
            }
        }
    }
}

/// All numbers of observations in an answer.
fn ids(answer: &Value) -> Vec<u64> {
    match answer {
        Value::Object(fields) => {
            let own = ["id", "prompt_id", "observation_id"];
            let named = own.iter().filter_map(|name| fields.get(*name)?.as_u64());
            named.chain(fields.values().flat_map(ids)).collect()
        }
        Value::Array(all) => all.iter().flat_map(ids).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn no_credential_of_the_public_corpus_is_in_the_bytes_of_the_file() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/secrets.jsonl");
    let corpus = fs::read_to_string(corpus).unwrap();
    let mut desk = Desk::new();
    let mut refused = Vec::new();
    for line in corpus.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = STANDARD.decode(case["text_b64"].as_str().unwrap()).unwrap();
        let Some(text) = String::from_utf8(text)
            .ok()
            .filter(|text| redact(text) != *text)
        else {
            continue;
        };
        let text = text.as_str();
        refused.push(text.to_owned());
        desk.ran(text, text, 1, &format!("it failed\n{text}\nerror: denied"));
        desk.asked("s1", text);
        desk.edited("s1", &format!("/work/api/{text}"));
        let mut place = place("api");
        place["branch"] = json!(text);
        desk.tell(
            json!({"event": "after_command", "command": "make", "host": text, "context": place}),
        );
        desk.observer.finish();
    }
    assert!(refused.len() > 100, "{}", refused.len());
    let bytes = desk.bytes();
    let stored = String::from_utf8_lossy(&bytes);
    for text in refused {
        assert!(!stored.contains(&text), "{text}");
    }
    let file = desk.folder.path().join("history.db");
    let file = rusqlite::Connection::open(file).unwrap();
    let sql = "SELECT session_id, host, branch, cwd, content, file_path, output FROM observations";
    let mut rows = file.prepare(sql).unwrap();
    let mut rows = rows.query([]).unwrap();
    // The value that most of our own lines have; as the path of a file such a line is another.
    let value = concat!("xK92", "mQp7Lw");
    while let Some(row) = rows.next().unwrap() {
        let file: Option<String> = row.get(5).unwrap();
        for column in 0..7 {
            let text: Option<String> = row.get(column).unwrap();
            let text = text.unwrap_or_default();
            assert_eq!(redact(&text), text);
            assert!(file.is_some() || !text.contains(value), "{text}");
        }
    }
}

#[test]
fn a_key_that_was_cut_and_a_credential_in_colors_are_left_out() {
    let line = concat!("9EcsuBRxf", "iqQhTuRqpTYZzNkmNlTkj8bMIIEpAIBAAKCAQEA");
    let value = concat!("xK92", "mQp7Lw");
    let mut desk = Desk::new();
    let rest = format!("{line}\n{line}x\n-----END RSA PRIVATE KEY-----\nerror: no key\n");
    desk.ran("s1", "openssl", 1, &rest);
    let colored =
        format!("\u{1b}[31mDB_PASSWORD=\u{1b}[0m{value}\u{7} \u{1b}[1merror: bad\u{1b}[0m");
    desk.ran("s1", "make", 1, &colored);
    desk.asked("s1", "look <private>at my diary</private> please");
    let bytes = desk.bytes();
    let stored = String::from_utf8_lossy(&bytes);
    for text in [line, value, "diary", "\u{1b}["] {
        assert!(!stored.contains(text), "{text}");
    }
    assert!(stored.contains("error: no key") && stored.contains("look  please"));
    assert_eq!(desk.found("DB_PASSWORD bad"), ["make"]);
}
