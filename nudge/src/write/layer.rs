//! What loading a layer changes: kept hints are merged, a project's take the place of those
//! that it had before.

use std::sync::Arc;

use crate::api::answer::Imported;
use crate::api::layer::Layer;
use crate::api::payload::Snapshot;
use crate::hint::origin::Origin;
use crate::hint::{Hint, Source};
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::scope::glob::escape;
use crate::store::change::{ChangeKind, Removed};
use crate::write::import::Checked;
use crate::write::plan::WriteContext;

impl Layer {
    /// Whether a hint is kept in this layer by itself.
    pub(crate) fn keeps(&self, hint: &Hint) -> bool {
        let repos = hint.scope().and_then(|scope| scope.repo.as_deref());
        let is_here = match (self, repos) {
            (Layer::Repo(repo), Some(repos)) => repos.contains(repo),
            (Layer::Everywhere, None) => hint.is_users(),
            (Layer::Project(root), _) => return hint.is_projects_at(root),
            _ => false,
        };
        // `file:///workspace` is every container's.
        let has_remote =
            repos.is_some_and(|repos| !repos.iter().any(|repo| repo.starts_with("file:")));
        let is_proven = hint.is_learned() && has_remote || hint.is_proven();
        let is_lasting = hint.meta.ttl.is_none() && !hint.is_secret() && !hint.is_projects();
        is_here && is_lasting && (hint.is_users() || is_proven)
    }

    /// Whether what is remembered of a repository is kept in this layer.
    pub(crate) fn keeps_of(&self, repo: Option<&Name>) -> bool {
        match (self, repo) {
            (Layer::Repo(known), Some(repo)) => *repo == **known,
            (Layer::Everywhere, None) => true,
            _ => false,
        }
    }
}

impl Checked {
    /// The changes that bring a layer into the store. What the layer held `before` and the
    /// store no longer has was taken away here, and stays away.
    pub(crate) fn plan_layer(
        mut self,
        on: WriteContext<'_>,
        layer: &Layer,
        before: Option<&Snapshot>,
    ) -> (Vec<ChangeKind>, Imported) {
        let mut changes = Vec::new();
        if let Layer::Project(root) = layer {
            self.confine(root, on);
            changes.extend(self.replaced(on, root));
        }
        let mut marks = std::mem::take(&mut self.marks);
        for mark in &mut marks {
            mark.at = mark.at.min(on.now);
        }
        let known = |names: (&Name, &Name), hint: &Hint| {
            let slot = on.store.slot(names.0, names.1);
            let mut live = slot.into_iter().flat_map(|slot| slot.live(on.now));
            live.any(|known| known.meta.scope == hint.meta.scope)
        };
        self.retain(|names, hint| {
            let was_taken = before.is_some_and(|before| before.holds(names, hint));
            let is_unwanted = on
                .store
                .marks()
                .of(names)
                .chain(&marks)
                .any(|mark| mark.forbids(names, hint));
            !is_unwanted && (!was_taken || known(names, hint))
        });
        for mark in marks {
            let names = (&mark.component, &mark.key);
            let is_known = on.store.marks().of(names).any(|known| known.is_same(&mark));
            if !layer.keeps_of(mark.repo.as_ref()) || is_known {
                continue;
            }
            let slot = on.store.slot(names.0, names.1);
            let live = slot.into_iter().flat_map(|slot| slot.live(on.now));
            let unwanted = live.filter(|hint| mark.forbids(names, hint));
            let gone = unwanted.map(|hint| (names.0.clone(), names.1.clone(), hint));
            changes.extend(gone.map(|(component, key, hint)| {
                ChangeKind::Delete(Removed::new((component, key), hint))
            }));
            changes.push(ChangeKind::Mark(mark));
        }
        let outcome = self.compare(on.store, on, &mut changes);
        (changes, outcome.answer)
    }

    /// Keeps only some of the hints.
    pub(crate) fn retain(&mut self, mut is_kept: impl FnMut((&Name, &Name), &Hint) -> bool) {
        for (component, slots) in &mut self.components {
            for (key, hints) in slots {
                hints.retain(|hint| is_kept((component, key), hint));
            }
        }
    }

    /// Changes each hint, or takes it out.
    fn change(&mut self, mut change: impl FnMut(&mut Hint) -> bool) {
        let slots = self.components.iter_mut().flat_map(|(_, slots)| slots);
        for (_, hints) in slots {
            hints.retain_mut(|hint| change(Arc::make_mut(hint)));
        }
    }

    /// Whether it has a hint under those names with the same scope.
    fn has_same(&self, (component, key): (&Name, &Name), hint: &Hint) -> bool {
        let slots = self.components.iter().filter(|(name, _)| name == component);
        let slots = slots
            .flat_map(|(_, slots)| slots)
            .filter(|(name, _)| name == key);
        let mut hints = slots.flat_map(|(_, hints)| hints);
        hints.any(|other| other.meta.scope == hint.meta.scope)
    }

    /// Has a project's hints apply only below its root, and says whose they are.
    fn confine(&mut self, root: &str, on: WriteContext<'_>) {
        let below = escape(root);
        self.change(|hint| {
            let scope = hint.scope().cloned().unwrap_or_default();
            let globs = scope
                .cwd_glob
                .clone()
                .unwrap_or_else(|| vec!["./**".to_owned()]);
            let confined = globs
                .iter()
                .filter_map(|glob| match glob.strip_prefix("./") {
                    Some(rest) => Some(format!("{below}/{rest}")),
                    None => glob.starts_with(&format!("{below}/")).then(|| glob.clone()),
                });
            let confined: Vec<String> = confined.collect();
            if confined.is_empty() {
                return false;
            }
            let scope = Scope {
                cwd_glob: Some(confined),
                ..scope
            };
            let Ok(matcher) = on.interner.matcher(scope) else {
                return false;
            };
            hint.meta.scope = matcher;
            if hint.is_secret() {
                return false;
            }
            // What the file says of how often it worked, nobody has seen.
            (hint.use_count, hint.fail_count) = (0, 0);
            (hint.claimed_uses, hint.claimed_failures) = (0, 0);
            (hint.last_used_at, hint.last_failed_at) = (None, None);
            hint.first_failed_at = None;
            // Nor does a file decide what comes first.
            hint.meta.pin = false;
            hint.meta.source = Some(Source::FileImport);
            let mut origin = Origin::new(Origin::PROJECT);
            origin.root = Some(root.into());
            hint.meta.origin = Some(Box::new(origin));
            true
        });
    }

    /// The changes that take away what the file of a project no longer says.
    fn replaced(&self, on: WriteContext<'_>, root: &str) -> Vec<ChangeKind> {
        let is_of_root = |hint: &&Arc<Hint>| hint.is_projects_at(root);
        let slots = on.store.slots();
        let old = slots.flat_map(|slot| {
            let names = (slot.component.clone(), slot.key.clone());
            let hints = slot
                .variants
                .iter()
                .map(|variant| &variant.hint)
                .filter(is_of_root);
            hints.map(move |hint| (names.clone(), hint))
        });
        let gone = old.filter(|((component, key), hint)| !self.has_same((component, key), hint));
        gone.map(|(names, hint)| ChangeKind::Delete(Removed::new(names, hint)))
            .collect()
    }
}

impl Snapshot {
    /// Whether it holds a hint that is at least as new.
    fn holds(&self, (component, key): (&Name, &Name), hint: &Hint) -> bool {
        let slots = self.components.iter().find(|(name, _)| name == component);
        let slots = slots.into_iter().flat_map(|(_, slots)| slots);
        let mut variants = slots
            .filter(|(name, _)| name == key)
            .flat_map(|(_, hints)| hints);
        variants
            .any(|known| known.meta.scope == hint.meta.scope && known.updated_at >= hint.updated_at)
    }
}
