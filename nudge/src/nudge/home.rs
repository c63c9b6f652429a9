//! `Home`: which hints are for the folder where a caller is.

use crate::hint::Hint;
use crate::model::name::Name;
use crate::nudge::Nudge;
use crate::scope::component::component_at;
use crate::scope::context::Context;
use crate::store::slot::Slot;

/// What the folder is called where a caller is.
pub(crate) struct Home {
    /// The names that its component may have, the best first: of the folders that the caller is
    /// in, up to that of the nearest manifest, and what `.` would be.
    pub(crate) names: Vec<Name>,
    /// The component with the repository's name, if no hint of the repository has another.
    only: Option<Name>,
    /// The same caller at the root of the worktree.
    at_root: Option<Context>,
}

impl Nudge {
    /// What the folder is called where a context is.
    pub(crate) fn home(&self, context: &Context) -> Home {
        let root = context.facts().root.clone();
        Home {
            names: self.names_at(context),
            only: self.only_component(context),
            at_root: root.map(|root| context.clone().cwd(root)),
        }
    }

    fn names_at(&self, context: &Context) -> Vec<Name> {
        let facts = context.facts();
        let cwd = facts.cwd.as_deref().unwrap_or_default();
        let below = context.folder_below_root();
        let (around, folder) = match &facts.root {
            Some(_) => (below, self.folder_at(context)),
            None => (cwd, String::new()),
        };
        // From where the caller is up to the folder of the manifest.
        let above = folder.rsplit_once('/').map_or(0, |(above, _)| above.len());
        let inside = around.get(above..).unwrap_or_default();
        let inside = inside.rsplit('/').filter(|name| !name.is_empty());
        let own = component_at(context, &folder);
        inside.map(Name::from).chain(own).collect()
    }

    fn only_component(&self, context: &Context) -> Option<Name> {
        let name = component_at(context, "")?;
        let repo = context.facts().repos.first()?.as_str();
        let now = self.clock.now();
        let is_other = |slot: &Slot| {
            let mut repos = slot.live(now).filter_map(|hint| hint.repos()).flatten();
            !slot.component.eq_ignore_ascii_case(&name) && repos.any(|known| known == repo)
        };
        (!self.read().slots().any(is_other)).then_some(name)
    }
}

impl Home {
    /// Which of some components is the one here.
    pub(crate) fn component<'a>(
        &self,
        all: &(impl Iterator<Item = &'a Name> + Clone),
    ) -> Option<&Name> {
        let is_there = |name: &&Name| all.clone().any(|known| known.eq_ignore_ascii_case(name));
        self.names.iter().find(is_there).or(self.only.as_ref())
    }

    /// Whether the scope of a hint that applies here names this folder, and not all of the
    /// worktree.
    pub(crate) fn is_named_by(&self, hint: &Hint) -> bool {
        let names_folders = hint.scope().is_some_and(|scope| scope.cwd_glob.is_some());
        let at_root = self.at_root.as_ref();
        names_folders && !at_root.is_some_and(|root| hint.applies(root.facts()))
    }
}
