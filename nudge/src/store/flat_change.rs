//! A change as it is read: one flat object, in one go.
//!
//! What serde makes of a tagged enum in a struct reads each value twice, and a session
//! begins by reading thousands.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Deserialize;

use super::change::{Change, ChangeKind, Removed, Used};
use crate::hint::Hint;
use crate::hint::mark::{Mark, Seen};
use crate::hint::origin::Origin;
use crate::hint::proposal::Proposal;
use crate::hint::working_set::WorkingSet;
use crate::model::name::Name;
use crate::model::time;
use crate::scope::matcher::ScopeMatcher;

/// Every field that any change has.
#[derive(Deserialize)]
pub(super) struct FlatChange {
    seq: u64,
    #[serde(with = "time")]
    at: DateTime<Utc>,
    by: Option<Arc<Origin>>,
    what: What,
    component: Option<Name>,
    key: Option<Name>,
    before: Option<u64>,
    #[serde(default)]
    value_changed: bool,
    hint: Option<Arc<Hint>>,
    scope: Option<Arc<ScopeMatcher>>,
    context: Option<Work>,
    #[serde(default)]
    sets: Vec<Name>,
    #[serde(alias = "id")]
    proposal: Option<u64>,
    why: Option<Box<str>>,
    client: Option<Name>,
    #[serde(default)]
    delete: bool,
    #[serde(default, with = "time::option")]
    proposed_at: Option<DateTime<Utc>>,
    repo: Option<Name>,
    value: Option<Name>,
    seen: Option<Seen>,
    #[serde(default, with = "time::option")]
    marked_at: Option<DateTime<Utc>>,
}

/// What is being worked on, and before sets had owners its items alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Work {
    Owned(Arc<WorkingSet>),
    Items(Vec<(Name, String)>),
}

/// The kinds, as [`ChangeKind`] has them.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum What {
    Set,
    Bump,
    Fail,
    Delete,
    Expire,
    Clear,
    Context,
    Propose,
    Dismiss,
    Mark,
    Unmark,
    Lost,
}

impl TryFrom<FlatChange> for Change {
    type Error = String;

    fn try_from(flat: FlatChange) -> Result<Change, String> {
        let (seq, at, by) = (flat.seq, flat.at, flat.by.clone());
        Ok(Change {
            seq,
            at,
            by,
            kind: flat.kind()?,
        })
    }
}

impl FlatChange {
    fn kind(self) -> Result<ChangeKind, String> {
        Ok(match self.what {
            What::Set => ChangeKind::Set {
                component: given(self.component, "component")?,
                key: given(self.key, "key")?,
                before: given(self.before, "before")?,
                value_changed: self.value_changed,
                hint: given(self.hint, "hint")?,
            },
            What::Bump => ChangeKind::Bump(self.used()?),
            What::Fail => ChangeKind::Fail(self.used()?),
            What::Delete => ChangeKind::Delete(self.removed()?),
            What::Expire => ChangeKind::Expire(self.removed()?),
            What::Clear => ChangeKind::Clear,
            What::Context => ChangeKind::Context {
                working_set: match given(self.context, "context")? {
                    Work::Owned(working_set) => working_set,
                    Work::Items(items) => Arc::new(items.into()),
                },
                sets: self.sets.into(),
            },
            What::Propose => ChangeKind::Propose(Proposal {
                id: given(self.proposal, "id")?,
                component: given(self.component, "component")?,
                key: given(self.key, "key")?,
                hint: given(self.hint, "hint")?,
                why: given(self.why, "why")?,
                client: self.client,
                delete: self.delete,
                proposed_at: self.proposed_at.unwrap_or(self.at),
            }),
            What::Dismiss => ChangeKind::Dismiss {
                proposal: given(self.proposal, "proposal")?,
                component: self.component,
                key: self.key,
            },
            What::Mark => ChangeKind::Mark(self.mark()?),
            What::Unmark => ChangeKind::Unmark(self.mark()?),
            What::Lost => ChangeKind::Lost {
                component: given(self.component, "component")?,
                key: given(self.key, "key")?,
            },
        })
    }

    fn mark(self) -> Result<Mark, String> {
        Ok(Mark {
            component: given(self.component, "component")?,
            key: given(self.key, "key")?,
            repo: self.repo,
            value: given(self.value, "value")?,
            seen: self.seen,
            at: given(self.marked_at, "marked_at")?,
        })
    }

    fn used(self) -> Result<Used, String> {
        Ok(Used {
            component: given(self.component, "component")?,
            key: given(self.key, "key")?,
            hint: given(self.hint, "hint")?,
        })
    }

    fn removed(self) -> Result<Removed, String> {
        Ok(Removed {
            component: given(self.component, "component")?,
            key: given(self.key, "key")?,
            scope: self.scope,
            before: given(self.before, "before")?,
        })
    }
}

fn given<T>(field: Option<T>, name: &str) -> Result<T, String> {
    field.ok_or_else(|| format!("missing field `{name}`"))
}
