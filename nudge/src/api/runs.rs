//! `Runs`: where a store writes down how commands ended and what it told; and what it knows not
//! to run.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::time::{self, Time};

/// Where a store writes down how commands ended in a repository, and reads it again.
///
/// A store opens no file. Without one, what it learned of runs ends with it. Both are called
/// while events are told, and must come back soon.
pub trait Runs: Send + Sync {
    /// All rows of a repository.
    fn read(&self, repo: &str) -> Vec<String>;

    /// Rows that changed, by their keys; without a text those that are gone.
    fn write(&self, repo: &str, rows: Vec<(String, Option<String>)>);

    /// What agents were told unasked, or what came of it.
    fn told(&self, lines: Vec<ToldLine>);
}

/// A line that an agent was told unasked, or what came of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldLine {
    /// When.
    pub at: DateTime<Utc>,
    /// The repository, if it was in one.
    pub repo: Option<String>,
    /// The agent's program, and what that calls its session.
    pub host: String,
    /// The session.
    pub session: String,
    /// The event at which it was told, such as `session_start`; [`ToldLine::HELD_BACK`],
    /// [`ToldLine::HEEDED`] or [`ToldLine::STOPPED`].
    pub event: String,
    /// The line, or the command that was told or held back.
    pub line: String,
}

impl ToldLine {
    /// The line was the reason to hold a command back.
    pub const HELD_BACK: &str = "held_back";
    /// The next command of the kind was the one that was told.
    pub const HEEDED: &str = "heeded";
    /// After a command was held back, another one of its kind ran and worked.
    pub const STOPPED: &str = "stopped";
}

/// A command that could not run in a repository, and has not ended well since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct KnownPitfall {
    /// The command.
    pub command: String,
    /// Its folder, from the root; absent where it cannot run in any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// What worked instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
    /// In how many agent sessions it could not run.
    pub sessions: usize,
    /// When that was last seen.
    #[serde(with = "time")]
    #[schemars(with = "Time")]
    pub last_at: DateTime<Utc>,
}
