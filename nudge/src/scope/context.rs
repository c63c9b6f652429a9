//! `Context`: the facts that a caller states about where it is.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::error::Error;
use crate::model::list;
use crate::model::object::Object;
use crate::model::rows::{from, setters};
use crate::model::scope::Os;
use crate::scope::path;
use crate::scope::repo::Repo;

/// The facts that a caller states about where it is.
///
/// Each fact is brought into its normal form once, as it is stated; a clone
/// shares them all, so a context that is made once may be used for every call.
/// Nothing is inferred: see [`Context::here`] for that.
///
/// # Examples
///
/// ```
/// use nudge::{Context, Os};
///
/// let context = Context::new().cwd(r"C:\code\http-proxy\").branch("dev").os(Os::Windows);
/// assert_eq!(context.facts().cwd.as_deref(), Some("c:/code/http-proxy"));
/// ```
///
/// A context is given as JSON as well; a typo in a field is refused rather
/// than taken for an absent fact:
///
/// ```
/// use nudge::Context;
///
/// let context: Context = serde_json::from_str(r#"{"cwd": "/work", "branch": "dev"}"#).unwrap();
/// assert_eq!(context.facts().branch.as_deref(), Some("dev"));
/// assert!(serde_json::from_str::<Context>(r#"{"barnch": "dev"}"#).is_err());
/// ```
#[derive(Clone, Default, PartialEq, JsonSchema)]
#[schemars(with = "Wire")]
pub struct Context(Option<Arc<Facts>>);

/// The longest folder, with how many parts; and the longest branch or repository.
const MOST_PATH: usize = 4096;
const MOST_PARTS: usize = 256;
const MOST_NAME: usize = 1024;

/// The most variables, in how many bytes; and the most files or repositories.
const MOST_VARIABLES: usize = 1000;
const MOST_VARIABLE_BYTES: usize = 64 * 1024;
const MOST_LISTED: usize = 1000;

/// The facts of a context that states nothing.
static NO_FACTS: Facts = Facts {
    cwd: None,
    root: None,
    repos: Vec::new(),
    branch: None,
    os: None,
    env: BTreeMap::new(),
    files_open: Vec::new(),
    windows_cwd: false,
    refused: None,
};

/// What a [`Context`] states, each fact in its normal form.
#[derive(Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Facts {
    /// The current folder: forward slashes, no `.` or `..`, none at the end.
    pub cwd: Option<String>,
    /// The root of the worktree that the folder is in, normalised as the folder is.
    pub root: Option<String>,
    /// The repositories that the folder belongs to.
    pub repos: Vec<Repo>,
    /// The branch; absent when HEAD is detached.
    pub branch: Option<String>,
    /// The operating system.
    pub os: Option<Os>,
    /// Variables with their values; `None` says that one is not set.
    pub env: BTreeMap<String, Option<String>>,
    /// The files that are open, normalised as the folder is.
    pub files_open: Vec<String>,
    windows_cwd: bool,
    /// What was stated and is too large to be a fact: its field, and what may be stated.
    refused: Option<(&'static str, &'static str)>,
}

impl Context {
    /// Makes a context that states nothing.
    #[must_use]
    pub fn new() -> Context {
        Context::default()
    }

    /// Adds repositories that were read already.
    pub(crate) fn state_repos(&mut self, repos: impl IntoIterator<Item = Repo>) {
        let facts = self.facts_mut();
        facts.repos.extend(repos);
        facts.count("repo", facts.repos.len());
    }

    /// States that a variable has a value, or with `None` that it is not set.
    #[must_use]
    pub fn env<'v>(
        mut self,
        name: impl Into<String>,
        value: impl Into<Option<&'v str>>,
    ) -> Context {
        let value = value.into().map(str::to_owned);
        let facts = self.facts_mut();
        facts.env.insert(name.into(), value);
        facts.count_env();
        self
    }

    /// Refuses a context of which something was too large to be stated.
    pub fn check(&self) -> Result<(), Error> {
        let Some((field, most)) = self.facts().refused else {
            return Ok(());
        };
        let field = format!("context.{field}");
        let words = format!("{field} is too large: {most}");
        Err(Error::invalid(field, "too_large", words))
    }

    /// The context without what was too large to be stated.
    pub(crate) fn forgiven(mut self) -> Context {
        self.facts_mut().refused = None;
        self
    }

    /// Takes the facts of another where this one states nothing.
    pub(crate) fn or(&mut self, other: &Context) {
        if self.is_empty() {
            self.clone_from(other);
        }
    }

    /// The context as what is recorded there belongs to: a root that nobody knows is a
    /// repository of its own.
    pub(crate) fn known_or_apart(mut self, knows: impl Fn(&Context) -> bool) -> Context {
        if let Some(root) = self.facts().root.clone().filter(|_| !knows(&self)) {
            let own = Repo::parse(&root.replace('%', "%25"));
            self.facts_mut().repos = own.into_iter().collect();
        }
        self
    }

    /// A context that states nothing, for those who need one to look at.
    pub(crate) fn nowhere() -> &'static Context {
        static NOWHERE: Context = Context(None);
        &NOWHERE
    }

    /// Whether nothing is stated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self.facts() == NO_FACTS
    }

    /// What is stated.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        self.0.as_deref().unwrap_or(&NO_FACTS)
    }

    fn facts_mut(&mut self) -> &mut Facts {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

setters! { Context:
    /// States the current folder.
    cwd(cwd: impl AsRef<str>) |it| {
        let facts = it.facts_mut();
        facts.cwd = facts.path("cwd", cwd.as_ref());
        let is_windows = |path: &String| path::is_windows(cwd.as_ref()) || path::is_windows(path);
        facts.windows_cwd = facts.cwd.as_ref().is_some_and(is_windows);
    };
    /// States the root of the worktree that the folder is in.
    root(root: impl AsRef<str>) |it| {
        let facts = it.facts_mut();
        facts.root = facts.path("root", root.as_ref());
    };
    /// Adds a repository, as a remote or as `git:org/repo`; a text that names
    /// none states nothing.
    repo(repo: impl AsRef<str>) |it| {
        let name = it.facts_mut().name("repo", repo.as_ref());
        it.state_repos(name.and_then(Repo::parse));
    };
    /// States the branch.
    branch(branch: impl Into<String>) |it| {
        let (facts, branch) = (it.facts_mut(), branch.into());
        facts.branch = facts.name("branch", &branch).is_some().then_some(branch);
    };
    /// States the operating system.
    os(os: Os) |it| it.facts_mut().os = Some(os);
    /// Adds an open file; among equals, hints for its folder come first.
    file_open(file: impl AsRef<str>) |it| {
        let facts = it.facts_mut();
        let file = facts.path("files_open", file.as_ref());
        facts.files_open.extend(file);
        facts.count("files_open", facts.files_open.len());
    };
}

from! { Context:
    context: &Context => context.clone();
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.facts().fmt(f)
    }
}

impl Facts {
    /// A path in its normal form, unless it is too long.
    fn path(&mut self, field: &'static str, path: &str) -> Option<String> {
        let normal = (path.len() <= MOST_PATH).then(|| path::normalize(path));
        let parts = |path: &String| path.split('/').filter(|part| !part.is_empty()).count();
        let normal = normal.filter(|path| parts(path) <= MOST_PARTS);
        if normal.is_none() {
            self.refused = Some((field, "a path has at most 4096 bytes and 256 parts"));
        }
        normal
    }

    /// A name, unless it is too long.
    fn name<'a>(&mut self, field: &'static str, name: &'a str) -> Option<&'a str> {
        if name.len() > MOST_NAME {
            self.refused = Some((field, "a name has at most 1024 bytes"));
            return None;
        }
        Some(name)
    }

    /// Refuses lists that are too long.
    fn count(&mut self, field: &'static str, count: usize) {
        if count > MOST_LISTED {
            self.refused = Some((field, "state at most 1000"));
        }
    }

    /// Refuses too many variables.
    fn count_env(&mut self) {
        let lengths = self.env.iter();
        let lengths =
            lengths.map(|(name, value)| name.len() + value.as_ref().map_or(0, String::len));
        let is_too_long =
            self.env.len() > MOST_VARIABLES || lengths.sum::<usize>() > MOST_VARIABLE_BYTES;
        if is_too_long {
            self.refused = Some(("env", "state at most 1000 variables in 64 KiB"));
        }
    }

    /// The first repository, in the spelling that scopes have.
    pub(crate) fn repo(&self) -> Option<&str> {
        self.repos.first().map(Repo::as_str)
    }

    /// Whether paths and the names of variables are compared without case.
    pub(crate) fn is_caseless(&self) -> bool {
        self.windows_cwd || self.os == Some(Os::Windows)
    }

    /// The value of a variable that is set.
    pub(crate) fn env_value(&self, name: &str) -> Option<&str> {
        if self.is_caseless() {
            let mut env = self.env.iter();
            let (_, value) = env.find(|(known, _)| known.eq_ignore_ascii_case(name))?;
            return value.as_deref();
        }
        self.env.get(name)?.as_deref()
    }
}

/// Shows which variables are stated and never their values.
impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("cwd", &self.cwd)
            .field("root", &self.root)
            .field("repos", &self.repos)
            .field("branch", &self.branch)
            .field("os", &self.os)
            .field("env", &self.env.keys())
            .field("files_open", &self.files_open)
            .finish_non_exhaustive()
    }
}

/// A context as JSON has it.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Wire {
    /// The current folder, absolute.
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<String>,
    /// The root of the worktree that the folder is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    /// The remote, or `git:org/repo`.
    #[serde(deserialize_with = "list::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "list::mostly_one::<String>")]
    repo: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    branch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    os: Option<Os>,
    /// Variables that are set, with their values.
    #[serde(skip_serializing_if = "Option::is_none")]
    env: Option<BTreeMap<String, Option<String>>>,
    /// Open files; among equals, hints for their folder come first.
    #[serde(skip_serializing_if = "Option::is_none")]
    files_open: Option<Vec<String>>,
}

impl<'de> Deserialize<'de> for Context {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Context, D::Error> {
        let Object(wire) = Object::<Wire>::deserialize(deserializer)?;
        let mut context = wire.cwd.into_iter().fold(Context::new(), Context::cwd);
        context = wire.root.into_iter().fold(context, Context::root);
        context = wire.branch.into_iter().fold(context, Context::branch);
        context = wire.os.into_iter().fold(context, Context::os);
        context = wire.repo.into_iter().flatten().fold(context, Context::repo);
        if let Some(env) = wire.env {
            let facts = context.facts_mut();
            facts.env = env;
            facts.count_env();
        }
        let files = wire.files_open.into_iter().flatten();
        Ok(files.fold(context, Context::file_open))
    }
}

impl Serialize for Context {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let facts = self.facts();
        let repos = facts.repos.iter().map(|repo| repo.remote().into_owned());
        let folder = |path: &String| match path.strip_prefix('/') {
            // A share lost its second slash, but not that it is one.
            Some(share) if facts.windows_cwd => format!(r"\\{share}"),
            _ => path.clone(),
        };
        let wire = Wire {
            cwd: facts.cwd.as_ref().map(folder),
            root: facts.root.as_ref().map(folder),
            repo: (!facts.repos.is_empty()).then(|| repos.collect()),
            branch: facts.branch.clone(),
            os: facts.os,
            env: (!facts.env.is_empty()).then(|| facts.env.clone()),
            files_open: (!facts.files_open.is_empty()).then(|| facts.files_open.clone()),
        };
        wire.serialize(serializer)
    }
}
