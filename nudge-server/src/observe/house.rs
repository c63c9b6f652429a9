//! How long observations are kept, and how they go.

use nudge::{Error, ErrorKind, Repo};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

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
) -> Result<u64, Error> {
    let invalid = |words: &str| Error::new(ErrorKind::Invalid, words);
    let mut conditions = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    if let Some(before) = asked.before {
        conditions.push("timestamp < ?".to_owned());
        values.push(before.into());
    }
    let named = asked.repo.as_deref().map(|name| {
        let named = Repo::parse(name);
        named.ok_or_else(|| invalid("repo: this names no repository; give its remote"))
    });
    let here = asked.here.filter(|here| *here).map(|_| {
        let facts = asked.context.as_ref().map(nudge::Context::facts);
        let repo = facts.and_then(|facts| facts.repos.first());
        repo.cloned()
            .ok_or_else(|| invalid("here: there is no repository here; name one by `repo`"))
    });
    for repo in named.into_iter().chain(here) {
        conditions.push("repo = (SELECT id FROM repositories WHERE name = ?)".to_owned());
        values.push(repo?.as_str().to_owned().into());
    }
    if let Some(ids) = &asked.ids {
        conditions.push(format!("id IN ({})", vec!["?"; ids.len()].join(", ")));
        values.extend(ids.iter().map(|id| Value::from(*id)));
    }
    if conditions.is_empty() {
        return Err(invalid(
            "say what to delete: `before`, `repo`, `here` or `ids`",
        ));
    }
    if asked.ids.as_ref().is_some_and(|ids| ids.len() > STEP) {
        return Err(invalid("ids: at most 300 at a time"));
    }
    let conditions = conditions.join(" AND ");
    let sql = format!(
        "DELETE FROM observations WHERE id IN
            (SELECT id FROM observations WHERE {conditions} LIMIT {STEP})"
    );
    let mut purged = 0;
    loop {
        let gone = with_writer(&|connection| {
            let gone = connection.execute(&sql, params_from_iter(&values))?;
            give_back(connection)?;
            Ok(gone)
        })?;
        purged += gone as u64;
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
