//! What a project's own file of hints changes: what it says takes the place of what it said.

use std::sync::Arc;

use crate::api::answer::Imported;
use crate::hint::lifetime::Lifetime;
use crate::hint::origin::Origin;
use crate::hint::{Hint, HintMeta, Source};
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::scope::glob::escape;
use crate::store::change::ChangeKind;
use crate::write::import::Checked;
use crate::write::plan::WriteContext;

impl Checked {
    /// The changes after which the store has what the file at a root says, and nothing else of it.
    pub(crate) fn plan_project(
        mut self,
        on: WriteContext<'_>,
        root: &str,
    ) -> (Vec<ChangeKind>, Imported) {
        self.confine(root, on);
        let mut changes = self.replaced(on, root);
        self.obey_marks(on);
        let outcome = self.compare(on.store, on, &mut changes);
        (changes, outcome.answer)
    }

    /// Leaves out what the user has deleted since.
    pub(crate) fn obey_marks(&mut self, on: WriteContext<'_>) {
        self.retain(|names, hint| {
            let mut marks = on.store.marks().of(names);
            !marks.any(|mark| mark.forbids(names, hint))
        });
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
            let globs = scope.cwd_glob.clone();
            let globs = globs.unwrap_or_else(|| vec!["./**".to_owned()]);
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
            let mut origin = Origin::new(Origin::PROJECT);
            origin.root = Some(root.into());
            // A file decides neither what comes first nor how long it says so.
            let meta = HintMeta {
                scope: matcher,
                pin: false,
                ttl: None,
                source: Some(Source::FileImport),
                origin: Some(Box::new(origin)),
                ..hint.meta.clone()
            };
            // What it says of how often it worked, nobody has seen.
            *hint = Hint {
                version: hint.version,
                created_at: hint.created_at,
                lifetime: Lifetime::Kept,
                ..Hint::new(hint.value.clone(), meta, hint.updated_at)
            };
            !hint.is_secret()
        });
    }

    /// The changes that take away what the file of a project no longer says.
    fn replaced(&self, on: WriteContext<'_>, root: &str) -> Vec<ChangeKind> {
        let is_of_root = |hint: &&Arc<Hint>| hint.is_projects_at(root);
        let slots = on.store.slots();
        let old = slots.flat_map(|slot| {
            let names = slot.names();
            let hints = slot.hints().filter(is_of_root);
            hints.map(move |hint| (names.clone(), hint))
        });
        let gone = old.filter(|((component, key), hint)| !self.has_same((component, key), hint));
        gone.map(|(names, hint)| ChangeKind::delete(names, hint))
            .collect()
    }
}
