//! The flags that say where a hint applies.

use clap::Args;
use serde_json::{Map, Value};

use super::flags::{List, Params, items};

/// Where a hint applies. Lists repeat, and commas split them outside braces.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Where the hint applies")]
pub(crate) struct ScopeFlags {
    /// Globs, one of which matches the current folder
    #[arg(long, value_name = "GLOBS")]
    scope_cwd_glob: Vec<List>,
    /// Repositories, as remotes or as git:org/repo
    #[arg(long, value_name = "REPOS")]
    scope_repo: Vec<List>,
    /// Branches, or globs of branches
    #[arg(long, value_name = "BRANCHES")]
    scope_branch: Vec<List>,
    /// Systems: linux, darwin, windows
    #[arg(long, value_name = "SYSTEMS")]
    scope_os: Vec<List>,
    /// Variables that are set, or have this value
    #[arg(long, value_name = "NAMES[=VALUE]")]
    scope_env: Vec<List>,
    /// In every project, not only in this one
    #[arg(long)]
    pub(crate) everywhere: bool,
}

/// The same conditions by the names that hands know them by.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Where the hint applies")]
pub(crate) struct Conditions {
    /// The same as --scope-repo
    #[arg(long, value_name = "REPOS")]
    repo: Vec<List>,
    /// The same as --scope-branch
    #[arg(short, long, value_name = "BRANCHES")]
    branch: Vec<List>,
    /// The same as --scope-os
    #[arg(long, value_name = "SYSTEMS")]
    os: Vec<List>,
    /// The same as --scope-env
    #[arg(long, value_name = "NAMES[=VALUE]")]
    env: Vec<List>,
}

impl Conditions {
    /// These beside others.
    pub(crate) fn beside(&self, scope: &ScopeFlags) -> ScopeFlags {
        let all = |one: &[List], other: &[List]| [one, other].concat();
        ScopeFlags {
            scope_repo: all(&scope.scope_repo, &self.repo),
            scope_branch: all(&scope.scope_branch, &self.branch),
            scope_os: all(&scope.scope_os, &self.os),
            scope_env: all(&scope.scope_env, &self.env),
            ..scope.clone()
        }
    }
}

impl ScopeFlags {
    /// The scope that the flags give; empty is everywhere.
    pub(crate) fn given(&self) -> Option<Value> {
        let (mut required, mut matching) = (Vec::new(), Map::new());
        for env in items(&self.scope_env).unwrap_or_default() {
            let Some((name, value)) = env.split_once('=') else {
                required.push(env);
                continue;
            };
            let values = matching.entry(name).or_insert_with(|| Value::Array(vec![]));
            if let Value::Array(values) = values {
                values.push(value.into());
            }
        }
        let scope = Params::default()
            .with("cwd_glob", items(&self.scope_cwd_glob))
            .with("repo", items(&self.scope_repo))
            .with("branch", items(&self.scope_branch))
            .with("os", items(&self.scope_os))
            .with("env_required", (!required.is_empty()).then_some(required))
            .with("env_match", (!matching.is_empty()).then_some(matching));
        let everywhere = || self.everywhere.then(|| Value::Object(Map::new()));
        scope.some().or_else(everywhere)
    }
}
