//! How long a hint lives, in the words that every command uses, and times as their reader has them.

use chrono::{DateTime, Local, Utc};
use nudge::{Clock, Hint, Lifetime, MatchExplain, Scope, SystemClock};

use crate::wire::escape::shown;

/// A time in the reader's own time zone: `16:40` today, else with its day.
pub(crate) fn local(at: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let [at, now] = [at, now].map(|time| time.with_timezone(&Local));
    let is_today = at.date_naive() == now.date_naive();
    at.format(if is_today { "%R" } else { "%F %R" }).to_string()
}

/// The reasons of a match as its reader has them. The server words times in UTC, for whoever asks.
pub(crate) fn reasons(explain: &MatchExplain, hint: &Hint) -> Vec<String> {
    let now = SystemClock.now();
    let mut reasons = explain.reasons();
    for reason in &mut reasons {
        if hint.describe_failures(&now).as_ref() == Some(reason) {
            let failures = hint.describe_failures(&now.with_timezone(&Local));
            *reason = failures.unwrap_or_default();
        }
        *reason = shown(reason).into_owned();
    }
    reasons
}

/// What becomes of a hint: `kept for acme/shop`, `kept everywhere`, `for this session`, or
/// `until 16:40`.
pub(crate) fn lifetime(hint: &Hint, now: DateTime<Utc>) -> String {
    let end = hint
        .expires_at
        .map(|at| format!("until {}", local(at, now)));
    let what = match hint.lifetime {
        Lifetime::Kept => format!("kept {}", place(hint.scope())),
        Lifetime::Until => end.clone().unwrap_or_default(),
        Lifetime::Session if hint.is_secret() => {
            "in memory alone; it ends with this session and its server".to_owned()
        }
        Lifetime::Session => "for this session".to_owned(),
    };
    match end.filter(|_| hint.lifetime == Lifetime::Session) {
        Some(end) => format!("{what}, {end} at most"),
        None => what,
    }
}

/// Where a scope applies, in a few words.
pub(crate) fn place(scope: Option<&Scope>) -> String {
    let repos = scope.and_then(|scope| scope.repo.as_deref());
    let folders = scope.and_then(|scope| scope.cwd_glob.as_deref());
    match repos.or(folders) {
        Some(places) => {
            let places = places.iter().map(|place| short(place));
            format!("for {}", places.collect::<Vec<_>>().join(", "))
        }
        None => "everywhere".to_owned(),
    }
}

/// A repository as people call it: `acme/shop` for `git:github.com/acme/shop`.
pub(crate) fn short(place: &str) -> String {
    let path = place.strip_prefix("git:");
    let below = path.and_then(|path| path.split_once('/').filter(|(host, _)| host.contains('.')));
    let path = below.map_or(path, |(_, path)| Some(path));
    shown(path.unwrap_or(place)).into_owned()
}
