//! `Layer`: where hints are also written, and come from in the next session.

/// Where hints are also written, beside the session.
///
/// A store opens no file: whoever keeps hints writes what [`Nudge::kept`](crate::Nudge::kept)
/// gives, and hands what is in a file to [`Nudge::load_layer`](crate::Nudge::load_layer).
///
/// # Examples
///
/// ```
/// use nudge::{Context, Layer, Nudge, SetHint};
///
/// let today = Nudge::default();
/// today.set_hint(SetHint::new("api", "build", "make").repo("git:acme/api"))?;
/// let layer = Layer::Repo("git:acme/api".to_owned());
/// let file = serde_json::to_string(&today.kept(&layer)).unwrap();
///
/// let tomorrow = Nudge::default();
/// assert_eq!(tomorrow.load_layer(&layer, &file, None)?.imported, 1);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// The user's own, of a repository by its canonical name.
    Repo(String),
    /// The user's own that name no repository.
    Everywhere,
    /// The project's own file, at the root of a worktree; only what the user trusts of it.
    Project(String),
}
