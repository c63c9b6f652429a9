//! `history.db`: what is written as it happens, and read only when somebody asks.
//!
//! Reader and writer share one connection: nobody but the PRIMARY has the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rusqlite::{Connection, Error, OptionalExtension, params};

use super::aside::{forget_old_aside, has_history, move_aside, remove_aside};
use super::database::{Schema, failure, is_damage, open, settle, shed};
use super::observations::{ObsType, Reader, Row};
use super::runs::forget_runs;

/// Within how many seconds the same is told of the same by a hook and by a transcript.
const SAME_TIME: i64 = 5;

/// How many observations go at once, and how many pages of the file are given back then.
pub(crate) const STEP: usize = 300;

pub(super) const HISTORY: &str = "history.db";

/// The latest of a repository are found by an expression, so that nothing else is looked for
/// there. `owed` has a row while something that was deleted may be in the bytes of the file.
const SCHEMA: Schema = Schema {
    name: HISTORY,
    major: 1,
    tables: "
    CREATE TABLE owed (shedding INTEGER PRIMARY KEY);
    CREATE TABLE repositories (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_off INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE observations (
        id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp INTEGER NOT NULL, repo INTEGER NOT NULL,
        session_id TEXT NOT NULL, host TEXT, branch TEXT, cwd TEXT, obs_type TEXT NOT NULL,
        content TEXT NOT NULL, file_path TEXT, exit_code INTEGER, duration_ms INTEGER,
        size INTEGER, prompt_id INTEGER, output TEXT);
    CREATE TABLE runs (
        repo TEXT NOT NULL, key TEXT NOT NULL, row TEXT NOT NULL,
        PRIMARY KEY (repo, key)) WITHOUT ROWID;
    CREATE TABLE told (at INTEGER, repo TEXT, host TEXT, session TEXT, event TEXT, line TEXT);
    CREATE INDEX told_at ON told (at);
    CREATE INDEX by_time ON observations (timestamp);
    CREATE INDEX by_repo ON observations (repo, -timestamp);
    CREATE INDEX by_session ON observations (session_id);
    CREATE INDEX by_prompt ON observations (session_id) WHERE obs_type = 'user_prompt';
    CREATE INDEX by_file ON observations (repo, file_path) WHERE file_path IS NOT NULL;
    CREATE VIRTUAL TABLE words USING fts5 (
        content, output, content = 'observations', content_rowid = 'id',
        tokenize = 'porter unicode61');
    INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
    CREATE TRIGGER added AFTER INSERT ON observations BEGIN
        INSERT INTO words (rowid, content, output) VALUES (new.id, new.content, new.output);
    END;
    CREATE TRIGGER deleted AFTER DELETE ON observations BEGIN
        INSERT INTO words (words, rowid, content, output)
        VALUES ('delete', old.id, old.content, old.output);
    END;
    ",
    added: &[],
};

pub(crate) type ByHost = BTreeMap<String, usize>;

/// What is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) seconds: i64,
    pub(crate) bytes: i64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            seconds: 90 * 24 * 3600,
            bytes: 200 << 20,
        }
    }
}

/// Which observations are to be deleted: those to which all applies that is there.
#[derive(Debug, Default)]
pub(crate) struct Meant {
    pub(crate) before: Option<i64>,
    pub(crate) repo: Option<String>,
    /// Their numbers, as JSON.
    pub(crate) ids: Option<String>,
    /// What stands in them.
    pub(crate) text: Option<String>,
}

/// What is known of a repository, and of the file.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    /// Whether nothing is to be recorded there.
    pub(crate) is_off: bool,
    pub(crate) observations: u32,
    pub(crate) bytes: i64,
}

/// The file, which is opened when it is first needed.
pub(crate) struct History {
    pub(super) folder: PathBuf,
    connection: Option<Connection>,
    /// Whether something that was deleted may still be in the bytes of the file.
    pub(crate) owes_shedding: bool,
    notices: Vec<String>,
}

impl History {
    pub(crate) fn new(folder: &Path) -> History {
        History {
            folder: folder.to_owned(),
            connection: None,
            owes_shedding: false,
            notices: Vec::new(),
        }
    }

    pub(crate) fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Does something with the file. One that turns out to be damaged is moved aside, and it is
    /// done with a new one.
    pub(super) fn with<T>(
        &mut self,
        work: impl Fn(&Connection) -> Result<T, Error>,
    ) -> Result<T, String> {
        let mut has_moved = false;
        loop {
            let connection = match self.connection.take() {
                Some(connection) => connection,
                None => self.open()?,
            };
            let error = match work(&connection) {
                Ok(done) => {
                    self.connection = Some(connection);
                    return Ok(done);
                }
                Err(error) => error,
            };
            drop(connection);
            if has_moved || !is_damage(&error) {
                return Err(failure(&error));
            }
            has_moved = true;
            let moved = move_aside(&self.folder, &SCHEMA, true);
            let (_, notice) = moved.map_err(|refusal| refusal.to_string())?;
            self.notices.push(notice);
        }
    }

    /// Asks the file something: who only asks makes none.
    pub(super) fn ask<T: Default>(
        &mut self,
        ask: impl Fn(&Connection) -> Result<T, Error>,
    ) -> Result<T, String> {
        if !has_history(&self.folder) {
            return Ok(T::default());
        }
        self.with(ask)
    }

    fn open(&mut self) -> Result<Connection, String> {
        let sql = "SELECT EXISTS (SELECT 1 FROM owed)";
        let owed = |on: &Connection| on.query_row(sql, [], |row| row.get(0));
        let opened = open(&self.folder, &SCHEMA, owed).map_err(|refusal| refusal.to_string())?;
        self.notices.extend(opened.notices);
        self.owes_shedding = opened.loaded;
        let now = UNIX_EPOCH.elapsed().unwrap_or_default().as_millis();
        // What cannot be deleted is tried again the next time.
        let _ = forget_old_aside(&self.folder, SCHEMA.name, now);
        Ok(opened.connection)
    }

    /// Writes observations together, and says of which hosts how many were new. A dry run writes
    /// nothing.
    pub(crate) fn write(&mut self, rows: &[Row], dry_run: bool) -> Result<ByHost, String> {
        self.with(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let mut new = ByHost::new();
            for row in rows {
                if insert(&transaction, row)? {
                    let host = row.observation.host.clone().unwrap_or_default();
                    *new.entry(host).or_default() += 1;
                }
            }
            if !dry_run {
                transaction.commit()?;
            }
            Ok(new)
        })
    }

    /// Says what is recorded of a repository, after whether anything is was changed if so asked.
    pub(crate) fn recorded(&mut self, repo: &str, on: Option<bool>) -> Result<Recorded, String> {
        self.with(|connection| {
            if let Some(on) = on {
                let sql = "INSERT INTO repositories (name, is_off) VALUES (?1, ?2)
                    ON CONFLICT (name) DO UPDATE SET is_off = ?2";
                connection.execute(sql, (repo, !on))?;
            }
            let known = repository(connection, repo)?;
            let sql = "SELECT (SELECT count(*) FROM observations WHERE repo = ?1),
                    page_count * page_size FROM pragma_page_count, pragma_page_size";
            connection.query_row(sql, [known.map(|(id, _)| id)], |row| {
                Ok(Recorded {
                    is_off: known.is_some_and(|(_, is_off)| is_off),
                    observations: row.get(0)?,
                    bytes: row.get(1)?,
                })
            })
        })
    }

    /// Deletes some of what is too old, or too much.
    pub(crate) fn tidy(&mut self, now: i64, limits: Limits) -> Result<(), String> {
        self.with(|connection| {
            let size = "SELECT (page_count - freelist_count) * page_size
                FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
            let mut size = connection.prepare_cached(size)?;
            let bytes: i64 = size.query_row([], |row| row.get(0))?;
            let before = if bytes > limits.bytes {
                i64::MAX
            } else {
                now.saturating_sub(limits.seconds)
            };
            let sql = format!(
                "DELETE FROM observations WHERE id IN
                (SELECT id FROM observations WHERE timestamp < ?1 ORDER BY timestamp LIMIT {STEP})"
            );
            match connection.prepare_cached(&sql)?.execute([before])? {
                0 => Ok(()),
                _ => give_back(connection),
            }
        })
    }

    /// Deletes up to [`STEP`] of what is meant, or counts all of it, and says how many. Files that
    /// were moved aside may have it too, and go.
    pub(crate) fn purge(&mut self, meant: &Meant, dry_run: bool) -> Result<usize, String> {
        let what = "FROM observations WHERE (?1 IS NULL OR timestamp < ?1)
            AND (?2 IS NULL OR repo = (SELECT id FROM repositories WHERE name = ?2))
            AND (?3 IS NULL OR id IN (SELECT value FROM json_each(?3)))
            AND (?4 IS NULL OR instr(content, ?4) OR instr(output, ?4))";
        let params = || (meant.before, &meant.repo, &meant.ids, &meant.text);
        if dry_run {
            let sql = format!("SELECT count(*) {what}");
            let count = self.with(|it| it.query_row(&sql, params(), |row| row.get::<_, u32>(0)))?;
            return Ok(count as usize);
        }
        remove_aside(&self.folder, SCHEMA.name).map_err(|error| error.to_string())?;
        let sql = format!("DELETE FROM observations WHERE id IN (SELECT id {what} LIMIT {STEP})");
        let (gone, owes) = self.with(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let gone = transaction.execute(&sql, params())?;
            let owes = gone + forget_runs(&transaction, meant.text.as_deref())? > 0;
            if owes {
                transaction.execute("INSERT OR IGNORE INTO owed VALUES (1)", [])?;
            }
            transaction.commit()?;
            give_back(connection)?;
            Ok((gone, owes))
        })?;
        self.owes_shedding |= owes;
        Ok(gone)
    }

    /// Empties the log of a file that is open, after rewriting it if it has to be.
    pub(crate) fn clean_up(&mut self) -> Result<(), String> {
        if self.connection.is_none() {
            return Ok(());
        }
        let owes_shedding = self.owes_shedding;
        self.with(|connection| {
            if owes_shedding {
                shed(connection)?;
                connection.execute("DELETE FROM owed", [])?;
            }
            settle(connection)
        })?;
        self.owes_shedding = false;
        Ok(())
    }

    /// Cleans up and closes the file; who comes next opens it again.
    pub(crate) fn close(&mut self) -> Result<(), String> {
        let cleaned = self.clean_up();
        self.connection = None;
        cleaned
    }

    pub(crate) fn read<T>(
        &mut self,
        project: &str,
        ask: impl Fn(&Reader<'_>) -> Result<T, nudge::Error>,
    ) -> Result<Result<T, nudge::Error>, String> {
        self.with(|connection| {
            let known = repository(connection, project)?;
            let reader = Reader::new(connection, known.map(|(id, _)| id), project);
            let answer = ask(&reader);
            reader.damage().map_or(Ok(answer), Err)
        })
    }
}

/// Gives some free pages back to the disk.
fn give_back(connection: &Connection) -> Result<(), Error> {
    let mut vacuum = connection.prepare_cached(&format!("PRAGMA incremental_vacuum({STEP})"))?;
    // It gives back a page for each row that is asked for.
    let mut pages = vacuum.query([])?;
    while pages.next()?.is_some() {}
    Ok(())
}

/// The number of a repository, and whether nothing is to be recorded there.
fn repository(connection: &Connection, name: &str) -> Result<Option<(i64, bool)>, Error> {
    let sql = "SELECT id, is_off FROM repositories WHERE name = ?1";
    let mut known = connection.prepare_cached(sql)?;
    known.query_row([name], |row| row.try_into()).optional()
}

/// Writes an observation, unless its repository has said no or it is known, and says whether
/// it did.
fn insert(connection: &Connection, row: &Row) -> Result<bool, Error> {
    let (one, kind) = (&row.observation, row.observation.obs_type);
    let repo = match repository(connection, &one.project)? {
        Some((_, true)) => return Ok(false),
        Some((id, false)) => id,
        None => {
            let sql = "INSERT INTO repositories (name) VALUES (?1)";
            connection.execute(sql, [&one.project])?;
            connection.last_insert_rowid()
        }
    };
    if row.is_first {
        let sql = "SELECT 1 FROM observations WHERE session_id = ?1 AND repo = ?2";
        let mut known = connection.prepare_cached(sql)?;
        if known.exists(params![one.session_id, repo])? {
            return Ok(false);
        }
    }
    if row.is_past {
        // A hook may have told it, at about that time and with the size of the file.
        let sql = "SELECT 1 FROM observations WHERE session_id = ?1 AND repo = ?2
            AND obs_type = ?3 AND abs(timestamp - ?4) <= ?5
            AND (content = ?6 OR file_path = ?7)";
        let mut known = connection.prepare_cached(sql)?;
        let params = params![
            one.session_id,
            repo,
            kind.name(),
            one.timestamp,
            SAME_TIME,
            one.content,
            one.file_path
        ];
        if known.exists(params)? {
            return Ok(false);
        }
    }
    let follows = matches!(
        kind,
        ObsType::Command | ObsType::CommandError | ObsType::FileEdit | ObsType::FileWrite
    );
    let sql = "INSERT INTO observations (timestamp, repo, session_id, host, branch, cwd, obs_type,
            content, file_path, exit_code, duration_ms, size, output, prompt_id)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
            CASE WHEN ?14 THEN (SELECT max(id) FROM observations
                WHERE session_id = ?3 AND obs_type = 'user_prompt' AND repo = ?2 AND timestamp <= ?1) END)";
    connection.prepare_cached(sql)?.execute(params![
        one.timestamp,
        repo,
        one.session_id,
        one.host,
        one.branch,
        one.cwd,
        kind.name(),
        one.content,
        one.file_path,
        one.exit_code,
        one.duration_ms,
        one.size,
        one.output,
        follows,
    ])?;
    Ok(true)
}
