//! `nudge why`

use chrono::DateTime;
use nudge::{Clock, SystemClock};

use super::failure::{describe_scope, misses, scope_of};
use super::lifetime::{lifetime, local, reasons};
use super::ls::pitfall;
use super::observations::cite;
use super::prelude::*;
use super::pretty::{scope, value};
use super::slot::SlotArgs;
use crate::primary::why::{Variant, Why as Answer};

#[derive(Debug, Args)]
pub(crate) struct Why {
    #[command(flatten)]
    slot: SlotArgs,
    #[command(flatten)]
    context: ContextFlags,
}

impl Why {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let (why, given) = (ServerOperation::GetWhy, self.context.given());
        let asked = self.slot.ask(terminal, why, Params::default(), given)?;
        Ok(terminal.out.asked(&asked, write))
    }
}

/// Every variant: first those that apply, in the order in which they would be
/// chosen, each with what is to be cited for it, then the others with what keeps them away.
fn write(page: &mut Page, why: &Answer) -> Exit {
    for (number, applies) in why.applies.iter().enumerate() {
        variant(
            page,
            ["applies", "chosen"][usize::from(number == 0)],
            applies,
        );
        cite(page, &applies.runs);
    }
    for away in &why.away {
        let scope = scope_of(&away.ineligible).map(describe_scope);
        let own = away.hint.as_ref().map(|own| format!(", `{}`", value(own)));
        let (scope, own) = (scope.unwrap_or_default(), own.unwrap_or_default());
        page.line(&format!("out of scope: the variant for {scope}{own}"));
        misses(page, &away.ineligible, "  - ");
    }
    for known in &why.pitfalls {
        page.line(&pitfall(known));
    }
    if let Some(last) = &why.last_told {
        let at = DateTime::from_timestamp(last.timestamp, 0).unwrap_or_default();
        let (times, at) = (count(why.told, "time"), local(at, SystemClock.now()));
        let host = shown(&last.host);
        page.dim(&format!(
            "told {times} in 30 days, last {at} to {host}; `nudge log --told` lists it"
        ));
    }
    Exit::Done
}

fn variant(page: &mut Page, word: &str, variant: &Variant) {
    let (hint, explain) = (&variant.hint, &variant.match_explain);
    page.line(&format!("{word}: {} (v{})", value(hint), hint.version));
    if hint.found_in().is_some() {
        page.line("  found, not set");
    } else {
        let life = lifetime(hint, SystemClock.now());
        page.line(&format!("  scope: {}", scope(hint)));
        page.line(&format!("  lifetime: {life}"));
        if let Some(origin) = &hint.meta.origin {
            let told = origin.describe(SystemClock.now());
            page.line(&format!("  set by {}", shown(&told)));
        }
    }
    let parts = explain.parts();
    let terms = [
        ("frecency", parts.frecency),
        ("priority", parts.priority),
        ("confidence", parts.confidence),
        ("specificity", parts.specificity),
        ("recency", parts.recency),
    ];
    let terms = terms.map(|(name, term)| format!("{name} {term:.4}"));
    let (score, terms) = (explain.score, terms.join(" + "));
    page.line(&format!("  score: {score:.4} = {terms}"));
    for reason in reasons(explain, hint) {
        page.line(&format!("  - {reason}"));
    }
}
