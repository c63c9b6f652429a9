//! How proposals read for people.

use nudge::{Hint, HintSet, Proposal, Proposals, Proposed};

use super::escape::shown;
use super::output::{Exit, Page};
use super::pretty::{scope, value};

/// The proposals that wait.
pub(crate) fn waiting(page: &mut Page, waiting: &Proposals) -> Exit {
    for proposal in &waiting.proposals {
        page.line(&describe(proposal));
        page.dim(&format!("  {}", shown(&proposal.why)));
    }
    if waiting.proposals.is_empty() {
        page.line("no proposal waits");
        return Exit::Nothing;
    }
    page.line("`nudge accept ID` sets one, `nudge reject ID` drops it");
    Exit::Done
}

/// A set that became a proposal, and what stands instead.
pub(crate) fn proposed(page: &mut Page, stands: &Hint, proposal: &Proposal, note: Option<&str>) {
    page.line(&format!("only proposed, as number {}", describe(proposal)));
    page.line(&format!("  {}", shown(&proposal.why)));
    page.line(&format!(
        "  nothing was overwritten, it is still: {}",
        value(stands)
    ));
    let id = proposal.id;
    let next = format!("`nudge accept {id}` sets it, `nudge reject {id}` drops it");
    page.line(&format!("  {}", note.map_or(next.into(), shown)));
}

pub(crate) fn accepted(page: &mut Page, set: &HintSet) -> Exit {
    let name = format!("{}/{}", shown(&set.component), shown(&set.key));
    let words = format!(
        "accepted {name}: {} (v{})",
        value(&set.hint),
        set.hint.version
    );
    page.marked("✔", &words);
    Exit::Done
}

pub(crate) fn rejected(page: &mut Page, rejected: &Proposed) -> Exit {
    page.marked("✔", &format!("rejected {}", describe(&rejected.proposal)));
    Exit::Done
}

/// A proposal in one line: its number, its slot, its value, and where it would apply.
fn describe(proposal: &Proposal) -> String {
    let Proposal {
        id,
        component,
        key,
        hint,
        ..
    } = proposal;
    let place = match hint.scope() {
        Some(_) => format!(" ({})", scope(hint)),
        None => String::new(),
    };
    format!(
        "{id} {}/{}: {}{place}",
        shown(component),
        shown(key),
        value(hint)
    )
}
