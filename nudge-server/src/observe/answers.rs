//! What is answered about observations. Times are seconds since 1970.

#![expect(clippy::struct_field_names, reason = "these are the names of the wire")]

use std::cmp::Reverse;

use nudge::{Hint, KnownPitfall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quoted;
use crate::store::{ObsType, Observation};

/// How many runs of a command are told.
const RUNS: usize = 3;

/// An observation in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Preview {
    pub(crate) id: i64,
    pub(crate) timestamp: i64,
    pub(crate) obs_type: ObsType,
    /// The first 120 characters.
    pub(super) content_preview: String,
    pub(super) exit_code: Option<i64>,
    pub(super) file_path: Option<String>,
    pub(crate) session_id: String,
    pub(super) host: Option<String>,
    /// Of a search, the line that has most of its words, where that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) matched: Option<String>,
    /// Of a search, what was done last before the same command went well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fixed_by: Option<String>,
}

/// What was found: of a search the best first, of a log the latest.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Found {
    pub(super) observations: Vec<Preview>,
}

impl Found {
    /// The latest runs of a hint's command, by a search for its words. A longer one with these
    /// words is another; a line shows the start of a long one.
    pub(crate) fn runs_of(
        hint: &Hint,
        search: impl FnOnce(String) -> Option<Found>,
    ) -> Vec<Preview> {
        let command = hint.value.text();
        let words = quoted(&command, false).filter(|_| !hint.is_secret());
        let found = words.and_then(search).unwrap_or_default();
        let is_run = |seen: &Preview| match seen.obs_type {
            ObsType::Command | ObsType::CommandError => command.starts_with(&seen.content_preview),
            _ => false,
        };
        let mut runs: Vec<Preview> = found.observations.into_iter().filter(is_run).collect();
        runs.sort_by_key(|run| Reverse(run.id));
        runs.truncate(RUNS);
        runs
    }
}

/// Observations, in the order in which they were asked for.
#[derive(Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Observations {
    pub(super) observations: Vec<Observation>,
}

/// What happened around an observation, in the order of time.
#[derive(Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Timeline {
    pub(super) anchor: Option<Observation>,
    pub(super) before: Vec<Observation>,
    pub(super) after: Vec<Observation>,
}

/// What happened lately, the highest score first.
#[derive(Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Scored {
    pub(super) observations: Vec<ScoredObservation>,
}

/// An observation and how much it matters now.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ScoredObservation {
    #[serde(flatten)]
    pub(super) observation: Observation,
    /// From its age and kind.
    pub(super) score: f64,
}

/// A session of an agent in a repository.
#[derive(Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Trace {
    pub(super) session_id: String,
    pub(super) project: String,
    pub(super) started_at: i64,
    /// Absent while nobody has said that it ended.
    pub(super) ended_at: Option<i64>,
    /// In the order of time.
    pub(super) prompts: Vec<Prompt>,
    /// How many observations are not listed: the oldest of a long session.
    pub(super) left_out: Option<usize>,
}

/// A prompt, and what followed from it.
#[derive(Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Prompt {
    /// Absent for what followed from none.
    pub(super) prompt_id: Option<i64>,
    pub(super) timestamp: i64,
    /// `user`, or `system` where there is no prompt.
    #[schemars(extend("enum" = ["user", "system"]))]
    pub(super) source: &'static str,
    pub(super) content: String,
    pub(super) observation_count: usize,
    pub(super) observations: Vec<Preview>,
}

/// The sessions that changed a file, the latest first.
#[derive(Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct History {
    /// The file, below the root of the worktree if it is there.
    pub(super) file_path: String,
    pub(super) sessions: Vec<SessionTouches>,
}

/// What a session changed in a file.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct SessionTouches {
    pub(super) session_id: String,
    pub(super) project: String,
    pub(super) started_at: i64,
    /// The latest first.
    pub(super) touches: Vec<Touch>,
}

/// One change of a file.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Touch {
    pub(super) observation_id: i64,
    pub(super) timestamp: i64,
    pub(super) obs_type: ObsType,
    /// The first 120 characters.
    pub(super) content_preview: String,
    /// What the user had asked for.
    pub(super) prompt_content: Option<String>,
}

/// What helped against an error, what did so most often first.
#[derive(Debug, Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Fixes {
    /// How often the error was seen here and went away.
    pub(super) seen: usize,
    pub(crate) fixes: Vec<FoundFix>,
}

/// What is known not to run in a repository.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Pitfalls {
    /// The one that was last seen first.
    pub(crate) pitfalls: Vec<KnownPitfall>,
    /// Whether what was to be forgotten was known.
    pub(crate) forgotten: bool,
}

/// What was done between an error and the next success of the same command.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FoundFix {
    /// A command, or a change of a file.
    pub(crate) obs_type: ObsType,
    /// The command, or the file.
    pub(crate) content: String,
    /// How often it helped.
    pub(crate) times: usize,
    /// When it did so last.
    pub(super) timestamp: i64,
    /// That observation.
    pub(super) observation_id: i64,
    pub(super) session_id: String,
    /// The command that had failed.
    pub(super) command: String,
}

/// Whether observations are recorded where the caller is.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Observing {
    /// Whether they are.
    pub(crate) on: bool,
    /// Whether the session records at all.
    pub(crate) session: bool,
    /// The repository.
    pub(crate) project: Option<String>,
    /// How many there are of this repository.
    pub(crate) observations: u32,
    /// The bytes of the file, of all repositories.
    pub(crate) bytes: i64,
    /// How many events were lost because too many came at once.
    pub(crate) dropped: usize,
    /// Why nothing can be recorded.
    pub(crate) paused: Option<String>,
}

/// Observations were deleted, or would be.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Purged {
    /// How many.
    pub(crate) purged: usize,
}
