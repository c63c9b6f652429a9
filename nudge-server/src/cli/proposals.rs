//! `nudge proposals`, `nudge accept` and `nudge reject`

use nudge::{Hint, HintSet, Proposal, Proposals, Proposed};
use serde::de::DeserializeOwned;

use super::every_command::Nothing;
use super::observations::cite;
use super::prelude::*;
use super::pretty::{named, slot, value};
use crate::observe::answers::{Found, Preview};

#[derive(Debug, Args)]
pub(crate) struct Decide {
    /// Proposals by their numbers, as `nudge proposals` lists them; the one that waits when left out
    #[arg(value_name = "ID", value_parser = number, allow_negative_numbers = true)]
    ids: Vec<Value>,
    /// All that wait
    #[arg(short, long, conflicts_with = "ids")]
    all: bool,
}

impl Decide {
    pub(crate) fn accept(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        self.each(terminal, Operation::Accept, accepted)
    }

    pub(crate) fn reject(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        self.each(terminal, Operation::Reject, rejected)
    }

    /// Does the same with each of some proposals, and ends as the first that was not done.
    fn each<T: DeserializeOwned>(
        &self,
        terminal: &Terminal,
        operation: Operation,
        pretty: fn(&mut Page, &T) -> Exit,
    ) -> Result<Exit, Fault> {
        let ids = self.meant(terminal)?;
        if ids.is_empty() {
            terminal.out.note("no proposals are waiting");
            return Ok(Exit::Nothing);
        }
        let mut exit = Exit::Done;
        for id in ids {
            let params = Params::default().with("id", Some(id));
            let ended = terminal.tell(operation, &params, None, pretty)?;
            if exit == Exit::Done {
                exit = ended;
            }
        }
        Ok(exit)
    }

    /// The numbers that are meant: all, or the only one, where none is named.
    fn meant(&self, terminal: &Terminal) -> Result<Vec<Value>, Fault> {
        let is_all = self.all || self.ids[..] == ["all"];
        if !self.ids.is_empty() && !is_all {
            return Ok(self.ids.clone());
        }
        let all = Params::default();
        let waiting: Proposals = terminal.get(Operation::ListProposals, &all, None)?;
        let ids: Vec<Value> = waiting.proposals.iter().map(|one| one.id.into()).collect();
        if ids.len() > 1 && !is_all {
            let words = format!(
                "{} proposals wait; name one, as `nudge proposals` lists them, or type `--all`",
                ids.len()
            );
            return Err(misuse(words).into());
        }
        Ok(ids)
    }
}

/// Lists the proposals that wait, each with what is to be cited for it.
pub(crate) fn run(nothing: &Nothing, terminal: &Terminal) -> Result<Exit, Fault> {
    let list = Operation::ListProposals;
    terminal.tell(list, nothing, None, |page, waiting: &Proposals| {
        for proposal in &waiting.proposals {
            page.line(&describe(proposal));
            page.dim(&format!("  {}", shown(&proposal.grounds())));
            cite(page, &runs_of(terminal, &proposal.hint));
        }
        if waiting.proposals.is_empty() {
            page.line("no proposals are waiting");
            return Exit::Nothing;
        }
        let has_delete = waiting.proposals.iter().any(|one| one.delete);
        let does = ["sets one", "does one"][usize::from(has_delete)];
        page.line(&format!(
            "`nudge accept ID` {does}, `nudge reject ID` drops it"
        ));
        Exit::Done
    })
}

/// When what is proposed was last run here, where that is recorded.
fn runs_of(terminal: &Terminal, hint: &Hint) -> Vec<Preview> {
    Found::runs_of(hint, |query| {
        // A program reads what the list itself says.
        if terminal.out.json {
            return None;
        }
        let search = Params::default().with("query", Some(query));
        terminal.get(ServerOperation::Search, &search, None).ok()
    })
}

/// A set that became a proposal, and what stands instead.
pub(crate) fn proposed(page: &mut Page, stands: &Hint, proposal: &Proposal) {
    page.line(&format!("only proposed, as number {}", describe(proposal)));
    page.line(&format!("  {}", shown(&proposal.why)));
    let (id, value) = (proposal.id, value(stands));
    page.line(&format!("  nothing was changed, it is still: {value}"));
    page.line(&format!(
        "  the user's `nudge accept {id}` does it, `nudge reject {id}` drops it"
    ));
}

fn accepted(page: &mut Page, set: &HintSet) -> Exit {
    let name = slot(&set.component, &set.key);
    let (value, version) = (value(&set.hint), set.hint.version);
    let note = set.note.as_deref().map(shown);
    let note = note.map(|note| format!("; {note}")).unwrap_or_default();
    page.done(&format!("accepted {name}: {value} (v{version}){note}"));
    Exit::Done
}

fn rejected(page: &mut Page, rejected: &Proposed) -> Exit {
    page.done(&format!("rejected {}", describe(&rejected.proposal)));
    Exit::Done
}

/// A proposal in one line: its number, its slot, its value, and where it would apply.
pub(crate) fn describe(proposal: &Proposal) -> String {
    let delete = if proposal.delete { "delete " } else { "" };
    let named = named(&proposal.component, &proposal.key, Some(&proposal.hint));
    format!("{} {delete}{named}", proposal.id)
}
