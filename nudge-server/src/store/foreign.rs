//! Databases of other programs, which are only read.

use std::fmt::Write;
use std::fs::OpenOptions;
use std::path::Path;

use nudge_client::folder::file;
use rusqlite::{Connection, Error, OpenFlags, Row};

/// A command as Atuin has it: when it began and how long it took in nanoseconds, its status, the
/// command, its folder and its session.
pub(crate) type AtuinCommand = (i64, i64, i64, String, String, String);

/// A use of a tool as `OpenCode` has it: when it ended in milliseconds, all of it as JSON, the
/// folder and the session.
pub(crate) type OpenCodeTool = (i64, String, String, String);

/// How many steps of SQLite one question may take: a view may be endless.
const MOST_STEPS: i32 = 200_000_000;

/// The database in a file, unless it cannot be opened.
pub(crate) struct Foreign(Connection);

impl Foreign {
    pub(crate) fn open(path: &Path) -> Option<Foreign> {
        // SQLite would make files beside one that may be written to.
        let name = format!("file:{}?immutable=1", escape(path));
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_URI;
        file::open(path, OpenOptions::new().read(true)).ok()?;
        let mut connection = Connection::open_with_flags(name, flags).ok()?;
        // Called once, after so many, which is too many.
        connection
            .progress_handler(MOST_STEPS, Some(|| true))
            .ok()?;
        Some(Foreign(connection))
    }

    /// Whether a name is that of a table: a view may be anything.
    fn has_table(&self, name: &str) -> bool {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1";
        let count = self.0.query_row(sql, [name], |row| row.get::<_, u32>(0));
        count.is_ok_and(|count| count == 1)
    }

    /// The newest uses of tools by `OpenCode` that are not too long; `None` where they are kept
    /// otherwise.
    pub(crate) fn opencode_tools(&self, most: u32, longest: u32) -> Option<Vec<OpenCodeTool>> {
        let sql = "SELECT part.time_updated, part.data, session.directory, session.id
            FROM part JOIN session ON session.id = part.session_id
            WHERE length(part.data) <= ?2 AND part.data LIKE '%\"type\":\"tool\"%'
            ORDER BY part.time_updated DESC LIMIT ?1";
        let is_known = self.has_table("part") && self.has_table("session");
        is_known.then(|| self.rows(sql, most, longest)).flatten()
    }

    /// What a question finds; a row that is of another shape says nothing of the rest.
    fn rows<T>(&self, sql: &str, most: u32, longest: u32) -> Option<Vec<T>>
    where
        T: for<'r> TryFrom<&'r Row<'r>, Error = Error>,
    {
        let read = || {
            let mut rows = self.0.prepare(sql)?;
            let rows = rows.query_map((most, longest), |row| T::try_from(row))?;
            Ok::<_, Error>(rows.filter_map(Result::ok).collect())
        };
        read().ok()
    }

    /// The newest commands of Atuin that are not too long; `None` where they are kept otherwise.
    pub(crate) fn atuin_commands(&self, most: u32, longest: u32) -> Option<Vec<AtuinCommand>> {
        let sql = "SELECT timestamp, duration, exit, command, cwd, session FROM history
            WHERE deleted_at IS NULL AND length(command) <= ?2 ORDER BY timestamp DESC LIMIT ?1";
        let is_known = self.has_table("history");
        is_known.then(|| self.rows(sql, most, longest)).flatten()
    }
}

/// A path as a part of a URI.
fn escape(path: &Path) -> String {
    let mut escaped = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            escaped.push(char::from(*byte));
        } else {
            // Writing to a text does not fail.
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}
