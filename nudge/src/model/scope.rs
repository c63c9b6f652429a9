//! `Scope`: the conditions under which a hint is eligible, as people write them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::list;
use crate::model::rows::setters;

/// The names of the six conditions, in the order of their bits in
/// [`Scope::stated`].
pub(crate) const CONDITIONS: [&str; 6] = [
    "cwd_glob",
    "repo",
    "branch",
    "os",
    "env_required",
    "env_match",
];

/// The conditions under which a hint applies; all that are stated must hold. A lone
/// string stands for a list of one; an answer has lists.
///
/// A scope without conditions applies everywhere.
///
/// # Examples
///
/// ```
/// use nudge::{Os, Scope};
///
/// let scope = Scope::new().cwd_glob("**/http-proxy*").branch("dev").os(Os::Linux);
/// assert_eq!(
///     serde_json::to_string(&scope).unwrap(),
///     r#"{"cwd_glob":["**/http-proxy*"],"branch":["dev"],"os":["linux"]}"#,
/// );
/// ```
#[derive(
    Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// Globs, one of which must match the current folder: `**/http-proxy*/**`; `./web/**` is below the worktree's root.
    #[serde(default, deserialize_with = "list::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "list::one_or_more::<String>")]
    pub cwd_glob: Option<Vec<String>>,
    /// Repositories: a remote, or `git:org/repo`.
    #[serde(default, deserialize_with = "list::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "list::one_or_more::<String>")]
    pub repo: Option<Vec<String>>,
    /// Branches; globs such as `hotfix/*` are allowed.
    #[serde(default, deserialize_with = "list::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "list::one_or_more::<String>")]
    pub branch: Option<Vec<String>>,
    /// Operating systems.
    #[serde(default, deserialize_with = "list::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "list::one_or_more::<Os>")]
    pub os: Option<Vec<Os>>,
    /// Variables that must be set.
    #[serde(default, deserialize_with = "list::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "list::one_or_more::<String>")]
    pub env_required: Option<Vec<String>>,
    /// Variables and the values that are allowed.
    #[serde(default, deserialize_with = "list::optional_map")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "list::map_of_lists")]
    pub env_match: Option<BTreeMap<String, Vec<String>>>,
}

impl Scope {
    /// Makes a scope that applies everywhere.
    #[must_use]
    pub fn new() -> Scope {
        Scope::default()
    }

    /// Whether it says in which repository or folder it holds.
    pub(crate) fn names_place(&self) -> bool {
        self.repo.is_some() || self.cwd_glob.is_some()
    }

    /// Whether no condition is stated.
    #[must_use]
    pub fn is_everywhere(&self) -> bool {
        self.stated() == 0
    }

    /// Which conditions are stated, a bit for each of [`CONDITIONS`].
    pub(crate) fn stated(&self) -> u8 {
        let stated = [
            self.cwd_glob.is_some(),
            self.repo.is_some(),
            self.branch.is_some(),
            self.os.is_some(),
            self.env_required.is_some(),
            self.env_match.is_some(),
        ];
        (0..)
            .zip(stated)
            .map(|(bit, stated)| u8::from(stated) << bit)
            .sum()
    }
}

setters! { Scope:
    /// Adds a glob for the cwd.
    cwd_glob(glob: impl Into<String>) |it| it.cwd_glob.get_or_insert_default().push(glob.into());
    /// Adds a repository, as a remote or as `git:org/repo`.
    repo(repo: impl Into<String>) |it| it.repo.get_or_insert_default().push(repo.into());
    /// Adds a branch, or a glob such as `hotfix/*`.
    branch(branch: impl Into<String>) |it| it.branch.get_or_insert_default().push(branch.into());
    /// Adds a system.
    os(os: Os) |it| it.os.get_or_insert_default().push(os);
    /// Adds a variable that must be set.
    env_required(name: impl Into<String>) |it|
        it.env_required.get_or_insert_default().push(name.into());
    /// Adds a value that a variable may have.
    env_match(name: impl Into<String>, value: impl Into<String>) |it|
        it.env_match.get_or_insert_default().entry(name.into()).or_default().push(value.into());
}

/// An operating system.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is the name of the system")]
pub enum Os {
    #[serde(alias = "macos", alias = "mac", alias = "osx")]
    Darwin,
    Linux,
    Windows,
}

impl Os {
    /// The word for it, as in `scope.os`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Os::Linux => "linux",
            Os::Darwin => "darwin",
            Os::Windows => "windows",
        }
    }
}
