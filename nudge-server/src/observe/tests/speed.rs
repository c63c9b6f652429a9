//! How long it takes with 100,000 observations; printed, and nothing is asserted of it.
//!
//! `cargo test -p nudge-hints-server --release --lib observe::tests::speed -- --ignored --nocapture`

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::Noted;
use super::super::observer::Observer;
use super::super::record::row;
use super::super::requests::{FileHistory, Fix, RecentContext, Search};
use super::super::schema::{begin, insert, open_writer};
use super::{Desk, NOW, place};

const MANY: usize = 100_000;

fn event(number: usize) -> Value {
    let words = [
        "cache", "token", "login", "parser", "socket", "index", "render", "queue",
    ];
    let word = |at: usize| words[(number / (at * 7 + 1) + at) % words.len()];
    let session = format!("7c9e6679-7425-40de-944b-{:012}", number / 200);
    let mut event = match number % 10 {
        0 => {
            json!({"event": "prompt", "prompt": format!("Please fix the {} of the {} in module{}", word(1), word(2), number % 977)})
        }
        1..=3 => {
            json!({"event": "after_edit", "file": format!("/work/api/src/{}/{}{}.rs", word(1), word(3), number % 331), "size": number})
        }
        4 => {
            json!({"event": "after_command", "command": format!("cargo test -p {} {}::case{}", word(1), word(2), number % 501), "exit_code": 101,
            "output": format!("running 1 test\ntest {}::case{} ... FAILED\nerror: assertion failed: {} == {}", word(2), number % 501, word(3), word(4))})
        }
        _ => {
            json!({"event": "after_command", "command": format!("cargo build -p {} --features {}{}", word(1), word(2), number % 53), "exit_code": 0, "duration_ms": 1200})
        }
    };
    event["host"] = json!("claude");
    event["session"] = json!(session);
    event["context"] = place("api");
    event
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

#[test]
#[ignore = "it measures"]
fn a_hundred_thousand() {
    let mut desk = Desk::new();
    {
        let file = open_writer(desk.home.path()).unwrap();
        let mut times = Vec::new();
        for number in 0..MANY {
            let params = event(number).to_string();
            let at = NOW + i64::try_from(number).unwrap();
            let row = row(&Noted { at, params }).unwrap();
            let start = Instant::now();
            let transaction = begin(&file).unwrap();
            insert(&transaction, &row).unwrap();
            transaction.commit().unwrap();
            times.push(start.elapsed());
        }
        let worst = *times.iter().max().unwrap();
        println!("insert + commit: p50 {:?}, worst {worst:?}", median(times));
    }
    desk.now = NOW + i64::try_from(MANY).unwrap();
    desk.observer = Observer::new(desk.home.path());
    let start = Instant::now();
    desk.found("parser module42");
    println!("open + first search: {:?}", start.elapsed());
    let ask = |what: &str, ask: &dyn Fn(usize)| {
        let timed = |number: usize| {
            let start = Instant::now();
            ask(number);
            start.elapsed()
        };
        println!("{what}: p50 {:?}", median((0..200).map(timed).collect()));
    };
    ask("search for two words, one rare", &|n| {
        desk.ask::<Search>(json!({"query": format!("fix module{n}")}))
            .unwrap();
    });
    ask("search for a case of a test", &|n| {
        desk.ask::<Search>(json!({"query": format!("cargo test case{n}")}))
            .unwrap();
    });
    ask("search for a word of a seventh of all", &|_| {
        desk.ask::<Search>(json!({"query": "parser"})).unwrap();
    });
    ask("history of a file", &|n| {
        desk.ask::<FileHistory>(json!({"file_path": format!("src/token/parser{n}.rs")}))
            .unwrap();
    });
    ask("recent context", &|_| {
        desk.ask::<RecentContext>(json!({})).unwrap();
    });
    ask("fix", &|n| {
        let text =
            format!("test login::case{n} ... FAILED\nerror: assertion failed: token == login");
        desk.ask::<Fix>(json!({ "text": text })).unwrap();
    });
    let start = Instant::now();
    for number in 0..1000 {
        let params = event(number).to_string();
        desk.observer.note(Noted {
            at: desk.now,
            params,
        });
    }
    println!("to note an event: {:?}", start.elapsed() / 1000);
    desk.observer.finish();
    let asked = serde_json::from_value(json!({"context": place("api")})).unwrap();
    let said = desk.observer.observe(&asked).unwrap();
    println!(
        "{} observations, {} MB",
        said.observations,
        said.bytes / 1_000_000
    );
}
