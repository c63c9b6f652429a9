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

#[cfg(test)]
mod tests {
    use nudge::{Caller, Config, Nudge, SetHint};

    use super::*;

    #[test]
    fn a_lifetime_is_said_as_it_is() {
        let config = Config {
            keep: true,
            ..Config::default()
        };
        let nudge = Nudge::new(config);
        let set = |by: &Caller<'_>, set: SetHint| nudge.ask(by, set).unwrap().hint;
        let user = |hint: SetHint| lifetime(&set(&Caller::user(), hint), nudge.now());
        let hint = || SetHint::new("api", "build", "make");
        assert_eq!(user(hint()), "kept everywhere");
        let repo = hint().repo("git:github.com/acme/shop");
        assert_eq!(user(repo), "kept for acme/shop");
        let local = hint().repo("file:///work/shop");
        assert_eq!(user(local), "kept for file:///work/shop");
        let folder = hint().cwd_glob("/work/shop/**");
        assert_eq!(user(folder), "kept for /work/shop/**");
        assert_eq!(user(hint().ttl(nudge::Ttl::SESSION)), "for this session");
        let ttl = || hint().ttl("P400D".parse().unwrap());
        assert!(user(ttl()).starts_with("until 2"));
        let agents = set(
            &Caller::agent("codex"),
            SetHint::new("web", "run", "x").ttl("P400D".parse().unwrap()),
        );
        let said = lifetime(&agents, nudge.now());
        assert!(said.starts_with("for this session, until 2") && said.ends_with("at most"));
    }
}
