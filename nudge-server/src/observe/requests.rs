//! What can be asked about observations.

use nudge::{Context, Error, Repo};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::answers::{Fixes, Found, History, Observations, Scored, Timeline, Trace};
use super::observer::no_repository;
use super::questions::{Here, invalid};
use crate::store::{Meant, ObsType};

/// A question about what happened in the repository where the caller is.
pub(crate) trait Question {
    type Answer: Default;

    fn context(&self) -> Option<&Context>;

    /// The repository that is asked about, if the question names one.
    fn project(&self) -> Option<&str> {
        None
    }

    fn answer(&self, here: &Here<'_>) -> Result<Self::Answer, Error>;
}

/// Makes requests of their fields, each of which knows where its caller is.
macro_rules! requests {
    ($($(#[$about:meta])* $Request:ident { $($(#[$docs:meta])* $field:ident: $Type:ty,)* })+) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $Request {
            $($(#[$docs])* pub(crate) $field: $Type,)*
            /// Where the caller is.
            pub(crate) context: Option<Context>,
        }
    )+};
}

/// Makes questions, and says what each is answered, and by which method.
macro_rules! questions {
    ($($(#[$about:meta])* $Request:ident -> $Answer:ty = $method:ident $(, $project:ident)? {
        $($(#[$docs:meta])* $field:ident: $Type:ty,)*
    })+) => {$(
        requests! { $(#[$about])* $Request { $($(#[$docs])* $field: $Type,)* } }

        impl Question for $Request {
            type Answer = $Answer;

            fn context(&self) -> Option<&Context> {
                self.context.as_ref()
            }

            $(fn project(&self) -> Option<&str> {
                self.$project.as_deref()
            })?

            fn answer(&self, here: &Here<'_>) -> Result<$Answer, Error> {
                here.$method(self)
            }
        }
    )+};
}

questions! {
    /// Searches the observations of a repository.
    Search -> Found = search, project {
        /// Words; `AND`, `OR`, `NOT`, a "phrase" in quotes and `prefix*` mean what they do in FTS5.
        query: String,
        /// The repository, which must be the one where the caller is.
        project: Option<String>,
        /// Only those of a kind.
        obs_type: Option<ObsType>,
        /// The most results; 20 when absent, never more than 100.
        limit: Option<u32>,
        /// How many results to pass over.
        offset: Option<u32>,
    }

    /// Asks for observations by their numbers.
    GetObservations -> Observations = observations {
        /// Their numbers, 1 to 50.
        ids: Vec<i64>,
    }

    /// Asks what happened around an observation, in the same session.
    GetTimeline -> Timeline = timeline {
        /// Its number.
        anchor: i64,
        /// How many before it; 5 when absent, never more than 50.
        before: Option<u32>,
        /// How many after it; 5 when absent, never more than 50.
        after: Option<u32>,
    }

    /// Asks what happened lately, what matters most first.
    RecentContext -> Scored = recent, project {
        /// The repository, which must be the one where the caller is.
        project: Option<String>,
        /// The most observations; 30 when absent, never more than 100.
        limit: Option<u32>,
    }

    /// Asks what happened last.
    GetLog -> Found = log {
        /// Only what happened in a session: what its host calls it, or how that begins.
        session_id: Option<String>,
        /// Only what came after the observation with this number.
        after_id: Option<i64>,
        /// The most observations; 20 when absent, never more than 100.
        limit: Option<u32>,
    }

    /// Asks for a session of an agent: its prompts, and what followed from each.
    SessionTrace -> Trace = session {
        /// What its host calls it, or how that begins.
        session_id: String,
        /// Only what was before this time, in seconds since 1970.
        before: Option<i64>,
        /// Only what was after this time, in seconds since 1970.
        after: Option<i64>,
    }

    /// Asks who changed a file, and what for.
    FileHistory -> History = history {
        /// The file; one that is not absolute is below the caller's folder, or below the root.
        file_path: String,
        /// Only what was before this time, in seconds since 1970.
        before: Option<i64>,
        /// Only what was after this time, in seconds since 1970.
        after: Option<i64>,
        /// The most changes; 10 when absent, never more than 50.
        limit: Option<u32>,
    }

    /// Asks what helped against an error.
    Fix -> Fixes = fix {
        /// What a command printed that failed, or its end.
        text: String,
    }
}

requests! {
    /// Asks whether observations are recorded in a repository, or says so.
    Observe {
        /// Whether to record here from now on; as it is when absent.
        on: Option<bool>,
    }

    /// Asks what is known not to run in a repository, and says of what not to warn any more.
    GetPitfalls {
        /// A command of which nobody is to be warned again.
        forget: Option<String>,
    }

    /// Deletes the observations to which all that is said applies.
    Purge {
        /// Those before this time, in seconds since 1970.
        before: Option<i64>,
        /// Those of a repository, by its remote.
        repo: Option<String>,
        /// Those of the repository where the caller is; false when absent.
        here: Option<bool>,
        /// Those with these numbers.
        ids: Option<Vec<i64>>,
        /// Only count them; false when absent.
        dry_run: Option<bool>,
    }
}

impl Purge {
    /// Which observations are to be deleted.
    pub(super) fn meant(&self) -> Result<Meant, Error> {
        let here = self.context.as_ref().map(Context::facts);
        let here = here.and_then(|facts| facts.repos.first());
        let repo = match (&self.repo, self.here) {
            (Some(name), _) => Some(Repo::parse(name).ok_or_else(|| {
                invalid("repo: this is not a repository; write a remote, or git:org/repo")
            })?),
            (None, Some(true)) => Some(here.cloned().ok_or_else(no_repository)?),
            _ => None,
        };
        if self.before.is_none() && repo.is_none() && self.ids.is_none() {
            let words = "say what to delete: `before`, `repo`, `here` or `ids`";
            return Err(invalid(words));
        }
        Ok(Meant {
            before: self.before,
            repo: repo.map(|repo| repo.to_string()),
            ids: self.ids.as_ref().map(|ids| json!(ids).to_string()),
            text: None,
        })
    }
}
