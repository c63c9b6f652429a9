//! `nudge.why`: every variant of a hint, and what is known of each.

use std::iter;
use std::sync::Arc;

use nudge::{
    Caller, Context, Error, Export, GetHint, Hint, Ineligible, KnownPitfall, MatchExplain, Name,
    Query, Repo, kind_of_command,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Primary;
use crate::observe::answers::{Found, Preview};
use crate::observe::requests::Search;
use crate::store::ToldRow;

/// How many of a kind are told at most.
const VARIANTS: u32 = 20;
const AWAY: u32 = 100;
const TOLD: usize = 500;

/// Asks for every variant of a hint.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetWhy {
    /// The component.
    component: Name,
    /// The key.
    key: Name,
    /// Where the caller is.
    #[serde(default)]
    pub(super) context: Context,
}

/// Every variant of a hint.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Why {
    /// Those that apply, in the order in which they would be chosen.
    pub(crate) applies: Vec<Variant>,
    /// Those that do not, with what keeps each away.
    pub(crate) away: Vec<Away>,
    /// What could not run there of this kind, or was replaced by what is chosen; for the user alone.
    pub(crate) pitfalls: Vec<KnownPitfall>,
    /// How often agents were told it there unasked in 30 days; for the user alone.
    pub(crate) told: usize,
    /// When that was last.
    pub(crate) last_told: Option<ToldRow>,
}

/// A variant that applies.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Variant {
    /// The hint.
    pub(crate) hint: Arc<Hint>,
    /// Why it is there.
    pub(crate) match_explain: MatchExplain,
    /// Its latest runs there, where that is recorded.
    pub(crate) runs: Vec<Preview>,
}

/// A variant that does not apply.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Away {
    #[serde(flatten)]
    pub(crate) ineligible: Ineligible,
    /// The hint, if it is the user's own and the user asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<Arc<Hint>>,
}

impl Primary {
    /// Tells what a get from a place would choose and what else there is, and why.
    pub(super) fn why(&self, by: &Caller<'_>, asked: &GetWhy) -> Result<Why, Error> {
        let (component, key, here) = (&asked.component, &asked.key, &asked.context);
        let get = GetHint::new(component.clone(), key.clone()).alternatives(VARIANTS);
        let chosen = match self.nudge.ask(by, get.context(here)) {
            Err(error) if error.data().detail.as_deref() != Some("out_of_scope") => {
                return Err(error);
            }
            chosen => chosen.ok(),
        };
        let all = Query::new().component(component.clone()).key(key.clone());
        let all = all.limit(AWAY).include_ineligible().context(here);
        let away = self.nudge.ask(by, all)?.ineligible.unwrap_or_default();
        let has_own = by.is_user() && !away.is_empty();
        let own = has_own.then(|| {
            let all = Export::new().component(component.clone());
            self.nudge.ask(by, all)
        });
        let own = own.transpose()?;
        let own = own.iter().flat_map(|all| all.payload.hints());
        let own: Vec<_> = own
            .filter(|(_, known, hint)| *known == key && hint.is_users())
            .map(|(.., hint)| hint)
            .collect();
        let away = away.into_iter().map(|ineligible| {
            let scope = ineligible.near_misses.first().map(|miss| &miss.scope);
            let own = own.iter().find(|hint| hint.scope() == scope);
            let hint = own.map(|hint| Arc::clone(hint));
            Away { ineligible, hint }
        });
        let applies = chosen.into_iter().flat_map(|chosen| {
            let others = chosen.alternatives.into_iter();
            let others = others.map(|other| (other.hint, other.match_explain));
            iter::once((chosen.hint, chosen.match_explain)).chain(others)
        });
        let search = |query| {
            let context = Some(here.clone());
            let search = Search {
                query,
                context,
                ..Search::default()
            };
            self.ask(by, &search).ok()
        };
        let applies = applies.map(|(hint, match_explain)| Variant {
            runs: Found::runs_of(&hint, search),
            hint,
            match_explain,
        });
        let mut why = Why {
            applies: applies.collect(),
            away: away.collect(),
            ..Why::default()
        };
        if by.is_user() {
            let value = why.applies.first().map(|chosen| chosen.hint.value.text());
            why.pitfalls = self.nudge.pitfalls(here);
            why.pitfalls.retain(|known| {
                let is_kind = kind_of_command(&known.command) == Some(&**key);
                is_kind || value.is_some() && known.instead.as_deref() == value.as_deref()
            });
            let told = self.told_of(here, &format!("{component}/{key}"));
            (why.told, why.last_told) = (told.len(), told.into_iter().next());
        }
        Ok(why)
    }

    /// The lines by which a hint was told in the repository of a place, the newest first, or
    /// anywhere where that is in none: they name it.
    fn told_of(&self, here: &Context, name: &str) -> Vec<ToldRow> {
        let repo = here.facts().repos.first();
        let is_it = |told: &ToldRow| {
            let told_in = told.repo.as_deref().and_then(Repo::parse);
            let is_here = repo.is_none_or(|here| told_in.is_some_and(|told| here.allows(&told)));
            // Others begin like it.
            is_here && told.line.split([' ', ':']).any(|word| word == name)
        };
        self.look_back(|history| history.told(0, TOLD, is_it))
    }
}
