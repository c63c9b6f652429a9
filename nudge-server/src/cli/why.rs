//! `nudge why`

use std::sync::Arc;

use nudge::{
    Clock, Export, Exported, Found, GetHint, Hint, HintMatch, MatchExplain, Query, SystemClock,
    kind_of_command,
};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::value::{RawValue, to_raw_value};

use super::failure::{describe_scope, error_of, is_out_of_scope, misses, scope_of};
use super::lifetime::{lifetime, reasons};
use super::ls::pitfall;
use super::observations::cite;
use super::prelude::*;
use super::pretty::{scope, value};
use super::slot::SlotArgs;
use super::week;
use crate::observe::answers::Pitfalls;

#[derive(Debug, Args)]
pub(crate) struct Why {
    #[command(flatten)]
    slot: SlotArgs,
    #[command(flatten)]
    context: ContextFlags,
}

/// A get, or why nothing applies here, and a query of the same slot.
#[derive(Serialize)]
struct Both {
    get_hint: Box<RawValue>,
    query: Box<RawValue>,
    context_used: Option<Value>,
}

impl Why {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let (component, key) = self.slot.names(terminal)?;
        let given = || self.context.given();
        // A get tells the order in which variants are chosen, a query what
        // keeps the others away.
        let get = GetHint::new(&*component, &*key).alternatives(20);
        let get = terminal.ask(Operation::GetHint, &get, given());
        let get_hint = match &get.answer {
            Ok(chosen) => chosen.clone(),
            Err(fault) if is_out_of_scope(&error_of(fault)) => {
                to_raw_value(fault).unwrap_or_default()
            }
            Err(_) => return Ok(terminal.out.asked(&get, |_, _: &IgnoredAny| Exit::Refused)),
        };
        let all = Query::new().component(&*component).key(&*key).limit(100);
        let asked = terminal.ask(Operation::Query, &all.include_ineligible(), given());
        let both = Both {
            get_hint,
            query: asked.answer?,
            context_used: asked.context,
        };
        let chosen = read::<HintMatch>(&both.get_hint).ok();
        let found: Found = read(&both.query)?;
        Ok(terminal.out.value(&both, |page| {
            let is_away = found.ineligible.iter().flatten().next().is_some();
            let own = is_away.then(|| own(terminal, &component, &key));
            let own = own.unwrap_or_default();
            let cite = |page: &mut Page, hint: &Hint| cite(page, hint, terminal, given());
            write(page, (chosen.as_ref(), &found), &own, cite);
            let value = chosen.as_ref().map(|chosen| chosen.hint.value.text());
            let here = Params::default().with("context", both.context_used.clone());
            let known = terminal.call_here(ServerOperation::GetPitfalls, &here);
            let known = known.and_then(|known| read::<Pitfalls>(&known));
            for known in known.unwrap_or_default().pitfalls {
                let is_kind = kind_of_command(&known.command) == Some(&*key);
                if is_kind || value.is_some() && known.instead.as_deref() == value.as_deref() {
                    page.line(&pitfall(&known));
                }
            }
            if let Some(told) = week::told_of(terminal, &component, &key) {
                page.dim(&told);
            }
            Exit::Done
        }))
    }
}

/// The user's own variants, wherever they apply; none in an agent's shell.
fn own(terminal: &Terminal, component: &str, key: &str) -> Vec<Arc<Hint>> {
    let all = Export::new().component(component);
    let Ok(all) = terminal.get::<Exported>(Operation::Export, &all, None) else {
        return Vec::new();
    };
    let hints = all.payload.hints().filter(|(_, known, hint)| {
        let is_asked = known.as_str() == key && terminal.shell().is_none();
        is_asked && hint.is_users()
    });
    hints.map(|(_, _, hint)| Arc::clone(hint)).collect()
}

/// Every variant: first those that apply, in the order in which they would be
/// chosen, each with what is to be cited for it, then the others with what keeps them away, and
/// the values of the user's own.
fn write(
    page: &mut Page,
    (chosen, found): (Option<&HintMatch>, &Found),
    own: &[Arc<Hint>],
    cite: impl Fn(&mut Page, &Hint),
) {
    if let Some(chosen) = chosen {
        variant(page, "chosen", &chosen.hint, &chosen.match_explain);
        cite(page, &chosen.hint);
        for other in &chosen.alternatives {
            variant(page, "applies", &other.hint, &other.match_explain);
            cite(page, &other.hint);
        }
    }
    for away in found.ineligible.iter().flatten() {
        let scope = scope_of(away);
        let is_it = |hint: &&Arc<Hint>| hint.scope() == scope;
        let own = own.iter().find(is_it).map(|hint| value(hint));
        let own = own.map(|own| format!(", `{own}`")).unwrap_or_default();
        let scope = scope.map(describe_scope).unwrap_or_default();
        page.line(&format!("out of scope: the variant for {scope}{own}"));
        misses(page, away, "  - ");
    }
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
    let terms = terms.map(|(name, term)| format!("{name} {term:.4}"));
    let (score, terms) = (explain.score, terms.join(" + "));
    page.line(&format!("  score: {score:.4} = {terms}"));
    for reason in reasons(explain, hint) {
        page.line(&format!("  - {reason}"));
    }
}
