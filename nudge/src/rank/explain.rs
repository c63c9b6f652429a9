//! `MatchExplain` and `NearMiss`: the place that words reasons, what came of a
//! hint's uses aside, which is in `track_record.rs`.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};

use crate::hint::origin::Origin;
use crate::hint::{Hint, Os};
use crate::model::name::Name;
use crate::rank::score::{Candidate, Parts, above, from_ten_thousandths};
use crate::scope::context::{Context, Facts};
use crate::scope::matcher::{Gate, allows};
use crate::scope::repo::Repo;
use crate::scope::{CONDITIONS, Scope};
use crate::secret;

/// Why a hint was returned: its score, its terms, and the reasons in words.
///
/// # Examples
///
/// ```
/// use nudge::{Context, GetHint, Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make").cwd_glob("**/api*").branch("dev"))?;
/// let here = Context::new().cwd("/work/api").branch("dev");
/// let found = nudge.get_hint(GetHint::new("api", "build").context(here))?;
/// assert_eq!(found.match_explain.reasons(), ["cwd matched **/api*", "branch=dev allowed"]);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Clone, Deserialize)]
#[serde(from = "Said")]
pub struct MatchExplain {
    /// Whether the gate let the hint through.
    pub matched: bool,
    /// From 0 to 1, with four decimals.
    pub score: f64,
    parts: Parts,
    why: Why,
}

/// The reasons in words, or all that they are worded from.
///
/// Most callers take the hint and never read why; they do not pay for it, and
/// no lock is held when somebody does.
#[derive(Clone)]
enum Why {
    Known {
        hint: Arc<Hint>,
        context: Context,
        now: DateTime<Utc>,
    },
    Said(Vec<String>),
}

impl MatchExplain {
    pub(crate) fn new(candidate: &Candidate<'_>, context: Context, now: DateTime<Utc>) -> Self {
        MatchExplain {
            matched: true,
            score: from_ten_thousandths(candidate.score),
            parts: candidate.parts,
            why: Why::Known {
                hint: Arc::clone(candidate.hint),
                context,
                now,
            },
        }
    }

    /// The terms that add up to the score, with four decimals.
    #[must_use]
    pub fn parts(&self) -> Parts {
        self.parts.rounded()
    }

    /// The reasons, a sentence each.
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        match &self.why {
            Why::Known { hint, context, now } => reasons(hint, context.facts(), *now),
            Why::Said(reasons) => reasons.clone(),
        }
    }
}

fn reasons(hint: &Hint, facts: &Facts, now: DateTime<Utc>) -> Vec<String> {
    let mut reasons = match &hint.meta.scope {
        Some(gate) => conditions_met(gate, facts),
        None => vec!["applies everywhere".to_owned()],
    };
    if let Some(used) = hint.last_used_at {
        let age = now.signed_duration_since(used).num_seconds().max(0);
        let how = if age <= 24 * 60 * 60 {
            "recently"
        } else {
            "last"
        };
        reasons.push(format!("{how} used ({} ago)", Age(age)));
    }
    reasons.extend(hint.told_failures(now));
    if let Some(origin) = &hint.meta.origin
        && let Some(replaced) = &origin.replaced
    {
        let by = who(&origin.door, origin.client.as_ref());
        let had = who(&replaced.door, replaced.client.as_ref());
        reasons.push(format!("value changed by {by}; {had} had set it"));
    }
    reasons
}

/// A time as people say it on the same day: `14:02`, in UTC as all times are;
/// with the date on another one.
pub(crate) fn clock_time(time: DateTime<Utc>, now: DateTime<Utc>) -> impl fmt::Display {
    let is_today = time.date_naive() == now.date_naive();
    time.format(if is_today { "%H:%M" } else { "%Y-%m-%d %H:%M" })
}

impl Origin {
    /// Who set the value, where, and how long ago: `codex/0.166 over mcp in
    /// git:acme/api, 3m ago`.
    #[must_use]
    pub fn told(&self, now: DateTime<Utc>) -> String {
        let who = who(&self.door, self.client.as_ref());
        let place = self.repo.as_ref().map(|repo| format!(" in {repo}"));
        let age = self.at.map(|at| {
            let age = now.signed_duration_since(at).num_seconds().max(0);
            format!(", {} ago", Age(age))
        });
        [who, place.unwrap_or_default(), age.unwrap_or_default()].concat()
    }
}

/// A program and the door that it came by.
pub(crate) fn who(door: &Name, client: Option<&Name>) -> String {
    let client = client.map_or("a caller", Name::as_str);
    [client, " over ", door].concat()
}

fn conditions_met(gate: &Gate, facts: &Facts) -> Vec<String> {
    let mut reasons = Vec::with_capacity(4);
    if let Some(glob) = gate.matching_glob(facts) {
        reasons.push(["cwd matched ", glob].concat());
    }
    if let Some(repo) = gate.matching_repo(facts) {
        reasons.push(["repo=", repo, " allowed"].concat());
    }
    if let Some(branch) = gate.matching_branch(facts) {
        reasons.push(["branch=", branch, " allowed"].concat());
    }
    if let (Some(os), Some(_)) = (facts.os, &gate.os) {
        reasons.push(["os=", os.as_str(), " allowed"].concat());
    }
    let required = gate.env_required.iter().flatten();
    reasons.extend(required.map(|name| format!("env {name} is set")));
    for name in gate.env_match.iter().flat_map(|names| names.keys()) {
        reasons.push(format!("env {} allowed", has_env(facts, name)));
    }
    reasons
}

/// A span of time as people say it: `12s`, `3m`, `5h`, `2d`.
pub(crate) struct Age(pub(crate) i64);

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            seconds @ ..60 => write!(f, "{seconds}s"),
            seconds @ 60..3_600 => write!(f, "{}m", seconds / 60),
            seconds @ 3_600..86_400 => write!(f, "{}h", seconds / 3_600),
            seconds => write!(f, "{}d", seconds / 86_400),
        }
    }
}

/// A condition that kept a hint from being returned.
///
/// # Examples
///
/// ```
/// use nudge::{Context, GetHint, Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make").branch("dev"))?;
/// let elsewhere = Context::new().branch("main");
/// let error = nudge.get_hint(GetHint::new("api", "build").context(elsewhere)).unwrap_err();
/// let miss = &error.data().near_misses[0];
/// assert_eq!(miss.condition, "branch");
/// assert_eq!(miss.wants, ["dev"]);
/// assert_eq!(miss.has.as_deref(), Some("main"));
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NearMiss {
    /// The scope of the variant that was not returned.
    pub scope: Scope,
    /// The condition that failed, such as `branch`.
    pub condition: Cow<'static, str>,
    /// What it wants.
    pub wants: Vec<String>,
    /// What the context has; absent when it does not say.
    #[serde(default)]
    pub has: Option<String>,
    /// What would make it hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

/// The conditions that keep a hint from being returned, in the order of
/// [`CONDITIONS`]. Of a hint that is marked as secret, its scope is not told.
pub(crate) fn near_misses(hint: &Hint, facts: &Facts) -> Vec<NearMiss> {
    let Some(gate) = &hint.meta.scope else {
        return Vec::new();
    };
    let list = |list: &Option<Vec<String>>| list.clone().unwrap_or_default();
    let mut misses = Vec::new();
    let mut add = |condition: usize, wants, has, mend| {
        let condition = CONDITIONS.get(condition).copied().unwrap_or_default();
        let condition = Cow::Borrowed(condition);
        misses.push(if hint.is_secret() {
            NearMiss {
                scope: Scope::new(),
                condition,
                wants: vec!["***".to_owned()],
                has,
                mend: None,
            }
        } else {
            NearMiss {
                scope: Scope::clone(gate),
                condition,
                wants,
                has,
                mend,
            }
        });
    };
    if !gate.cwd_holds(facts) {
        let below = facts
            .cwd
            .as_deref()
            .and_then(|cwd| add_glob(gate, cwd, facts));
        let mend = below.or_else(|| state("cwd", facts.cwd.is_some()));
        add(0, list(&gate.cwd_glob), facts.cwd.clone(), mend);
    }
    if !gate.repo_holds(facts) {
        let repos: Vec<&str> = facts.repos.iter().map(Repo::as_str).collect();
        let has = (!repos.is_empty()).then(|| repos.join(", "));
        add(1, list(&gate.repo), has, state("repo", !repos.is_empty()));
    }
    if !gate.branch_holds(facts) {
        let mend = state("branch", facts.branch.is_some());
        add(2, list(&gate.branch), facts.branch.clone(), mend);
    }
    if !gate.os_holds(facts) {
        let word = |os: Os| os.as_str().to_owned();
        let wants = gate.os.iter().flatten().map(|os| word(*os)).collect();
        add(
            3,
            wants,
            facts.os.map(word),
            state("os", facts.os.is_some()),
        );
    }
    for name in gate.env_required.iter().flatten() {
        if facts.env_value(name).is_none() {
            let mend = format!("set {name}, or state it in the context");
            add(4, vec![name.clone()], None, Some(mend));
        }
    }
    for (name, values) in gate.env_match.iter().flatten() {
        if !allows(facts, name, values) {
            let wants: Vec<String> = values
                .iter()
                .map(|value| format!("{name}={value}"))
                .collect();
            let has = facts.env_value(name).map(|_| has_env(facts, name));
            let mend = wants.first().map(|wanted| format!("set {wanted}"));
            add(5, wants, has, mend);
        }
    }
    misses
}

/// The mend for a fact that the context leaves out.
fn state(fact: &str, has: bool) -> Option<String> {
    (!has).then(|| format!("state `{fact}` in the context"))
}

/// The mend for a cwd that lies below a folder which the scope names.
fn add_glob(gate: &Gate, cwd: &str, facts: &Facts) -> Option<String> {
    above(cwd).skip(1).find_map(|folder| {
        let glob = gate.glob_for(folder, facts.is_caseless())?;
        // `x/**` and a negation already say what is meant below them.
        let widens = !glob.ends_with("**") && !glob.starts_with('!');
        widens.then(|| format!("cwd is below {folder}, which matches: add `{glob}/**`"))
    })
}

/// A variable with its value, unless that looks like a secret.
fn has_env(facts: &Facts, name: &str) -> String {
    let value = facts.env_value(name).unwrap_or_default();
    match secret::find_named(name, value) {
        Some(_) => format!("{name}=***"),
        None => format!("{name}={value}"),
    }
}

/// An explanation as JSON has it.
#[derive(Deserialize)]
struct Said {
    matched: bool,
    #[serde(default)]
    score: f64,
    #[serde(default)]
    reasons: Vec<String>,
    #[serde(default)]
    parts: Parts,
}

impl From<Said> for MatchExplain {
    fn from(said: Said) -> MatchExplain {
        MatchExplain {
            matched: said.matched,
            score: said.score,
            parts: said.parts,
            why: Why::Said(said.reasons),
        }
    }
}

impl Serialize for MatchExplain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("MatchExplain", 4)?;
        object.serialize_field("matched", &self.matched)?;
        object.serialize_field("score", &self.score)?;
        object.serialize_field("reasons", &self.reasons())?;
        object.serialize_field("parts", &self.parts())?;
        object.end()
    }
}

impl PartialEq for MatchExplain {
    fn eq(&self, other: &MatchExplain) -> bool {
        self.matched == other.matched
            && self.score.to_bits() == other.score.to_bits()
            && self.parts() == other.parts()
            && self.reasons() == other.reasons()
    }
}

impl fmt::Debug for MatchExplain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MatchExplain")
            .field("matched", &self.matched)
            .field("score", &self.score)
            .field("reasons", &self.reasons())
            .field("parts", &self.parts())
            .finish_non_exhaustive()
    }
}
