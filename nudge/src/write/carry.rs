//! What the stores of two machines say to each other: how it is merged, and what goes out.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::api::merge::Merged;
use crate::api::payload::{Named, Payload};
use crate::hint::Hint;
use crate::hint::lifetime::Lifetime;
use crate::hint::mark::Mark;
use crate::hint::stamp::{Said, Stamp};
use crate::model::error::{Error, ErrorKind};
use crate::model::name::{Name, check_names, check_text};
use crate::model::scope::Scope;
use crate::model::ttl::Ttl;
use crate::secret::finds_secret;
use crate::store::change::{ChangeKind, Removed};
use crate::write::import::{Checked, Outcome};
use crate::write::plan::WriteContext;
use crate::write::validate::check_hint;

/// The longest repository and hash of a mark, in bytes.
const MAX_REPO_BYTES: usize = 256;
const HASH_BYTES: usize = 16;

impl WriteContext<'_> {
    /// The change after which this machine is known by that name.
    pub(crate) fn plan_named(self, machine: &Name) -> Vec<ChangeKind> {
        let named = (self.store.machine() != Some(machine)).then(|| ChangeKind::Machine {
            machine: machine.clone(),
            counter: self.store.counter(),
        });
        named.into_iter().collect()
    }

    /// The changes by which everything is shared that was kept before the first merge: it is set
    /// once more, as it is, and takes a stamp.
    pub(crate) fn plan_shared(self) -> Vec<ChangeKind> {
        let slots = self.store.slots().flat_map(|slot| {
            let hints = slot.live(self.now).map(|hint| slot.with_names(hint));
            hints.filter(|(_, _, hint)| hint.is_carried() && hint.stamp.is_none())
        });
        let sets = slots.map(|(component, key, hint)| {
            ChangeKind::set((component, key), Some(&hint), Arc::clone(&hint))
        });
        let marks = self.store.marks().iter();
        let marks = marks.filter(|mark| mark.stamp.is_none()).cloned();
        sets.chain(marks.map(ChangeKind::Mark)).collect()
    }

    /// The changes after which the store has of everything what the higher stamp says.
    pub(crate) fn plan_merge(self, machine: &Name, from: Checked) -> (Vec<ChangeKind>, Merged) {
        let known = self.store.counter();
        let mut outcome = from.outcome;
        let (mut changes, mut merged) = (Vec::new(), Merged::default());
        let mut counts = self.store.counts().clone();
        for (component, slots) in from.components {
            for (key, hint) in self.sent(&component, slots, &mut outcome) {
                let names = (&component, &key);
                let (here, mark, own) = self.said(names, hint.scope());
                let before = here.map(|here| &**here);
                let room = counts.check((&component, &hint), before, &self.config.limits, true);
                if let Err(error) = room {
                    outcome.skip(&component, &key, error);
                    continue;
                }
                // What the user says for this session stands as long as that.
                let is_for_now = here.is_some_and(|here| here.is_users() && is_apart(here));
                if is_for_now || own.is_some_and(|own| Said::Hint(&hint).over(&own).is_le()) {
                    continue;
                }
                let hint = Arc::new(hint.received(here, self));
                counts.replace(&component, here.map(|here| &**here), Some(&hint));
                changes.extend(mark.cloned().map(ChangeKind::Unmark));
                changes.push(ChangeKind::set((component.clone(), key), here, hint));
                merged.taken += 1;
            }
        }
        let mut marks = Vec::new();
        for mark in from.marks {
            match self.check_mark(mark.clone()) {
                Ok(mark) => marks.push(mark),
                Err(error) => outcome.skip(&mark.component, &mark.key, error),
            }
        }
        let subject = |one: &Mark, other: &Mark| one.subject().cmp(&other.subject());
        let over = |one: &Mark, other: &Mark| Said::Mark(one).over(&Said::Mark(other));
        for mark in highest(marks, subject, over) {
            let names = (&mark.component, &mark.key);
            let (here, _, own) = self.said(names, mark.scope.as_ref());
            let mut marks = self.store.marks().of(names);
            let known = marks.find(|known| known.is_same(&mark)).map(Said::Mark);
            let own = if mark.is_of_hint() { own } else { known };
            if own.is_some_and(|own| Said::Mark(&mark).over(&own).is_le()) {
                continue;
            }
            if let Some(here) = here.filter(|here| mark.is_of_hint() && !is_apart(here)) {
                let gone = Removed::new((mark.component.clone(), mark.key.clone()), here);
                changes.push(ChangeKind::Delete(gone));
                merged.deleted += 1;
            }
            changes.push(ChangeKind::Mark(mark));
        }
        let stamps = from.stamps.iter().filter(|it| it.check(known).is_ok());
        let counter = stamps.map(|stamp| stamp.counter).max();
        if let Some(counter) = counter.filter(|counter| *counter > known) {
            let machine = machine.clone();
            changes.insert(0, ChangeKind::Machine { machine, counter });
        }
        merged.refused = outcome.answer.skipped;
        merged.problems = outcome.answer.problems;
        (changes, merged)
    }

    /// The hints of a component that a machine of ours could send.
    fn sent(
        &self,
        component: &Name,
        slots: Named<Vec<Arc<Hint>>>,
        outcome: &mut Outcome,
    ) -> Vec<(Name, Arc<Hint>)> {
        let mut sent = Vec::new();
        for (key, mut hints) in slots {
            hints.retain(|hint| {
                let checked = self.check_sent(hint);
                let is_good = checked.is_ok();
                checked.unwrap_or_else(|error| outcome.skip(component, &key, error));
                is_good
            });
            let subject = |one: &Arc<Hint>, other: &Arc<Hint>| one.scope().cmp(&other.scope());
            let over =
                |one: &Arc<Hint>, other: &Arc<Hint>| Said::Hint(one).over(&Said::Hint(other));
            let hints = highest(hints, subject, over).into_iter();
            sent.extend(hints.map(|hint| (key.clone(), hint)));
        }
        sent
    }

    /// What stands here of a hint, the mark that it does not, and which of them speaks for it.
    fn said(
        &self,
        names: (&Name, &Name),
        scope: Option<&Scope>,
    ) -> (Option<&Arc<Hint>>, Option<&Mark>, Option<Said<'_>>) {
        let here = self.store.live_variant(names, scope, self.now);
        let mark = self.store.marks().gone(names, scope);
        let stamped = here.filter(|here| here.stamp.is_some());
        let said = stamped.map(|here| Said::Hint(here));
        (here, mark, said.or(mark.map(Said::Mark)))
    }

    /// Refuses a hint that no machine of ours sends.
    fn check_sent(&self, hint: &Hint) -> Result<(), Error> {
        self.check_stamp(hint.stamp.as_deref())?;
        let is_stated = hint.meta.ttl.as_ref().is_none_or(|ttl| *ttl == Ttl::KEPT);
        let is_kept = hint.lifetime == Lifetime::Kept || !self.config.keep;
        if !is_stated || !is_kept || hint.is_secret() || hint.is_projects() {
            let words = "only what is kept goes from one machine to another";
            return Err(Error::invalid("meta.ttl", "kept", words));
        }
        Ok(())
    }

    /// The same for a mark, whose scope is then as this machine writes it.
    fn check_mark(&self, mut mark: Mark) -> Result<Mark, Error> {
        self.check_stamp(mark.stamp.as_ref())?;
        check_names(&mark.component, &mark.key)?;
        let repo = mark.repo.as_deref().unwrap_or("-");
        check_text(repo, "repo", MAX_REPO_BYTES)?;
        let scope = self
            .interner
            .matcher(mark.scope.take().unwrap_or_default())?;
        let is_hash =
            mark.value.len() == HASH_BYTES && mark.value.bytes().all(|it| it.is_ascii_hexdigit());
        if !(mark.is_of_hint() && mark.repo.is_none() && !mark.wanted || is_hash && scope.is_none())
        {
            return Err(Error::invalid("value", "hash", "it is no mark of ours"));
        }
        let texts = [
            &*mark.component,
            &*mark.key,
            repo,
            &json!(scope).to_string(),
        ];
        if texts.into_iter().any(finds_secret) {
            let words = "it looks like a credential";
            return Err(Error::new(ErrorKind::SecretRejected, words));
        }
        mark.scope = scope.map(|matcher| Scope::clone(&matcher));
        Ok(mark)
    }

    fn check_stamp(&self, stamp: Option<&Stamp>) -> Result<(), Error> {
        let missing = || Error::invalid("stamp", "missing", "it has no stamp");
        stamp.ok_or_else(missing)?.check(self.store.counter())
    }

    /// What goes to other machines, by repository, and how much looks like a credential.
    pub(crate) fn carried(self) -> (BTreeMap<Name, Payload>, usize) {
        let (mut files, mut left_out) = (BTreeMap::new(), 0);
        let mut slots: Vec<_> = self.store.slots().collect();
        slots.sort_by_key(|slot| (&slot.component, &slot.key));
        for slot in slots {
            let hints = slot
                .live(self.now)
                .filter(|hint| hint.is_carried() && hint.stamp.is_some());
            let mut hints: Vec<_> = hints.collect();
            hints.sort_by_key(|hint| hint.scope());
            for hint in hints {
                if check_hint(&slot.component, &slot.key, hint, self.config, self.by).is_err() {
                    left_out += 1;
                    continue;
                }
                let file = file(&mut files, repo_of(hint.scope()));
                let slot = &mut file["components"][&*slot.component]["hints"][&*slot.key];
                match slot {
                    Value::Null => *slot = hint.carried(),
                    Value::Array(several) => several.push(hint.carried()),
                    one => *one = json!([one.take(), hint.carried()]),
                }
            }
        }
        let marks = self.store.marks().iter();
        let mut marks: Vec<_> = marks.filter(|mark| mark.stamp.is_some()).collect();
        marks.sort_by_key(|mark| mark.subject());
        for mark in marks {
            let repo = mark.repo.as_deref();
            let repo = repo.unwrap_or_else(|| repo_of(mark.scope.as_ref()));
            match &mut file(&mut files, repo)["marks"] {
                Value::Array(several) => several.push(json!(mark)),
                none => *none = json!([mark]),
            }
        }
        let files = files.into_iter();
        let files = files.map(|(repo, file)| (repo, file.to_string().into()));
        (files.collect(), left_out)
    }
}

/// Of several in one file that speak of the same, the one that counts.
fn highest<T>(
    mut all: Vec<T>,
    subject: impl Fn(&T, &T) -> Ordering,
    over: impl Fn(&T, &T) -> Ordering,
) -> Vec<T> {
    all.sort_by(|one, other| subject(one, other).then_with(|| over(other, one)));
    all.dedup_by(|lower, kept| subject(lower, kept).is_eq());
    all
}

fn file<'f>(files: &'f mut BTreeMap<Name, Value>, repo: &str) -> &'f mut Value {
    let empty = || json!({"schema_version": "1.1", "components": {}});
    files.entry(repo.into()).or_insert_with(empty)
}

/// The repository of a hint; none of one that names none or several.
fn repo_of(scope: Option<&Scope>) -> &str {
    match scope.and_then(|scope| scope.repo.as_deref()) {
        Some([repo]) => repo,
        _ => "",
    }
}

/// Whether a hint was never kept: it is this machine's alone.
fn is_apart(hint: &Hint) -> bool {
    !hint.is_carried() && hint.stamp.is_none()
}

impl Hint {
    /// A hint of another machine as it is here: its times and uses are this machine's.
    fn received(&self, here: Option<&Arc<Hint>>, on: WriteContext<'_>) -> Hint {
        let at = self
            .stamp
            .as_ref()
            .map_or(on.now, |stamp| stamp.at.min(on.now));
        let same = here.filter(|here| here.value == self.value);
        let mut hint = Hint {
            meta: self.meta.clone(),
            lifetime: self.lifetime,
            expires_at: None,
            stamp: self.stamp.clone(),
            version: here.map_or(1, |here| here.version.saturating_add(1)),
            created_at: here.map_or(at, |here| here.created_at.min(at)),
            updated_at: at,
            ..same.map_or_else(|| self.clone(), |same| Hint::clone(same))
        };
        if let Some(origin) = &mut hint.meta.origin {
            origin.at = Some(at);
        }
        hint
    }
}
