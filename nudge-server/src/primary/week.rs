//! `nudge.week`: what agents were told and heeded, what was learned, what broke and what waits,
//! by day and by repository.

use std::collections::BTreeMap;

use chrono::{DateTime, Days, Local, NaiveTime, TimeDelta, TimeZone};
use nudge::{Caller, Context, Error, ErrorKind, Export, ListProposals, Repo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Primary;
use super::notices::repo_of;
use super::past::LearnedHint;
use crate::project::check::{Checker, command_of, is_for_branch};
use crate::project::{ProjectFiles, Resolution};
use crate::store::{AgentSession, Receipts, ToldRow};

/// How many days a week has, and for how many what was told is kept.
const WEEK: usize = 7;
const MOST_DAYS: usize = 31;

/// The most lines that are listed, and the most sessions.
const MOST_LINES: u32 = 500;
const MOST_SESSIONS: u32 = 200;

/// Asks what agents were told and heeded, what was learned, what broke and what waits.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct GetWeek {
    /// When each of the reader's days began, in seconds since 1970, the oldest first, up to 31;
    /// the last seven in the time zone of the server when absent.
    days: Option<Vec<i64>>,
    /// Only this repository, by its remote.
    repo: Option<String>,
    /// How many of the lines that were told to list, up to 500; none when absent.
    lines: Option<u32>,
}

/// What was told and heeded, by day and by repository.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Week {
    /// When each day began, in seconds since 1970, the oldest first.
    pub(crate) days: Vec<i64>,
    /// Every repository that is known, by name; what is of none comes first.
    pub(crate) repositories: Vec<RepoWeek>,
    /// What was told, the newest first.
    pub(crate) lines: Vec<ToldRow>,
}

/// What happened in a repository.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct RepoWeek {
    /// By its remote; absent for what is of none.
    pub(crate) repo: Option<String>,
    /// What was told on each of the days, and what came of it.
    pub(crate) days: Vec<Receipts>,
    /// What was learned, the newest first.
    pub(crate) learned: Vec<LearnedHint>,
    /// The hints whose command names what is gone, as `nudge check` finds them.
    pub(crate) gone: Vec<GoneHint>,
    /// The numbers of the proposals that wait.
    pub(crate) waiting: Vec<u64>,
    /// The sessions of agents, the latest first; none where they are not recorded.
    pub(crate) sessions: Vec<AgentSession>,
}

/// A hint whose command names what is gone.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct GoneHint {
    #[serde(flatten)]
    pub(crate) named: LearnedHint,
    /// The command.
    pub(crate) command: String,
    /// What it names.
    pub(crate) name: String,
    /// The manifest that it is gone from.
    pub(crate) from: String,
    /// The name that is most like it, if one is.
    pub(crate) near: Option<String>,
}

/// What there is of each repository.
type Repositories = BTreeMap<Option<String>, RepoWeek>;

/// The repository of a name, in which as many days are counted as there are.
fn named<'r>(all: &'r mut Repositories, repo: Option<&str>, days: usize) -> &'r mut RepoWeek {
    let known = all.entry(repo.map(str::to_owned));
    known.or_insert_with(|| RepoWeek {
        repo: repo.map(str::to_owned),
        days: vec![Receipts::default(); days],
        ..RepoWeek::default()
    })
}

impl Primary {
    /// Says what was told and heeded, learned, found broken, and waits.
    pub(super) fn week(&self, by: &Caller<'_>, asked: GetWeek) -> Result<Week, Error> {
        let days = asked.days.unwrap_or_else(|| {
            let now = self.nudge.now().with_timezone(&Local);
            days_until(&now, WEEK)
        });
        if days.is_empty() || days.len() > MOST_DAYS || !days.is_sorted() {
            let words = format!("`days` must be 1 to {MOST_DAYS} times, the oldest first");
            return Err(Error::new(ErrorKind::Invalid, words));
        }
        let only = match &asked.repo {
            Some(repo) => Some(Repo::parse(repo).ok_or_else(|| {
                let words = format!("`{repo}` is no repository; write it as `git:host/org/name`");
                Error::new(ErrorKind::Invalid, words)
            })?),
            None => None,
        };
        let is_asked = |repo: Option<&str>| {
            let repo = repo.and_then(Repo::parse);
            let is_it = |only: &Repo| repo.as_ref().is_some_and(|repo| only.allows(repo));
            only.as_ref().is_none_or(is_it)
        };
        let since = days.first().copied().unwrap_or_default();
        let mut all = Repositories::new();
        let ends = days.iter().skip(1).copied().chain([i64::MAX]);
        for (day, (begins, ends)) in days.iter().zip(ends).enumerate() {
            let [from, to] = [*begins, ends].map(in_millis);
            for (repo, receipts) in self.look_back(|history| history.receipts(from, to)) {
                named(&mut all, repo.as_deref(), days.len()).days[day] = receipts;
            }
        }
        self.add_hints(by, (since, days.len()), &mut all)?;
        for proposal in self.nudge.ask(by, ListProposals::default())?.proposals {
            let repo = named(&mut all, repo_of(&proposal), days.len());
            repo.waiting.push(proposal.id);
        }
        let is_recorded = self.is_observing();
        let sessions = self.look_back(|history| history.sessions(since, MOST_SESSIONS));
        for session in sessions.into_iter().filter(|_| is_recorded) {
            let repo = named(&mut all, Some(&session.repo), days.len());
            repo.sessions.push(session);
        }
        all.retain(|repo, _| is_asked(repo.as_deref()));
        let most = asked.lines.unwrap_or_default().min(MOST_LINES) as usize;
        let is_wanted = |told: &ToldRow| is_asked(told.repo.as_deref());
        let lines = self.look_back(|history| history.told(in_millis(since), most, is_wanted));
        Ok(Week {
            days,
            repositories: all.into_values().collect(),
            lines,
        })
    }

    /// Adds every repository that is known, what was learned there, and what is gone.
    fn add_hints(
        &self,
        by: &Caller<'_>,
        (since, days): (i64, usize),
        repositories: &mut Repositories,
    ) -> Result<(), Error> {
        let roots = self.roots.newest();
        for repo in roots.keys() {
            named(repositories, Some(repo), days);
        }
        let projects = ProjectFiles::patient();
        let there = roots.iter().map(|(repo, root)| {
            let at = (Context::at(root), Checker::new(&projects, root));
            (repo.as_str(), at)
        });
        let mut there: BTreeMap<&str, _> = there.collect();
        let all = self.nudge.ask(by, Export::new())?.payload;
        for (component, key, hint) in all.hints() {
            let learned = || LearnedHint::new(component, key, hint);
            let repos = hint.scope().and_then(|scope| scope.repo.as_deref());
            for name in repos.into_iter().flatten() {
                let repo = named(repositories, Some(name), days);
                if hint.is_learned() && hint.updated_at.timestamp() >= since {
                    repo.learned.push(learned());
                }
                if let Some((at, checker)) = there.get_mut(name.as_str()) {
                    repo.gone.extend(gone(learned(), at, checker));
                }
            }
        }
        for repo in repositories.values_mut() {
            let newest = |one: &LearnedHint| std::cmp::Reverse(one.hint.updated_at);
            repo.learned.sort_by_key(newest);
        }
        Ok(())
    }
}

/// The hint, if its command names what is gone from the clone at a place.
fn gone(named: LearnedHint, at: &Context, checker: &mut Checker<'_>) -> Option<GoneHint> {
    let hint = serde_json::to_value(&named.hint).ok()?;
    let (folder, command) = command_of(&hint, "").filter(|_| is_for_branch(&hint, at))?;
    match checker.check(&folder, &command) {
        Resolution::Gone { name, from, near } => Some(GoneHint {
            named,
            command,
            name,
            from,
            near,
        }),
        Resolution::Holds | Resolution::Unknown => None,
    }
}

fn in_millis(seconds: i64) -> i64 {
    seconds.saturating_mul(1000)
}

/// When the last days began that a reader has had, today's the last, in seconds since 1970.
pub(crate) fn days_until<Z: TimeZone>(now: &DateTime<Z>, count: usize) -> Vec<i64> {
    let zone = now.timezone();
    let began = |ago: usize| {
        let day = now.date_naive() - Days::new(ago as u64);
        let midnight = day.and_time(NaiveTime::MIN);
        let at = zone.from_local_datetime(&midnight).earliest();
        // Where clocks are set forward at midnight, the day begins an hour later.
        let at = at.or_else(|| {
            let later = midnight + TimeDelta::hours(1);
            zone.from_local_datetime(&later).earliest()
        });
        at.map_or_else(|| midnight.and_utc().timestamp(), |at| at.timestamp())
    };
    (0..count).rev().map(began).collect()
}

#[cfg(test)]
mod tests {
    use chrono::FixedOffset;

    use super::*;

    #[test]
    fn days_are_in_order_and_not_too_many() {
        let primary = Primary::with_system_clock(nudge::Config::default(), 0);
        let ask = |days: Vec<i64>, repo: Option<&str>| {
            let (days, repo) = (Some(days), repo.map(str::to_owned));
            let asked = GetWeek {
                days,
                repo,
                ..GetWeek::default()
            };
            primary.week(&Caller::user(), asked).is_ok()
        };
        assert!(ask((0..31).collect(), None) && !ask((0..32).collect(), None));
        assert!(!ask(Vec::new(), None) && !ask(vec![2, 1], None));
        assert!(ask(vec![i64::MIN, i64::MAX], None));
        assert!(ask(vec![1], Some("git:acme/api")) && !ask(vec![1], Some("")));
    }

    #[test]
    fn a_day_begins_at_the_readers_own_midnight() {
        let zone = FixedOffset::east_opt(5 * 3600 + 1800).unwrap();
        let at = |time: &str| DateTime::parse_from_rfc3339(time).unwrap();
        // The last moment of one day and the first of the next.
        for (now, days) in [
            ("2025-11-03T18:29:59Z", ["2025-11-02", "2025-11-03"]),
            ("2025-11-03T18:30:00Z", ["2025-11-03", "2025-11-04"]),
        ] {
            let midnight = |day| at(&format!("{day}T00:00:00+05:30")).timestamp();
            let begins = days_until(&at(now).with_timezone(&zone), 2);
            assert_eq!(begins, days.map(midnight), "{now}");
        }
    }
}
