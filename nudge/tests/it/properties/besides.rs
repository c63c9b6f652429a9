//! The steps of a story that are not about hints that stand.

use nudge::{
    Accept, ContextMode, Error, GetContext, ListProposals, Nudge, Proposal, Propose, Reject,
    SetContext, WithSecrets,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::stage::{json, set, set_hint};
use crate::model::story::{SETS, Step, Work};

/// Takes such a step, and gives of its answer what a model can know.
pub(super) fn besides(nudge: &Nudge, step: &Step) -> Result<Value, Error> {
    Ok(match step {
        Step::Work(work) => json(&nudge.set_context(set_context(work))?),
        Step::WorkingSet(name) => {
            let mut get = GetContext::default();
            get.name = name.map(|name| SETS[name].into());
            // That a set of one's own is gone is an error, and of the others nothing.
            match nudge.get_context(get) {
                Err(error) if error.data().detail.as_deref() == Some("no_set") => {
                    json!({"sets": {}})
                }
                found => json(&found?),
            }
        }
        Step::Propose(set) => {
            let proposed = nudge.propose(Propose::new(set_hint(set), "it worked"))?;
            proposal(&proposed.proposal)
        }
        Step::Proposals => {
            let waiting = nudge.list_proposals(ListProposals::default())?;
            waiting.proposals.iter().map(proposal).collect()
        }
        Step::Decide(id, true) => json(&nudge.accept(Accept::new(*id))?),
        Step::Decide(id, false) => proposal(&nudge.reject(Reject::new(*id))?.proposal),
        _ => Value::Null,
    })
}

fn set_context(work: &Work) -> SetContext {
    let items = work.items.iter().map(ToString::to_string);
    let request = SetContext::new(SETS[work.set], items);
    if work.merges {
        request.mode(ContextMode::Merge)
    } else {
        request
    }
}

fn proposal(proposal: &Proposal) -> Value {
    json!({
        "id": proposal.id, "component": proposal.component, "key": proposal.key,
        "hint": WithSecrets(&proposal.hint),
    })
}

pub(super) fn besides_hints() -> impl Strategy<Value = Step> {
    let work = (0..SETS.len(), vec(0..20_usize, 0..14), any::<bool>());
    prop_oneof![
        3 => work.prop_map(|(set, items, merges)| Step::Work(Work { set, items, merges })),
        1 => proptest::option::of(0..SETS.len()).prop_map(Step::WorkingSet),
        3 => set().prop_map(Step::Propose),
        1 => Just(Step::Proposals),
        2 => (1..8_u64, any::<bool>()).prop_map(|(id, accepts)| Step::Decide(id, accepts)),
    ]
}
