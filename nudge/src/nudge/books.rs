//! `Books`: how commands ended in the repositories that were used last.

use std::collections::VecDeque;

use crate::api::runs::KnownPitfall;
use crate::command::book::Book;
use crate::hint::lifetime::is_remote;
use crate::nudge::Nudge;
use crate::scope::context::Context;

/// Of how many repositories the books are open.
const MOST: usize = 16;

/// The open books, the one that was used last in front.
#[derive(Default)]
pub(crate) struct Books(VecDeque<(String, Book)>);

impl Nudge {
    /// Forgets what is open of runs: what was written down is read again.
    pub fn close_books(&self) {
        self.books.lock().0.clear();
    }

    /// What is known not to run where a context is, the one that was last seen first.
    pub fn pitfalls(&self, context: &Context) -> Vec<KnownPitfall> {
        let Some(repo) = context.facts().repos.first() else {
            return Vec::new();
        };
        let all = self.with_book(repo.as_str(), |book| book.pitfalls(self.now()));
        let all = all.into_iter().map(|known| KnownPitfall {
            command: known.form,
            folder: known.folder,
            instead: known.instead,
            sessions: known.times,
            last_at: known.at,
        });
        all.collect()
    }

    /// Warns of a command no more, and says whether anybody was warned of it.
    pub fn forget_pitfall(&self, context: &Context, command: &str) -> bool {
        let repo = context.facts().repos.first();
        let forget = |book: &mut Book| book.forget_pitfall(command, self.now());
        repo.is_some_and(|repo| self.with_book(repo.as_str(), forget))
    }

    /// Does something with the book of a repository.
    pub(crate) fn with_book<T>(&self, repo: &str, work: impl FnOnce(&mut Book) -> T) -> T {
        // Where nothing learned is kept, no run is.
        let is_kept = self.config.keep && is_remote(repo);
        let runs = self.runs.as_ref().filter(|_| is_kept);
        let mut books = self.books.lock();
        let at = books.0.iter().position(|(known, _)| known == repo);
        let mut book = match at.and_then(|at| books.0.remove(at)) {
            Some((_, book)) => book,
            None => Book::read(runs.map_or_else(Vec::new, |runs| runs.read(repo))),
        };
        let done = work(&mut book);
        match runs {
            Some(runs) if !book.changed.is_empty() => runs.write(repo, book.take_changes()),
            _ => book.changed.clear(),
        }
        books.0.push_front((repo.to_owned(), book));
        books.0.truncate(MOST);
        done
    }

    /// Whether a text holds the value of a hint that is marked as secret.
    pub(crate) fn has_secret_in(&self, text: &str) -> bool {
        let now = self.clock.now();
        let store = self.read();
        let mut live = store.slots().flat_map(|slot| slot.live(now));
        let holds = |value: &str| !value.is_empty() && text.contains(value);
        live.any(|hint| hint.is_secret() && holds(&hint.value.text()))
    }

    /// What shows that what runners need to start has changed where a context is.
    pub(crate) fn ground_of(&self, context: &Context) -> Option<String> {
        let root = context.facts().root.as_deref()?;
        let projects = self.projects.as_ref()?;
        projects.ground(root, &self.folder_at(context))
    }
}
