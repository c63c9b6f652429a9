//! How proposals read for people.

use nudge::{Hint, HintSet, Proposal, Proposals, Proposed};

use super::output::{Exit, Page};
use super::pretty::{named, value};
use crate::wire::escape::shown;

/// The proposals that wait, each with what is to be cited for it.
pub(crate) fn waiting(
    page: &mut Page,
    waiting: &Proposals,
    cite: impl Fn(&mut Page, &Hint),
) -> Exit {
    for proposal in &waiting.proposals {
        page.line(&describe(proposal));
        page.dim(&format!("  {}", shown(&proposal.grounds())));
        cite(page, &proposal.hint);
    }
    if waiting.proposals.is_empty() {
        page.line("no proposals are waiting");
        return Exit::Nothing;
    }
    page.line("`nudge accept ID` sets one, `nudge reject ID` drops it");
    Exit::Done
}

/// A set that became a proposal, and what stands instead.
pub(crate) fn proposed(page: &mut Page, stands: &Hint, proposal: &Proposal) {
    page.line(&format!("only proposed, as number {}", describe(proposal)));
    page.line(&format!("  {}", shown(&proposal.why)));
    page.line(&format!(
        "  nothing was changed, it is still: {}",
        value(stands)
    ));
    let id = proposal.id;
    page.line(&format!(
        "  the user's `nudge accept {id}` does it, `nudge reject {id}` drops it"
    ));
}

pub(crate) fn accepted(page: &mut Page, set: &HintSet) -> Exit {
    let name = format!("{}/{}", shown(&set.component), shown(&set.key));
    let (value, version) = (value(&set.hint), set.hint.version);
    let note = set.note.as_deref().map(shown);
    let note = note.map(|note| format!("; {note}")).unwrap_or_default();
    page.marked("✔", &format!("accepted {name}: {value} (v{version}){note}"));
    Exit::Done
}

pub(crate) fn rejected(page: &mut Page, rejected: &Proposed) -> Exit {
    page.marked("✔", &format!("rejected {}", describe(&rejected.proposal)));
    Exit::Done
}

/// A proposal in one line: its number, its slot, its value, and where it would apply.
pub(crate) fn describe(proposal: &Proposal) -> String {
    let delete = if proposal.delete { "delete " } else { "" };
    let named = named(&proposal.component, &proposal.key, Some(&proposal.hint));
    format!("{} {delete}{named}", proposal.id)
}
