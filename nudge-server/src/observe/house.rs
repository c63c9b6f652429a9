//! How long observations are kept, and how they go.

use nudge::{Error, ErrorKind, Repo};
use rusqlite::Connection;
use serde_json::json;

use super::observer::no_repository;
use super::requests::Purge;

/// How many observations go at once, and how many pages of the file are given back then. Few
/// enough for nobody to notice.
const STEP: usize = 300;

/// What is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// For how many seconds.
    pub(super) seconds: i64,
    /// In how many bytes.
    pub(super) bytes: i64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            seconds: 90 * 24 * 3600,
            bytes: 200 << 20,
        }
    }
}

/// Deletes some of what is too old, or too much.
pub(super) fn tidy(connection: &Connection, now: i64, limits: Limits) -> rusqlite::Result<()> {
    let size = "SELECT (page_count - freelist_count) * page_size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
    let bytes: i64 = connection
        .prepare_cached(size)?
        .query_row([], |row| row.get(0))?;
    let before = if bytes > limits.bytes {
        i64::MAX
    } else {
        now.saturating_sub(limits.seconds)
    };
    let sql = format!(
        "DELETE FROM observations WHERE id IN
            (SELECT id FROM observations WHERE timestamp < ?1 ORDER BY timestamp LIMIT {STEP})"
    );
    let gone = connection.prepare_cached(&sql)?.execute([before])?;
    if gone > 0 {
        give_back(connection)
    } else {
        Ok(())
    }
}

/// Gives some free pages back to the disk.
fn give_back(connection: &Connection) -> rusqlite::Result<()> {
    let mut vacuum = connection.prepare_cached(&format!("PRAGMA incremental_vacuum({STEP})"))?;
    // It gives back a page for each row that is asked for.
    let mut pages = vacuum.query([])?;
    while pages.next()?.is_some() {}
    Ok(())
}

/// Deletes all that a request means, a step at a time, and says how many went.
pub(super) fn purge(
    asked: &Purge,
    with_writer: impl Fn(&dyn Fn(&Connection) -> rusqlite::Result<usize>) -> Result<usize, Error>,
) -> Result<usize, Error> {
    let invalid = |words: &str| Error::new(ErrorKind::Invalid, words);
    let here = asked.context.as_ref().map(nudge::Context::facts);
    let here = here.and_then(|facts| facts.repos.first().cloned());
    let repo = match (&asked.repo, asked.here) {
        (Some(name), _) => {
            let words = "repo: this is not a repository; write a remote, or git:org/repo";
            Some(Repo::parse(name).ok_or_else(|| invalid(words)))
        }
        (None, Some(true)) => Some(here.ok_or_else(no_repository)),
        _ => None,
    };
    let repo = repo.transpose()?.map(|repo| repo.to_string());
    let ids = asked.ids.as_ref().map(|ids| json!(ids).to_string());
    if asked.before.is_none() && repo.is_none() && ids.is_none() {
        return Err(invalid(
            "say what to delete: `before`, `repo`, `here` or `ids`",
        ));
    }
    let meant = "FROM observations WHERE (?1 IS NULL OR timestamp < ?1)
        AND (?2 IS NULL OR repo = (SELECT id FROM repositories WHERE name = ?2))
        AND (?3 IS NULL OR id IN (SELECT value FROM json_each(?3)))";
    if asked.dry_run == Some(true) {
        let sql = format!("SELECT count(*) {meant}");
        return with_writer(&|connection| {
            connection.query_row(&sql, (asked.before, &repo, &ids), |row| {
                Ok(row.get::<_, u32>(0)? as usize)
            })
        });
    }
    let sql = format!("DELETE FROM observations WHERE id IN (SELECT id {meant} LIMIT {STEP})");
    let mut purged = 0;
    loop {
        let gone = with_writer(&|connection| {
            let gone = connection.execute(&sql, (asked.before, &repo, &ids))?;
            give_back(connection)?;
            Ok(gone)
        })?;
        purged += gone;
        if gone < STEP {
            break;
        }
    }
    with_writer(&|connection| {
        // What is gone is gone from the log of the file too.
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(0))
    })?;
    Ok(purged)
}
