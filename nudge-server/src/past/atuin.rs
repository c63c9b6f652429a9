//! The history of Atuin: a row for each command, with its status.

use std::fmt::Write;
use std::fs::OpenOptions;
use std::path::Path;

use nudge::{Context, Event};
use nudge_client::folder::file;
use rusqlite::{Connection, OpenFlags, Row};

use super::{Reading, UNKNOWN, UNREADABLE};
use crate::primary::past::PastEvent;

/// The newest commands that are read, and the longest of them.
const COMMANDS: usize = 50_000;
const COMMAND: usize = 8 * 1024;

const NANOS: i64 = 1_000_000_000;

/// Reads the history in a file.
pub(super) fn read(path: &Path, reading: &mut Reading) {
    // SQLite would make files beside one that may be written to.
    let name = format!("file:{}?immutable=1", escape(path));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
        | OpenFlags::SQLITE_OPEN_URI;
    let ours = file::open(path, OpenOptions::new().read(true)).ok();
    let Some(history) = ours.and_then(|_| Connection::open_with_flags(name, flags).ok()) else {
        return reading.leave(UNREADABLE);
    };
    match rows(&history, reading) {
        Ok(()) => reading.files = 1,
        Err(_) => reading.leave(UNKNOWN),
    }
}

fn rows(history: &Connection, reading: &mut Reading) -> rusqlite::Result<()> {
    let sql = format!(
        "SELECT timestamp, duration, exit, command, cwd, session FROM history
            WHERE deleted_at IS NULL AND length(command) <= {COMMAND}
            ORDER BY timestamp DESC LIMIT {COMMANDS}"
    );
    let mut rows = history.prepare(&sql)?;
    let told = rows.query_map([], told)?;
    // A row that is of another shape says nothing of the rest.
    reading.told.extend(told.filter_map(Result::ok));
    Ok(())
}

fn told(row: &Row<'_>) -> rusqlite::Result<PastEvent> {
    let (begun, took, code): (i64, i64, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let (command, cwd, session): (String, String, String) = (row.get(3)?, row.get(4)?, row.get(5)?);
    let event = Event::after_command(command).host("atuin").session(session);
    let mut event = event.context(Context::new().cwd(cwd));
    // Of a command that has not ended, or whose end was missed, both are less than 0.
    if took >= 0 && code >= 0 {
        event.exit_code = Some(code);
        event.duration_ms = u64::try_from(took / 1_000_000).ok();
    }
    Ok(PastEvent {
        timestamp: begun.saturating_add(took.max(0)) / NANOS,
        event,
    })
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
