//! `Roots`: which clones of a repository are known. Anybody can unpack a folder whose config
//! names a remote, so a root is known if it is the first one, if the user works there, or if it
//! shares a commit with one that is.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use nudge::{Context, Repo};
use parking_lot::Mutex;

use super::commits::GitFolder;

/// How many roots of a repository are known, and with how many a new one is compared.
const MOST_ROOTS: usize = 64;
const MOST_COMPARED: usize = 8;

/// How many roots that are not known are remembered, and for how long.
const MOST_STRANGE: usize = 256;
const STRANGE_FOR: Duration = Duration::from_secs(10);

/// The known roots of each repository, the one that came last at the end, and a commit that
/// each had then: a clone that was moved is known by it.
pub(crate) type KnownRoots = BTreeMap<String, Vec<(String, String)>>;

/// Which roots are known.
#[derive(Debug, Default)]
pub(crate) struct Roots(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    known: KnownRoots,
    /// Those that were looked at and shared nothing.
    strange: BTreeMap<String, Instant>,
    is_unsaved: bool,
}

impl Roots {
    /// Knows what was known before.
    pub(crate) fn load(&self, known: KnownRoots) {
        self.0.lock().known = known;
    }

    /// All that is known, if it is to be written down, or some of it is new.
    pub(crate) fn take_unsaved(&self, is_due: bool) -> Option<KnownRoots> {
        let mut state = self.0.lock();
        let is_due = std::mem::take(&mut state.is_unsaved) || is_due;
        is_due.then(|| state.known.clone())
    }

    /// Whether a root is one of a repository.
    pub(super) fn knows(&self, root: &str, repo: &str) -> bool {
        let state = self.0.lock();
        let seen = state.strange.get(root);
        let is_strange = seen.is_some_and(|at| at.elapsed() < STRANGE_FOR);
        if is_strange || state.is_known(root, repo) {
            return !is_strange;
        }
        drop(state);
        // Who states a root that is not there, or another's repository, speaks of no clone.
        let Some(repo) = named_at(root, repo) else {
            return true;
        };
        let known = self.0.lock().known.get(&repo).cloned().unwrap_or_default();
        let clone = GitFolder::at(Path::new(root));
        let shares = |clone: &GitFolder| {
            known.iter().rev().take(MOST_COMPARED).any(|(other, tip)| {
                let other = GitFolder::at(Path::new(other));
                let has = |other| clone.shares(&other);
                other.is_some_and(has) || clone.has(std::slice::from_ref(tip))
            })
        };
        let is_known = known.is_empty() || clone.as_ref().is_some_and(shares);
        if is_known {
            self.add(root, repo);
        } else {
            let mut state = self.0.lock();
            if state.strange.len() >= MOST_STRANGE {
                state.strange.clear();
            }
            state.strange.insert(root.to_owned(), Instant::now());
        }
        is_known
    }

    /// Knows a root from now on, because the user works there.
    pub(crate) fn admit(&self, root: &str, repo: &str) {
        let is_known = self.0.lock().is_known(root, repo);
        if !is_known && let Some(repo) = named_at(root, repo) {
            self.add(root, repo);
        }
    }

    fn add(&self, root: &str, repo: String) {
        let clone = GitFolder::at(Path::new(root));
        let tip = clone.and_then(|clone| clone.tips().into_iter().next());
        let mut state = self.0.lock();
        state.strange.remove(root);
        state.is_unsaved = true;
        let known = state.known.entry(repo).or_default();
        known.push((root.to_owned(), tip.unwrap_or_default()));
        if known.len() > MOST_ROOTS {
            let gone = known.iter().position(|(root, _)| !Path::new(root).exists());
            known.remove(gone.unwrap_or_default());
        }
    }

    /// The repository that a root named before it named another.
    pub(super) fn named_before(&self, root: &str, repo: &str) -> Option<String> {
        let repo = named_at(root, repo)?;
        let state = self.0.lock();
        let mut repos = state.known.keys().filter(|known| **known != repo);
        repos.find(|known| state.is_known(root, known)).cloned()
    }

    /// Takes the roots of a repository along that has another name from now on.
    pub(crate) fn rename(&self, old: &str, new: &str) {
        if let [Some(old), Some(new)] = [old, new].map(Repo::parse) {
            let mut state = self.0.lock();
            let moved = state.known.remove(old.as_str()).unwrap_or_default();
            let known = state.known.entry(new.as_str().to_owned()).or_default();
            known.extend(moved);
            state.is_unsaved = true;
        }
    }
}

impl State {
    fn is_known(&self, root: &str, repo: &str) -> bool {
        let known = self.known.get(repo);
        known.is_some_and(|known| known.iter().any(|(known, _)| known == root))
    }
}

/// The repository of the clone at a root, if that is the one which is meant.
fn named_at(root: &str, repo: &str) -> Option<String> {
    let here = Context::at(root);
    let is_root = here.facts().root.as_deref() == Some(root);
    let named = here.facts().repos.first().filter(|_| is_root)?;
    let is_meant = Repo::parse(repo).is_some_and(|repo| repo.allows(named));
    is_meant.then(|| named.as_str().to_owned())
}
