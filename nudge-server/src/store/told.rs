//! What agents were told unasked, in rows of `history.db`.

use nudge::ToldLine;
use rusqlite::params;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::aside::has_history;
use super::history::History;

/// For how many milliseconds it is kept.
const KEPT: i64 = 30 * 24 * 3600 * 1000;

/// What hooks told agents in some time, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Receipts {
    /// How many lines.
    pub(crate) told: usize,
    /// How often the next command of the kind was the one that was told.
    pub(crate) heeded: usize,
    /// How often another command ran and worked after one was held back.
    pub(crate) stopped: usize,
}

impl History {
    /// Writes down what was told, and deletes what is too old.
    pub(crate) fn write_told(&mut self, lines: &[ToldLine]) -> Result<(), String> {
        self.with(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let latest = lines.iter().map(|told| told.at.timestamp_millis()).max();
            transaction
                .prepare_cached("DELETE FROM told WHERE at < ?1")?
                .execute([latest.unwrap_or(KEPT) - KEPT])?;
            let sql = "INSERT INTO told VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            for told in lines {
                let at = told.at.timestamp_millis();
                let (repo, host, session) = (&told.repo, &told.host, &told.session);
                transaction
                    .prepare_cached(sql)?
                    .execute(params![at, repo, host, session, told.event, told.line])?;
            }
            transaction.commit()
        })
    }

    /// Counts what was told since a time.
    pub(crate) fn receipts(&mut self, since: i64) -> Result<Receipts, String> {
        // Who only asks makes no file.
        if !has_history(&self.folder) {
            return Ok(Receipts::default());
        }
        let sql = "SELECT event, count(*) FROM told WHERE at >= ?1 GROUP BY event";
        self.with(|connection| {
            let mut receipts = Receipts::default();
            let mut counts = connection.prepare_cached(sql)?;
            let mut counts = counts.query([since])?;
            while let Some(row) = counts.next()? {
                let count = row.get::<_, u32>(1)? as usize;
                match &*row.get::<_, String>(0)? {
                    ToldLine::HEEDED => receipts.heeded += count,
                    ToldLine::STOPPED => receipts.stopped += count,
                    _ => receipts.told += count,
                }
            }
            Ok(receipts)
        })
    }
}
