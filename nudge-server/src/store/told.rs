//! What agents were told unasked, in rows of `history.db`.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use nudge::ToldLine;
use rusqlite::params;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::database::{query, read};
use super::history::History;

/// For how many milliseconds it is kept.
const KEPT: i64 = 30 * 24 * 3600 * 1000;

/// What hooks told agents in some time, and what came of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Receipts {
    /// How many lines.
    pub(crate) told: usize,
    /// How often the next command of the kind was the one that was told.
    pub(crate) heeded: usize,
    /// How often another command ran and worked after one was held back.
    pub(crate) stopped: usize,
}

/// The same, by repository; `None` is outside of any.
pub(crate) type ByRepo = BTreeMap<Option<String>, Receipts>;

impl AddAssign for Receipts {
    fn add_assign(&mut self, more: Receipts) {
        self.told += more.told;
        self.heeded += more.heeded;
        self.stopped += more.stopped;
    }
}

/// A line that an agent was told unasked, or what came of one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct ToldRow {
    /// When, in seconds since 1970.
    pub(crate) timestamp: i64,
    /// The repository; absent outside of any.
    pub(crate) repo: Option<String>,
    /// The agent's program.
    pub(crate) host: String,
    /// What that calls its session.
    pub(crate) session_id: String,
    /// The event at which it was told; `held_back` where it was the reason to hold a command
    /// back; `heeded` or `stopped` for what came of it.
    pub(crate) event: String,
    /// The line, or the command that was told or held back.
    pub(crate) line: String,
}

/// A session of an agent, as far as it was recorded in a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct AgentSession {
    #[serde(skip)]
    pub(crate) repo: String,
    /// What its host calls it.
    pub(crate) session_id: String,
    /// The agent's program.
    pub(crate) host: Option<String>,
    /// What the user asked for first, or its first 120 characters.
    pub(crate) prompt: Option<String>,
    /// When it was first seen, in seconds since 1970.
    pub(crate) started_at: i64,
    /// When it was last seen.
    pub(crate) last_at: i64,
    /// How many of its commands did not fail.
    pub(crate) worked: u32,
    /// How many did.
    pub(crate) failed: u32,
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

    /// Counts what was told from one time to another, by repository; both are in milliseconds.
    pub(crate) fn receipts(&mut self, from: i64, to: i64) -> Result<ByRepo, String> {
        let sql = "SELECT repo, event, count(*) FROM told WHERE at >= ?1 AND at < ?2
            GROUP BY repo, event";
        self.ask(|connection| {
            let mut receipts = ByRepo::new();
            let counts = query(connection, sql, [from, to], |row| row.try_into())?;
            for (repo, event, count) in counts {
                let (of_repo, event, count): (_, String, u32) = (repo, event, count);
                let of_repo = receipts.entry(of_repo).or_default();
                let count = count as usize;
                match &*event {
                    ToldLine::HEEDED => of_repo.heeded += count,
                    ToldLine::STOPPED => of_repo.stopped += count,
                    _ => of_repo.told += count,
                }
            }
            Ok(receipts)
        })
    }

    /// What was told since a time, and what came of it, the newest first: as much as is wanted.
    pub(crate) fn told(
        &mut self,
        since: i64,
        most: usize,
        is_wanted: impl Fn(&ToldRow) -> bool,
    ) -> Result<Vec<ToldRow>, String> {
        let sql = "SELECT at / 1000 AS timestamp, repo, host, session AS session_id, event, line
            FROM told WHERE at >= ?1 ORDER BY at DESC, rowid DESC";
        self.ask(|connection| {
            let mut lines = Vec::new();
            let mut rows = connection.prepare_cached(sql)?;
            let mut rows = rows.query([since])?;
            while lines.len() < most
                && let Some(row) = rows.next()?
            {
                let told = read(row)?;
                lines.extend(is_wanted(&told).then_some(told));
            }
            Ok(lines)
        })
    }

    /// The sessions of agents that were seen since a time, in seconds, the latest first: by
    /// repository, where they are recorded.
    pub(crate) fn sessions(&mut self, since: i64, most: u32) -> Result<Vec<AgentSession>, String> {
        let sql =
            "SELECT r.name, o.session_id, max(o.host) AS host, min(o.timestamp) AS started_at,
                max(o.timestamp) AS last_at, sum(o.obs_type = 'command') AS worked,
                sum(o.obs_type = 'command_error') AS failed,
                (SELECT substr(p.content, 1, 120) FROM observations p
                    WHERE p.session_id = o.session_id AND p.obs_type = 'user_prompt'
                    AND p.repo = o.repo ORDER BY p.id LIMIT 1) AS prompt
            FROM observations o JOIN repositories r ON r.id = o.repo
            WHERE o.timestamp >= ?1 GROUP BY o.repo, o.session_id
            ORDER BY max(o.timestamp) DESC, o.session_id LIMIT ?2";
        self.ask(|connection| {
            query(connection, sql, (since, most), |row| {
                Ok(AgentSession {
                    repo: row.get(0)?,
                    ..read(row)?
                })
            })
        })
    }
}
