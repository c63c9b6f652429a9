//! Observations: what is written of each, and all that can be asked of them.

use std::cell::RefCell;

use clap::ValueEnum;
use nudge::{Error, ErrorKind};
use rusqlite::{Connection, Params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::database::{failure, is_damage, query, read};

/// How many hits are ranked, the newest.
const RANKED: u32 = 2000;

const COLUMNS: &str = "o.id, o.timestamp, o.session_id, o.host, o.branch, o.cwd, o.obs_type,
    o.content, o.file_path, o.exit_code, o.duration_ms, o.size, o.prompt_id, o.output,
    '' AS project";

/// Whether an observation is in the time that is asked for.
const IN_TIME: &str = "o.timestamp < coalesce(?3, 1 << 62) AND o.timestamp > coalesce(?4, -1)";

/// The kinds of observations.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ValueEnum,
)]
#[serde(rename_all = "snake_case")]
#[value(rename_all = "snake_case")]
#[schemars(inline)]
pub(crate) enum ObsType {
    /// A command, unless it failed.
    #[default]
    Command,
    /// A command that failed.
    CommandError,
    /// A file was changed.
    FileEdit,
    /// A file was written as a whole.
    FileWrite,
    /// The user asked for something.
    UserPrompt,
    /// A session of an agent began.
    SessionStart,
    /// It ended.
    SessionEnd,
    /// Its context was made shorter.
    SessionCompact,
}

impl ObsType {
    /// Its name in the file, as on the wire.
    pub(crate) fn name(self) -> String {
        json!(self).as_str().unwrap_or_default().to_owned()
    }
}

/// An observation that is to be written.
#[derive(Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) observation: Observation,
    /// Whether it counts only as the first of its session: one that works for an agent starts
    /// in its session too.
    pub(crate) is_first: bool,
    /// Whether it is told long after, and may be known.
    pub(crate) is_past: bool,
}

/// Something that happened.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Observation {
    pub(crate) id: i64,
    pub(crate) timestamp: i64,
    /// What its host calls the session.
    pub(crate) session_id: String,
    /// The program whose hook told it.
    pub(crate) host: Option<String>,
    /// The repository.
    pub(crate) project: String,
    pub(crate) branch: Option<String>,
    pub(crate) cwd: Option<String>,
    pub(crate) obs_type: ObsType,
    /// The command, the prompt, or the file and its size.
    pub(crate) content: String,
    /// The file, below the root of the worktree if it is there.
    pub(crate) file_path: Option<String>,
    pub(crate) exit_code: Option<i64>,
    pub(crate) duration_ms: Option<i64>,
    /// The bytes of the file.
    pub(crate) size: Option<i64>,
    /// The prompt that it followed.
    pub(crate) prompt_id: Option<i64>,
    /// The end of what a command printed that failed.
    pub(crate) output: Option<String>,
}

/// The observations of one repository, which is all that a question gets to see. Of a
/// repository there may be a million, of a session a few: where both are asked for, a `+` keeps
/// the index of repositories out of it.
pub(crate) struct Reader<'r> {
    connection: &'r Connection,
    /// Its number; of one that is not known, one that none has.
    repo: i64,
    pub(crate) project: &'r str,
    damage: RefCell<Option<rusqlite::Error>>,
}

type Found<T> = Result<T, Error>;
type Many = Found<Vec<Observation>>;
type One = Found<Option<Observation>>;

/// Only what was before and after these times.
pub(crate) type Time = (Option<i64>, Option<i64>);

impl<'r> Reader<'r> {
    pub(super) fn new(connection: &'r Connection, repo: Option<i64>, project: &'r str) -> Self {
        Reader {
            connection,
            repo: repo.unwrap_or(-1),
            project,
            damage: RefCell::default(),
        }
    }

    /// What showed while reading that the file is damaged.
    pub(super) fn damage(&self) -> Option<rusqlite::Error> {
        self.damage.take()
    }

    fn rows<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Found<Vec<T>> {
        let rows = query(self.connection, sql, params, read);
        rows.map_err(|error| {
            let words = format!("observations cannot be read: {}", failure(&error));
            if is_damage(&error) {
                self.damage.replace(Some(error));
            }
            Error::new(ErrorKind::Unavailable, words)
        })
    }

    /// Whole observations that fulfil what the end of a question says.
    fn all(&self, end: &str, params: impl Params) -> Many {
        let sql = format!("SELECT {COLUMNS} FROM observations o WHERE {end}");
        self.rows(&sql, params, |row| self.observation(row))
    }

    fn observation(&self, row: &rusqlite::Row<'_>) -> rusqlite::Result<Observation> {
        Ok(Observation {
            project: self.project.to_owned(),
            ..read(row)?
        })
    }

    pub(crate) fn with_number(&self, id: i64) -> One {
        let end = "o.id = ?1 AND o.repo = ?2";
        Ok(self.all(end, (id, self.repo))?.pop())
    }

    /// Those of the same session before or after one, the nearest first.
    pub(crate) fn around(&self, one: &Observation, is_after: bool, most: u32) -> Many {
        let side = if is_after {
            "> ?3 ORDER BY o.id"
        } else {
            "< ?3 ORDER BY o.id DESC"
        };
        let end = format!("o.session_id = ?1 AND +o.repo = ?2 AND o.id {side} LIMIT ?4");
        self.all(&end, (&one.session_id, self.repo, one.id, most))
    }

    pub(crate) fn latest(&self, most: u32) -> Many {
        let end = "o.repo = ?1 ORDER BY -o.timestamp, o.id DESC LIMIT ?2";
        self.all(end, (self.repo, most))
    }

    /// The hits for an expression, the best of the newest first: a score takes a microsecond,
    /// and a word may be in half of what is there.
    pub(crate) fn matching(
        &self,
        expression: &str,
        kind: Option<ObsType>,
        (most, offset): (u32, u32),
    ) -> Many {
        let sql = format!(
            "SELECT {COLUMNS} FROM (SELECT f.rowid AS id, f.rank AS score
                FROM words f JOIN observations o ON o.id = f.rowid
                WHERE words MATCH ?1 AND o.repo = ?2 AND (?3 IS NULL OR o.obs_type = ?3)
                ORDER BY f.rowid DESC LIMIT {RANKED}) hit
            JOIN observations o ON o.id = hit.id
            ORDER BY hit.score, o.id DESC LIMIT ?4 OFFSET ?5"
        );
        let kind = kind.map(ObsType::name);
        let params = (expression, self.repo, kind, most, offset);
        self.rows(&sql, params, |row| self.observation(row))
    }

    /// Whether so many have a word that only the newest of them are ranked.
    pub(crate) fn is_common(&self, word: &str) -> Found<bool> {
        let sql = format!("SELECT 1 FROM words WHERE words MATCH ?1 LIMIT 1 OFFSET {RANKED}");
        let beyond = self.rows(&sql, (word,), |row| row.get::<_, i64>(0))?;
        Ok(!beyond.is_empty())
    }

    /// The next success of a command that failed, in its session.
    pub(crate) fn next_success(&self, failure: &Observation) -> One {
        let end = "o.session_id = ?1 AND +o.repo = ?2 AND o.id > ?3 AND o.obs_type = 'command'
            AND o.content = ?4 ORDER BY o.id LIMIT 1";
        let Observation {
            session_id,
            id,
            content,
            ..
        } = failure;
        Ok(self.all(end, (session_id, self.repo, id, content))?.pop())
    }

    /// What was run with success or changed between a failure and a success, the latest first.
    pub(crate) fn steps_between(&self, failure: &Observation, success: i64, most: u32) -> Many {
        let end = "o.session_id = ?1 AND +o.repo = ?2 AND o.id > ?3
            AND o.id < ?4 AND o.obs_type IN ('command', 'file_edit', 'file_write')
            ORDER BY o.id DESC LIMIT ?5";
        self.all(
            end,
            (&failure.session_id, self.repo, failure.id, success, most),
        )
    }

    /// What happened last, or what came first after a number; in all sessions, or in one.
    pub(crate) fn log(&self, session: Option<&str>, after: Option<i64>, most: u32) -> Many {
        if session.is_none() && after.is_none() {
            return self.latest(most);
        }
        let in_session = session.map_or("?2 IS NULL", |_| "o.session_id = ?2");
        let order = after.map_or("DESC", |_| "ASC");
        let end = format!(
            "+o.repo = ?1 AND {in_session} AND o.id > ?3
            ORDER BY o.id {order} LIMIT ?4"
        );
        self.all(&end, (self.repo, session, after.unwrap_or(0), most))
    }

    /// The first two sessions whose names begin so.
    pub(crate) fn sessions(&self, start: &str) -> Found<Vec<String>> {
        let sql = "SELECT DISTINCT session_id FROM observations
            WHERE +repo = ?1 AND session_id >= ?2 AND session_id < ?2 || char(1114111)
            ORDER BY session_id LIMIT 2";
        self.rows(sql, (self.repo, start), |row| row.get(0))
    }

    /// When a session began and ended, and how many observations there are of a time.
    pub(crate) fn span(
        &self,
        session: &str,
        (before, after): Time,
    ) -> Found<(i64, Option<i64>, u32)> {
        let sql = format!(
            "SELECT min(o.timestamp), max(CASE WHEN o.obs_type = 'session_end' THEN o.timestamp END),
                sum({IN_TIME})
            FROM observations o WHERE o.session_id = ?1 AND +o.repo = ?2 HAVING count(*) > 0"
        );
        let params = (session, self.repo, before, after);
        let mut spans = self.rows(&sql, params, |row| row.try_into())?;
        Ok(spans.pop().unwrap_or_default())
    }

    /// What happened in a session and a time, the latest first.
    pub(crate) fn of_session(&self, session: &str, (before, after): Time, most: usize) -> Many {
        let end = format!(
            "o.session_id = ?1 AND +o.repo = ?2 AND {IN_TIME}
            ORDER BY o.id DESC LIMIT {most}"
        );
        self.all(&end, (session, self.repo, before, after))
    }

    /// The changes of a file in a time, the latest first: each with the prompt that it followed
    /// and when its session began.
    pub(crate) fn changes(
        &self,
        file: &str,
        (before, after): Time,
        most: u32,
    ) -> Found<Vec<(Observation, Option<String>, i64)>> {
        let sql = format!(
            "SELECT {COLUMNS}, (SELECT p.content FROM observations p WHERE p.id = o.prompt_id) AS prompt,
                (SELECT min(s.timestamp) FROM observations s
                    WHERE s.session_id = o.session_id AND s.repo = o.repo) AS began
            FROM observations o WHERE o.repo = ?1 AND o.file_path = ?2 AND {IN_TIME}
            ORDER BY o.timestamp DESC, o.id DESC LIMIT ?5"
        );
        self.rows(&sql, (self.repo, file, before, after, most), |row| {
            Ok((
                self.observation(row)?,
                row.get("prompt")?,
                row.get("began")?,
            ))
        })
    }
}
