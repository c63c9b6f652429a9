//! `ScopeMatcher`: a scope, compiled once; says yes or no to a context.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use hashbrown::Equivalent;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::error::Error;
use crate::model::object::Object;
use crate::model::scope::Os;
use crate::model::scope::Scope;
use crate::scope::compile;
use crate::scope::context::{Context, Facts};
use crate::scope::glob::Glob;
use crate::scope::repo::Repo;
use crate::secret;

/// A [`Scope`] in its one spelling, compiled; it reads as a `Scope`.
///
/// Hints with equal scopes share one matcher.
#[derive(Debug)]
pub struct ScopeMatcher {
    scope: Scope,
    /// The rule of the secret guard that the scope trips, once somebody asks: who only reads an
    /// answer does not, and the words of the guard cost half of what a command costs.
    finding: OnceLock<Option<&'static str>>,
    stated: u8,
    os: u8,
    globs: Globs,
    branches: Branches,
    repos: Box<[Repo]>,
    /// What it takes of memory, about.
    bytes: usize,
}

/// How the branches of a scope are matched.
#[derive(Debug)]
enum Branches {
    /// There is one, and it has no glob in it: it is quickly compared.
    Name(Box<str>),
    /// Each as a glob.
    Globs(Globs),
}

/// Globs of which one must match. The first one, which is mostly the only
/// one, is at hand without another look at memory.
#[derive(Debug)]
struct Globs {
    first: Option<Glob>,
    others: Box<[Glob]>,
}

impl Globs {
    fn new(patterns: Option<&Vec<String>>) -> Result<Globs, Error> {
        let mut globs = patterns
            .into_iter()
            .flatten()
            .map(|glob| compile("scope", glob));
        Ok(Globs {
            first: globs.next().transpose()?,
            others: globs.collect::<Result<_, _>>()?,
        })
    }

    /// What they take of memory, about.
    fn bytes(&self) -> usize {
        self.first.iter().chain(&self.others).map(Glob::bytes).sum()
    }

    /// The first one that a test takes.
    fn find(&self, test: impl Fn(&Glob) -> bool) -> Option<&Glob> {
        let first = self.first.as_ref().filter(|glob| test(glob));
        first.or_else(|| self.others.iter().find(|glob| test(glob)))
    }
}

/// The bit of `branch` among the stated conditions.
const BRANCH: u8 = 1 << 2;

/// Whether a glob surely means only its own text; slashes could be folded.
fn is_literal(glob: &str) -> bool {
    !glob.contains(['*', '?', '[', ']', '{', '}', '(', ')', '!', '\\', '/'])
}

impl ScopeMatcher {
    /// Compiles a scope that is canonical already.
    pub(crate) fn new(scope: Scope) -> Result<ScopeMatcher, Error> {
        let globs = Globs::new(scope.cwd_glob.as_ref())?;
        let branches = match scope.branch.as_deref() {
            Some([name]) if is_literal(name) => Branches::Name(name.as_str().into()),
            _ => Branches::Globs(Globs::new(scope.branch.as_ref())?),
        };
        let compiled = match &branches {
            Branches::Name(name) => name.len(),
            Branches::Globs(branches) => branches.bytes(),
        };
        Ok(ScopeMatcher {
            finding: OnceLock::new(),
            stated: scope.stated(),
            os: scope.os.iter().flatten().map(|os| bit(*os)).sum(),
            bytes: size_of::<ScopeMatcher>() + scope.bytes() + globs.bytes() + compiled,
            globs,
            branches,
            repos: scope
                .repo
                .iter()
                .flatten()
                .filter_map(|repo| Repo::parse(repo))
                .collect(),
            scope,
        })
    }

    /// Whether every stated condition holds in a context.
    ///
    /// A condition whose fact the context does not give fails.
    #[must_use]
    pub fn holds(&self, context: &Context) -> bool {
        self.matches(context.facts())
    }

    pub(crate) fn matches(&self, facts: &Facts) -> bool {
        // The order is that of cost: a bit, short strings, maps, globs.
        self.os_holds(facts)
            && self.branch_holds(facts)
            && self.repo_holds(facts)
            && self.env_required_holds(facts)
            && self.env_match_holds(facts)
            && self.cwd_holds(facts)
    }

    /// The rule of the secret guard that the scope trips, if it does.
    pub(crate) fn finding(&self) -> Option<&'static str> {
        *self.finding.get_or_init(|| find_secret(&self.scope))
    }

    /// Which conditions are stated, a bit for each.
    pub(crate) fn stated(&self) -> u8 {
        self.stated
    }

    /// What it takes of memory, about.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The systems that the scope names, a bit for each; none when it names none.
    pub(crate) fn systems(&self) -> u8 {
        self.os
    }

    pub(crate) fn os_holds(&self, facts: &Facts) -> bool {
        allows_os(self.os, facts)
    }

    pub(crate) fn branch_holds(&self, facts: &Facts) -> bool {
        self.stated & BRANCH == 0 || self.matching_branch(facts).is_some()
    }

    pub(crate) fn repo_holds(&self, facts: &Facts) -> bool {
        self.repos.is_empty() || self.matching_repo(facts).is_some()
    }

    pub(crate) fn env_required_holds(&self, facts: &Facts) -> bool {
        let mut names = self.scope.env_required.iter().flatten();
        names.all(|name| facts.env_value(name).is_some())
    }

    pub(crate) fn env_match_holds(&self, facts: &Facts) -> bool {
        let mut wanted = self.scope.env_match.iter().flatten();
        wanted.all(|(name, values)| allows(facts, name, values))
    }

    pub(crate) fn cwd_holds(&self, facts: &Facts) -> bool {
        self.globs.first.is_none() || self.matching_glob(facts).is_some()
    }

    /// The environment variables that the scope mentions.
    pub(crate) fn env_names(&self) -> impl Iterator<Item = &String> {
        let required = self.env_required.iter().flatten();
        required.chain(self.env_match.iter().flat_map(BTreeMap::keys))
    }

    /// The glob that matches the context's cwd.
    pub(crate) fn matching_glob(&self, facts: &Facts) -> Option<&str> {
        let cwd = facts.cwd.as_deref()?;
        self.glob_for(cwd, facts)
    }

    /// The folder that the matching glob surely means, up to its first wildcard.
    pub(crate) fn matching_folder(&self, facts: &Facts) -> Option<&str> {
        let glob = self.matching_glob(facts)?;
        let mut escaped = false;
        let end = glob.char_indices().find(|(_, letter)| {
            let is_wild = !escaped && matches!(letter, '*' | '?' | '[' | '{' | '(' | '!');
            escaped = !escaped && *letter == '\\';
            is_wild
        });
        let Some((end, _)) = end else {
            return Some(glob);
        };
        let (folder, _) = glob.get(..end)?.rsplit_once('/')?;
        Some(folder)
    }

    /// The glob that matches a path; one that begins with `./` matches it below the root.
    pub(crate) fn glob_for(&self, path: &str, facts: &Facts) -> Option<&str> {
        let matches = |glob: &Glob| tried(glob, path, facts) == Some(true);
        self.globs.find(matches).map(Glob::as_str)
    }

    /// A glob that would take too long to tell whether it matches the context's cwd.
    pub(crate) fn endless_glob(&self, facts: &Facts) -> Option<&str> {
        let cwd = facts.cwd.as_deref()?;
        let is_endless = |glob: &Glob| tried(glob, cwd, facts).is_none();
        self.globs.find(is_endless).map(Glob::as_str)
    }

    /// Whether a glob begins with `./`, and so asks for the root.
    pub(crate) fn asks_for_root(&self) -> bool {
        self.globs.find(Glob::is_rooted).is_some()
    }

    /// The branch of the context, if an entry matches it.
    pub(crate) fn matching_branch<'a>(&self, facts: &'a Facts) -> Option<&'a str> {
        let branch = facts.branch.as_deref()?;
        let allowed = match &self.branches {
            Branches::Name(name) => **name == *branch,
            Branches::Globs(globs) => globs.find(|glob| glob.matches(branch, false)).is_some(),
        };
        allowed.then_some(branch)
    }

    /// The repository of the scope that is one of the context's.
    pub(crate) fn matching_repo(&self, facts: &Facts) -> Option<&str> {
        let allowed = |repo: &&Repo| facts.repos.iter().any(|fact| repo.allows(fact));
        self.repos.iter().find(allowed).map(Repo::as_str)
    }
}

/// Whether a glob matches a path; one that begins with `./` matches it below the root.
fn tried(glob: &Glob, path: &str, facts: &Facts) -> Option<bool> {
    let caseless = facts.is_caseless();
    match &facts.root {
        _ if !glob.is_rooted() => glob.tried(path, caseless),
        Some(root) => glob.tried_below(root, path, caseless),
        None => Some(false),
    }
}

/// Whether the system of the context is among some, a bit for each; none is all.
pub(crate) fn allows_os(systems: u8, facts: &Facts) -> bool {
    systems == 0 || facts.os.is_some_and(|os| systems & bit(os) != 0)
}

/// Whether a variable has one of the values it may have.
pub(crate) fn allows(facts: &Facts, name: &str, values: &[String]) -> bool {
    let has = facts.env_value(name);
    has.is_some_and(|has| values.iter().any(|value| value == has))
}

fn find_secret(scope: &Scope) -> Option<&'static str> {
    let lists = [
        &scope.cwd_glob,
        &scope.repo,
        &scope.branch,
        &scope.env_required,
    ];
    let mut texts = lists.into_iter().flatten().flatten();
    texts.find_map(|text| secret::find(text)).or_else(|| {
        let mut names = scope.env_match.iter().flatten();
        names.find_map(|(name, values)| {
            let mut values = values.iter();
            secret::find(name).or_else(|| values.find_map(|value| secret::find_named(name, value)))
        })
    })
}

/// The bit that stands for a system.
fn bit(os: Os) -> u8 {
    1 << os as u8
}

impl Deref for ScopeMatcher {
    type Target = Scope;

    fn deref(&self) -> &Scope {
        &self.scope
    }
}

impl PartialEq for ScopeMatcher {
    fn eq(&self, other: &ScopeMatcher) -> bool {
        std::ptr::eq(self, other) || self.scope == other.scope
    }
}

impl Eq for ScopeMatcher {}

impl Hash for ScopeMatcher {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.scope.hash(state);
    }
}

impl Equivalent<Arc<ScopeMatcher>> for Scope {
    fn equivalent(&self, matcher: &Arc<ScopeMatcher>) -> bool {
        *self == matcher.scope
    }
}

impl Serialize for ScopeMatcher {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.scope.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ScopeMatcher {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ScopeMatcher, D::Error> {
        let Object(scope) = Object::<Scope>::deserialize(deserializer)?;
        let scope = scope.canonical();
        scope
            .and_then(ScopeMatcher::new)
            .map_err(serde::de::Error::custom)
    }
}
