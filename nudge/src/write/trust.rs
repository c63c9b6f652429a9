//! The user's word: what others than the user may change, and whose praise counts.

use std::sync::Arc;

use crate::api::answer::Deleted;
use crate::api::caller::Actor;
use crate::api::place::Place;
use crate::api::set_hint::{MetaPatch, Patch};
use crate::hint::mark::Mark;
use crate::hint::origin::{Origin, who};
use crate::hint::{Hint, HintValue, Sensitivity, Source};
use crate::model::error::Error;
use crate::model::name::Name;
use crate::scope::context::Context;
use crate::scope::matcher::ScopeMatcher;
use crate::store::change::ChangeKind;
use crate::write::plan::WriteContext;

impl WriteContext<'_> {
    /// Says who a write comes from. Only the user may say so, or keep a secret.
    pub(crate) fn stamp(&self, meta: &mut MetaPatch, origin: Option<&Origin>) -> Result<(), Error> {
        if self.by.is_user() {
            if meta.source == Patch::Keep {
                meta.source = Patch::Set(Source::User);
            }
            return Ok(());
        }
        if meta.sensitivity == Patch::Set(Sensitivity::Secret) {
            return Err(no_secret());
        }
        if meta.pin == Patch::Set(true) {
            return Err(no_pin());
        }
        // What a secret was replaced by has to pass the guard.
        if meta.sensitivity == Patch::Keep {
            meta.sensitivity = Patch::Clear;
        }
        meta.source = Patch::Set(self.by.source());
        let client = origin.and_then(|origin| origin.client.clone());
        if let (Patch::Keep, Some(client)) = (&meta.added_by, client) {
            meta.added_by = Patch::Set(Arc::from(&*client));
        }
        Ok(())
    }

    /// Whether a write is the user's own, as its stamped source says.
    pub(crate) fn is_users_write(meta: &MetaPatch) -> bool {
        matches!(
            meta.source,
            Patch::Set(Source::User | Source::FileImport) | Patch::Clear
        )
    }

    /// The hint that keeps a write of others than the user from being done: the one of that
    /// scope, or one of the user's that applies where the writer is.
    pub(crate) fn in_the_way<'h>(
        &self,
        live: &[&'h Arc<Hint>],
        scope: Option<&Arc<ScopeMatcher>>,
        (value, meta): (&HintValue, &MetaPatch),
    ) -> Option<&'h Arc<Hint>> {
        if WriteContext::is_users_write(meta) {
            return None;
        }
        let is_in_the_way = |known: &&Arc<Hint>| self.stands_against(known, scope, value);
        let in_the_way = live.iter().copied().filter(is_in_the_way);
        in_the_way.min_by_key(|known| known.meta.scope.as_ref() != scope)
    }

    /// Whether a hint stands against another value of a scope: it has that scope and is proven,
    /// or it is the user's, and has it or applies where the caller is.
    pub(crate) fn stands_against(
        &self,
        known: &Hint,
        scope: Option<&Arc<ScopeMatcher>>,
        value: &HintValue,
    ) -> bool {
        let here = self.by.here.map(Context::facts);
        let facts = here.unwrap_or_else(|| Context::nowhere().facts());
        let is_same = known.meta.scope.as_ref() == scope;
        // What hooks teach, they teach anew.
        let is_lesson = self.by.actor == Actor::Hook && known.is_learned();
        let is_proven = known.is_proven() && known.value != *value && !is_lesson;
        is_same && is_proven || known.is_users() && (is_same || known.applies(facts))
    }

    /// Whether a hint says already what a write would say, whoever says it and wherever.
    pub(crate) fn is_said(&self, value: &HintValue, meta: &MetaPatch, known: &Hint) -> bool {
        let scope = known.meta.scope.clone();
        let said = || meta.clone().onto(Some(&known.meta), scope, self.interner);
        *value == known.value && said().says_the_same(&known.meta)
    }

    /// The hint of the user's that a delete may only propose to delete; an error where the
    /// caller may not reach what it means.
    pub(crate) fn spared_by_delete(
        &self,
        meant: &Deleted,
        place: &Place,
        all: bool,
    ) -> Result<Option<Arc<Hint>>, Error> {
        if self.by.is_user() {
            return Ok(None);
        }
        let slot = format!("`{}/{}`", meant.component, meant.key);
        let users = meant.previous.iter().find(|hint| hint.is_users());
        if users.is_some() && all {
            let words = format!(
                "{slot} holds what the user has set; delete your own by its `scope`, or ask the user"
            );
            return Err(Error::forbidden("users", words));
        }
        let is_reached = |hint: &Arc<Hint>| {
            let is_inside = *place != Place::Everywhere && place.holds(hint.scope());
            is_inside || self.by.has_set(hint)
        };
        if users.is_none() && !meant.previous.iter().all(is_reached) {
            let words = format!(
                "{slot} was set by somebody else in another place; set one for here, or ask the user"
            );
            return Err(Error::forbidden("others", words));
        }
        Ok(users.cloned())
    }

    /// Whether the caller is surely somebody else than who set the value of a hint: another
    /// agent session or, where sessions are not known, another client.
    pub(crate) fn is_another_than_author_of(&self, hint: &Hint) -> bool {
        let origin = hint.meta.origin.as_ref();
        let author = origin.and_then(|origin| origin.session.as_deref());
        match (self.by.session, author) {
            _ if self.by.is_user() => true,
            (Some(caller), Some(author)) => caller != author,
            _ => !self.by.has_set(hint),
        }
    }

    /// Whether a hint was set by whoever the write is by: the user, or the same client.
    pub(crate) fn is_author_of(&self, hint: &Hint, meta: &MetaPatch) -> bool {
        let is_users = WriteContext::is_users_write(meta);
        let is_unknown = || self.origin().is_none() && hint.meta.origin.is_none();
        let is_same = || is_unknown() || self.by.has_set(hint);
        is_users == hint.is_users() && (is_users || is_same())
    }

    /// The changes that remember of a hint that the user does not want it.
    pub(crate) fn unwanted(
        &self,
        names: (&Name, &Name),
        hint: &Hint,
    ) -> impl Iterator<Item = ChangeKind> {
        let marks = self
            .by
            .is_user()
            .then(|| Mark::unwanted(names, hint, self.now));
        marks.into_iter().flatten().map(ChangeKind::Mark)
    }

    /// The changes that forget it: the user has set that hint.
    pub(crate) fn wanted(
        &self,
        names: (&Name, &Name),
        hint: &Hint,
    ) -> impl Iterator<Item = ChangeKind> {
        let marks = self.store.marks().of(names);
        let marks = marks.filter(|mark| mark.is_about(names, hint)).cloned();
        let marks: Vec<Mark> = marks.collect();
        marks.into_iter().map(ChangeKind::Unmark)
    }

    /// The caller, for a person who reads why something is only proposed.
    pub(crate) fn who(&self) -> String {
        let client = self.by.client.map(Into::into);
        who(&self.by.via.as_str().into(), client.as_ref())
    }
}

/// The refusal of a pin that is not the user's.
pub(crate) fn no_pin() -> Error {
    let words = "only the user may pin a hint";
    Error::forbidden("pin", words)
}

/// The refusal of a secret that is not the user's.
pub(crate) fn no_secret() -> Error {
    let words = "only the user may store a secret; store a reference such as `$NAME`";
    Error::forbidden("secret", words)
}
