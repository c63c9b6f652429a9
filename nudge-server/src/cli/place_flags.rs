//! The flags that say where the caller is, and where a hint applies.

use std::path::Path;

use clap::Args;
use serde_json::{Map, Value};

use super::flags::{List, Params, items, named, pair};

/// Where the caller is; what is left out is looked up on this machine.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Where you are (looked up when left out)")]
pub(crate) struct ContextFlags {
    /// The current folder
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<String>,
    /// The root of the worktree, for globs that begin with ./
    #[arg(long, value_name = "FOLDER")]
    root: Option<String>,
    /// The repository, as a remote or as git:org/repo
    #[arg(long, value_name = "REPO")]
    repo: Vec<List>,
    /// The branch
    #[arg(short, long, value_name = "BRANCH")]
    branch: Option<String>,
    /// The system: linux, darwin or windows
    #[arg(long, value_name = "OS")]
    os: Option<String>,
    /// A variable and its value; repeat it for more
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    env: Vec<(String, String)>,
    /// A file that is open; among equals, hints for its folder come first
    #[arg(long, value_name = "FILE")]
    file: Vec<String>,
}

impl ContextFlags {
    pub(crate) fn given(&self) -> Option<Value> {
        let files: Vec<String> = self.file.iter().map(|file| from_here(file)).collect();
        Params::default()
            .with("cwd", self.cwd.as_deref().map(dotted_from_here))
            .with("root", self.root.as_deref().map(from_here))
            .with("repo", items(&self.repo))
            .with("branch", self.branch.as_deref())
            .with("os", self.os.as_deref())
            .with("env", named(&self.env))
            .with("files_open", (!files.is_empty()).then_some(files))
            .some()
    }
}

/// The same of a path that starts with a dot; of others the store says what they are.
fn dotted_from_here(path: &str) -> String {
    match path.split('/').next() {
        Some("." | "..") => from_here(path),
        _ => path.to_owned(),
    }
}

/// A path as people type it, seen from the current folder. The server is somewhere else and
/// could not tell.
pub(crate) fn from_here(path: &str) -> String {
    // A folder of Windows may be asked about elsewhere too.
    let is_whole = path.is_empty()
        || path.starts_with('~')
        || path.contains('\\')
        || path.get(1..2) == Some(":");
    match std::env::current_dir() {
        Ok(cwd) if !is_whole => cwd.join(Path::new(path)).to_string_lossy().into_owned(),
        _ => path.to_owned(),
    }
}

/// Where a hint applies. Lists repeat, and commas split them outside braces.
#[derive(Debug, Args)]
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
