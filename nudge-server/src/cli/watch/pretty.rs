//! How an event reads for people: one line, whatever is stored.

use std::collections::BTreeMap;
use std::fmt::Display;

use nudge::{Change, ChangeKind, Name, Origin, Proposal, WorkingSet};

use crate::cli::escape::shown;
use crate::cli::failure::describe_scope;
use crate::cli::pretty::value;

/// The most letters of a value.
const MOST: usize = 60;

/// When as the reader has it, what, where, which value, and who did it.
pub(super) fn line(change: &Change, time: impl Display) -> String {
    let (word, place) = (word(&change.kind), place(&change.kind));
    let value = change.kind.hint().map(|hint| value(hint));
    let value = value.map(|value| format!(": {}", short(&value)));
    let note = note(change).map(|note| format!(" ({note})"));
    let (value, note) = (value.unwrap_or_default(), note.unwrap_or_default());
    format!("{time} {word:<8} {place}{value}{note}")
}

/// What was done, as people call it.
fn word(kind: &ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Set { before: 0, .. } => "set",
        ChangeKind::Set {
            value_changed: true,
            ..
        } => "updated",
        ChangeKind::Set { .. } => "renewed",
        ChangeKind::Bump(_) => "bumped",
        ChangeKind::Fail(_) => "failed",
        ChangeKind::Delete(_) => "deleted",
        ChangeKind::Expire(_) => "expired",
        ChangeKind::Clear => "cleared",
        ChangeKind::Context { working_set, .. } if working_set.ended => "left",
        ChangeKind::Context { .. } => "works on",
        ChangeKind::Propose(_) => "proposed",
        // Accepted, rejected or dropped: who accepts it sets a hint next.
        ChangeKind::Dismiss { .. } => "settled",
        ChangeKind::Mark(_) => "marked",
        ChangeKind::Unmark(_) => "unmarked",
        ChangeKind::Lost { .. } => "lost",
    }
}

fn place(kind: &ChangeKind) -> String {
    if let ChangeKind::Context { working_set, sets } = kind {
        return short(&work(working_set, sets));
    }
    let Some((component, key)) = kind.slot() else {
        return "everything".to_owned();
    };
    let name = format!("{}/{}", shown(component), shown(key));
    match kind.scope() {
        Some(scope) => {
            let scope = serde_json::to_value(&***scope).unwrap_or_default();
            format!("{name} [{}]", describe_scope(&scope))
        }
        None => name,
    }
}

/// The start of a text that may be long.
fn short(text: &str) -> String {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// What is being worked on, by the sets that changed; by all where nothing did.
fn work(working_set: &WorkingSet, changed: &[Name]) -> String {
    let mut sets: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for name in changed {
        sets.insert(shown(name), Vec::new());
    }
    let is_shown = |name: &str| changed.is_empty() || changed.iter().any(|set| set == name);
    for (name, item) in working_set.items().filter(|(name, _)| is_shown(name)) {
        sets.entry(shown(name)).or_default().push(shown(item));
    }
    let told = |(name, items): (_, Vec<_>)| {
        if items.is_empty() {
            format!("no {name}")
        } else {
            format!("{name} {}", items.join(", "))
        }
    };
    sets.into_iter().map(told).collect::<Vec<_>>().join(" · ")
}

/// Who did it, how often it was of use, or which proposal it was. Who used a
/// hint or took it away is more than a line has room for.
fn note(change: &Change) -> Option<String> {
    let by = change.by.as_deref().map(who);
    match &change.kind {
        ChangeKind::Bump(used) => Some(often("used", used.hint.use_count)),
        ChangeKind::Fail(used) => Some(often("failed", used.hint.fail_count)),
        ChangeKind::Set { hint, .. } => hint.meta.origin.as_deref().map(who),
        ChangeKind::Context { .. } => by,
        ChangeKind::Propose(Proposal { id, .. }) | ChangeKind::Dismiss { proposal: id, .. } => {
            let by = by.map_or_else(String::new, |by| format!(", {by}"));
            Some(format!("proposal {id}{by}"))
        }
        ChangeKind::Delete(_)
        | ChangeKind::Expire(_)
        | ChangeKind::Clear
        | ChangeKind::Mark(_)
        | ChangeKind::Unmark(_)
        | ChangeKind::Lost { .. } => None,
    }
}

fn often(word: &str, times: u64) -> String {
    match times {
        1 => format!("{word} once"),
        times => format!("{word} {times} times"),
    }
}

fn who(origin: &Origin) -> String {
    let via = shown(&origin.via);
    match &origin.client {
        Some(client) => format!("{} over {via}", shown(client)),
        None => format!("over {via}"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use nudge::{
        Accept, Bump, Caller, DeleteHint, ManualClock, Nudge, Outcome, Propose, Reject, SetContext,
        SetHint, Via,
    };

    use super::*;

    type Changes = Arc<Mutex<Vec<Change>>>;

    fn watched() -> (Nudge, Arc<ManualClock>, Changes) {
        let changes = Changes::default();
        let sink = Arc::clone(&changes);
        let clock = Arc::new(ManualClock::at("2025-11-04T10:00:00Z".parse().unwrap()));
        let nudge = Nudge::default().with_clock(Arc::clone(&clock));
        let nudge = nudge.with_sink(move |made: &[Change]| {
            sink.lock().unwrap().extend_from_slice(made);
            Ok(())
        });
        (nudge, clock, changes)
    }

    fn lines(changes: &Changes) -> Vec<String> {
        let changes = changes.lock().unwrap();
        changes
            .iter()
            .map(|it| line(it, it.at.format("%T")))
            .collect()
    }

    #[test]
    fn every_change_is_one_line() {
        let (nudge, clock, changes) = watched();
        let set = |value: &str| SetHint::new("api", "build", value);
        let agent = Caller::user().via(Via::Mcp).client("codex/0.166");
        nudge.ask(&agent, set("make")).unwrap();
        let other = Caller::user().via(Via::Http);
        nudge.ask(&other, set("make all")).unwrap();
        nudge.set_hint(set("make all")).unwrap();
        nudge.bump(Bump::new("api", "build")).unwrap();
        nudge.bump(Bump::new("api", "build")).unwrap();
        nudge.delete_hint(DeleteHint::new("api", "build")).unwrap();
        let secret = set("swordfish").branch("dev").secret();
        nudge.set_hint(secret).unwrap();
        let value = format!("\u{1b}]0;x\n{}", "é".repeat(80));
        let hostile = SetHint::new("ab", "k", &*value);
        let hostile = hostile.ttl("PT1M".parse().unwrap());
        nudge.set_hint(hostile).unwrap();
        clock.set("2025-11-04T11:02:03Z".parse().unwrap());
        nudge.sweep().unwrap();
        let long = format!("\\x1b]0;x\\n{}…", "é".repeat(50));
        let expected = [
            "10:00:00 set      api/build: make (codex/0.166 over mcp)",
            "10:00:00 updated  api/build: make all (over http)",
            "10:00:00 renewed  api/build: make all (over http)",
            "10:00:00 bumped   api/build: make all (used once)",
            "10:00:00 bumped   api/build: make all (used 2 times)",
            "10:00:00 deleted  api/build",
            "10:00:00 marked   api/build",
            "10:00:00 set      api/build [branch=dev]: ***",
            &*format!("10:00:00 set      ab/k: {long}"),
            "11:02:03 expired  ab/k",
        ];
        assert_eq!(lines(&changes), expected);
    }

    #[test]
    fn what_is_proposed_what_failed_and_what_is_worked_on_is_a_line() {
        let (nudge, _, changes) = watched();
        let agent = Caller::user().via(Via::Mcp).client("codex/0.166");
        let set = |value: &str| SetHint::new("api", "build", value);
        nudge.set_hint(set("make")).unwrap();
        for _ in 0..2 {
            let failed = Bump::new("api", "build").outcome(Outcome::Fail);
            nudge.bump(failed).unwrap();
        }
        let other = Propose::new(set("cmake").branch("dev"), "it worked");
        nudge.ask(&agent, other).unwrap();
        let secret = SetHint::new("api", "token", "swordfish").secret();
        nudge.propose(Propose::new(secret, "it worked")).unwrap();
        let page = Caller::user().via(Via::Page);
        nudge.ask(&page, Accept::new(1)).unwrap();
        nudge.reject(Reject::new(2)).unwrap();
        for (name, items) in [
            ("ports", &["8080"][..]),
            ("files", &["src/\u{202e}a.rs", "src/b.rs"]),
            ("files", &[]),
        ] {
            let context = SetContext::new(name, items.iter().copied());
            nudge.ask(&agent, context).unwrap();
        }
        nudge
            .set_context(SetContext::new("ports", [""; 0]))
            .unwrap();
        let expected = [
            "10:00:00 set      api/build: make",
            "10:00:00 failed   api/build: make (failed once)",
            "10:00:00 failed   api/build: make (failed 2 times)",
            "10:00:00 proposed api/build [branch=dev]: cmake (proposal 1, codex/0.166 over mcp)",
            "10:00:00 proposed api/token: *** (proposal 2)",
            "10:00:00 settled  api/build (proposal 1, over page)",
            "10:00:00 set      api/build [branch=dev]: cmake (codex/0.166 over mcp)",
            "10:00:00 settled  api/token (proposal 2)",
            "10:00:00 works on ports 8080 (codex/0.166 over mcp)",
            "10:00:00 works on files src/\\u{202e}a.rs, src/b.rs (codex/0.166 over mcp)",
            "10:00:00 works on no files (codex/0.166 over mcp)",
            "10:00:00 works on no ports",
        ];
        assert_eq!(lines(&changes), expected);
    }
}
