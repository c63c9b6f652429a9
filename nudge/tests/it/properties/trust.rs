//! The user's word stands, whatever agents, hooks and programs call.

use std::collections::BTreeMap;

use nudge::{Accept, Actor, Caller, GetHint, Import, Limits, Nudge, Outcome, Propose, Reject, Via};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::cases;
use super::stage::{Stage, bump, delete_hint, set, set_hint, slot, which};
use crate::model::story::{COMPONENTS, KEYS, PLACES, Set, Slot, Which};

/// Who calls, from where, and what.
#[derive(Debug, Clone)]
struct Call {
    by: usize,
    place: Option<usize>,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    Set(Set),
    Propose(Set),
    Import(Set, bool),
    Delete(Slot, Which),
    Bump(Slot, Which, u32, Outcome),
    Decide(u64, bool),
}

/// Everybody but the user.
fn others() -> [Caller<'static>; 5] {
    let codex = Caller::agent("codex/0.166").via(Via::Mcp);
    let hook = Caller::user().actor(Actor::Hook).via(Via::Hook);
    [
        codex.session("s-1"),
        codex.session("s-2"),
        Caller::agent("gemini-cli-mcp-client/1").via(Via::Mcp),
        Caller::user().actor(Actor::Program).via(Via::Http),
        hook.client("claude").session("s-3"),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let outcome = prop_oneof![Just(Outcome::Ok), Just(Outcome::Fail)];
    let which = || prop_oneof![4 => which(), 1 => Just(Which::All)];
    let what = prop_oneof![
        6 => set().prop_map(What::Set),
        1 => set().prop_map(What::Propose),
        2 => (set(), any::<bool>()).prop_map(|(set, replace)| What::Import(set, replace)),
        3 => (slot(), which()).prop_map(|(slot, which)| What::Delete(slot, which)),
        3 => (slot(), which(), 1..=1000_u32, outcome)
            .prop_map(|(slot, which, delta, outcome)| What::Bump(slot, which, delta, outcome)),
        1 => (1..9_u64, any::<bool>()).prop_map(|(id, accept)| What::Decide(id, accept)),
    ];
    (0..5_usize, of(0..PLACES.len()), what).prop_map(|(by, place, what)| Call { by, place, what })
}

/// Does what is called. Most of it may be refused.
fn make(nudge: &Nudge, call: &Call) {
    let here = call.place.map(|place| PLACES[place].context());
    let mut by = others()[call.by];
    by.here = here.as_ref();
    match &call.what {
        What::Set(set) => drop(nudge.ask(&by, set_hint(set))),
        What::Propose(set) => drop(nudge.ask(&by, Propose::new(set_hint(set), "it worked"))),
        What::Import(set, replace) => {
            let import = Import::new(payload(set));
            let import = if *replace { import.replace() } else { import };
            drop(nudge.ask(&by, import));
        }
        What::Delete(slot, which) => drop(nudge.ask(&by, delete_hint(*slot, *which))),
        What::Bump(slot, which, delta, outcome) => {
            let bump = bump(*slot, *which).delta(*delta).outcome(*outcome);
            drop(nudge.ask(&by, bump));
        }
        What::Decide(id, true) => drop(nudge.ask(&by, Accept::new(*id))),
        What::Decide(id, false) => drop(nudge.ask(&by, Reject::new(*id))),
    }
}

/// A hint from the future that claims to be the user's, much used.
fn payload(set: &Set) -> String {
    let (component, key) = set.slot.names();
    let set = set_hint(set);
    let mut meta = serde_json::to_value(&set.meta).unwrap();
    meta["source"] = "user".into();
    let later = "9999-01-01T00:00:00Z";
    let hint = json!({
        "value": "import", "meta": meta, "updated_at": later, "last_used_at": later,
        "use_count": u64::MAX / 2, "version": 99,
    });
    let components = json!({component: {"hints": {key: hint}}});
    json!({"schema_version": "1.0", "components": components}).to_string()
}

/// The user's hints by name and scope, each without its counts, and its counts.
fn users(stage: &Stage) -> BTreeMap<String, (Value, u64)> {
    let export: Value = serde_json::from_str(&stage.export()).unwrap();
    let mut users = BTreeMap::new();
    for (component, hints) in export["components"].as_object().unwrap() {
        for (key, slot) in hints["hints"].as_object().unwrap() {
            let one = vec![slot.clone()];
            for hint in slot.as_array().unwrap_or(&one) {
                let mut hint = hint.clone();
                if hint["meta"]["source"] != "user" {
                    continue;
                }
                let count = |name: &str| hint[name].as_u64().unwrap_or(0);
                let counts = count("use_count") + count("fail_count");
                let name = format!("{component}/{key} {}", hint["meta"]["scope"]);
                let fields = hint.as_object_mut().unwrap();
                fields.retain(|name, _| {
                    ["value", "meta", "version", "created_at", "updated_at"].contains(&&**name)
                });
                users.insert(name, (hint, counts));
            }
        }
    }
    users
}

/// What a get answers everywhere that a hint of the user's applies.
fn answers(nudge: &Nudge) -> BTreeMap<(&'static str, &'static str, usize), String> {
    let mut answers = BTreeMap::new();
    for (component, key) in COMPONENTS
        .iter()
        .flat_map(|one| KEYS.map(|key| (*one, key)))
    {
        for (number, place) in PLACES.iter().enumerate() {
            let get = GetHint::new(component, key).context(place.context());
            let found = nudge
                .get_hint(get)
                .ok()
                .filter(|found| found.hint.is_users());
            answers.extend(found.map(|found| {
                (
                    (component, key, number),
                    found.hint.value.text().into_owned(),
                )
            }));
        }
    }
    answers
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn nobody_else_changes_what_the_user_said(
        said in vec((set(), of(0..PLACES.len())), 1..8),
        calls in vec(call(), 0..60),
    ) {
        let mut stage = Stage::new(Limits::default());
        for (set, place) in &said {
            // Of two that the user says at the same moment, what hooks saw decides.
            stage.turn(1);
            let mut set = set_hint(set);
            set.context = place.map(|place| PLACES[place].context());
            let _ = stage.nudge.set_hint(set);
        }
        let (before, answered) = (users(&stage), answers(&stage.nudge));
        for call in &calls {
            make(&stage.nudge, call);
        }
        let after = users(&stage);
        prop_assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
        for (name, (hint, counts)) in &before {
            let (hint_after, counts_after) = &after[name];
            prop_assert_eq!(hint, hint_after);
            prop_assert!(counts_after - counts <= 5, "{}: {} to {}", name, counts, counts_after);
        }
        let now = answers(&stage.nudge);
        for (slot, value) in answered {
            prop_assert_eq!(now.get(&slot), Some(&value), "{:?}", slot);
        }
    }
}
