//! `Roots`: which clones of a repository are known. Anybody can unpack a folder whose config
//! names a remote, so a root is known if it is the first one, if the user works there, or if it
//! shares a commit with one that is.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use nudge::{Context, Repo};
use parking_lot::Mutex;

use super::commits::GitFolder;

/// Of how many repositories roots are known, how many of each, and with how many a new one is
/// compared.
const MOST_REPOS: usize = 256;
const MOST_ROOTS: usize = 64;
const MOST_COMPARED: usize = 8;

/// How many roots that are not known are remembered, and for how long.
const MOST_STRANGE: usize = 256;
const STRANGE_FOR: Duration = Duration::from_secs(10);

/// The known roots of each repository, the one that came last at the end, and a commit that
/// each had then: a clone that was moved is known by it.
pub(crate) type KnownRoots = BTreeMap<String, Vec<(String, String)>>;

#[derive(Debug, Default)]
pub(crate) struct Roots(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    known: KnownRoots,
    /// Those that were looked at and shared nothing.
    strange: BTreeMap<String, Instant>,
    /// The repositories, the one that was used last at the end.
    order: Vec<String>,
    is_unsaved: bool,
}

impl Roots {
    pub(crate) fn load(&self, known: KnownRoots) {
        let mut state = self.0.lock();
        state.order = known.keys().cloned().collect();
        state.known = known;
    }

    /// All that is known, if it is to be written down, or some of it is new.
    pub(crate) fn take_unsaved(&self, is_due: bool) -> Option<KnownRoots> {
        let mut state = self.0.lock();
        let is_due = std::mem::take(&mut state.is_unsaved) || is_due;
        is_due.then(|| state.known.clone())
    }

    /// The root of each repository that came last, of those that are still there.
    pub(crate) fn newest(&self) -> BTreeMap<String, String> {
        let known = self.0.lock().known.clone();
        let newest = known.into_iter().filter_map(|(repo, roots)| {
            let roots = roots.into_iter().map(|(root, _)| root);
            let root = roots.rev().find(|root| Path::new(root).exists())?;
            Some((repo, root))
        });
        newest.collect()
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
            self.add(root, &repo);
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
            self.add(root, &repo);
        }
    }

    fn add(&self, root: &str, repo: &str) {
        let clone = GitFolder::at(Path::new(root));
        let tip = clone.and_then(|clone| clone.tips().into_iter().next());
        let mut state = self.0.lock();
        state.strange.remove(root);
        state.is_unsaved = true;
        let known = state.known.entry(repo.to_owned()).or_default();
        known.push((root.to_owned(), tip.unwrap_or_default()));
        if known.len() > MOST_ROOTS {
            let gone = known.iter().position(|(root, _)| !Path::new(root).exists());
            known.remove(gone.unwrap_or_default());
        }
        state.note_use(repo);
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
            state.order.retain(|known| known != old.as_str());
            state.note_use(new.as_str());
            state.is_unsaved = true;
        }
    }
}

impl State {
    /// Notes that a repository was used last, and forgets those that are too many: one without
    /// a clone that is there, else the one that was used longest ago.
    fn note_use(&mut self, repo: &str) {
        self.order.retain(|known| known != repo);
        self.order.push(repo.to_owned());
        if self.order.len() > MOST_REPOS {
            let is_gone = |repo: &String| {
                let mut roots = self.known.get(repo).into_iter().flatten();
                roots.all(|(root, _)| !Path::new(root).exists())
            };
            let gone = self.order.iter().position(is_gone);
            let forgotten = self.order.remove(gone.unwrap_or_default());
            self.known.remove(&forgotten);
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repositories_that_were_used_last_stay() {
        let place = tempfile::tempdir().unwrap();
        let here = place.path().to_string_lossy().into_owned();
        let mut state = State::default();
        let mut note = |repo: &str, root: &str| {
            let known = vec![(root.to_owned(), String::new())];
            state.known.insert(repo.to_owned(), known);
            state.note_use(repo);
        };
        note("first", &here);
        note("gone", "/nowhere");
        (0..300).for_each(|number| note(&number.to_string(), &here));
        assert_eq!(state.known.len(), MOST_REPOS);
        for (repo, is_known) in [
            ("first", false),
            ("gone", false),
            ("43", false),
            ("44", true),
        ] {
            assert_eq!(state.known.contains_key(repo), is_known, "{repo}");
        }
    }
}
