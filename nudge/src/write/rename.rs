//! What a move changes: hints that stand under another name from now on.

use std::sync::Arc;

use crate::api::answer::{Moved, MovedHint};
use crate::api::place::Place;
use crate::api::selector::Which;
use crate::api::set_hint::Patch;
use crate::hint::mark::Mark;
use crate::hint::{Hint, HintValue};
use crate::model::error::{Error, ErrorKind};
use crate::model::name::{Name, check_names};
use crate::model::scope::Scope;
use crate::scope::context::Context;
use crate::scope::repo::Repo;
use crate::store::change::ChangeKind;
use crate::store::slot::Slot;
use crate::write::plan::WriteContext;
use crate::write::validate::check_hint;

impl<'a> WriteContext<'a> {
    /// The changes that give a component, or one of its keys, another name in the caller's place.
    /// Every variant there goes along, as it is; nothing is remembered against the old name.
    pub(crate) fn plan_move(
        self,
        (component, key): (&Name, Option<&Name>),
        to: &Name,
        here: Option<&Context>,
        is_dry: bool,
    ) -> Result<(Vec<ChangeKind>, Moved), Error> {
        let place = Place::of(here, self.by);
        let here = here.unwrap_or(Context::nowhere());
        let is_meant = |(_, hint): &(&Slot, &Arc<Hint>)| place.meets(hint, here.facts());
        let live = |component: &Name, key: Option<&Name>| {
            let is_of_key = |slot: &Slot| key.is_none_or(|key| slot.key == *key);
            self.live_of(|slot, _| slot.component == *component && is_of_key(slot))
        };
        let all = live(component, key).into_iter();
        let (meant, others): (Vec<_>, Vec<_>) = all.partition(is_meant);
        if meant.is_empty() {
            let first = others.first().map_or(component, |(slot, _)| &slot.key);
            let others: Vec<_> = others.iter().map(|(_, hint)| *hint).collect();
            return Err(self.not_here((component, key.unwrap_or(first)), &others, here, true));
        }
        let (there, name) = match key {
            Some(_) => (live(component, Some(to)), format!("{component}/{to}")),
            None => (live(to, None), to.to_string()),
        };
        if there.iter().any(is_meant) {
            let words = format!("`{name}` exists already; choose another name, or delete it first");
            return Err(Error::of(ErrorKind::Conflict, "exists", words).at("to"));
        }
        let (mut changes, mut moved) = (Vec::new(), Moved::default());
        for (slot, hint) in meant {
            let names = match key {
                Some(_) => (slot.component.clone(), to.clone()),
                None => (to.clone(), slot.key.clone()),
            };
            check_names(&names.0, &names.1)?;
            not_projects((&slot.component, &slot.key), hint)?;
            changes.extend(self.relocate((slot, hint), names, Hint::clone(hint), &mut moved)?);
        }
        moved.elsewhere = others.len();
        changes.retain(|_| !is_dry);
        Ok((changes, moved))
    }

    /// The changes after which what named a repository names another: hints and marks.
    pub(crate) fn plan_move_repo(
        self,
        names: (&str, &str),
        is_dry: bool,
    ) -> Result<(Vec<ChangeKind>, Moved), Error> {
        let read = |name: &str| -> Result<Option<Repo>, Error> {
            self.interner.matcher(Scope::new().repo(name))?;
            Ok(Repo::parse(name))
        };
        let both = read(names.0)?.zip(read(names.1)?);
        let renamed = |repo: &str| {
            let (from, to) = both.as_ref()?;
            Some(renamed_repo(&Repo::parse(repo)?, from, to)?.to_string())
        };
        let live = self.live_of(|_, hint| {
            let mut repos = hint.repos().into_iter().flatten();
            repos.any(|repo| renamed(repo).is_some()) && !hint.is_projects()
        });
        let (mut changes, mut moved) = (Vec::new(), Moved::default());
        for (slot, hint) in live {
            let mut scope = hint.scope().cloned().unwrap_or_default();
            for repo in scope.repo.iter_mut().flatten() {
                if let Some(new) = renamed(repo) {
                    let old = std::mem::replace(repo, new.clone());
                    moved.repos.insert(old, new);
                }
            }
            let mut after = Hint::clone(hint);
            after.meta.scope = self.interner.matcher(scope)?;
            if let Some(origin) = &mut after.meta.origin
                && let Some(new) = origin.repo.as_deref().and_then(renamed)
            {
                origin.repo = Some(new.into());
            }
            let names = slot.names();
            changes.extend(self.relocate((slot, hint), names, after, &mut moved)?);
        }
        for mark in self.store.marks().iter() {
            if let Some(new) = mark.repo.as_deref().and_then(renamed) {
                let after = Mark {
                    repo: Some(new.as_str().into()),
                    ..mark.clone()
                };
                changes.extend([ChangeKind::Unmark(mark.clone()), ChangeKind::Mark(after)]);
                let old = mark.repo.as_deref().unwrap_or_default().to_owned();
                moved.repos.insert(old, new);
            }
        }
        if changes.is_empty() {
            let from = both.as_ref().map_or(names.0, |(from, _)| from.as_str());
            let words = format!("no hint is for `{from}`; `nudge ls -l` shows what each is for");
            return Err(Error::not_found("no_slot", words));
        }
        changes.retain(|_| !is_dry);
        Ok((changes, moved))
    }

    /// The variant that a set moves.
    pub(crate) fn moved(
        &self,
        names: (&Name, &Name),
        from: Scope,
        to: &Patch<Scope>,
    ) -> Result<Arc<Hint>, Error> {
        if !self.by.is_user() {
            let words = "only the user may move a variant; ask the user to run `nudge edit`";
            return Err(Error::forbidden("only_user", words));
        }
        if to.is_keep() {
            let words = "`meta.scope` is missing; say where the variant goes";
            return Err(Error::invalid("meta.scope", "missing_field", words));
        }
        let moved = self.pick_one(names, Which::Scope(from))?;
        not_projects(names, &moved).map(|()| moved)
    }

    /// Refuses to move a variant to a scope that another has.
    pub(crate) fn check_free(
        &self,
        names: (&Name, &Name),
        to: &Scope,
        (value, moved): (&HintValue, &Arc<Hint>),
    ) -> Result<(), Error> {
        let matcher = self.interner.matcher_for(to.clone(), value)?;
        let to = matcher.as_ref().map(|matcher| &***matcher);
        let there = self.store.live_variant(names, to, self.now);
        if there.is_none_or(|there| Arc::ptr_eq(there, moved)) {
            return Ok(());
        }
        let words = format!(
            "`{}/{}` has a variant with that scope already; choose another, or delete that one first",
            names.0, names.1
        );
        Err(Error::of(ErrorKind::Conflict, "exists", words).at("meta.scope"))
    }

    /// Some of the live hints, by name and the oldest first.
    fn live_of(self, is_of: impl Fn(&Slot, &Hint) -> bool) -> Vec<(&'a Slot, &'a Arc<Hint>)> {
        let slots = self.store.slots();
        let live = slots.flat_map(|slot| slot.live(self.now).map(move |hint| (slot, hint)));
        let mut live: Vec<_> = live.filter(|(slot, hint)| is_of(slot, hint)).collect();
        live.sort_by(|(a, old), (b, new)| {
            (&a.component, &a.key, old.updated_at).cmp(&(&b.component, &b.key, new.updated_at))
        });
        live
    }

    /// The changes by which a hint stands under other names or for another repository. Where a
    /// newer one stands, that stays.
    fn relocate(
        self,
        (slot, hint): (&Slot, &Arc<Hint>),
        (component, key): (Name, Name),
        mut after: Hint,
        moved: &mut Moved,
    ) -> Result<Vec<ChangeKind>, Error> {
        check_hint(&component, &key, &after, self.config, self.by)?;
        let old = slot.names();
        let mut changes = vec![ChangeKind::delete(old, hint)];
        let there = (&component, &key);
        let there = self.store.live_variant(there, after.scope(), self.now);
        if there.is_some_and(|there| there.updated_at > hint.updated_at) {
            return Ok(changes);
        }
        after.version = there.map_or(0, |there| there.version + 1).max(hint.version);
        let hint = Arc::new(after);
        changes.extend(self.wanted((&component, &key), &hint));
        let names = (component.clone(), key.clone());
        changes.push(ChangeKind::set(names, there, Arc::clone(&hint)));
        moved.hints.push(MovedHint {
            component,
            key,
            hint,
        });
        Ok(changes)
    }
}

/// What a repository is called once `from` is called `to`; `None` for another one. A name without
/// a host is meant on any, and leaves the host as it is.
fn renamed_repo(repo: &Repo, from: &Repo, to: &Repo) -> Option<Repo> {
    let is_on_any = from.is_without_host() && repo.path() == from.path();
    if repo.as_str() != from.as_str() && !is_on_any {
        return None;
    }
    let host = repo
        .path()
        .and_then(|path| repo.as_str().strip_suffix(path));
    match host.zip(to.path().filter(|_| to.is_without_host())) {
        Some((host, path)) => Repo::parse(&[host, path].concat()),
        None => Some(to.clone()),
    }
}

/// Refuses to move what stands in the project's file.
fn not_projects((component, key): (&Name, &Name), hint: &Hint) -> Result<(), Error> {
    if !hint.is_projects() {
        return Ok(());
    }
    let words =
        format!("`{component}/{key}` is in the project's file; change it in `.nudge-hints.json`");
    Err(Error::invalid("component", "project", words))
}
