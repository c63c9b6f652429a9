//! Who set a value: what a door says, what stays, and what nobody can claim.

use std::sync::{Arc, Mutex};

use nudge::{
    Bump, Caller, Change, Clock, DeleteHint, ErrorKind, Export, GetHint, Import, ManualClock,
    Nudge, Origin, SetHint, Via, from_json,
};
use serde_json::{Value, json};

fn store() -> (Nudge, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::at("2025-11-04T10:00:00Z".parse().unwrap()));
    (Nudge::default().with_clock(Arc::clone(&clock)), clock)
}

fn cli() -> Caller<'static> {
    Caller::user().via(Via::Cli).client("nudge/0.1.0")
}

// On the user's behalf, so that nothing is only proposed.
fn codex() -> Caller<'static> {
    let codex = Caller::user().via(Via::Mcp).client("codex/0.166");
    codex.repo("git:acme/api")
}

fn library() -> Caller<'static> {
    Caller::user()
}

/// Sets `api/build`, and gives back what its meta says of its origin.
fn set(nudge: &Nudge, value: &str, by: Caller<'_>) -> Value {
    let set = SetHint::new("api", "build", value);
    told(&nudge.ask(&by, set).unwrap().hint)
}

fn told(hint: &nudge::Hint) -> Value {
    serde_json::to_value(hint).unwrap()["meta"]["origin"].take()
}

fn stands(nudge: &Nudge) -> (Value, Vec<String>) {
    let found = nudge.get_hint(GetHint::new("api", "build")).unwrap();
    (told(&found.hint), found.match_explain.reasons())
}

fn payload(nudge: &Nudge) -> Value {
    let exported = nudge.export(Export::new()).unwrap();
    serde_json::to_value(exported).unwrap()["payload"].take()
}

/// A payload with one hint for `api/build`.
fn seed(meta: &Value) -> Value {
    let hint = json!({"value": "make", "meta": meta, "updated_at": "2025-11-04T12:00:00Z"});
    json!({"schema_version": "1.0", "components": {"api": {"hints": {"build": hint}}}})
}

fn import(nudge: &Nudge, payload: &Value, by: Caller<'_>) -> usize {
    let import = Import::new(&*payload.to_string());
    nudge.ask(&by, import).unwrap().imported
}

#[test]
fn a_hint_says_who_set_its_value_and_when() {
    let (nudge, _) = store();
    let told = set(&nudge, "make", codex());
    let expected = json!({
        "via": "mcp", "client": "codex/0.166", "repo": "git:acme/api",
        "at": "2025-11-04T10:00:00.000Z",
    });
    assert_eq!(told, expected);
    let reasons = vec!["applies everywhere".to_owned()];
    assert_eq!(stands(&nudge), (expected, reasons));
}

#[test]
fn the_library_alone_says_nothing_and_knows_nothing_of_what_it_sets() {
    let (nudge, _) = store();
    assert_eq!(set(&nudge, "make", library()), Value::Null);
    set(&nudge, "make all", cli());
    assert_eq!(set(&nudge, "make", library()), Value::Null);
    assert_eq!(set(&nudge, "make all", codex())["replaced"], Value::Null);
}

#[test]
fn a_value_that_another_origin_changed_says_so_and_starts_again() {
    let (nudge, _) = store();
    set(&nudge, "make", cli());
    nudge.bump(Bump::new("api", "build")).unwrap();
    set(&nudge, "make all", codex());
    let found = nudge.get_hint(GetHint::new("api", "build")).unwrap();
    assert_eq!(found.hint.use_count, 0);
    let (told, reasons) = stands(&nudge);
    let before = json!({"via": "cli", "client": "nudge/0.1.0"});
    assert_eq!(told["replaced"], before);
    let changed = "value changed by codex/0.166 over mcp; nudge/0.1.0 over cli had set it";
    assert_eq!(reasons, ["applies everywhere", changed]);

    // Another version of a client is another origin; a caller without a name is one too.
    let newer = Caller::user().via(Via::Mcp).client("codex/0.167");
    set(&nudge, "make", newer);
    set(&nudge, "make x", Caller::user().via(Via::Http));
    let changed = "value changed by a caller over http; codex/0.167 over mcp had set it";
    assert_eq!(stands(&nudge).1[1], changed);
}

#[test]
fn who_changes_a_value_twice_has_still_replaced_another() {
    let (nudge, _) = store();
    set(&nudge, "make", cli());
    for value in ["make a", "make b", "make c"] {
        let told = set(&nudge, value, codex());
        assert_eq!(told["replaced"]["via"], "cli", "{value}");
    }
    assert_eq!(set(&nudge, "make", cli())["replaced"]["via"], "mcp");
}

#[test]
fn a_write_that_leaves_the_value_leaves_its_origin() {
    let (nudge, clock) = store();
    let first = set(&nudge, "make", cli());
    clock.set("2025-11-04T11:00:00Z".parse().unwrap());
    assert_eq!(set(&nudge, "make", codex()), first);
    assert_eq!(set(&nudge, "make", library()), first);
    let bumped = nudge.bump(Bump::new("api", "build")).unwrap();
    assert_eq!(told(&bumped.hint), first);

    // Of a value that nobody is known to have set, who says it again is known.
    set(&nudge, "make all", library());
    assert_eq!(set(&nudge, "make all", codex())["via"], "mcp");
}

#[test]
fn no_request_can_claim_an_origin() {
    let slot = json!({"component": "api", "key": "build", "value": "make"});
    let mut claims = [slot.clone(), slot];
    claims[0]["meta"] = json!({"origin": {"via": "cli"}});
    claims[1]["origin"] = json!({"via": "cli"});
    for (claim, field) in claims.iter().zip(["meta.origin", "origin"]) {
        let error = from_json::<SetHint>(claim.to_string().as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        assert_eq!(error.data().field.as_deref(), Some(field));
    }
    let claim = json!({"payload": seed(&json!({})), "origin": {"via": "cli"}});
    assert!(from_json::<Import>(claim.to_string().as_bytes()).is_err());
}

#[test]
fn an_origin_survives_the_round_trip() {
    let (nudge, clock) = store();
    set(&nudge, "make", cli());
    set(&nudge, "make all", codex());
    let first = payload(&nudge);
    clock.set("2025-11-04T11:00:00Z".parse().unwrap());
    for mode in ["merge", "replace"] {
        let (again, _) = store();
        // Who imports takes nothing away from who set it.
        let import = json!({"payload": first, "mode": mode}).to_string();
        let import: Import = from_json(import.as_bytes()).unwrap();
        again.ask(&cli(), import).unwrap();
        assert_eq!(payload(&again)["components"], first["components"]);
    }
}

#[test]
fn a_hint_that_names_no_origin_comes_from_who_imports_it() {
    let (nudge, _) = store();
    import(&nudge, &seed(&json!({})), library());
    assert_eq!(stands(&nudge).0, Value::Null);
    let (nudge, _) = store();
    import(&nudge, &seed(&json!({})), codex());
    assert_eq!(stands(&nudge).0["client"], "codex/0.166");
    assert_eq!(stands(&nudge).0["at"], "2025-11-04T10:00:00.000Z");
}

#[test]
fn an_import_that_changes_a_value_says_so() {
    let (nudge, clock) = store();
    set(&nudge, "make all", cli());
    clock.set("2025-11-04T13:00:00Z".parse().unwrap());
    assert_eq!(import(&nudge, &seed(&json!({})), codex()), 1);
    assert_eq!(stands(&nudge).0["replaced"]["via"], "cli");
    let changed = "value changed by codex/0.166 over mcp; nudge/0.1.0 over cli had set it";
    assert_eq!(stands(&nudge).1[1], changed);
}

#[test]
fn a_hint_that_differs_only_in_who_set_it_is_not_imported() {
    let (nudge, _) = store();
    let before = set(&nudge, "make", cli());
    let same = seed(&json!({"source": "user", "origin": {"via": "mcp"}}));
    assert_eq!(import(&nudge, &same, codex()), 0);
    assert_eq!(stands(&nudge).0, before);
}

#[test]
fn what_cannot_be_stored_of_an_origin_is_left_out_and_spoils_no_write() {
    let secret = format!("{}{}", "ghp_", "A1b2C3d4E5".repeat(4).get(..36).unwrap());
    for odd in [&*"x".repeat(129), "a\u{1b}b", "", " a", &*secret] {
        let (nudge, _) = store();
        let by = Caller::user().via(Via::Mcp).client(odd);
        let told = set(&nudge, "make", by.repo("git:a/b"));
        assert_eq!(told["client"], Value::Null, "{odd:?}");
        assert_eq!(told["repo"], "git:a/b");
        let debug = format!("{:?}", Origin::new("mcp").client(odd));
        assert!(!debug.contains(&secret));

        let (nudge, _) = store();
        let claims = json!({"via": "x", "client": odd, "replaced": {"via": odd}});
        let claimed = seed(&json!({"origin": claims}));
        assert_eq!(import(&nudge, &claimed, library()), 1);
        assert_eq!(stands(&nudge).0, json!({"via": "x"}));
    }
}

#[test]
fn what_version_0_1_called_a_door_is_read_and_written_as_via() {
    let origin = json!({
        "door": "mcp", "client": "codex/0.166", "at": "2025-11-04T09:00:00.000Z",
        "replaced": {"door": "cli", "client": "nudge/0.1.0"},
    });
    let now = json!({
        "via": "mcp", "client": "codex/0.166", "at": "2025-11-04T09:00:00.000Z",
        "replaced": {"via": "cli", "client": "nudge/0.1.0"},
    });

    let (nudge, _) = store();
    let exported = seed(&json!({"source": "agent", "origin": origin}));
    assert_eq!(import(&nudge, &exported, cli()), 1);
    let hint = &payload(&nudge)["components"]["api"]["hints"]["build"];
    assert_eq!(hint["meta"]["origin"], now);
}

#[test]
fn an_origin_is_told_in_a_line() {
    let (nudge, clock) = store();
    set(&nudge, "make", codex());
    let found = nudge.get_hint(GetHint::new("api", "build")).unwrap();
    let origin = found.hint.meta.origin.as_deref().unwrap();
    clock.set("2025-11-04T10:03:00Z".parse().unwrap());
    let at = |time: &str| origin.describe(time.parse().unwrap());
    let line = "codex/0.166 over mcp in git:acme/api, 3m ago";
    assert_eq!(at("2025-11-04T10:03:59Z"), line);
    assert!(at("2025-11-04T09:00:00Z").ends_with(", 0s ago"));
    let nobody = Origin::new("http").describe(clock.now());
    assert_eq!(nobody, "a caller over http");
}

#[test]
fn a_change_says_who_asked_for_it_where_its_hint_does_not() {
    let journal = Arc::new(Mutex::new(Vec::<Change>::new()));
    let sink = Arc::clone(&journal);
    let nudge = store().0.with_sink(move |changes: &[Change]| {
        sink.lock().unwrap().extend_from_slice(changes);
        Ok(())
    });
    set(&nudge, "make", codex());
    set(&nudge, "make", cli());
    let bump = Bump::new("api", "build");
    nudge.ask(&codex(), bump.clone()).unwrap();
    nudge.bump(bump).unwrap();
    let delete = DeleteHint::new("api", "build");
    nudge.ask(&cli(), delete.clone()).unwrap();
    let theirs = json!({"origin": {"via": "mcp", "client": "codex/0.166"}});
    import(&nudge, &seed(&theirs), cli());
    import(&nudge, &seed(&json!({})), cli());
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
