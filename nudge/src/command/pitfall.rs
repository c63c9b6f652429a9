//! `Pitfall`: a command that is known not to run.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};

use super::book::{Book, End, Run, count};
use super::ending::{Ending, Missing, What};

/// How long what could not run is known for that.
const LASTS: TimeDelta = TimeDelta::days(30);

/// A command that is known not to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pitfall {
    /// Its first words, which are as far as it matters.
    pub(crate) words: Vec<String>,
    pub(crate) what: What,
    /// The folder, where it matters.
    pub(crate) folder: Option<String>,
    /// Of the commands that could not run so the one that was tried most: where, in how many
    /// sessions, and what worked instead.
    pub(crate) form: String,
    pub(crate) tried_in: String,
    pub(crate) times: usize,
    pub(crate) instead: Option<String>,
    /// The sessions in which any could not, and when that was last.
    pub(crate) sessions: BTreeSet<u64>,
    pub(crate) at: DateTime<Utc>,
    pub(crate) stamp: Option<String>,
}

impl Book {
    /// What is known not to run here, the one that was last seen first.
    pub(crate) fn pitfalls(&self, now: DateTime<Utc>) -> Vec<Pitfall> {
        let mut found: Vec<Pitfall> = Vec::new();
        for run in self.runs.iter().rev() {
            let lacking = run.ends.iter().rev().filter_map(|end| match &end.ending {
                Ending::CouldNotRun(missing) if now - end.at <= LASTS => Some((end, missing)),
                _ => None,
            });
            let mut lacking = lacking.peekable();
            let Some((last, missing)) = lacking.peek().copied() else {
                continue;
            };
            let sessions = lacking.map(|(end, _)| end.session).collect();
            let new = run.pitfall(last, missing, sessions);
            match found.iter_mut().find(|known| known.is_same(&new)) {
                Some(known) => known.join(new),
                None => found.push(new),
            }
        }
        found.retain(|pitfall| {
            let worked = |run: &&Run| run.last_ok().is_some_and(|end| end.at >= pitfall.at);
            let mut worked = self.runs.iter().rev().filter(worked);
            let is_wanted = !self.unwanted.contains(&pitfall.words.join(" "));
            is_wanted && !worked.any(|run| pitfall.fits(&run.folder, &run.words()))
        });
        found
    }

    /// In how many sessions a form could not run in a folder.
    pub(crate) fn times(&self, folder: &str, form: &str, now: DateTime<Utc>) -> usize {
        let ends = self.run(folder, form).into_iter().flat_map(|run| &run.ends);
        let ends = ends.filter(|end| now - end.at <= LASTS);
        count(ends.filter(|end| matches!(end.ending, Ending::CouldNotRun(_))))
    }

    /// Stops to warn of a command, and says whether anybody was warned of it.
    pub(crate) fn forget_pitfall(&mut self, form: &str, now: DateTime<Utc>) -> bool {
        let mut all = self.pitfalls(now).into_iter();
        let Some(known) = all.find(|known| known.form == form) else {
            return false;
        };
        self.unwanted.push(known.words.join(" "));
        self.changed.push("unwanted".to_owned());
        true
    }
}

impl Run {
    fn pitfall(&self, last: &End, missing: &Missing, sessions: BTreeSet<u64>) -> Pitfall {
        let words = self.words();
        let mut own: Vec<String> = words.iter().take(missing.words).cloned().collect();
        if missing.what == What::Flag {
            // Wherever the flag stands: the program, its subcommand and the flag.
            let flag = own.pop();
            let plain = |word: &&String| !word.starts_with('-');
            own = words
                .iter()
                .take_while(plain)
                .take(2)
                .cloned()
                .chain(flag)
                .collect();
        }
        let is_anywhere = matches!(missing.what, What::Program | What::Subcommand | What::Flag);
        Pitfall {
            words: own,
            what: missing.what,
            folder: (!is_anywhere).then(|| self.folder.clone()),
            form: self.form.clone(),
            tried_in: self.folder.clone(),
            instead: self.instead.clone(),
            times: sessions.len(),
            sessions,
            at: last.at,
            stamp: last.stamp.clone(),
        }
    }
}

impl Pitfall {
    fn is_same(&self, other: &Pitfall) -> bool {
        (&self.words, self.what, &self.folder) == (&other.words, other.what, &other.folder)
    }

    /// Adds another command that could not run for the same reason, longer ago.
    fn join(&mut self, other: Pitfall) {
        self.sessions.extend(other.sessions);
        if other.times > self.times {
            (self.form, self.tried_in) = (other.form, other.tried_in);
            (self.times, self.instead) = (other.times, other.instead);
        }
    }

    /// Whether a form in a folder could not run for the same reason.
    pub(crate) fn fits(&self, folder: &str, words: &[String]) -> bool {
        if self.folder.as_deref().is_some_and(|own| own != folder) {
            return false;
        }
        match (self.what, self.words.split_last()) {
            (What::Flag, Some((flag, front))) => words.starts_with(front) && words.contains(flag),
            (What::Runner, _) => words == self.words,
            _ => words.starts_with(&self.words),
        }
    }
}
