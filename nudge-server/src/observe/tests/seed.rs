//! The parameters, defaults, caps and errors of the questions, one by one.

use nudge::ErrorKind;
use serde_json::{Value, json};

use super::super::requests::{
    FileHistory, GetObservations, GetTimeline, RecentContext, Search, SessionTrace,
};
use super::{Desk, NOW, place, previews};
use crate::table::check;

const SEARCHES: &str = include_str!("../../../../tests/corpus/searches.tsv");

/// A session: a prompt, a failure, an edit, a success; then another session.
fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.tell(json!({"event": "session_start", "host": "claude", "reason": "startup"}));
    desk.asked("s1", "Fix the login bug");
    desk.ran(
        "s1",
        "cargo test -- auth::tests",
        101,
        "assertion failed: token expired",
    );
    desk.edited("s1", "/work/api/src/auth.rs");
    desk.ran("s1", "cargo test -- auth::tests", 0, "ok");
    desk.tell(json!({"event": "session_end", "host": "claude"}));
    desk.asked("s2", "Rename the login page");
    desk.edited("s2", "src/auth.rs");
    desk
}

fn refusal<T: std::fmt::Debug>(answer: Result<T, nudge::Error>) -> (ErrorKind, String) {
    let error = answer.unwrap_err();
    (error.kind(), error.to_string())
}

#[test]
fn a_search_answers_what_a_list_shows() {
    let desk = desk();
    let found = desk
        .ask::<Search>(json!({"query": "token expired"}))
        .unwrap();
    assert_eq!(
        found,
        json!({"observations": [{"id": 3, "timestamp": NOW + 3, "obs_type": "command_error",
            "content_preview": "cargo test -- auth::tests", "exit_code": 101, "file_path": null, "session_id": "s1", "host": "claude",
            "matched": "assertion failed: token expired", "fixed_by": "src/auth.rs"}]})
    );
    let found = desk.ask::<Search>(json!({"query": "auth rs", "obs_type": "file_edit"}));
    let found = found.unwrap();
    assert_eq!(previews(&found), ["src/auth.rs, 12 bytes"; 2]);
    assert_eq!(found["observations"][0]["file_path"], "src/auth.rs");
}

#[test]
fn a_query_may_be_words_phrases_prefixes_and_operators() {
    let mut desk = Desk::new();
    for command in [
        "make foo-bar",
        "make foo",
        "make bar",
        "run src/a.rs",
        "echo Tests",
    ] {
        desk.ran("s1", command, 0, "");
    }
    check(SEARCHES, |[query, _]| {
        match desk.ask::<Search>(json!({ "query": query })) {
            Ok(found) => {
                let mut found = previews(&found);
                found.sort();
                found.join("; ")
            }
            Err(error) => format!("{:?}: {error}", error.kind()),
        }
    });
}

#[test]
fn a_query_has_a_longest_length() {
    let desk = desk();
    let long = "x".repeat(1025);
    let (kind, _) = refusal(desk.ask::<Search>(json!({"query": long})));
    assert_eq!(kind, ErrorKind::Invalid);
}

#[test]
fn a_search_gives_20_and_never_more_than_100_page_by_page() {
    let mut desk = Desk::new();
    for number in 0..130 {
        desk.ran("s1", &format!("make target{number}"), 0, "");
    }
    let found = |more: Value| {
        let mut query = json!({"query": "make"});
        query
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        desk.ask::<Search>(query).unwrap()["observations"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(found(json!({})), 20);
    assert_eq!(found(json!({"limit": 1000})), 100);
    assert_eq!(found(json!({"limit": 0})), 1);
    assert_eq!(found(json!({"limit": 100, "offset": 100})), 30);
    assert_eq!(found(json!({"offset": 1000})), 0);
}

#[test]
fn a_preview_is_120_characters_and_one_line() {
    let mut desk = Desk::new();
    desk.ran("s1", &format!("echo é\n{}", "ü".repeat(300)), 0, "");
    let found = desk.found("echo");
    assert_eq!(found[0].chars().count(), 120);
    assert!(found[0].starts_with("echo é üü"), "{found:?}");
}

#[test]
fn observations_are_given_in_the_order_of_their_numbers() {
    let desk = desk();
    let ids = |ids: Value| desk.ask::<GetObservations>(json!({ "ids": ids }));
    let (kind, words) = refusal(ids(json!([])));
    assert_eq!(kind, ErrorKind::Invalid);
    assert!(words.starts_with("ids array must not be empty"), "{words}");
    let many: Vec<i64> = (1..=51).collect();
    assert_eq!(refusal(ids(json!(many))).0, ErrorKind::Invalid);
    assert_eq!(ids(json!([900, 901])).unwrap(), json!({"observations": []}));
    let found = ids(json!([4, 900, 3])).unwrap();
    assert_eq!(found["observations"][0]["id"], 4);
    assert_eq!(
        found["observations"][1],
        json!({"id": 3, "timestamp": NOW + 3, "session_id": "s1", "host": "claude",
            "project": "git:github.com/acme/api", "branch": "main", "cwd": "/work/api",
            "obs_type": "command_error", "content": "cargo test -- auth::tests",
            "file_path": null, "exit_code": 101, "duration_ms": null, "size": null,
            "prompt_id": 2, "output": "assertion failed: token expired"})
    );
}

#[test]
fn a_timeline_is_what_was_around_in_the_same_session() {
    let mut desk = desk();
    let around = |desk: &Desk, question: Value| {
        let line = desk.ask::<GetTimeline>(question).unwrap();
        let ids = |side: &str| {
            let side = line[side].as_array().unwrap().iter();
            side.map(|one| one["id"].as_i64().unwrap())
                .collect::<Vec<_>>()
        };
        (ids("before"), line["anchor"]["id"].clone(), ids("after"))
    };
    assert_eq!(
        around(&desk, json!({"anchor": 3})),
        (vec![1, 2], json!(3), vec![4, 5, 6])
    );
    assert_eq!(
        around(&desk, json!({"anchor": 4, "before": 1, "after": 1})),
        (vec![3], json!(4), vec![5])
    );
    desk.ran("alone", "make", 0, "");
    assert_eq!(
        around(&desk, json!({"anchor": 9})),
        (vec![], json!(9), vec![])
    );
    let (kind, words) = refusal(desk.ask::<GetTimeline>(json!({"anchor": 900})));
    assert_eq!(kind, ErrorKind::NotFound);
    assert!(words.starts_with("anchor observation not found"), "{words}");
}

#[test]
fn what_happened_lately_is_scored_by_age_and_kind_each_file_once() {
    let mut desk = desk();
    let recent = |desk: &Desk, question: Value| {
        let recent = desk.ask::<RecentContext>(question).unwrap();
        recent["observations"].as_array().unwrap().clone()
    };
    let all = recent(&desk, json!({}));
    let kinds: Vec<&str> = all
        .iter()
        .map(|one| one["obs_type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds[..2], ["file_edit", "command"]);
    assert_eq!(
        all.iter()
            .filter(|one| one["file_path"] == "src/auth.rs")
            .count(),
        1
    );
    assert_eq!(all[0]["id"], 8);
    let score = |one: &Value| one["score"].as_f64().unwrap();
    assert!((score(&all[0]) - 1.0).abs() < 1e-3, "{}", all[0]);
    assert_eq!(recent(&desk, json!({"limit": 2})).len(), 2);

    desk.now += 7 * 24 * 3600;
    let weighed = |question: Value| score(&recent(&desk, question)[0]);
    assert!((weighed(json!({})) - (0.5 * 0.6 + 0.4)).abs() < 1e-3);
    let named = weighed(json!({"project": "git:acme/api"}));
    assert!((named - (0.5 * 0.5 + 0.3 + 0.2)).abs() < 1e-3);
    let elsewhere = json!({"context": place("web")});
    assert_eq!(
        desk.ask::<RecentContext>(elsewhere).unwrap(),
        json!({"observations": []})
    );
    for number in 0..130 {
        desk.ran("s3", &format!("make target{number}"), 0, "");
    }
    assert_eq!(recent(&desk, json!({})).len(), 30);
    assert_eq!(recent(&desk, json!({"limit": 1000})).len(), 100);
}

#[test]
fn a_session_is_its_prompts_with_what_followed() {
    let desk = desk();
    let trace = desk
        .ask::<SessionTrace>(json!({"session_id": "s1"}))
        .unwrap();
    assert_eq!(trace["project"], "git:github.com/acme/api");
    assert_eq!(
        (&trace["started_at"], &trace["ended_at"]),
        (&json!(NOW + 1), &json!(NOW + 6))
    );
    let [system, user] = &trace["prompts"].as_array().unwrap()[..] else {
        panic!("{trace}")
    };
    assert_eq!(
        (&system["source"], &system["prompt_id"]),
        (&json!("system"), &Value::Null)
    );
    assert_eq!(system["observation_count"], 2);
    assert_eq!(user["content"], "Fix the login bug");
    assert_eq!(
        (&user["source"], &user["prompt_id"]),
        (&json!("user"), &json!(2))
    );
    assert_eq!(user["observation_count"], 3);
    assert_eq!(
        user["observations"][1]["content_preview"],
        "src/auth.rs, 12 bytes"
    );

    let window = |before: Option<i64>, after: Option<i64>| {
        let question = json!({"session_id": "s1", "before": before, "after": after});
        let trace = desk.ask::<SessionTrace>(question).unwrap();
        let prompts = trace["prompts"].as_array().unwrap().clone();
        prompts
            .iter()
            .map(|it| it["observation_count"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(window(Some(NOW + 4), None), [1, 1]);
    assert_eq!(window(None, Some(NOW + 4)), [1, 1]);
    assert_eq!(window(Some(NOW), None), Vec::<u64>::new());
    let (kind, words) = refusal(desk.ask::<SessionTrace>(json!({"session_id": "nope"})));
    assert_eq!(
        (kind, &*words),
        (ErrorKind::NotFound, "session not found: nope")
    );
}

#[test]
fn a_file_s_history_is_the_sessions_that_changed_it() {
    let mut desk = desk();
    let history = desk.ask::<FileHistory>(json!({"file_path": "/work/api/src/auth.rs"}));
    let history = history.unwrap();
    assert_eq!(
        history["sessions"][1],
        json!({"session_id": "s1", "project": "git:github.com/acme/api", "started_at": NOW + 1,
            "touches": [{"observation_id": 4, "timestamp": NOW + 4, "obs_type": "file_edit",
                "content_preview": "src/auth.rs, 12 bytes", "prompt_content": "Fix the login bug"}]})
    );
    assert_eq!(history["sessions"][0]["session_id"], "s2");
    let mut below = place("api");
    below["cwd"] = json!("/work/api/src");
    for (name, context) in [
        ("auth.rs", &below),
        ("src/auth.rs", &below),
        ("./src/auth.rs", &place("api")),
    ] {
        let question = json!({"file_path": name, "context": context});
        assert_eq!(
            desk.ask::<FileHistory>(question).unwrap(),
            history,
            "{name}"
        );
    }
    let none = desk
        .ask::<FileHistory>(json!({"file_path": "src/none.rs"}))
        .unwrap();
    assert_eq!(none, json!({"file_path": "src/none.rs", "sessions": []}));
    for _ in 0..60 {
        desk.edited("s3", "src/auth.rs");
    }
    let touches = |more: Value| {
        let mut question = json!({"file_path": "src/auth.rs"});
        question
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let history = desk.ask::<FileHistory>(question).unwrap();
        let sessions = history["sessions"].as_array().unwrap().clone();
        let count = |it: &Value| it["touches"].as_array().unwrap().len();
        sessions.iter().map(count).sum::<usize>()
    };
    assert_eq!(touches(json!({})), 10);
    assert_eq!(touches(json!({"limit": 500})), 50);
    assert_eq!(touches(json!({"before": NOW + 8})), 1);
    assert_eq!(touches(json!({"after": NOW + 9, "limit": 3})), 3);
}
