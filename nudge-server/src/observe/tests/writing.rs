//! What is recorded of which event, for how long, and until when.

use serde_json::{Value, json};

use super::super::requests::{GetObservations, Observe, Purge, RecentContext, SessionTrace};
use super::{Desk, NOW, context, each, noted as told, place};
use crate::store::Limits;
use crate::table::rows;

/// What is recorded of some events, as far as they differ.
fn recorded(events: &[Value]) -> Vec<Value> {
    let mut desk = Desk::new();
    for event in events {
        desk.tell(event.clone());
    }
    let ids: Vec<usize> = (1..=events.len()).collect();
    let found = desk.answer::<GetObservations>(json!({ "ids": ids }));
    let mut found = found["observations"].as_array().unwrap().clone();
    for one in &mut found {
        let fields = one.as_object_mut().unwrap();
        for name in [
            "id",
            "timestamp",
            "session_id",
            "project",
            "branch",
            "cwd",
            "host",
        ] {
            fields.remove(name);
        }
        fields.retain(|_, value| !value.is_null());
    }
    found
}

#[test]
fn what_is_recorded_of_an_event() {
    let table = include_str!("../../../../tests/hooks/recorded.tsv");
    for [event, kept] in rows(table) {
        let kept = (kept != "-").then(|| serde_json::from_str(&kept).unwrap());
        let kept: Vec<Value> = kept.into_iter().collect();
        let event: Value = serde_json::from_str(&event).unwrap();
        assert_eq!(recorded(std::slice::from_ref(&event)), kept, "{event}");
    }
}

#[test]
fn of_a_failure_the_last_whole_lines_are_kept() {
    let lines: Vec<String> = (0..200)
        .map(|number| format!("line {number} of the output"))
        .collect();
    let kept = recorded(&[
        json!({"event": "after_command", "command": "make", "ok": false,
        "output": lines.join("\n")}),
    ]);
    let output = kept[0]["output"].as_str().unwrap();
    assert!(
        output.len() <= 2048 && output.ends_with("line 199 of the output"),
        "{output}"
    );
    assert!(output.starts_with("line "), "{output}");
}

#[test]
fn one_that_works_for_an_agent_begins_no_session_of_its_own() {
    let mut desk = Desk::new();
    for event in [
        json!({"event": "session_start", "reason": "startup"}),
        json!({"event": "session_start"}),
        json!({"event": "session_start", "session": "cursor"}),
    ] {
        desk.tell(event);
    }
    for session in ["s1", "cursor"] {
        let trace = desk.answer::<SessionTrace>(json!({ "session_id": session }));
        assert_eq!(trace["prompts"][0]["observation_count"], 1, "{session}");
    }
}

fn observe(on: Option<bool>) -> Observe {
    Observe {
        on,
        context: Some(context("api")),
    }
}

#[test]
fn what_is_too_old_or_too_much_goes_in_steps_and_the_file_shrinks() {
    let day = 24 * 3600;
    let mut desk = Desk::with_limits(Limits {
        seconds: 90 * day,
        bytes: 200 << 20,
    });
    desk.ran_many(1000, |number| {
        format!("old {number} {}", "word ".repeat(40))
    });
    let size = |desk: &Desk| desk.observer.observe(&observe(None)).unwrap();
    let before = size(&desk);
    assert_eq!(before.observations, 1000);
    desk.now += 91 * day;
    desk.ran_many(512, |number| format!("new {number}"));
    let after = size(&desk);
    assert!(
        after.observations <= 520 && after.bytes < before.bytes,
        "{before:?} {after:?}"
    );

    let mut desk = Desk::with_limits(Limits {
        seconds: 90 * day,
        bytes: 400 << 10,
    });
    desk.ran_many(4000, |number| {
        format!("make {number} {}", "word ".repeat(40))
    });
    let said = size(&desk);
    assert!(said.bytes < 1 << 20 && said.observations < 2000, "{said:?}");
    assert_eq!(desk.found("3999").len(), 1);
}

#[test]
fn what_is_purged_is_gone_from_the_bytes() {
    let mut desk = Desk::new();
    for number in 0..700 {
        desk.ran("s1", &format!("make zebra{number}"), 1, "the quagga is out");
        if number % 64 == 0 {
            desk.observer.finish();
        }
    }
    desk.tell(json!({"event": "after_command", "command": "make web", "context": place("web")}));
    let purge = |desk: &Desk, asked: Value| {
        let asked: Purge = serde_json::from_value(asked).unwrap();
        desk.observer.purge(&asked).map(|purged| purged.purged)
    };
    assert!(purge(&desk, json!({"here": false})).is_err());
    for (asked, count) in [
        (
            json!({"dry_run": true, "repo": "https://github.com/acme/api"}),
            700,
        ),
        (json!({"ids": [1, 2, 900]}), 2),
        (
            json!({"before": NOW + 4, "here": true, "context": place("api")}),
            1,
        ),
        (json!({"repo": "https://github.com/acme/api"}), 697),
    ] {
        assert_eq!(purge(&desk, asked.clone()).unwrap(), count, "{asked}");
    }
    assert_eq!(desk.found("zebra*"), Vec::<String>::new());
    let bytes = desk.bytes();
    let stored = String::from_utf8_lossy(&bytes);
    assert!(!stored.contains("zebra") && !stored.contains("quagga"));
    assert!(stored.contains("make web"));
}

#[test]
fn the_past_is_recorded_with_its_own_times_and_what_is_known_only_once() {
    let mut desk = Desk::new();
    desk.ran("s1", "make live", 0, "");
    desk.edited("s1", "/work/api/a.rs");
    let now = desk.now + 1;
    let noted = |ago: i64, event: &Value| {
        let mut event = event.clone();
        event["context"] = place("api");
        event["host"] = json!("codex");
        event["session"] = json!("s1");
        told(now - ago, event)
    };
    let ran = |command: &str| json!({"event": "after_command", "command": command, "exit_code": 0});
    let past = [
        noted(86_400, &ran("make past")),
        noted(3_600, &ran("make past")),
        noted(3_601, &ran("make past")),
        noted(4, &ran("make live")),
        noted(2, &json!({"event": "after_edit", "file": "/work/api/a.rs"})),
        noted(91 * 86_400, &ran("make forgotten")),
        noted(-60, &ran("make future")),
    ];
    let note = |dry_run: bool| {
        let new = desk.observer.note_past(&past, now, dry_run).unwrap();
        new.get("codex").copied().unwrap_or_default()
    };
    assert_eq!(note(true), 2);
    assert_eq!(desk.found("make"), ["make live"]);
    assert_eq!((note(false), note(false)), (2, 0));
    assert_eq!(desk.found("past").len(), 2);
    assert_eq!(desk.found("forgotten OR future").len(), 0);
    // What happened lately stays what happened lately.
    let recent = desk.answer::<RecentContext>(json!({}));
    let times = each(&recent["observations"], "timestamp");
    assert_eq!(times, [now - 1, now - 2, now - 3_600, now - 86_400]);
    desk.observer.observe(&observe(Some(false))).unwrap();
    let later = [noted(7_200, &ran("make later"))];
    let new = desk.observer.note_past(&later, now, false).unwrap();
    assert!(new.is_empty());
}
