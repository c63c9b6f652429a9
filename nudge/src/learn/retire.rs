//! Retirement: what was learned and is no longer used is forgotten.

use chrono::TimeDelta;

use crate::api::caller::Caller;
use crate::hint::Hint;
use crate::nudge::Nudge;
use crate::scope::context::Context;
use crate::store::change::ChangeKind;

/// How long a learned hint stays without being used.
pub(super) const UNUSED: TimeDelta = TimeDelta::days(60);

/// The same where the branch is gone that it is for.
const BRANCH_GONE: TimeDelta = TimeDelta::days(14);

/// Forgets what was learned in the repository where a session starts, and is not used any more.
pub(super) fn retire(nudge: &Nudge, by: &Caller<'_>, context: &Context) {
    if !nudge.knows_root(context) {
        return;
    }
    let repos = &context.facts().repos;
    let now = nudge.now();
    let unused = |hint: &Hint| now - hint.last_used_at.unwrap_or(hint.updated_at);
    let is_of_here = |hint: &Hint| {
        let mut named = hint.repos().into_iter().flatten();
        named.any(|name| repos.iter().any(|repo| repo.as_str() == name))
    };
    let old: Vec<_> = {
        let store = nudge.read();
        let learned = store.learned_by_use(now);
        let old = learned.filter(|(_, hint)| unused(hint) > BRANCH_GONE && is_of_here(hint));
        old.map(|(names, hint)| (names, hint.clone())).collect()
    };
    let is_over = |hint: &Hint| unused(hint) > UNUSED || nudge.is_branch_gone(hint);
    let gone = old.into_iter().filter(|(_, hint)| is_over(hint));
    let gone = gone.map(|(names, hint)| ChangeKind::delete(names, &hint));
    let gone: Vec<_> = gone.collect();
    if !gone.is_empty() {
        // Where it cannot be written, the next session does it.
        let _ = nudge.write(by, |_| Ok((gone, ())));
    }
}

impl Nudge {
    /// Whether a hint is for branches that are all gone from the clone where it last worked.
    fn is_branch_gone(&self, hint: &Hint) -> bool {
        let origin = hint.meta.origin.as_ref();
        let root = origin.and_then(|origin| origin.root.as_deref());
        let branches = hint.scope().and_then(|scope| scope.branch.as_deref());
        let (Some(projects), Some(root), Some(branches)) = (&self.projects, root, branches) else {
            return false;
        };
        let is_gone = |branch: &String| projects.has_branch(root, branch) == Some(false);
        branches.iter().all(is_gone)
    }
}
