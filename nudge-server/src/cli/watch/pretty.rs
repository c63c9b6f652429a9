//! How an event reads for people: one line, whatever is stored.

use nudge::{Change, Hint, What};

use crate::cli::escape::shown;
use crate::cli::failure::scope_told;
use crate::cli::pretty::value;

/// The most letters of a value.
const MOST: usize = 60;

/// When, what, where, which value, and who set it.
pub(super) fn line(change: &Change) -> String {
    let time = change.at.format("%H:%M:%S");
    let (word, place) = (word(change), place(change));
    let Some(hint) = change.hint.as_deref() else {
        return format!("{time} {word:<8} {place}");
    };
    let who = who(change, hint).map(|who| format!(" ({who})"));
    let (value, who) = (short(&value(hint)), who.unwrap_or_default());
    format!("{time} {word:<8} {place}: {value}{who}")
}

/// What was done, as people call it.
fn word(change: &Change) -> &'static str {
    match change.what {
        What::Set if change.before == 0 => "set",
        What::Set if change.value_changed => "updated",
        What::Set => "renewed",
        What::Bump => "bumped",
        What::Delete => "deleted",
        What::Expire => "expired",
        What::Clear => "cleared",
        _ => "changed",
    }
}

fn place(change: &Change) -> String {
    if change.what == What::Clear {
        return "everything".to_owned();
    }
    let name = format!("{}/{}", shown(&change.component), shown(&change.key));
    match &change.scope {
        Some(scope) => {
            let scope = serde_json::to_value(&***scope).unwrap_or_default();
            format!("{name} [{}]", scope_told(&scope))
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

/// Who set the value, or how often it was of use. Who used it nobody notes.
fn who(change: &Change, hint: &Hint) -> Option<String> {
    if change.what == What::Bump {
        return Some(match hint.use_count {
            1 => "used once".to_owned(),
            uses => format!("used {uses} times"),
        });
    }
    let origin = hint.meta.origin.as_ref()?;
    let door = shown(&origin.door);
    Some(match &origin.client {
        Some(client) => format!("{} over {door}", shown(client)),
        None => format!("over {door}"),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use nudge::{Bump, DeleteHint, ManualClock, Nudge, Origin, SetHint};

    use super::*;

    #[test]
    fn every_change_is_one_line() {
        let changes = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&changes);
        let clock = Arc::new(ManualClock::at("2025-11-04T10:00:00Z".parse().unwrap()));
        let nudge = Nudge::default().with_clock(Arc::clone(&clock));
        let nudge = nudge.with_sink(move |made: &[Change]| {
            sink.lock().unwrap().extend_from_slice(made);
            Ok(())
        });
        let set = |value: &str| SetHint::new("api", "build", value);
        let agent = Origin::new("mcp").client("codex/0.166");
        nudge.set_hint(set("make").origin(agent)).unwrap();
        let other = Origin::new("http");
        nudge.set_hint(set("make all").origin(other)).unwrap();
        nudge.set_hint(set("make all")).unwrap();
        nudge.bump(Bump::new("api", "build")).unwrap();
        nudge.bump(Bump::new("api", "build")).unwrap();
        nudge.delete_hint(DeleteHint::new("api", "build")).unwrap();
        let secret = set("swordfish").branch("dev").secret();
        nudge.set_hint(secret).unwrap();
        let value = format!("\u{1b}]0;x\n{}", "é".repeat(80));
        let hostile = SetHint::new("a\u{202e}b", "k", &*value);
        let hostile = hostile.ttl("PT1M");
        nudge.set_hint(hostile).unwrap();
        clock.set("2025-11-04T11:02:03Z".parse().unwrap());
        nudge.sweep().unwrap();
        let lines: Vec<String> = changes.lock().unwrap().iter().map(line).collect();
        let long = format!("\\x1b]0;x\\n{}…", "é".repeat(50));
        let expected = [
            "10:00:00 set      api/build: make (codex/0.166 over mcp)",
            "10:00:00 updated  api/build: make all (over http)",
            "10:00:00 renewed  api/build: make all (over http)",
            "10:00:00 bumped   api/build: make all (used once)",
            "10:00:00 bumped   api/build: make all (used 2 times)",
            "10:00:00 deleted  api/build",
            "10:00:00 set      api/build [branch=dev]: ***",
            &*format!("10:00:00 set      a\\u{{202e}}b/k: {long}"),
            "11:02:03 expired  a\\u{202e}b/k",
        ];
        assert_eq!(lines, expected);
    }
}
