//! How `nudge why` reads for people.

use std::sync::Arc;

use nudge::{Clock, Found, Hint, HintMatch, MatchExplain, SystemClock};

use super::failure::{describe, describe_scope};
use super::lifetime::{lifetime, reasons};
use super::output::{Exit, Page};
use super::pretty::{scope, value};
use crate::wire::escape::shown;

/// Every variant: first those that apply, in the order in which they would be
/// chosen, each with what is to be cited for it, then the others with what keeps them away, and
/// the values of the user's own.
pub(crate) fn why(
    page: &mut Page,
    (chosen, found): (Option<&HintMatch>, &Found),
    own: &[Arc<Hint>],
    cite: impl Fn(&mut Page, &Hint),
) -> Exit {
    if let Some(chosen) = chosen {
        variant(page, "chosen", &chosen.hint, &chosen.match_explain);
        cite(page, &chosen.hint);
        for other in &chosen.alternatives {
            variant(page, "applies", &other.hint, &other.match_explain);
            cite(page, &other.hint);
        }
    }
    for away in found.ineligible.iter().flatten() {
        let scope = away.near_misses.first().map(|miss| &miss.scope);
        let is_it = |hint: &&Arc<Hint>| hint.scope() == scope;
        let own = own.iter().find(is_it).map(|hint| value(hint));
        let own = own.map(|own| format!(", `{own}`")).unwrap_or_default();
        let scope = scope.map(describe_scope).unwrap_or_default();
        page.line(&format!("out of scope: the variant for {scope}{own}"));
        for miss in &away.near_misses {
            page.line(&format!("  - {}", describe(miss)));
        }
    }
    Exit::Done
}

fn variant(page: &mut Page, word: &str, hint: &Hint, explain: &MatchExplain) {
    page.line(&format!("{word}: {} (v{})", value(hint), hint.version));
    page.line(&format!("  scope: {}", scope(hint)));
    if hint.found_in().is_none() {
        let life = lifetime(hint, SystemClock.now());
        page.line(&format!("  lifetime: {life}"));
    }
    if let Some(origin) = &hint.meta.origin {
        let told = origin.describe(SystemClock.now());
        page.line(&format!("  set by {}", shown(&told)));
    }
    let parts = explain.parts();
    let terms = [
        ("frecency", parts.frecency),
        ("priority", parts.priority),
        ("confidence", parts.confidence),
        ("specificity", parts.specificity),
        ("recency", parts.recency),
    ];
    let terms: Vec<_> = terms
        .iter()
        .map(|(name, term)| format!("{name} {term:.4}"))
        .collect();
    page.line(&format!(
        "  score: {:.4} = {}",
        explain.score,
        terms.join(" + ")
    ));
    for reason in reasons(explain, hint) {
        page.line(&format!("  - {reason}"));
    }
}
