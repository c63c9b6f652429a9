//! The parameters, defaults, caps and errors of the questions, one by one.

use nudge::ErrorKind;
use serde_json::{Value, json};

use super::super::requests::{
    FileHistory, GetObservations, GetTimeline, RecentContext, Search, SessionTrace,
};
use super::{Desk, NOW, each, place, previews};
use crate::table::check;

const SEARCHES: &str = include_str!("../../../../tests/corpus/searches.tsv");

/// A session: a prompt, a failure, an edit, a success; then another session.
fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.tell(json!({"event": "session_start", "host": "claude", "reason": "startup"}));
    desk.asked("s1", "Fix the login bug");
    let test = "cargo test -- auth::tests";
    desk.ran("s1", test, 101, "assertion failed: token expired");
    desk.edited("s1", "/work/api/src/auth.rs");
    desk.ran("s1", test, 0, "ok");
    desk.tell(json!({"event": "session_end", "host": "claude"}));
    desk.asked("s2", "Rename the login page");
    desk.edited("s2", "src/auth.rs");
    desk
}

#[test]
fn a_search_answers_what_a_list_shows() {
    let desk = desk();
    let found = desk.answer::<Search>(json!({"query": "token expired"}));
    assert_eq!(
        found,
        json!({"observations": [{"id": 3, "timestamp": NOW + 3, "obs_type": "command_error",
            "content_preview": "cargo test -- auth::tests", "exit_code": 101, "file_path": null, "session_id": "s1", "host": "claude",
            "matched": "assertion failed: token expired", "fixed_by": "src/auth.rs"}]})
    );
    let found = desk.answer::<Search>(json!({"query": "auth rs", "obs_type": "file_edit"}));
    assert_eq!(previews(&found), ["src/auth.rs, 12 bytes"; 2]);
    let long = json!({"query": "x".repeat(1025)});
    assert_eq!(desk.refusal::<Search>(long).0, ErrorKind::Invalid);
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
fn a_search_gives_20_and_never_more_than_100_page_by_page() {
    let mut desk = Desk::new();
    for number in 0..130 {
        desk.ran("s1", &format!("make target{number}"), 0, "");
    }
    for (limit, offset, expected) in [
        (None, 0, 20),
        (Some(1000), 0, 100),
        (Some(0), 0, 1),
        (Some(100), 100, 30),
        (None, 1000, 0),
    ] {
        let asked = json!({"query": "make", "limit": limit, "offset": offset});
        let found = desk.answer::<Search>(asked);
        assert_eq!(previews(&found).len(), expected, "{limit:?} {offset}");
    }
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
    let (kind, words) = desk.refusal::<GetObservations>(json!({"ids": []}));
    assert_eq!(kind, ErrorKind::Invalid);
    assert!(words.starts_with("ids array must not be empty"), "{words}");
    let many: Vec<i64> = (1..=51).collect();
    let refused = desk.refusal::<GetObservations>(json!({ "ids": many }));
    assert_eq!(refused.0, ErrorKind::Invalid);
    let found = desk.answer::<GetObservations>(json!({"ids": [4, 900, 3]}));
    assert_eq!(each(&found["observations"], "id"), [4, 3]);
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
    desk.ran("alone", "make", 0, "");
    for (asked, before, after) in [
        (json!({"anchor": 3}), &[1, 2][..], &[4, 5, 6][..]),
        (json!({"anchor": 4, "before": 1, "after": 1}), &[3], &[5]),
        (json!({"anchor": 9}), &[], &[]),
    ] {
        let line = desk.answer::<GetTimeline>(asked.clone());
        assert_eq!(each(&line["before"], "id"), before, "{asked}");
        assert_eq!(line["anchor"]["id"], asked["anchor"]);
        assert_eq!(each(&line["after"], "id"), after, "{asked}");
    }
    let (kind, words) = desk.refusal::<GetTimeline>(json!({"anchor": 900}));
    assert_eq!(kind, ErrorKind::NotFound);
    assert!(words.starts_with("anchor observation not found"), "{words}");
}

#[test]
fn what_happened_lately_is_scored_by_age_and_kind_each_file_once() {
    let mut desk = desk();
    let recent =
        |desk: &Desk, asked: Value| desk.answer::<RecentContext>(asked)["observations"].take();
    let all = recent(&desk, json!({}));
    assert_eq!(each(&all, "obs_type")[..2], ["file_edit", "command"]);
    assert_eq!(all[0]["id"], 8);
    let files = each(&all, "file_path");
    assert_eq!(files.iter().filter(|it| *it == "src/auth.rs").count(), 1);
    let weighs = |desk: &Desk, asked: Value, score: f64| {
        let first = recent(desk, asked)[0].take();
        assert!(
            (first["score"].as_f64().unwrap() - score).abs() < 1e-3,
            "{first}"
        );
    };
    weighs(&desk, json!({}), 1.0);
    desk.now += 7 * 24 * 3600;
    weighs(&desk, json!({}), 0.5 * 0.6 + 0.4);
    weighs(
        &desk,
        json!({"project": "git:acme/api"}),
        0.5 * 0.5 + 0.3 + 0.2,
    );
    for number in 0..130 {
        desk.ran("s3", &format!("make target{number}"), 0, "");
    }
    for (limit, expected) in [(None, 30), (Some(2), 2), (Some(1000), 100)] {
        let listed = recent(&desk, json!({ "limit": limit }));
        assert_eq!(listed.as_array().unwrap().len(), expected);
    }
}

#[test]
fn a_session_is_its_prompts_with_what_followed() {
    let desk = desk();
    let trace = |before: Option<i64>, after: Option<i64>| {
        desk.answer::<SessionTrace>(json!({"session_id": "s1", "before": before, "after": after}))
    };
    let whole = trace(None, None);
    assert_eq!(whole["project"], "git:github.com/acme/api");
    assert_eq!(
        [&whole["started_at"], &whole["ended_at"]],
        [NOW + 1, NOW + 6]
    );
    let prompts = &whole["prompts"];
    assert_eq!(each(prompts, "source"), ["system", "user"]);
    assert_eq!(each(prompts, "prompt_id"), [json!(null), json!(2)]);
    assert_eq!(each(prompts, "content"), ["", "Fix the login bug"]);
    let edited = &prompts[1]["observations"][1]["content_preview"];
    assert_eq!(edited, "src/auth.rs, 12 bytes");
    for (before, after, counts) in [
        (None, None, &[2, 3][..]),
        (Some(NOW + 4), None, &[1, 1]),
        (None, Some(NOW + 4), &[1, 1]),
        (Some(NOW), None, &[]),
    ] {
        let trace = trace(before, after);
        assert_eq!(each(&trace["prompts"], "observation_count"), counts);
    }
}

#[test]
fn a_file_s_history_is_the_sessions_that_changed_it() {
    let mut desk = desk();
    let history = desk.answer::<FileHistory>(json!({"file_path": "/work/api/src/auth.rs"}));
    assert_eq!(
        history["sessions"][1],
        json!({"session_id": "s1", "project": "git:github.com/acme/api", "started_at": NOW + 1,
            "touches": [{"observation_id": 4, "timestamp": NOW + 4, "obs_type": "file_edit",
                "content_preview": "src/auth.rs, 12 bytes", "prompt_content": "Fix the login bug"}]})
    );
    assert_eq!(each(&history["sessions"], "session_id"), ["s2", "s1"]);
    let mut below = place("api");
    below["cwd"] = json!("/work/api/src");
    for (name, context) in [
        ("auth.rs", &below),
        ("src/auth.rs", &below),
        ("./src/auth.rs", &place("api")),
    ] {
        let asked = json!({"file_path": name, "context": context});
        assert_eq!(desk.answer::<FileHistory>(asked), history, "{name}");
    }
    for _ in 0..60 {
        desk.edited("s3", "src/auth.rs");
    }
    for (limit, before, after, expected) in [
        (None, None, None, 10),
        (Some(500), None, None, 50),
        (None, Some(NOW + 8), None, 1),
        (Some(3), None, Some(NOW + 9), 3),
    ] {
        let asked =
            json!({"file_path": "src/auth.rs", "limit": limit, "before": before, "after": after});
        let touches = each(&desk.answer::<FileHistory>(asked)["sessions"], "touches");
        let count = |it: &Value| it.as_array().unwrap().len();
        assert_eq!(touches.iter().map(count).sum::<usize>(), expected);
    }
}
