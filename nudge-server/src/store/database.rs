//! One way to open a SQLite file of ours. Anybody may have put it there, so what is in its
//! place is looked at before SQLite opens it, and what is in it before it is used.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nudge_client::folder::file;
use nudge_client::platform::{mode, plain, set_mode};
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Params, Row};
use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use serde_json::Value;

use super::aside::{ENDS, move_aside, with_end};

/// How long another process that has the file may take to end.
const WAITS: Duration = Duration::from_secs(1);

/// How many statements are kept ready.
const STATEMENTS: usize = 64;

/// The version in a file is its major one times this, and its minor one.
const MAJOR: i64 = 1000;

/// The index of the log is in memory, if nobody else may have the file before the log is read.
const BEFORE_READING: &str = "
    PRAGMA cell_size_check = ON;
    PRAGMA mmap_size = 0;
    PRAGMA temp_store = MEMORY;
    PRAGMA locking_mode = EXCLUSIVE;
";

/// None of these writes to a file that has a log, so that one on a full disk can be read.
const BEFORE_WRITING: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA secure_delete = ON;
";

/// What a file of ours has in it.
pub(crate) struct Schema {
    pub(crate) name: &'static str,
    /// Which tables there are. A file with a later one is left alone.
    pub(crate) major: i64,
    /// What makes the tables of minor version 0.
    pub(crate) tables: &'static str,
    /// What each later minor version added: columns that may be left out, or further tables. To
    /// add a line here is to make the next one.
    pub(crate) added: &'static [&'static str],
}

#[derive(Debug)]
pub(crate) struct Opened<T> {
    pub(crate) connection: Connection,
    /// What was read of it first.
    pub(crate) loaded: T,
    /// What the user is to know.
    pub(crate) notices: Vec<String>,
    /// The damaged file that was in its place, for [`salvage`].
    pub(crate) aside: Option<PathBuf>,
}

/// Why a file cannot be used, and is as it was.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has a later major version.
    Later(i64),
    /// Any other reason, in a sentence.
    Unusable(String),
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Later(major) => write!(
                f,
                "the file was written by a later version of Nudge (format {major}) and is left \
                 as it is; `nudge export` of that version writes what this one can import"
            ),
            Refusal::Unusable(why) => f.write_str(why),
        }
    }
}

enum Fault {
    Refused(Refusal),
    Failed(String),
    Damaged,
    /// Its tables are not ours.
    Foreign,
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        match error {
            error if is_damage(&error) => Fault::Damaged,
            Error::SqliteFailure(..) => Fault::Failed(failure(&error)),
            // What stands in the schema is no text.
            _ => Fault::Foreign,
        }
    }
}

/// A row of the schema: type, name, table, SQL.
type Entry = (String, String, String, Option<String>);

impl Schema {
    fn minor(&self) -> i64 {
        i64::try_from(self.added.len()).unwrap_or(i64::MAX)
    }

    fn added_after(&self, minor: i64) -> &[&'static str] {
        let from = usize::try_from(minor).unwrap_or_default();
        self.added.get(from..).unwrap_or_default()
    }

    /// Whether what is in a file is ours: to the letter, or of a later minor version, which has
    /// at least what this one has, and neither views nor triggers of its own.
    fn is_in(
        &self,
        connection: &Connection,
        found: &BTreeSet<Entry>,
        minor: i64,
    ) -> Result<bool, Error> {
        let model = Connection::open_in_memory()?;
        model.execute_batch(self.tables)?;
        let until = self.added.len() - self.added_after(minor).len();
        for added in self.added.iter().take(until) {
            model.execute_batch(added)?;
        }
        let known = entries(&model)?;
        if minor <= self.minor() {
            return Ok(*found == known);
        }
        for (kind, name, ..) in known.difference(found) {
            if kind != "table" || !columns(connection, name)?.starts_with(&columns(&model, name)?) {
                return Ok(false);
            }
        }
        let mut more = found.difference(&known);
        Ok(more.all(|(kind, ..)| kind == "table" || kind == "index"))
    }

    /// The version of a file whose tables are ours; `None` for one with nothing in it.
    fn version_in(&self, connection: &Connection) -> Result<Option<i64>, Fault> {
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        let (major, minor) = (version / MAJOR, version % MAJOR);
        if major > self.major {
            return Err(Fault::Refused(Refusal::Later(major)));
        }
        let found = entries(connection)?;
        if version == 0 && found.is_empty() {
            return Ok(None);
        }
        if major < self.major || !self.is_in(connection, &found, minor)? {
            return Err(Fault::Foreign);
        }
        Ok(Some(minor))
    }
}

fn entries(connection: &Connection) -> Result<BTreeSet<Entry>, Error> {
    let sql = "SELECT type, name, tbl_name, sql FROM sqlite_schema";
    let all = query(connection, sql, [], |row| row.try_into())?;
    Ok(all.into_iter().collect())
}

fn columns(connection: &Connection, table: &str) -> Result<Vec<String>, Error> {
    let sql = "SELECT json_array(name, type, \"notnull\", dflt_value, pk, hidden)
        FROM pragma_table_xinfo(?1)";
    query(connection, sql, [table], |row| row.get(0))
}

/// What the rows say that a question finds.
pub(super) fn query<T>(
    on: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    on.prepare_cached(sql)?.query_map(params, read)?.collect()
}

/// A row as something of ours whose fields are called as its columns are.
pub(super) fn read<T: DeserializeOwned>(row: &Row<'_>) -> Result<T, Error> {
    let names = row.as_ref().column_names().enumerate();
    let fields = names.map(|(at, name)| match row.get_ref(at) {
        Ok(ValueRef::Integer(number)) => (name, number.into()),
        Ok(ValueRef::Text(text)) => (name, String::from_utf8_lossy(text).into()),
        _ => (name, Value::Null),
    });
    let read = T::deserialize(MapDeserializer::new(fields));
    read.map_err(|_: serde_json::Error| Error::InvalidQuery)
}

/// Opens a file in a folder of ours, and reads something of it; it is made where there is none.
/// One that is damaged, which may show only then, or whose tables are not ours, is moved aside
/// whole.
pub(crate) fn open<T>(
    folder: &Path,
    schema: &Schema,
    load: impl Fn(&Connection) -> Result<T, Error>,
) -> Result<Opened<T>, Refusal> {
    // A folder that is reached by a link is its owner's affair; SQLite follows none at all.
    let folder = fs::canonicalize(folder).map(plain);
    let folder = folder.map_err(|error| unusable(schema.name.as_ref(), error))?;
    let path = folder.join(schema.name);
    let (mut notices, mut aside) = (Vec::new(), None);
    let opened = || {
        let connection = prepare(&path, schema)?;
        let loaded = load(&connection).map_err(|error| {
            if is_damage(&error) {
                return Fault::Damaged;
            }
            let words = format!("`{}` cannot be read: {}", schema.name, failure(&error));
            Fault::Refused(Refusal::Unusable(words))
        })?;
        Ok((connection, loaded))
    };
    loop {
        let fault = match opened() {
            Ok((connection, loaded)) => {
                return Ok(Opened {
                    connection,
                    loaded,
                    notices,
                    aside,
                });
            }
            Err(Fault::Refused(refusal)) => return Err(refusal),
            Err(Fault::Failed(why)) => return Err(unusable(&path, why)),
            Err(fault) => fault,
        };
        // What was made a moment ago is not damaged unless the disk is.
        if !notices.is_empty() {
            return Err(unusable(&path, "what is written is not what is read"));
        }
        let is_damaged = matches!(fault, Fault::Damaged);
        let (moved, notice) = move_aside(&folder, schema, is_damaged)?;
        notices.push(notice);
        aside = is_damaged.then_some(moved);
    }
}

/// Opens a damaged file that was moved aside, to read what can be read; `None` where nothing can.
pub(crate) fn salvage(aside: &Path, schema: &Schema) -> Option<Connection> {
    check(aside).ok()?;
    let connection = connect(aside).ok()?;
    // Of a file that is too short, only who might write to its schema may read the rest.
    for (setting, is_on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false),
        (DbConfig::SQLITE_DBCONFIG_WRITABLE_SCHEMA, true),
    ] {
        connection.set_db_config(setting, is_on).ok()?;
    }
    connection.execute_batch("PRAGMA query_only = ON").ok()?;
    let version = schema.version_in(&connection).ok()?;
    version.map(|_| connection)
}

fn prepare(path: &Path, schema: &Schema) -> Result<Connection, Fault> {
    check(path).map_err(Fault::Refused)?;
    let connection = connect(path)?;
    let found = schema.version_in(&connection)?;
    if connection.is_readonly("main")? {
        return Err(Fault::Refused(unusable(path, "it cannot be written to")));
    }
    if found.is_none() {
        // Vacuum by steps must be chosen before there is a table.
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    }
    connection.execute_batch(BEFORE_WRITING)?;
    if found.is_none_or(|minor| minor < schema.minor()) {
        // All or nothing: a process may end at any time.
        let transaction = connection.unchecked_transaction()?;
        if found.is_none() {
            transaction.execute_batch(schema.tables)?;
        }
        for added in schema.added_after(found.unwrap_or(0)) {
            transaction.execute_batch(added)?;
        }
        let version = schema.major * MAJOR + schema.minor();
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
    }
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(connection)
}

/// Makes a file where there is none, and refuses what is no plain file of ours. No file that is
/// there is opened: to close it would take SQLite's locks from it.
fn check(path: &Path) -> Result<(), Refusal> {
    let folder = path.parent().unwrap_or(path);
    let seen = fs::metadata(folder).map_err(|error| unusable(folder, error))?;
    if mode(&seen) & 0o200 == 0 {
        let why = "its folder cannot be written to; `chmod u+w` changes that";
        return Err(unusable(path, why));
    }
    let mut options = OpenOptions::new();
    match file::open(path, options.read(true).write(true).create_new(true)) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            return Err(unusable(path, error));
        }
        _ => {}
    }
    for path in ENDS.map(|end| with_end(path, end)) {
        let refused = |error: io::Error| unusable(&path, error);
        if !file::check(&path).map_err(refused)? {
            continue;
        }
        let seen = fs::symlink_metadata(&path).map_err(refused)?;
        if mode(&seen) & 0o600 != 0o600 {
            let why = "it cannot be read and written; `chmod u+rw` changes that";
            return Err(unusable(&path, why));
        }
        set_mode(&path, 0o600).map_err(refused)?;
    }
    Ok(())
}

fn connect(path: &Path) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_PRIVATE_CACHE;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(WAITS)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    for (setting, is_on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false),
        // Otherwise a plan that depends on what is bound is made again for every row.
        (DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true),
        // What is only looked at stays as it is.
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
    ] {
        connection.set_db_config(setting, is_on)?;
    }
    connection.execute_batch(BEFORE_READING)?;
    Ok(connection)
}

/// Rewrites the file and empties its log: nothing that was deleted or replaced is left.
pub(crate) fn shed(connection: &Connection) -> Result<(), Error> {
    connection.execute_batch("VACUUM")?;
    settle(connection)
}

/// Writes the log into the file and empties it, so that a copy of the one file is whole.
pub(crate) fn settle(connection: &Connection) -> Result<(), Error> {
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

pub(crate) fn is_damage(error: &Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
    )
}

/// Why a file cannot be used, in a few words.
pub(crate) fn failure(error: &Error) -> String {
    let words = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => "the file is damaged",
        Some(ErrorCode::DiskFull) => "the disk is full",
        Some(ErrorCode::ReadOnly) => "the file cannot be written to",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another process has the file open"
        }
        _ => return error.to_string(),
    };
    words.to_owned()
}

pub(super) fn unusable(path: &Path, why: impl Display) -> Refusal {
    Refusal::Unusable(format!("`{}` cannot be used: {why}", path.display()))
}
