use nudge::{Bump, Change, Command, Nudge, Origin, SetHint};
use nudge::{Shell, Source};
use serde_json::json;
use tokio::time::advance;

use super::*;

/// The changes that operations make.
fn changes(operate: impl Fn(&Nudge)) -> Vec<ChangeKind> {
    let seen = std::sync::Arc::new(parking_lot::Mutex::new(Vec::new()));
    let noted = std::sync::Arc::clone(&seen);
    let nudge = Nudge::default().with_sink(move |changes: &[Change]| {
        let kinds = changes.iter().map(|change| change.kind.clone());
        noted.lock().extend(kinds);
        Ok(())
    });
    operate(&nudge);
    std::mem::take(&mut *seen.lock())
}

fn added(key: &str, value: &str) -> Added {
    let mut made = changes(|nudge| {
        nudge.set_hint(SetHint::new("api", key, value)).unwrap();
    });
    Added::by(&made.pop().unwrap()).unwrap()
}

fn told_of(suggestions: &mut Suggestions, added: Added) -> bool {
    let allowed = suggestions.allow(&added);
    if allowed {
        suggestions.tell(added);
    }
    allowed
}

fn titles(suggestions: &Suggestions) -> Vec<String> {
    let titles = suggestions.resources().map(|one| one.title.clone());
    titles.map(Option::unwrap_or_default).collect()
}

#[tokio::test(start_paused = true)]
async fn three_in_ten_minutes_are_enough() {
    let mut suggestions = Suggestions::default();
    for key in ["a", "b", "c"] {
        assert!(told_of(&mut suggestions, added(key, "make")));
        advance(Duration::from_mins(1)).await;
    }
    assert!(!told_of(&mut suggestions, added("d", "make")));
    // The first is ten minutes ago, the second is not.
    advance(Duration::from_mins(7)).await;
    let told = ["d", "e"].map(|key| told_of(&mut suggestions, added(key, "make")));
    assert_eq!(told, [true, false]);
    assert_eq!(titles(&suggestions), ["api/d", "api/c", "api/b"]);
}

#[tokio::test(start_paused = true)]
async fn identical_ones_are_told_once_and_another_value_is_another() {
    let mut suggestions = Suggestions::default();
    assert!(told_of(&mut suggestions, added("a", "make")));
    advance(WITHIN * 2).await;
    assert!(!told_of(&mut suggestions, added("a", "make")));
    assert!(told_of(&mut suggestions, added("a", "make all")));
    assert_eq!(titles(&suggestions), ["api/a"]);
}

#[tokio::test(start_paused = true)]
async fn what_a_client_writes_itself_is_known_to_it() {
    let mut suggestions = Suggestions::default();
    // Its fields are in another order than the store's, and it is the same.
    let command = json!({"cmd": "make", "shell": "sh", "type": "command"});
    let hints = json!({"c": [{"value": "x"}, {"value": command}]});
    let import = json!({"payload": {"components": {"api": {"hints": hints}}}});
    suggestions.know(Operation::Import.into(), import.as_object().unwrap());
    let mut other = added("c", "x");
    assert!(!told_of(&mut suggestions, other.clone()));
    Arc::make_mut(&mut other.hint).value = Command::new("make").shell(Shell::Sh).into();
    assert!(!told_of(&mut suggestions, other));
    assert!(told_of(&mut suggestions, added("c", "make all")));
}

#[tokio::test(start_paused = true)]
async fn what_is_gone_leaves_the_list() {
    let mut suggestions = Suggestions::default();
    for key in ["a", "b", "c"] {
        assert!(told_of(&mut suggestions, added(key, "make")));
    }
    let change = |mut json: Value| {
        json["seq"] = 1.into();
        json["at"] = "2025-11-04T10:00:00Z".into();
        serde_json::from_value::<Change>(json).unwrap().kind
    };
    let gone = |what: &str, key: &str| {
        change(json!({"what": what, "component": "api", "key": key, "before": 1}))
    };
    suggestions.follow(&gone("delete", "b"));
    assert_eq!(titles(&suggestions), ["api/c", "api/a"]);
    suggestions.follow(&gone("expire", "c"));
    let bumped = changes(|nudge| {
        nudge.set_hint(SetHint::new("api", "a", "make")).unwrap();
        nudge.bump(Bump::new("api", "a")).unwrap();
    });
    suggestions.follow(&bumped[1]);
    assert_eq!(titles(&suggestions), ["api/a"]);
    suggestions.follow(&ChangeKind::Clear);
    assert!(titles(&suggestions).is_empty());
}

#[test]
fn a_hint_is_listed_with_who_set_it() {
    let mut one = added("a b", "make");
    let words = |one: &Added| one.resource().description.clone().unwrap();
    let hint = Arc::make_mut(&mut one.hint);
    hint.meta.source = Some(Source::Agent);
    hint.meta.origin = Some(Box::new(Origin::new("mcp").client("codex/0.166")));
    // Anybody can say so.
    hint.meta.added_by = Some("the user".into());
    let told = "[agent codex, not tried] A hint that applies here.";
    assert_eq!(words(&one), told);
    assert_eq!(one.resource().uri, "nudge://hints/api/a%20b");
    Arc::make_mut(&mut one.hint).meta.source = Some(Source::User);
    assert_eq!(words(&one), "[user] A hint that applies here.");
}

#[test]
fn what_is_remembered_is_bounded() {
    let mut suggestions = Suggestions::default();
    for n in 0..REMEMBERED + 10 {
        suggestions.remember(u64::try_from(n).unwrap());
    }
    assert_eq!(suggestions.known.len(), 10);
}
