//! Learning from what happened before: hints by the rules of the store, and observations.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use chrono::DateTime;
use nudge::{Caller, Context, Error, ErrorKind, Hint, Name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Primary;
pub(crate) use crate::observe::PastEvent;
use crate::project::{ProjectFiles, Resolution};

/// What transcripts say of a branch where there was none.
const DETACHED: &str = "HEAD";

/// Tells what happened before in a worktree.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LearnPast {
    /// What happened, in whatever order.
    events: Vec<PastEvent>,
    /// The worktree as it is now: its repository, root and branch.
    pub(super) context: Option<Context>,
    /// Whether only to say what would be done; false when absent.
    #[serde(default)]
    dry_run: Option<bool>,
}

/// What the past has taught.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct LearnedPast {
    /// The hints that were learned.
    pub(crate) learned: Vec<LearnedHint>,
    /// How many observations are new, for each host; absent where none are recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) observations: Option<BTreeMap<String, usize>>,
    /// Why observations could not be recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) paused: Option<String>,
}

/// A hint that was learned.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct LearnedHint {
    pub(crate) component: Name,
    pub(crate) key: Name,
    pub(crate) hint: Arc<Hint>,
}

impl LearnedHint {
    pub(crate) fn new(component: &Name, key: &Name, hint: &Arc<Hint>) -> LearnedHint {
        LearnedHint {
            component: component.clone(),
            key: key.clone(),
            hint: Arc::clone(hint),
        }
    }
}

impl Primary {
    /// Learns from what happened before. It may be told twice, so no request is noted of it.
    pub(super) fn learn_past(
        &self,
        by: &Caller<'_>,
        past: LearnPast,
    ) -> Result<LearnedPast, Error> {
        let is_dry = past.dry_run.unwrap_or_default();
        let here = past.context.unwrap_or_default();
        let facts = here.facts();
        let (Some(repo), Some(root)) = (facts.repos.first(), facts.root.as_deref()) else {
            let words = "the past is learned of a repository; pass `context` with `cwd`";
            return Err(Error::new(ErrorKind::Invalid, words));
        };
        let files = ProjectFiles::patient();
        let (mut lessons, mut notes) = (Vec::new(), Vec::new());
        // Agents run the same commands over and over.
        let mut gone: HashMap<(String, String), bool> = HashMap::new();
        for told in past.events {
            let (timestamp, mut event) = (told.timestamp, told.event);
            let cwd = event.context.facts().cwd.as_deref().unwrap_or(root);
            let place = Context::new().repo(repo.as_str()).root(root).cwd(cwd);
            let branch = event.context.facts().branch.clone();
            let command = event.command.as_deref().unwrap_or_default();
            let below = Path::new(cwd).strip_prefix(root).ok();
            let below = below.and_then(Path::to_str).unwrap_or_default();
            let is_gone = *gone
                .entry((below.to_owned(), command.to_owned()))
                .or_insert_with(|| {
                    let found = files.resolve(root, below, command);
                    matches!(found, Resolution::Gone { .. })
                });
            let at = DateTime::from_timestamp(timestamp, 0);
            let at = at.filter(|_| !is_gone && branch.as_deref() != Some(DETACHED));
            event.context = branch.into_iter().fold(place.clone(), Context::branch);
            let past = event.clone();
            notes.push(PastEvent {
                timestamp,
                event: past,
            });
            // What it taught is for the repository: on which branches it would work, the
            // past does not say.
            let branch = facts.branch.iter().cloned();
            event.context = branch.fold(place, Context::branch);
            lessons.extend(at.map(|at| (at, event)));
        }
        let mut by = *by;
        by.request = None;
        let learned = self.nudge.learn_past(&by, lessons, is_dry)?;
        let learned = learned.hints();
        let mut answer = LearnedPast {
            learned: learned
                .map(|(component, key, hint)| LearnedHint::new(component, key, hint))
                .collect(),
            ..LearnedPast::default()
        };
        if let Ok(observer) = self.observer() {
            match observer.note_past(&notes, self.nudge.now().timestamp(), is_dry) {
                Ok(new) => answer.observations = Some(new),
                Err(error) => answer.paused = Some(error.to_string()),
            }
        }
        Ok(answer)
    }
}
