//! Who set a value, as far as `tests/conformance/library/origin.json` cannot say it.

use std::sync::{Arc, Mutex};

use nudge::{Bump, Caller, Change, DeleteHint, GetHint, Import, Nudge, Origin, SetHint, Via};
use serde_json::{Value, json};

fn store() -> Nudge {
    let nudge = Nudge::default();
    nudge.pin_clock(Some("2025-11-04T10:00:00Z")).unwrap();
    nudge
}

fn cli() -> Caller<'static> {
    Caller::user().via(Via::Cli).client("nudge/0.1.0")
}

// On the user's behalf, so that nothing is only proposed.
fn codex() -> Caller<'static> {
    let codex = Caller::user().via(Via::Mcp).client("codex/0.166");
    codex.repo("git:acme/api")
}

/// Sets `api/build`, and gives back what its meta says of its origin.
fn set(nudge: &Nudge, by: Caller<'_>) -> Value {
    let set = SetHint::new("api", "build", "make");
    told(&nudge.ask(&by, set).unwrap().hint)
}

fn told(hint: &nudge::Hint) -> Value {
    serde_json::to_value(hint).unwrap()["meta"]["origin"].take()
}

fn stands(nudge: &Nudge) -> Arc<nudge::Hint> {
    nudge.get_hint(GetHint::new("api", "build")).unwrap().hint
}

/// Imports a hint for `api/build`, and says whether that was taken.
fn import(nudge: &Nudge, meta: &Value, by: Caller<'_>) -> bool {
    let hint = json!({"value": "make", "meta": meta, "updated_at": "2025-11-04T12:00:00Z"});
    let components = json!({"api": {"hints": {"build": hint}}});
    let payload = json!({"schema_version": "1.0", "components": components});
    let import = Import::new(payload.to_string());
    nudge.ask(&by, import).unwrap().imported == 1
}

#[test]
fn what_cannot_be_stored_of_an_origin_is_left_out_and_spoils_no_write() {
    let secret = format!("{}{}", "ghp_", "A1b2C3d4E5".repeat(4).get(..36).unwrap());
    for odd in [&*"x".repeat(129), "a\u{1b}b", "", " a", &*secret] {
        let nudge = store();
        let by = Caller::user().via(Via::Mcp).client(odd);
        let said = set(&nudge, by.repo("git:a/b"));
        assert_eq!(said["client"], Value::Null, "{odd:?}");
        assert_eq!(said["repo"], "git:a/b");
        let debug = format!("{:?}", Origin::new("mcp").client(odd));
        assert!(!debug.contains(&secret));

        let nudge = store();
        let claims = json!({"via": "x", "client": odd, "replaced": {"via": odd}});
        assert!(import(&nudge, &json!({"origin": claims}), Caller::user()));
        assert_eq!(told(&stands(&nudge)), json!({"via": "x"}));
    }
}

#[test]
fn an_origin_is_told_in_a_line() {
    let nudge = store();
    set(&nudge, codex());
    let hint = stands(&nudge);
    let origin = hint.meta.origin.as_deref().unwrap();
    let at = |time: &str| origin.describe(time.parse().unwrap());
    let line = "codex/0.166 over mcp in git:acme/api, 3m ago";
    assert_eq!(at("2025-11-04T10:03:59Z"), line);
    assert!(at("2025-11-04T09:00:00Z").ends_with(", 0s ago"));
    let nobody = Origin::new("http").describe(nudge.now());
    assert_eq!(nobody, "a caller over http");
}

#[test]
fn a_change_says_who_asked_for_it_where_its_hint_does_not() {
    let journal = Arc::new(Mutex::new(Vec::<Change>::new()));
    let sink = Arc::clone(&journal);
    let nudge = store().with_sink(move |changes: &[Change]| {
        sink.lock().unwrap().extend_from_slice(changes);
        Ok(())
    });
    set(&nudge, codex());
    set(&nudge, cli());
    let bump = Bump::new("api", "build");
    nudge.ask(&codex(), bump.clone()).unwrap();
    nudge.bump(bump).unwrap();
    let delete = DeleteHint::new("api", "build");
    nudge.ask(&cli(), delete.clone()).unwrap();
    let theirs = json!({"origin": {"via": "mcp", "client": "codex/0.166"}});
    import(&nudge, &theirs, cli());
    import(&nudge, &json!({}), cli());
    let long = "x".repeat(1000);
    let odd = Caller::user().via(Via::Cli).client(&long);
    nudge.ask(&odd, delete).unwrap();

    let changes = journal.lock().unwrap();
    let by: Vec<_> = changes
        .iter()
        .map(|change| change.by.as_ref().map(|by| (&*by.via, by.client.is_some())))
        .collect();
    let (cli, mcp) = (Some(("cli", true)), Some(("mcp", true)));
    let odd = Some(("cli", false));
    // The second payload says nothing new, and so there is no change.
    // A delete of the user's is remembered, and forgotten with the next import.
    assert_eq!(by, [None, cli, mcp, None, cli, cli, cli, cli, odd, odd]);
    let written = serde_json::to_string(&*changes).unwrap();
    let read: Vec<Change> = serde_json::from_str(&written).unwrap();
    assert_eq!(read, *changes);
}
