//! `Reach`: what a caller may read, which for others than the user is what is of its place.

use crate::api::caller::{Actor, Caller, Via};
use crate::api::place::Place;
use crate::hint::Hint;
use crate::hint::working_set::WorkingSet;
use crate::scope::context::{Context, Facts};
use crate::scope::glob::escape;
use crate::scope::matcher::ScopeMatcher;
use crate::scope::repo::Repo;

/// What a caller may read: the user everything, others what names no repository and no folder,
/// and what is of a place where they are. What others than the user recorded of a repository is
/// not read from a root that only names it, whoever asks.
pub(crate) struct Reach<'a> {
    /// Where the caller is; `None` is everywhere.
    places: Option<Vec<Location<'a>>>,
    /// Whether the root that it asks from is known.
    is_known: bool,
}

/// A place where a caller is, and the folder of it, as far as that is known.
struct Location<'a> {
    facts: &'a Facts,
    folder: Place,
    /// Whether its root is known to be one of its repository.
    is_known: bool,
}

impl<'a> Location<'a> {
    fn at(context: &'a Context, is_known: bool) -> Location<'a> {
        let facts = context.facts();
        let folder = match (Place::at(facts, false), &facts.root) {
            (Place::Repo(_), Some(root)) => Place::Folder(escape(root)),
            _ => Place::folder_at(facts, false),
        };
        Location {
            facts,
            folder,
            is_known,
        }
    }

    /// Whether a scope that names a place means some of this one.
    fn meets(&self, scope: &ScopeMatcher) -> bool {
        let mut globs = scope.cwd_glob.iter().flatten();
        let is_rooted = |glob: &String| glob.starts_with("./") && self.facts.root.is_some();
        scope.repo_holds(self.facts)
            && (scope.repo.is_some()
                || scope.cwd_holds(self.facts)
                || globs.any(|glob| is_rooted(glob) || self.folder.covers(glob)))
    }

    /// Whether the place of a context is this one, or below it where this is a folder.
    fn has(&self, asked: &Facts) -> bool {
        let is_below = |path: &String| self.folder.covers(&escape(path));
        let here = &self.facts.repos;
        let is_here = |repo: &Repo| here.iter().any(|it| it.allows(repo) || repo.allows(it));
        match (&asked.cwd, &asked.repos[..]) {
            (cwd, []) => cwd.as_ref().is_none_or(is_below),
            (cwd, _) if here.is_empty() => cwd.as_ref().is_some_and(is_below),
            (_, repos) => repos.iter().all(is_here),
        }
    }
}

impl<'a> Reach<'a> {
    /// Everything.
    pub(crate) const ALL: Reach<'static> = Reach {
        places: None,
        is_known: true,
    };

    /// What a caller may read who asks from a context, which may be its place; `knows` says
    /// whether a root is known.
    pub(crate) fn of(
        by: &Caller<'a>,
        asked: Option<&'a Context>,
        knows: &dyn Fn(&Context) -> bool,
    ) -> Reach<'a> {
        let asked = asked.unwrap_or(Context::nowhere());
        let reach = Reach {
            places: None,
            is_known: knows(asked),
        };
        if by.is_user() {
            return reach;
        }
        let places = by.known_places().map(|at| Location::at(at, knows(at)));
        let mut places: Vec<Location<'a>> = places.collect();
        let facts = asked.facts();
        let is_placed = facts.cwd.is_some() || !facts.repos.is_empty();
        if places.is_empty() || is_placed && by.states_place() {
            return Reach::around(asked, reach.is_known);
        }
        // What is stated of a place does not make its root a known one.
        let here = places.iter().filter(|place| place.has(facts));
        let here = here.map(|place| place.is_known && reach.is_known).max();
        places.extend(here.map(|is_known| Location::at(asked, is_known)));
        Reach {
            places: Some(places),
            is_known: here.unwrap_or(reach.is_known),
        }
    }

    /// What is of the place of a context, and what names none.
    pub(crate) fn around(context: &'a Context, is_known: bool) -> Reach<'a> {
        Reach {
            places: Some(vec![Location::at(context, is_known)]),
            is_known,
        }
    }

    /// Whether it has an end.
    pub(crate) fn is_limited(&self) -> bool {
        self.places.is_some()
    }

    /// Whether a hint may be read.
    pub(crate) fn has(&self, hint: &Hint) -> bool {
        let scope = hint.meta.scope.as_deref();
        match scope.filter(|scope| scope.repo.is_some() && !hint.is_users()) {
            Some(scope) => self.is_known && self.is_any(|at| at.is_known && at.meets(scope)),
            None => self.has_scope(scope),
        }
    }

    /// Whether a hint with a scope may be read.
    pub(crate) fn has_scope(&self, scope: Option<&ScopeMatcher>) -> bool {
        let scope = scope.filter(|scope| scope.names_place());
        scope.is_none_or(|scope| self.is_any(|place| place.meets(scope)))
    }

    /// Whether a context is of a place where the caller is.
    pub(crate) fn has_context(&self, asked: &Context) -> bool {
        self.is_any(|place| place.has(asked.facts()))
    }

    /// Whether it may be told what is being worked on.
    pub(crate) fn has_work(&self, work: &WorkingSet) -> bool {
        let repo = work.repo.as_deref();
        let is_in = |repo: Context| self.is_any(|place| place.is_known && place.has(repo.facts()));
        repo.is_none_or(|repo| is_in(Context::new().repo(repo)))
    }

    fn is_any(&self, test: impl Fn(&Location<'_>) -> bool) -> bool {
        let places = self.places.as_ref();
        places.is_none_or(|places| places.iter().any(test))
    }
}

impl<'a> Caller<'a> {
    /// Where the caller is known to be.
    pub(crate) fn known_places(&self) -> impl Iterator<Item = &'a Context> + use<'a> {
        self.here.into_iter().chain(self.places)
    }

    /// Whether the place that the caller states is its place: where nobody knows where it is,
    /// of a program, and over HTTP.
    pub(crate) fn states_place(&self) -> bool {
        let is_word = self.actor == Actor::Program || self.via == Via::Http;
        is_word || self.known_places().next().is_none()
    }

    /// Whether the caller may read a hint, where it asks from.
    #[must_use]
    pub fn may_read(&self, hint: &Hint, asked: Option<&Context>) -> bool {
        Reach::of(self, asked, &|_| true).has(hint)
    }

    /// Whether the caller may ask about the place of a context: others than the user about one
    /// where they are.
    #[must_use]
    pub fn may_ask_from(&self, context: Option<&Context>) -> bool {
        context.is_none_or(|asked| Reach::of(self, context, &|_| true).has_context(asked))
    }

    /// Whether the caller is known to be in the place of a context, or is the user.
    #[must_use]
    pub fn is_at(&self, context: &Context) -> bool {
        Reach::of(self, None, &|_| true).has_context(context)
    }
}
