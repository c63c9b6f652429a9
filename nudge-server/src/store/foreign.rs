//! Databases of other programs, which are only read.

use std::fmt::Write;
use std::fs::OpenOptions;
use std::path::Path;

use nudge_client::folder::file;
use rusqlite::{Connection, Error, OpenFlags};

/// A command as Atuin has it: when it began and how long it took in nanoseconds, its status, the
/// command, its folder and its session.
pub(crate) type AtuinCommand = (i64, i64, i64, String, String, String);

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
        Connection::open_with_flags(name, flags).ok().map(Foreign)
    }

    /// The newest commands of Atuin that are not too long; `None` where they are kept otherwise.
    pub(crate) fn atuin_commands(&self, most: u32, longest: u32) -> Option<Vec<AtuinCommand>> {
        let sql = "SELECT timestamp, duration, exit, command, cwd, session FROM history
            WHERE deleted_at IS NULL AND length(command) <= ?2 ORDER BY timestamp DESC LIMIT ?1";
        let read = || {
            let mut rows = self.0.prepare(sql)?;
            let rows = rows.query_map((most, longest), |row| row.try_into())?;
            // A row that is of another shape says nothing of the rest.
            Ok::<_, Error>(rows.filter_map(Result::ok).collect())
        };
        read().ok()
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
