//! What `.` means as a component: the folder of a manifest, else the repository.

use crate::model::name::Name;
use crate::scope::context::Context;

/// The component that `.` means where a caller is: the name of the folder of the nearest
/// manifest below the root, else that of the repository, or of the folder where there is none.
///
/// Which folder that is, from the root, is up to whoever can look: see [`Projects`](crate::Projects).
///
/// # Examples
///
/// ```
/// use nudge::{Context, component_at};
///
/// let here = Context::new().cwd("/work/shop/packages/web").root("/work/shop").repo("git:acme/shop");
/// assert_eq!(component_at(&here, "packages/web").unwrap(), "web");
/// assert_eq!(component_at(&here, "").unwrap(), "shop");
/// ```
#[must_use]
pub fn component_at(context: &Context, folder: &str) -> Option<Name> {
    let facts = context.facts();
    let places = [
        Some(folder),
        facts.repo(),
        facts.root.as_deref(),
        facts.cwd.as_deref(),
    ];
    let last = |place: &str| place.rsplit('/').next().unwrap_or_default().to_owned();
    let names = places.into_iter().flatten().map(last).map(Name::from);
    let mut names = names.filter(|name| !name.is_empty() && *name != ".");
    names.find(|name| name.check("component").is_ok())
}

/// The component and the key of a text that has both, such as `shop/test`: split at the last slash.
///
/// # Examples
///
/// ```
/// assert_eq!(nudge::slot_of("shop/web/test"), Some(("shop/web", "test")));
/// assert_eq!(nudge::slot_of("shop"), None);
/// ```
#[must_use]
pub fn slot_of(text: &str) -> Option<(&str, &str)> {
    let parts = text.rsplit_once('/');
    parts.filter(|(component, key)| !component.is_empty() && !key.is_empty())
}

impl Context {
    /// The folder that the context is in, from the root; empty at the root, or without one.
    pub(crate) fn folder_below_root(&self) -> &str {
        let facts = self.facts();
        let below = facts.cwd.as_deref().zip(facts.root.as_deref());
        let below = below.and_then(|(cwd, root)| cwd.strip_prefix(root)?.strip_prefix('/'));
        below.unwrap_or_default()
    }
}
