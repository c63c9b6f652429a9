//! `Here`: the observations of one repository, which is all that a question gets to see.

use nudge::{Error, ErrorKind, Facts, Repo};
use rusqlite::{Connection, OptionalExtension, Params, Row};
use serde_json::json;

use super::answers::{Observation, Observations, Preview, Scored, ScoredObservation, Timeline};
use super::requests::{GetObservations, GetTimeline, ObsType, RecentContext};
use super::schema::{failure, repository};

/// How many characters of an observation a list shows.
const PREVIEW: usize = 120;

/// The most observations that are asked for by their numbers, and around one.
const MOST_IDS: usize = 50;
const MOST_AROUND: u32 = 50;
const USUAL_AROUND: u32 = 5;

/// How many of the latest observations are scored.
const SCORED: u32 = 1000;

/// After how many seconds something matters half as much.
const HALF_LIFE: f64 = 7.0 * 24.0 * 3600.0;

const COLUMNS: &str = "id, timestamp, session_id, host, branch, cwd, obs_type, content, file_path,
    exit_code, duration_ms, size, prompt_id, output";

/// The observations of a repository.
pub(crate) struct Here<'h> {
    pub(super) connection: &'h Connection,
    /// Its number; of one that is not known, one that none has.
    pub(super) repo: i64,
    pub(super) project: &'h str,
    pub(super) facts: &'h Facts,
    now: i64,
}

impl<'h> Here<'h> {
    pub(super) fn at(
        connection: &'h Connection,
        repo: &'h Repo,
        facts: &'h Facts,
        now: i64,
    ) -> Result<Here<'h>, Error> {
        let project = repo.as_str();
        let known = repository(connection, project).map_err(|error| failed(&error))?;
        Ok(Here {
            connection,
            repo: known.map_or(-1, |(id, _)| id),
            project,
            facts,
            now,
        })
    }

    pub(super) fn now(&self) -> i64 {
        self.now
    }

    /// What rows say, as something of ours.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, Error> {
        let read = || {
            let mut statement = self.connection.prepare_cached(sql)?;
            statement.query_map(params, read)?.collect()
        };
        let rows: rusqlite::Result<Vec<T>> = read();
        rows.map_err(|error| failed(&error))
    }

    /// Whole observations that fulfil what an end of a question says.
    pub(super) fn all(&self, end: &str, params: impl Params) -> Result<Vec<Observation>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM observations WHERE {end}");
        self.rows(&sql, params, |row| self.observation(row))
    }

    fn observation(&self, row: &Row<'_>) -> rusqlite::Result<Observation> {
        Ok(Observation {
            id: row.get(0)?,
            timestamp: row.get(1)?,
            session_id: row.get(2)?,
            host: row.get(3)?,
            project: self.project.to_owned(),
            branch: row.get(4)?,
            cwd: row.get(5)?,
            obs_type: ObsType::read(row, 6)?,
            content: row.get(7)?,
            file_path: row.get(8)?,
            exit_code: row.get(9)?,
            duration_ms: row.get(10)?,
            size: row.get(11)?,
            prompt_id: row.get(12)?,
            output: row.get(13)?,
        })
    }

    pub(super) fn observations(&self, asked: &GetObservations) -> Result<Observations, Error> {
        let ids = &asked.ids;
        if ids.is_empty() {
            return Err(invalid("ids array must not be empty; a search finds ids"));
        }
        if ids.len() > MOST_IDS {
            let words = format!("ids: at most {MOST_IDS} at a time, these are {}", ids.len());
            return Err(invalid(&words));
        }
        let mut observations = Vec::new();
        for id in ids {
            observations.extend(self.all("id = ?1 AND repo = ?2", (id, self.repo))?);
        }
        Ok(Observations { observations })
    }

    pub(super) fn timeline(&self, asked: &GetTimeline) -> Result<Timeline, Error> {
        let anchor = self.all("id = ?1 AND repo = ?2", (asked.anchor, self.repo))?;
        let anchor = anchor.into_iter().next().ok_or_else(|| {
            let words = "anchor observation not found in this repository; a search finds ids";
            Error::new(ErrorKind::NotFound, words)
        })?;
        let around = |count: Option<u32>, side: &str| {
            let count = count.unwrap_or(USUAL_AROUND).min(MOST_AROUND);
            let end = format!("session_id = ?1 AND repo = ?2 AND id {side} LIMIT ?4");
            self.all(&end, (&anchor.session_id, self.repo, anchor.id, count))
        };
        let mut before = around(asked.before, "< ?3 ORDER BY id DESC")?;
        before.reverse();
        let after = around(asked.after, "> ?3 ORDER BY id")?;
        Ok(Timeline {
            anchor: Some(anchor),
            before,
            after,
        })
    }

    /// Scores by age and kind. Where the question names the repository, that is a part of the
    /// score too; no other one is ever shown.
    pub(super) fn recent(&self, asked: &RecentContext) -> Result<Scored, Error> {
        let latest = self.all(
            "repo = ?1 ORDER BY -timestamp, id DESC LIMIT ?2",
            (self.repo, SCORED),
        )?;
        let (by_age, by_kind, by_project) = match asked.project {
            Some(_) => (0.5, 0.3, 0.2),
            None => (0.6, 0.4, 0.0),
        };
        let score = |observation: Observation| {
            #[expect(clippy::cast_precision_loss, reason = "an age in seconds is exact")]
            let age = (self.now - observation.timestamp).max(0) as f64;
            let recency = (-age / HALF_LIFE).exp2();
            let score = recency * by_age + observation.obs_type.weight() * by_kind + by_project;
            ScoredObservation { observation, score }
        };
        let mut observations: Vec<ScoredObservation> = latest.into_iter().map(score).collect();
        // Of equals the later one stays first.
        observations.sort_by(|one, other| other.score.total_cmp(&one.score));
        let mut seen = std::collections::BTreeSet::new();
        observations.retain(|one| {
            let file = &one.observation.file_path;
            file.as_ref().is_none_or(|file| seen.insert(file.clone()))
        });
        observations.truncate(limit(asked.limit, 30, 100) as usize);
        Ok(Scored { observations })
    }

    /// The row of a question that has one at most.
    pub(super) fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, Error> {
        let statement = self.connection.prepare_cached(sql);
        let row = statement.and_then(|mut it| it.query_row(params, read).optional());
        row.map_err(|error| failed(&error))
    }
}

/// The columns of a preview, in their order.
pub(super) const PREVIEW_COLUMNS: &str = "o.id, o.timestamp, o.obs_type, substr(o.content, 1, 120), o.exit_code, o.file_path, \
     o.session_id";

pub(super) fn preview(row: &Row<'_>) -> rusqlite::Result<Preview> {
    Ok(Preview {
        id: row.get(0)?,
        timestamp: row.get(1)?,
        obs_type: ObsType::read(row, 2)?,
        content_preview: start(&row.get::<_, String>(3)?),
        exit_code: row.get(4)?,
        file_path: row.get(5)?,
        session_id: row.get(6)?,
    })
}

/// The start of a text, as a line.
pub(super) fn start(text: &str) -> String {
    let line = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter });
    line.take(PREVIEW).collect()
}

/// How many are wanted: at least one.
pub(super) fn limit(asked: Option<u32>, usual: u32, most: u32) -> u32 {
    asked.unwrap_or(usual).clamp(1, most)
}

pub(super) fn invalid(words: &str) -> Error {
    Error::new(ErrorKind::Invalid, words)
}

fn failed(error: &rusqlite::Error) -> Error {
    let words = format!("observations cannot be read: {}", failure(error));
    Error::new(ErrorKind::Unavailable, words)
}

impl ObsType {
    /// Its name in the file, as on the wire.
    pub(super) fn name(self) -> String {
        json!(self).as_str().unwrap_or_default().to_owned()
    }

    pub(super) fn read(row: &Row<'_>, column: usize) -> rusqlite::Result<ObsType> {
        let name: String = row.get(column)?;
        serde_json::from_value(name.into()).map_err(|_| rusqlite::Error::InvalidQuery)
    }

    /// How much it matters later.
    fn weight(self) -> f64 {
        match self {
            ObsType::FileEdit => 1.0,
            ObsType::Command => 0.67,
            ObsType::SessionCompact => 0.5,
            _ => 0.17,
        }
    }
}
