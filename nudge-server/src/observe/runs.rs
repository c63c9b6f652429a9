//! How commands ended and what was told, which is written down whether or not anything is
//! recorded.

use nudge::{Error, Runs, ToldLine};

use super::observer::{FINISHES, Job, Observer, SETTLES_FOR_HOOKS};
use super::record::session_key;
use crate::store::History;

impl Observer {
    /// Gives the runs of a repository another name.
    pub(crate) fn rename_runs(&self, old: &str, new: &str) -> Result<(), Error> {
        self.with(FINISHES, |history| history.rename_runs(old, new))
    }

    /// Asks what was told and what agents did, once what was told until now is written.
    pub(crate) fn look_back<T: Default>(
        &self,
        ask: impl FnOnce(&mut History) -> Result<T, String>,
    ) -> T {
        self.with(SETTLES_FOR_HOOKS, ask).unwrap_or_default()
    }
}

impl Runs for Observer {
    fn read(&self, repo: &str) -> Vec<String> {
        self.look_back(|history| history.runs(repo))
    }

    fn write(&self, repo: &str, rows: Vec<(String, Option<String>)>) {
        // What there is no room for is known until the server ends.
        self.send(Job::Runs(repo.to_owned(), rows));
    }

    fn told(&self, mut lines: Vec<ToldLine>) {
        for line in &mut lines {
            line.session = session_key(&line.session);
        }
        // What there is no room for counts for nothing.
        self.send(Job::Told(lines));
    }
}
