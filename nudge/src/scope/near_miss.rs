//! Which conditions keep a hint from being returned, and what would change that.

use crate::model::near_miss::NearMiss;
use crate::model::scope::{CONDITIONS, Os, Scope};
use crate::scope::context::Facts;
use crate::scope::glob::Allowance;
use crate::scope::matcher::{ScopeMatcher, allows};
use crate::scope::path::above;
use crate::scope::repo::Repo;
use crate::secret::{self, MASK};

/// How many folders above a cwd are tried.
const MOST_FOLDERS: usize = 32;

/// The conditions that fail, each by its place among [`CONDITIONS`]; one of the environment with
/// its variable and the values that this may have.
fn failing<'m>(
    matcher: &'m ScopeMatcher,
    facts: &Facts,
) -> impl Iterator<Item = (usize, &'m str, &'m [String])> {
    let held = [
        matcher.cwd_holds(facts),
        matcher.repo_holds(facts),
        matcher.branch_holds(facts),
        matcher.os_holds(facts),
    ];
    let failed = (0..).zip(held).filter(|(_, held)| !held);
    let required = matcher.env_required.iter().flatten();
    let required = required.filter(|name| facts.env_value(name).is_none());
    let wanted = matcher.env_match.iter().flatten();
    let wanted = wanted.filter(|(name, values)| !allows(facts, name, values));
    failed
        .map(|(at, _)| (at, "", &[][..]))
        .chain(required.map(|name| (4, &**name, &[][..])))
        .chain(wanted.map(|(name, values)| (5, &**name, &**values)))
}

/// How many conditions keep a hint from being returned.
pub(crate) fn count_failed(matcher: &ScopeMatcher, facts: &Facts) -> usize {
    failing(matcher, facts).count()
}

/// The conditions that keep a hint from being returned, in the order of
/// [`CONDITIONS`]. Of a hint that is marked as secret, its scope is not told.
pub(crate) fn failed_conditions(
    matcher: &ScopeMatcher,
    is_secret: bool,
    facts: &Facts,
) -> Vec<NearMiss> {
    let list = |list: &Option<Vec<String>>| list.clone().unwrap_or_default();
    let word = |os: &Os| os.as_str().to_owned();
    let miss = |(at, name, values): (usize, &str, &[String])| {
        let condition = CONDITIONS.get(at).copied().unwrap_or_default();
        let (expected, actual) = match at {
            0 => (list(&matcher.cwd_glob), facts.cwd.clone()),
            1 => {
                let repos: Vec<&str> = facts.repos.iter().map(Repo::as_str).collect();
                let actual = (!repos.is_empty()).then(|| repos.join(", "));
                (list(&matcher.repo), actual)
            }
            2 => (list(&matcher.branch), facts.branch.clone()),
            3 => {
                let expected = matcher.os.iter().flatten().map(word).collect();
                (expected, facts.os.as_ref().map(word))
            }
            4 => (vec![name.to_owned()], None),
            _ => {
                let expected = values.iter().map(|value| format!("{name}={value}"));
                let actual = facts.env_value(name).map(|_| has_env(facts, name));
                (expected.collect(), actual)
            }
        };
        let fix = match at {
            _ if is_secret => None,
            0 => fix_cwd(matcher, facts),
            1..=3 => state(condition, actual.is_some()),
            4 => Some(format!("set {name}, or state it in the context")),
            _ => expected.first().map(|wanted| format!("set {wanted}")),
        };
        let (scope, expected) = if is_secret {
            (Scope::new(), vec![MASK.to_owned()])
        } else {
            (Scope::clone(matcher), expected)
        };
        NearMiss {
            scope,
            condition: condition.into(),
            expected,
            actual,
            fix,
        }
    };
    failing(matcher, facts).map(miss).collect()
}

/// The fix for a cwd that no glob takes.
fn fix_cwd(matcher: &ScopeMatcher, facts: &Facts) -> Option<String> {
    let cwd = facts.cwd.as_deref();
    let below = cwd.and_then(|cwd| add_glob(matcher, cwd, facts));
    let has_root = facts.root.is_some() || !matcher.asks_for_root();
    let below = below.or_else(|| give_up(matcher, facts));
    below.or_else(|| match (cwd.is_some(), has_root) {
        (true, true) => None,
        (true, false) => Some("state the `root`, too".to_owned()),
        (false, true) => state("cwd", false),
        (false, false) => state("cwd` and `root", false),
    })
}

/// The fix for a fact that the context leaves out.
fn state(fact: &str, has: bool) -> Option<String> {
    (!has).then(|| format!("state `{fact}` in the context"))
}

/// The fix for a cwd that lies below a folder which the scope names.
fn add_glob(matcher: &ScopeMatcher, cwd: &str, facts: &Facts) -> Option<String> {
    let folders = above(cwd).skip(1).take(MOST_FOLDERS);
    let mut folders = folders.take_while(|_| !Allowance::is_used_up());
    folders.find_map(|folder| {
        let glob = matcher.glob_for(folder, facts)?;
        // `x/**` and a negation already say what is meant below them.
        let widens = !glob.ends_with("**") && !glob.starts_with('!');
        widens.then(|| format!("cwd is below {folder}, which matches: add `{glob}/**`"))
    })
}

/// The fix for a pattern that takes too long, or comes too late in a call that does.
fn give_up(matcher: &ScopeMatcher, facts: &Facts) -> Option<String> {
    if Allowance::is_used_up() {
        return Some(
            "not tried, because the patterns before it took too long; ask for less at once"
                .to_owned(),
        );
    }
    let glob = matcher.endless_glob(facts)?;
    Some(format!(
        "`{glob}` takes too long to match here; write it with fewer wildcards"
    ))
}

/// A variable with its value, unless that looks like a secret.
pub(crate) fn has_env(facts: &Facts, name: &str) -> String {
    let value = facts.env_value(name).unwrap_or_default();
    match secret::find_named(name, value) {
        Some(_) => format!("{name}={MASK}"),
        None => format!("{name}={value}"),
    }
}
