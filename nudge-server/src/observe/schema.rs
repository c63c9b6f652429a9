//! The file of observations: where it is, how it is opened, and what is in it.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nudge_client::folder::file;
use nudge_client::platform::{plain, set_file_mode};
use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};

use super::record::Row;
use super::requests::ObsType;
use crate::kept::place::Place;

/// Its folder below the home, beside the session's, and its name there.
const FOLDER: &str = ".local/state/nudge-hints";
const NAME: &str = "observations.db";

/// Which tables there are. A file of a later version is left alone.
const VERSION: i64 = 1;

/// How long whoever writes waits for another process that does.
const WRITER_WAITS: Duration = Duration::from_secs(1);

/// How long whoever reads does, for what takes a moment only.
const READER_WAITS: Duration = Duration::from_millis(100);

/// Within how many seconds the same is told of the same by a hook and by a transcript.
const SAME_TIME: i64 = 5;

/// Vacuum by steps must be chosen before there is a table.
const SETTINGS: &str = "
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA temp_store = MEMORY;
    PRAGMA secure_delete = ON;
";

/// The latest of a repository are found by an expression, so that nothing else is looked for there.
const TABLES: &str = "
    CREATE TABLE repositories (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_off INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE observations (
        id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp INTEGER NOT NULL, repo INTEGER NOT NULL,
        session_id TEXT NOT NULL, host TEXT, branch TEXT, cwd TEXT, obs_type TEXT NOT NULL,
        content TEXT NOT NULL, file_path TEXT, exit_code INTEGER, duration_ms INTEGER,
        size INTEGER, prompt_id INTEGER, output TEXT);
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
";

/// Why the file cannot be used, in a sentence.
pub(super) fn failure(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
            format!("the file is damaged; move `~/{FOLDER}/{NAME}` away, and a new one is made")
        }
        Some(rusqlite::ErrorCode::DiskFull) => "the disk is full".to_owned(),
        _ => error.to_string(),
    }
}

/// Opens the file below a home to write to it; it is made where there is none.
pub(super) fn open_writer(home: &Path) -> Result<Connection, String> {
    let path = private_file(home)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let connection = open(&path, flags, WRITER_WAITS)?;
    let prepared = || {
        connection.execute_batch(SETTINGS)?;
        // All or nothing, and once: a process may end at any time, and another begin.
        let transaction = begin(&connection)?;
        let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version == 0 {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
        Ok(version)
    };
    match prepared() {
        Ok(version) if version > VERSION => {
            Err("the file was written by a later version of Nudge".to_owned())
        }
        Ok(_) => Ok(connection),
        Err(error) => Err(failure(&error)),
    }
}

/// Begins to write. Who waits until the first row may find that another process was quicker.
pub(super) fn begin(connection: &Connection) -> rusqlite::Result<Transaction<'_>> {
    Transaction::new_unchecked(connection, TransactionBehavior::Immediate)
}

/// Opens the file that a writer has made, to read.
pub(super) fn open_reader(home: &Path) -> Result<Connection, String> {
    let path = private_file(home)?;
    open(&path, OpenFlags::SQLITE_OPEN_READ_ONLY, READER_WAITS)
}

fn open(path: &Path, flags: OpenFlags, waits: Duration) -> Result<Connection, String> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| failure(&error))?;
    let waits = connection.busy_timeout(waits);
    waits.map_err(|error| failure(&error))?;
    Ok(connection)
}

/// The path of the file, once it is ours, for nobody else, and no link.
fn private_file(home: &Path) -> Result<PathBuf, String> {
    let folder = Place::new(home, FOLDER).folder(true)?;
    // A home that leads elsewhere is its owner's affair, and SQLite follows no link at all.
    let folder = folder.and_then(|folder| fs::canonicalize(folder).ok().map(plain));
    let path = folder.ok_or("the folder is gone")?.join(NAME);
    let refused = |error: std::io::Error| format!("`{}` cannot be used: {error}", path.display());
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let found = file::open(&path, &mut options).map_err(refused)?;
    set_file_mode(&found, 0o600).map_err(refused)?;
    Ok(path)
}

/// The number of a repository, and whether nothing is to be recorded there.
pub(super) fn repository(
    connection: &Connection,
    name: &str,
) -> rusqlite::Result<Option<(i64, bool)>> {
    let sql = "SELECT id, is_off FROM repositories WHERE name = ?1";
    let mut known = connection.prepare_cached(sql)?;
    known
        .query_row([name], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// The number of a repository, which is made known.
pub(super) fn add_repository(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    if let Some((id, _)) = repository(connection, name)? {
        return Ok(id);
    }
    connection.execute("INSERT INTO repositories (name) VALUES (?1)", [name])?;
    Ok(connection.last_insert_rowid())
}

/// Writes an observation, unless its repository has said no or it is known, and says whether
/// it did.
pub(super) fn insert(connection: &Connection, row: &Row) -> rusqlite::Result<bool> {
    let Some(kind) = row.kind else {
        return Ok(false);
    };
    let repo = match repository(connection, &row.repo)? {
        Some((_, true)) => return Ok(false),
        Some((id, false)) => id,
        None => add_repository(connection, &row.repo)?,
    };
    if row.is_first {
        let sql = "SELECT 1 FROM observations WHERE session_id = ?1 AND repo = ?2";
        let mut known = connection.prepare_cached(sql)?;
        if known.exists(params![row.session, repo])? {
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
            row.session,
            repo,
            kind.name(),
            row.timestamp,
            SAME_TIME,
            row.content,
            row.file
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
        row.timestamp,
        repo,
        row.session,
        row.host,
        row.branch,
        row.cwd,
        kind.name(),
        row.content,
        row.file,
        row.exit_code,
        row.duration_ms,
        row.size,
        row.output,
        follows,
    ])?;
    Ok(true)
}
