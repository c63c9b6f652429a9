//! Databases of other programs, which are only read.

use std::fs::OpenOptions;
use std::path::Path;

use nudge_client::folder::file;
use rusqlite::limits::Limit;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Row};

use super::database::query;
use crate::wire::escape::percent_encoded;

/// A command as Atuin has it: when it began and how long it took in nanoseconds, its status, the
/// command, its folder and its session.
pub(crate) type AtuinCommand = (i64, i64, i64, String, String, String);

/// A use of a tool as `OpenCode` has it: when it ended in milliseconds, all of it as JSON, the
/// folder and the session.
pub(crate) type OpenCodeTool = (i64, String, String, String);

/// How often it is looked at whether questions go on, each time after so many steps of SQLite.
const STEPS: i32 = 10_000;
const MOST_LOOKS: u32 = 20_000;

/// The most bytes that are read of one database, and the longest name of a folder or session.
const MOST_BYTES: usize = 64 << 20;
const LONGEST_NAME: u32 = 4096;

/// The longest text that SQLite makes: a column may be computed.
const LONGEST_TEXT: i32 = 1 << 20;

const INTERRUPTED: Option<ErrorCode> = Some(ErrorCode::OperationInterrupted);

/// The database in a file, unless it cannot be opened.
pub(crate) struct Foreign(Connection);

impl Foreign {
    pub(crate) fn open(path: &Path) -> Option<Foreign> {
        // SQLite would make files beside one that may be written to.
        let path_bytes = path.as_os_str().as_encoded_bytes();
        let name = format!("file:{}?immutable=1", percent_encoded(path_bytes, "/"));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_URI;
        file::open(path, OpenOptions::new().read(true)).ok()?;
        let mut connection = Connection::open_with_flags(name, flags).ok()?;
        let mut looks = 0;
        let is_enough = move || {
            looks += 1;
            looks > MOST_LOOKS
        };
        connection.progress_handler(STEPS, Some(is_enough)).ok()?;
        connection
            .set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_TEXT)
            .ok()?;
        connection
            .pragma_update(None, "trusted_schema", false)
            .ok()?;
        Some(Foreign(connection))
    }

    /// Whether a name is that of a table of rows: a view or a virtual table may be anything.
    fn has_table(&self, name: &str) -> bool {
        let sql = "SELECT count(*) FROM sqlite_schema
            WHERE type = 'table' AND rootpage > 0 AND name = ?1";
        let count = self.0.query_row(sql, [name], |row| row.get::<_, u32>(0));
        count.is_ok_and(|count| count == 1)
    }

    /// The newest uses of tools by `OpenCode` that are not too long; `None` where they are kept
    /// otherwise.
    pub(crate) fn opencode_tools(&self, most: u32, longest: u32) -> Option<Vec<OpenCodeTool>> {
        let newest = "SELECT rowid FROM part
            WHERE length(data) <= ?2 AND data LIKE '%\"type\":\"tool\"%'
            ORDER BY time_updated DESC LIMIT ?1";
        let one = "SELECT part.time_updated, part.data, session.directory, session.id
            FROM part JOIN session ON session.id = part.session_id
            WHERE part.rowid = ?1 AND length(session.directory) <= ?2 AND length(session.id) <= ?2";
        self.rows(&["part", "session"], newest, one, (most, longest))
    }

    /// The newest commands of Atuin that are not too long; `None` where they are kept otherwise.
    pub(crate) fn atuin_commands(&self, most: u32, longest: u32) -> Option<Vec<AtuinCommand>> {
        let newest = "SELECT rowid FROM history
            WHERE deleted_at IS NULL AND length(command) <= ?2 ORDER BY timestamp DESC LIMIT ?1";
        let one = "SELECT timestamp, duration, exit, command, cwd, session FROM history
            WHERE rowid = ?1 AND length(cwd) <= ?2 AND length(session) <= ?2";
        self.rows(&["history"], newest, one, (most, longest))
    }

    /// The newest rows of some tables, up to so many bytes; one that is of another shape says
    /// nothing of the rest. Their numbers are sorted before they are read: together they may be
    /// of any size.
    fn rows<T>(&self, of: &[&str], newest: &str, one: &str, limits: (u32, u32)) -> Option<Vec<T>>
    where
        T: for<'r> TryFrom<&'r Row<'r>, Error = Error>,
    {
        if !of.iter().all(|table| self.has_table(table)) {
            return None;
        }
        let numbers: Vec<i64> = query(&self.0, newest, limits, |row| row.get(0)).ok()?;
        let mut one = self.0.prepare(one).ok()?;
        let (mut rows, mut bytes) = (Vec::new(), 0);
        for number in numbers {
            let found = one.query_row((number, LONGEST_NAME), |row| {
                let columns = 0..row.as_ref().column_count();
                let texts = columns.filter_map(|at| row.get_ref(at).ok()?.as_bytes().ok());
                bytes += texts.map(<[u8]>::len).sum::<usize>();
                T::try_from(row)
            });
            match found {
                _ if bytes > MOST_BYTES => break,
                Ok(row) => rows.push(row),
                // Questions went on for too long.
                Err(error) if error.sqlite_error_code() == INTERRUPTED => break,
                Err(_) => {}
            }
        }
        Some(rows)
    }
}
