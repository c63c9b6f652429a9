//! A hint that names what its project does not have: said when it is set and read, never told.

use nudge::{Caller, Context, Event, GetHint, Nudge, SetHint};

use crate::projects::MadeUp;

fn here() -> Context {
    Context::new()
        .cwd("/work/api")
        .root("/work/api")
        .repo("git:acme/api")
}

fn told(nudge: &Nudge) -> String {
    let start = Event::session_start().host("codex").session("s1");
    let told = nudge.on_event(start.context(here()));
    told.ok().and_then(|told| told.text).unwrap_or_default()
}

#[test]
fn a_hint_says_at_once_that_what_it_names_is_not_there() {
    let nudge = Nudge::default().with_projects(MadeUp(&[]));
    let set = |key: &str, value: &str| {
        let set = SetHint::new("api", key, value).context(here());
        nudge.set_hint(set).unwrap().note
    };
    let words = "Makefile has no `tset`; the nearest name is `test`";
    assert_eq!(set("check", "make tset").as_deref(), Some(words));
    assert_eq!(set("test", "make test"), None);
    assert_eq!(set("note", "ask ada"), None);

    let found = nudge.get_hint(GetHint::new("api", "check").context(here()));
    let reasons = found.unwrap().match_explain.reasons();
    assert!(reasons.iter().any(|reason| reason == words), "{reasons:?}");
    let told = told(&nudge);
    assert!(
        told.contains("make test") && !told.contains("tset"),
        "{told}"
    );
}

#[test]
fn what_applies_elsewhere_is_not_looked_for_here() {
    let nudge = Nudge::default().with_projects(MadeUp(&[]));
    let set = SetHint::new("api", "check", "make tset").branch("1.x");
    let note = nudge.set_hint(set.context(here())).unwrap().note.unwrap();
    assert!(note.starts_with("it does not apply here"), "{note}");
}

#[test]
fn what_others_set_gives_way_to_what_is_there() {
    let nudge = Nudge::default().with_projects(MadeUp(&[]));
    let codex = Caller::agent("codex").repo("git:acme/api");
    let everywhere = SetHint::new("api", "test", "make test").everywhere();
    nudge.set_hint(everywhere).unwrap();
    let set = SetHint::new("api", "check", "make tset").context(here());
    nudge.ask(&codex, set).unwrap();
    assert!(!told(&nudge).contains("tset"));
}
