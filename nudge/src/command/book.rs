//! `Book`: how commands ended in a repository, and what helped.

use std::collections::{BTreeSet, VecDeque};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::ending::Ending;
use crate::model::list::push;
use crate::model::time;
use crate::scope::path::is_below;

/// How many forms are remembered of a repository, how many endings of each, how many sightings
/// of errors, and how many sessions.
const MOST_FORMS: usize = 200;
const MOST_ENDINGS: usize = 20;
const MOST_SIGHTINGS: usize = 200;
const MOST_SESSIONS: usize = 30;

/// The share of sessions in which a kind is used that is worth a line, and how much less a
/// session weighs than the one after it.
const USED: f64 = 0.3;
const FADES: f64 = 0.85;

/// For how many sessions a clone is fresh, and after how many what only failed is not told.
const FRESH: usize = 3;
const NEVER: usize = 3;

/// How commands ended in a repository.
#[derive(Default)]
pub(crate) struct Book {
    /// The one that was used last comes last.
    pub(crate) runs: Vec<Run>,
    sightings: VecDeque<Sighting>,
    sessions: VecDeque<Session>,
    /// The commands that the user does not want to be warned of, by their first words.
    pub(super) unwanted: Vec<String>,
    /// What changed and is to be written down.
    pub(crate) changed: Vec<String>,
}

/// A row of a book, as it is written down.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Row {
    Run(Run),
    Sightings(VecDeque<Sighting>),
    Sessions(VecDeque<Session>),
    Unwanted(Vec<String>),
}

/// A form in a folder, and how it ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Run {
    /// From the root.
    pub(crate) folder: String,
    pub(crate) form: String,
    /// What is run, whichever program runs it.
    pub(crate) id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<String>,
    /// What worked instead, when it could not run or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) instead: Option<String>,
    /// Oldest first.
    pub(crate) ends: VecDeque<End>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct End {
    #[serde(with = "time")]
    pub(crate) at: DateTime<Utc>,
    pub(crate) session: u64,
    /// The branch, in a word that tells it from others.
    pub(crate) branch: u64,
    pub(crate) ending: Ending,
    /// What shows that its cause may be gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stamp: Option<String>,
}

/// An error in an agent session, and what helped then.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Sighting {
    error: String,
    session: u64,
    /// What ran between it and the next success, where no file was changed.
    helped: Vec<String>,
}

/// An agent session, and of which kinds it ran commands.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Session {
    id: u64,
    kinds: Vec<String>,
}

impl Run {
    fn key(&self) -> String {
        format!("run {}\0{}", self.folder, self.form)
    }

    pub(crate) fn words(&self) -> Vec<String> {
        self.form.split(' ').map(str::to_owned).collect()
    }

    pub(crate) fn last_ok(&self) -> Option<&End> {
        self.ends.iter().rev().find(|end| end.ending == Ending::Ok)
    }
}

impl Book {
    /// Reads a book that was written down; what cannot be read is left out.
    pub(crate) fn read(rows: Vec<String>) -> Book {
        let mut book = Book::default();
        for row in rows {
            match serde_json::from_str(&row) {
                Ok(Row::Run(run)) => book.runs.push(run),
                Ok(Row::Sightings(sightings)) => book.sightings = sightings,
                Ok(Row::Sessions(sessions)) => book.sessions = sessions,
                Ok(Row::Unwanted(unwanted)) => book.unwanted = unwanted,
                Err(_) => {}
            }
        }
        book.runs
            .sort_by_key(|run| run.ends.back().map(|end| end.at));
        book
    }

    /// What changed since it was last asked: the rows, by their keys; without a text those that
    /// are gone.
    pub(crate) fn take_changes(&mut self) -> Vec<(String, Option<String>)> {
        let mut keys = std::mem::take(&mut self.changed);
        keys.sort();
        keys.dedup();
        let rows = keys.into_iter().map(|key| {
            let row = match key.as_str() {
                "sightings" => Some(Row::Sightings(self.sightings.clone())),
                "sessions" => Some(Row::Sessions(self.sessions.clone())),
                "unwanted" => Some(Row::Unwanted(self.unwanted.clone())),
                _ => self
                    .runs
                    .iter()
                    .find(|run| run.key() == key)
                    .cloned()
                    .map(Row::Run),
            };
            let text = row.and_then(|row| serde_json::to_string(&row).ok());
            (key, text)
        });
        rows.collect()
    }

    /// Adds what another time tells and this one does not, as far as there is room.
    pub(crate) fn adopt(&mut self, mut past: Book) {
        let at = |run: &Run| run.ends.back().map(|end| end.at);
        let is_later = self.runs.iter().map(at).max() < past.runs.iter().map(at).min();
        past.runs
            .retain(|run| !self.runs.iter().any(|known| known.key() == run.key()));
        self.changed.extend(past.runs.iter().map(Run::key));
        self.runs.append(&mut past.runs);
        self.runs.sort_by_key(at);
        let gone = self.runs.len().saturating_sub(MOST_FORMS);
        self.changed
            .extend(self.runs.drain(..gone).map(|run| run.key()));
        let is_seen = |seen: &Sighting| {
            let mut known = self.sightings.iter();
            known.any(|it| (&it.error, it.session) == (&seen.error, seen.session))
        };
        past.sightings.retain(|seen| !is_seen(seen));
        past.sessions
            .retain(|new| !self.sessions.iter().any(|known| known.id == new.id));
        join(
            &mut self.sightings,
            past.sightings,
            is_later,
            MOST_SIGHTINGS,
        );
        join(&mut self.sessions, past.sessions, is_later, MOST_SESSIONS);
        self.changed
            .extend(["sightings", "sessions"].map(str::to_owned));
    }

    /// Remembers how a form ended. An end ok forgets its failures.
    pub(crate) fn note(&mut self, run: Run, end: End) {
        let is_it = |known: &Run| known.form == run.form && known.folder == run.folder;
        // What ran last is run again: it is looked for from there.
        let mut known = match self.runs.iter().rposition(is_it) {
            Some(at) => self.runs.remove(at),
            None => run,
        };
        if end.ending == Ending::Ok {
            known
                .ends
                .retain(|end| matches!(end.ending, Ending::Ok | Ending::Unknown));
            known.instead = None;
        }
        push(&mut known.ends, end, MOST_ENDINGS);
        self.changed.push(known.key());
        self.runs.push(known);
        if self.runs.len() > MOST_FORMS {
            let gone = self.runs.remove(0);
            self.changed.push(gone.key());
        }
    }

    /// A form in a folder.
    pub(crate) fn run(&self, folder: &str, form: &str) -> Option<&Run> {
        // What ran last is run again: it is looked for from there.
        let mut runs = self.runs.iter().rev();
        runs.find(|run| run.form == form && run.folder == folder)
    }

    /// Remembers what worked instead of a form.
    pub(crate) fn note_instead(&mut self, folder: &str, form: &str, instead: &str) {
        let mut runs = self.runs.iter_mut();
        if let Some(run) = runs.find(|run| run.folder == folder && run.form == form) {
            run.instead = Some(instead.to_owned());
            self.changed.push(run.key());
        }
    }

    /// Remembers that an error was over in a session, and by what.
    pub(crate) fn note_helped(&mut self, error: &str, session: u64, helped: &[String]) {
        let is_it = |known: &Sighting| known.error == error && known.session == session;
        let new = Sighting {
            error: error.to_owned(),
            session,
            helped: helped.to_vec(),
        };
        match self.sightings.iter_mut().find(|known| is_it(known)) {
            Some(known) if !known.helped.is_empty() => return,
            Some(known) => *known = new,
            None => push(&mut self.sightings, new, MOST_SIGHTINGS),
        }
        self.changed.push("sightings".to_owned());
    }

    /// The command that helped after an error, in at least two sessions and in two thirds of
    /// those in which the error was over; and in how many.
    pub(crate) fn cure(&self, error: &str) -> Option<(&str, usize)> {
        let seen: Vec<&Sighting> = self
            .sightings
            .iter()
            .filter(|seen| seen.error == error)
            .collect();
        let has_helped = |seen: &&&Sighting, command: &String| seen.helped.contains(command);
        let count = |command: &String| seen.iter().filter(|seen| has_helped(seen, command)).count();
        let helped = seen.iter().rev().flat_map(|seen| &seen.helped);
        let (times, best) = helped.map(|command| (count(command), command)).max()?;
        (times >= 2 && times * 3 >= seen.len() * 2).then_some((best, times))
    }

    /// Remembers that a session ran a command of a kind, or none.
    pub(crate) fn note_session(&mut self, id: u64, kind: Option<&str>) {
        let at = self.sessions.iter().position(|known| known.id == id);
        if at.is_none() {
            let kinds = Vec::new();
            push(&mut self.sessions, Session { id, kinds }, MOST_SESSIONS);
            self.changed.push("sessions".to_owned());
        }
        let session = match at {
            Some(at) => self.sessions.get_mut(at),
            None => self.sessions.back_mut(),
        };
        if let (Some(session), Some(kind)) = (session, kind)
            && !session.kinds.iter().any(|known| known == kind)
        {
            session.kinds.push(kind.to_owned());
            self.changed.push("sessions".to_owned());
        }
    }

    /// Whether a session that starts may want a kind: the last one used it or three of ten, of
    /// which the newer weigh more; or there were none.
    pub(crate) fn is_used(&self, kind: &str) -> bool {
        self.is_frequent(|one| one.kinds.iter().any(|known| known == kind))
    }

    /// The same of a kind in a folder.
    pub(crate) fn is_used_in(&self, folder: &str, kind: &str) -> bool {
        let ends = self.ends_of_kind(folder, kind);
        let ends: BTreeSet<u64> = ends.map(|end| end.session).collect();
        self.is_frequent(|one| ends.contains(&one.id))
    }

    fn is_frequent(&self, used: impl Fn(&Session) -> bool) -> bool {
        let (mut weight, mut all, mut with) = (1.0, 0.0, 0.0);
        for session in self.sessions.iter().rev() {
            with += if used(session) { weight } else { 0.0 };
            all += weight;
            weight *= FADES;
        }
        self.sessions.back().is_none_or(used) || with >= all * USED
    }

    /// Whether a form failed in session after session and never ended ok in a folder.
    pub(crate) fn never_works(&self, folder: &str, form: &str) -> bool {
        let failed = |end: &&End| matches!(end.ending, Ending::Failed | Ending::CouldNotRun(_));
        self.run(folder, form).is_some_and(|run| {
            run.last_ok().is_none() && count(run.ends.iter().filter(failed)) >= NEVER
        })
    }

    /// Whether a clone may still have to be made ready: there were few sessions, and no command
    /// of a kind ended ok.
    pub(crate) fn is_fresh(&self) -> bool {
        let mut runs = self.runs.iter().filter(|run| run.kind.is_some());
        self.sessions.len() < FRESH && !runs.any(|run| run.last_ok().is_some())
    }

    /// The last so many sessions.
    pub(crate) fn last_sessions(&self, last: usize) -> impl Iterator<Item = u64> {
        self.sessions.iter().rev().take(last).map(|one| one.id)
    }

    /// Whether a component goes by the name of a folder where commands ran, which is neither
    /// above this one nor below it.
    pub(crate) fn is_apart(&self, component: &str, here: &str) -> bool {
        let is_name = |folder: &str| folder.rsplit('/').next() == Some(component);
        let folders = self.runs.iter().map(|run| &*run.folder);
        let mut apart = folders.filter(|folder| !is_below(folder, here) && !is_below(here, folder));
        !here.is_empty() && !is_name(here) && apart.any(is_name)
    }

    /// Whether a form ended ok in a folder.
    pub(crate) fn worked(&self, folder: &str, form: &str) -> bool {
        let run = self.run(folder, form);
        run.is_some_and(|run| run.last_ok().is_some())
    }

    /// How many sessions began after the last of some; `None` where that was too long ago.
    pub(crate) fn sessions_after(&self, some: &BTreeSet<u64>) -> Option<usize> {
        let mut sessions = self.sessions.iter().rev();
        sessions.position(|known| some.contains(&known.id))
    }
}

/// How many sessions there are in some endings.
pub(super) fn count<'e>(ends: impl Iterator<Item = &'e End>) -> usize {
    ends.map(|end| end.session).collect::<BTreeSet<u64>>().len()
}

/// Puts some behind others or in front of them, and keeps the last.
fn join<T>(all: &mut VecDeque<T>, mut more: VecDeque<T>, is_later: bool, most: usize) {
    if !is_later {
        std::mem::swap(all, &mut more);
    }
    all.append(&mut more);
    all.drain(..all.len().saturating_sub(most));
}
