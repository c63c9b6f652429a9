//! What can be asked about observations.

use nudge::Context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answers::{Fixes, Found, History, Observations, Scored, Timeline, Trace};

/// A question about what happened in the repository where the caller is.
pub(crate) trait Question {
    /// What it is answered.
    type Answer: Default;

    /// Where the caller is.
    fn context(&self) -> Option<&Context>;

    /// The repository that is asked about, if the question names one.
    fn project(&self) -> Option<&str> {
        None
    }

    /// Answers it for a repository.
    #[cfg(feature = "observe")]
    fn answer(&self, here: &super::questions::Here<'_>) -> Result<Self::Answer, nudge::Error>;
}

/// The kinds of observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(crate) enum ObsType {
    /// A command, unless it failed.
    Command,
    /// A command that failed.
    CommandError,
    /// A file was changed.
    FileEdit,
    /// A file was written as a whole.
    FileWrite,
    /// The user asked for something.
    UserPrompt,
    /// A session of an agent began.
    SessionStart,
    /// It ended.
    SessionEnd,
    /// Its context was made shorter.
    SessionCompact,
}

/// Searches the observations of a repository.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    /// Words; `AND`, `OR`, `NOT`, a "phrase" in quotes and `prefix*` mean what they do in FTS5.
    pub(super) query: String,
    /// The repository, which must be the one where the caller is.
    pub(super) project: Option<String>,
    /// Only those of a kind.
    pub(super) obs_type: Option<ObsType>,
    /// The most results; 20 when absent, never more than 100.
    pub(super) limit: Option<u32>,
    /// How many results to pass over.
    pub(super) offset: Option<u32>,
    /// Where the caller is.
    pub(super) context: Option<Context>,
}

/// Asks for observations by their numbers.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetObservations {
    /// Their numbers, 1 to 50.
    pub(super) ids: Vec<i64>,
    /// Where the caller is.
    pub(super) context: Option<Context>,
}

/// Asks what happened around an observation, in the same session.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetTimeline {
    /// Its number.
    pub(super) anchor: i64,
    /// How many before it; 5 when absent, never more than 50.
    pub(super) before: Option<u32>,
    /// How many after it; 5 when absent, never more than 50.
    pub(super) after: Option<u32>,
    /// Where the caller is.
    pub(super) context: Option<Context>,
}

/// Asks what happened lately, what matters most first.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecentContext {
    /// The repository, which must be the one where the caller is.
    pub(super) project: Option<String>,
    /// The most observations; 30 when absent, never more than 100.
    pub(super) limit: Option<u32>,
    /// Where the caller is.
    pub(super) context: Option<Context>,
}

/// Asks for a session of an agent: its prompts, and what followed from each.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionTrace {
    /// What its host calls it.
    pub(super) session_id: String,
    /// Only what was before this time, in seconds since 1970.
    pub(super) before: Option<i64>,
    /// Only what was after this time, in seconds since 1970.
    pub(super) after: Option<i64>,
    /// Where the caller is.
    pub(super) context: Option<Context>,
}

/// Asks who changed a file, and what for.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileHistory {
    /// The file; one that is not absolute is below the caller's folder, or below the root.
    pub(super) file_path: String,
    /// Only what was before this time, in seconds since 1970.
    pub(super) before: Option<i64>,
    /// Only what was after this time, in seconds since 1970.
    pub(super) after: Option<i64>,
    /// The most changes; 10 when absent, never more than 50.
    pub(super) limit: Option<u32>,
    /// Where the caller is.
    pub(super) context: Option<Context>,
}

/// Asks what helped against an error.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fix {
    /// What a command printed that failed, or its end.
    pub(super) text: String,
    /// Where the caller is.
    pub(super) context: Option<Context>,
}

/// Asks whether observations are recorded in a repository, or says so.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Observe {
    /// Whether to record here from now on; as it is when absent.
    pub(crate) on: Option<bool>,
    /// Where the caller is.
    pub(crate) context: Option<Context>,
}

/// Deletes the observations to which all that is said applies.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Purge {
    /// Those before this time, in seconds since 1970.
    pub(crate) before: Option<i64>,
    /// Those of a repository, by its remote.
    pub(crate) repo: Option<String>,
    /// Those of the repository where the caller is; false when absent.
    pub(crate) here: Option<bool>,
    /// Those with these numbers.
    pub(crate) ids: Option<Vec<i64>>,
    /// Where the caller is.
    pub(crate) context: Option<Context>,
}

/// Has requests know where their callers are.
macro_rules! located {
    ($($Request:ident)+) => {$(
        impl $Request {
            pub(crate) fn locate(&mut self, here: &Context) {
                self.context.get_or_insert_with(|| here.clone());
            }
        }
    )+};
}

/// Says what questions are answered, and by which method.
macro_rules! questions {
    ($($Request:ident -> $Answer:ty = $method:ident $(, $project:ident)?;)+) => {
        $(impl Question for $Request {
            type Answer = $Answer;

            fn context(&self) -> Option<&Context> {
                self.context.as_ref()
            }

            $(fn project(&self) -> Option<&str> {
                self.$project.as_deref()
            })?

            #[cfg(feature = "observe")]
            fn answer(&self, here: &super::questions::Here<'_>) -> Result<$Answer, nudge::Error> {
                here.$method(self)
            }
        })+
        located! { $($Request)+ }
    };
}

located! { Observe Purge }

questions! {
    Search -> Found = search, project;
    GetObservations -> Observations = observations;
    GetTimeline -> Timeline = timeline;
    RecentContext -> Scored = recent, project;
    SessionTrace -> Trace = session;
    FileHistory -> History = history;
    Fix -> Fixes = fix;
}
