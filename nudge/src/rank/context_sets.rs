//! What a get of context sets shows.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use crate::api::caller::Caller;
use crate::api::context_sets::{ContextSets, GetContext, OthersWork};
use crate::hint::working_set::{FILES, KNOWN, WorkingSet};
use crate::model::error::Error;
use crate::model::name::Name;
use crate::scope::here::is_there;
use crate::scope::repo::Repo;

/// For how long others are told of what a session is in the middle of that did not end.
const TOLD_FOR: TimeDelta = TimeDelta::days(1);

/// How many others are told of.
const MOST_OTHERS: usize = 8;

type Sets = BTreeMap<Name, Vec<String>>;

impl GetContext {
    /// The sets that are asked for, the caller's own and those of others here, without the files
    /// that are gone.
    pub(crate) fn answer(
        &self,
        by: &Caller<'_>,
        newest: &[Arc<WorkingSet>],
        now: DateTime<Utc>,
    ) -> Result<ContextSets, Error> {
        let stated = self.context.iter().flat_map(|at| &at.facts().repos);
        let mut repos: Vec<&str> = stated.map(Repo::as_str).collect();
        if repos.is_empty() {
            repos.extend(by.repo);
        }
        let is_here = |set: &WorkingSet| match &set.repo {
            Some(repo) => repos.contains(&repo.as_str()),
            None => repos.is_empty(),
        };
        let is_own = |set: &WorkingSet| is_here(set) && set.session.as_deref() == by.session;
        // The user who is nowhere, as on the page, is told of all.
        let is_anywhere = by.is_user() && repos.is_empty() && self.context.is_none();
        let none = Arc::default();
        let own = newest.iter().find(|set| is_own(set)).unwrap_or(&none);
        let is_told = |set: &&Arc<WorkingSet>| {
            let is_of_late = set.ended || now - set.at <= TOLD_FOR;
            let is_news = by.is_user() || !set.told || !set.is_over(now);
            (is_here(set) || is_anywhere) && is_of_late && is_news && set.is_unfinished()
        };
        let others = newest.iter().filter(|set| !is_own(set)).filter(is_told);
        if let Some(name) = &self.name {
            let is_known = KNOWN.contains(&name.as_str()) || own.has(name);
            if !is_known && !others.clone().any(|other| other.has(name)) {
                return Err(unknown(name, own.nearest(name)));
            }
        }
        let (sets, gone) = self.shown(own);
        let others = others.take(MOST_OTHERS).map(|set| {
            let (sets, gone) = self.shown(set);
            OthersWork {
                repo: set.repo.clone(),
                client: set.client.clone(),
                at: set.at,
                ended: set.is_over(now),
                sets,
                gone,
                is_users: set.is_users(),
            }
        });
        let has_any = |other: &OthersWork| !other.sets.is_empty() || !other.gone.is_empty();
        Ok(ContextSets {
            sets,
            gone,
            others: others.filter(has_any).collect(),
            ..ContextSets::default()
        })
    }

    /// What is asked for of a working set, and how many files of it are gone.
    fn shown(&self, working_set: &WorkingSet) -> (Sets, BTreeMap<Name, usize>) {
        let mut sets = working_set.by_name();
        if let Some(name) = &self.name {
            sets.retain(|set, _| set == name);
        }
        let mut gone = BTreeMap::new();
        if let Some(files) = sets.get_mut(FILES) {
            let listed = files.len();
            // A relative path is somebody's who knows where it is from.
            files.retain(|file| !Path::new(&**file).is_absolute() || is_there(file));
            let missing = listed - files.len();
            if missing > 0 {
                gone.insert(Name::from(FILES), missing);
            }
        }
        sets.retain(|_, items| !items.is_empty());
        (sets, gone)
    }
}

fn unknown(name: &Name, nearest: Option<Name>) -> Error {
    let meant = nearest.map(|nearest| format!("did you mean `{nearest}`?"));
    let way_out = meant.as_deref().unwrap_or("ask without a name to see all");
    let shown = crate::secret::shown(name);
    let words = format!("there is no context set `{shown}`; {way_out}");
    Error::not_found("no_set", words).at("name")
}
