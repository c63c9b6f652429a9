//! What holds for any input: short texts, few of them, no secret, no panic.

use nudge::{Bump, Event, Outcome};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Stage, event, written};

/// The longest line that an agent is told: 60 tokens.
const MOST_BYTES: usize = 60 * nudge::PromptBlock::BYTES_A_TOKEN;

/// A credential, in two halves for other people's scanners.
const SECRET: &str = concat!("xK92", "mQp7Lw");

fn commands() -> impl Strategy<Value = String> {
    let known = "make | make -j4 | ninja | npm test | npx jest | pytest | uv run pytest | ls | \
                 cd sub && make | cargo build | ruff check . | flake8 | black . | isort . | \
                 ./deploy.sh | terraform apply";
    let known = prop::sample::select(known.split(" | ").collect::<Vec<_>>());
    let noise = "[ -~\n\u{e9}\u{1F600}]{0,60}";
    prop_oneof![
        4 => known.prop_map(str::to_owned),
        1 => noise,
        1 => Just(format!("DB_PASSWORD={SECRET} make")),
        1 => Just(format!("mysql -u root -p{SECRET} app")),
    ]
}

/// Words that hints and errors share.
fn topics() -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::select(vec![
        vec!["router", "service"],
        vec!["linker", "mold"],
        vec!["EADDRINUSE"],
        vec!["python", "wheel"],
        vec!["schema", "migrations"],
        vec![],
    ])
}

fn hints() -> impl Strategy<Value = Vec<Value>> {
    let component = prop::sample::select(vec!["api", "web", "work", "shop"]);
    let keys = [
        "build",
        "test",
        "test.unit",
        "lint",
        "format",
        "deploy",
        "notes",
    ];
    let key = prop::sample::select(keys.to_vec());
    let hint = (
        component,
        key,
        commands(),
        0..3_i64,
        0..2_i64,
        ".{0,200}",
        topics(),
    );
    let hint = hint.prop_map(|(component, key, value, used, failed, reason, tags)| {
        json!({"hint": {"component": component, "key": key, "value": value, "meta": {"reason": reason, "tags": tags}},
               "used": used, "failed": failed})
    });
    prop::collection::vec(hint, 0..16)
}

fn events() -> impl Strategy<Value = Vec<(i64, Value)>> {
    let whats = ["before_command", "after_command", "after_command", "prompt"];
    let what = prop::sample::select(whats.to_vec());
    let folder = prop::sample::select(vec!["/work/api", "/work/web", "/", "relative"]);
    let sent = (
        what,
        commands(),
        prop::sample::select(vec![Some(false), Some(false), Some(true), None]),
        folder,
        (".{0,40}", topics()),
        0..40_i64,
    );
    let sent = sent.prop_map(|(what, command, ok, cwd, (noise, topic), wait)| {
        let mut sent = event(what, &command);
        sent["ok"] = json!(ok);
        sent["context"]["cwd"] = json!(cwd);
        sent["output"] = json!(format!("{noise} {}", topic.join(" is missing: ")));
        (wait, sent)
    });
    prop::collection::vec(sent, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn texts_are_short_and_few_and_give_nothing_away(hints in hints(), events in events()) {
        let stage = Stage::new();
        for hint in hints {
            // Some are refused, as they should be.
            let Ok(request) = serde_json::from_value(hint["hint"].clone()) else { continue };
            let Ok(set) = stage.nudge.set_hint(request) else { continue };
            for (name, outcome) in [("used", Outcome::Ok), ("failed", Outcome::Fail)] {
                for _ in 0..hint[name].as_i64().unwrap() {
                    let bump = Bump::new(set.component.clone(), set.key.clone());
                    stage.nudge.bump(bump.outcome(outcome)).unwrap();
                }
            }
        }
        let start = stage.nudge.now();
        let mut seconds = 0;
        let mut shown: Vec<(i64, String)> = Vec::new();
        for (wait, event) in events {
            seconds += wait;
            let now = start + chrono::TimeDelta::seconds(seconds);
            stage.nudge.pin_clock(Some(&now.to_rfc3339())).unwrap();
            let reaction = stage.react(&event);
            prop_assert!(!reaction.to_string().contains(SECRET));
            if let Some(text) = reaction.get("text").and_then(Value::as_str) {
                prop_assert!(text.len() <= MOST_BYTES, "{text}");
                prop_assert!(text.starts_with("Nudge: ") && !text.contains(nudge::is_active), "{text}");
                let is_again = shown.iter().any(|(at, known)| known == text && seconds - at < 3600);
                prop_assert!(!is_again, "said twice: {text}");
                shown.push((seconds, text.to_owned()));
            }
        }
        let waiting = stage.nudge.list_proposals(nudge::ListProposals::default()).unwrap();
        prop_assert!(!serde_json::to_string(&waiting).unwrap().contains(SECRET));
    }

    #[test]
    fn any_object_with_an_event_is_answered(event in "[a-z_]{0,16}", field in "[a-z_.]{0,12}", noise in ".{0,300}", number in any::<f64>()) {
        let stage = Stage::new();
        for name in ["command", "output", "context", "ok", "session", "budget", &*field] {
            for value in [json!(noise), json!(number), json!([noise]), json!({"cwd": noise, "repo": [number, noise], "env": {"A": number}})] {
                for what in ["session_start", "before_command", "after_command", &*event] {
                    let mut sent = json!({"event": what, "command": "make", "ok": false});
                    if name != "event" {
                        sent[name] = value.clone();
                    }
                    prop_assert!(stage.react(&sent).is_object());
                }
            }
        }
    }
}

#[test]
fn no_more_clients_are_remembered_than_there_is_room_for() {
    let stage = Stage::new();
    stage.set(json!({"component": "api", "key": "build", "value": "ninja"}));
    let is_told = |number: usize| {
        let mut sent = event("before_command", "make");
        sent["session"] = json!(format!("s{number}"));
        stage.react(&sent)["text"].is_string()
    };
    assert!((0..65).all(is_told) && !is_told(64));
    // What is told once is told again to whom nobody remembers.
    assert!(is_told(0), "the oldest of 65 is forgotten");
    assert!(!is_told(5));
}

#[test]
fn no_credential_is_written_down_with_runs() {
    let (stage, written) = written();
    let here = nudge::Context::new().cwd("/work/api").repo("git:acme/api");
    let failed = |command: &str, output: &str| {
        let event = Event::after_command(command).exit_code(127).output(output);
        let event = event.host("claude").session("s1").context(&here);
        stage.nudge.on_event(event).unwrap();
    };
    for command in [
        format!("frob --password {SECRET}"),
        format!("frobecho {SECRET} && echo {SECRET} | sudo -S frob"),
        format!("frob {SECRET}; docker login -u ci --password-stdin <<< {SECRET}"),
        format!("net use Z: //srv/share {SECRET} /user:ann"),
    ] {
        failed(&command, "");
    }
    failed(
        "frob all",
        &format!("error: cannot log in with password={SECRET} here"),
    );
    let worked = Event::after_command("frob all").exit_code(0).host("claude");
    let worked = worked.session("s1").context(&here);
    stage.nudge.on_event(worked).unwrap();
    let rows = written.rows.lock().unwrap().join("\n");
    assert!(rows.contains("frob all"), "{rows}");
    assert!(!rows.contains(SECRET), "{rows}");
}
