//! Sessions: the one that goes on, and the one that ended last; and what outlives them.

use std::collections::BTreeMap;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use nudge::{ChangeKind, Error};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::aside::{aside_of, forget_old_aside};
use super::database::{query, salvage};
use super::load;
use super::memory::Memory;
use super::rows::{MEMORY, json};
use crate::platform::sha256;

/// The roots of each repository in the order in which they became known, with a commit of each.
pub(super) type Roots = BTreeMap<String, Vec<(String, String)>>;

/// A session that goes on.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// What exports call it.
    pub(crate) id: String,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) active_at: DateTime<Utc>,
    pub(crate) settings: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Stopped,
    /// Nobody used it for too long.
    Lingered,
    /// The user stopped it, and wants nothing back.
    Purged,
}

impl End {
    fn word(self) -> &'static str {
        match self {
            End::Stopped => "stop",
            End::Lingered => "linger",
            End::Purged => "purge",
        }
    }

    /// How long its hints can be brought back: who stops a session by mistake knows it soon.
    fn stays(self) -> TimeDelta {
        match self {
            End::Stopped => TimeDelta::minutes(10),
            End::Lingered => TimeDelta::weeks(1),
            End::Purged => TimeDelta::zero(),
        }
    }
}

/// The session that ended last, while it can be brought back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) end: End,
    pub(crate) at: DateTime<Utc>,
    pub(crate) is_told: bool,
}

pub(super) fn begin(on: &Connection, session: &Session) -> rusqlite::Result<()> {
    on.execute("DELETE FROM session", [])?;
    on.execute(
        "INSERT INTO session VALUES (?1, ?2, ?3, ?4)",
        params![
            session.id,
            session.created_at.timestamp_millis(),
            json(&session.settings),
            session.active_at.timestamp_millis()
        ],
    )?;
    Ok(())
}

impl Memory {
    pub(crate) fn session(&self) -> Result<Option<Session>, Error> {
        self.on_file(|on| {
            let mut found =
                on.prepare("SELECT id, created_at, settings, active_at FROM session")?;
            let session = found.query_row([], |row| {
                Ok(Session {
                    id: row.get(0)?,
                    created_at: time(row.get(1)?),
                    settings: serde_json::from_str(&row.get::<_, String>(2)?).unwrap_or_default(),
                    active_at: time(row.get(3)?),
                })
            });
            session.optional()
        })
    }

    /// Begins a session, or says how the one that goes on is set up from now on.
    pub(crate) fn begin(&self, session: &Session) -> Result<(), Error> {
        self.on_file(|on| begin(on, session))
    }

    /// Says that the session has other settings from now on, which the user chose. The folder's
    /// key proves that: a file that comes from elsewhere has no such proof.
    pub(crate) fn set_settings(&self, settings: &Value, key: &str) -> Result<(), Error> {
        self.on_file(|on| {
            on.execute("UPDATE session SET settings = ?1", [json(settings)])?;
            let sql = "INSERT OR REPLACE INTO state VALUES ('settings', ?1)";
            on.execute(sql, [proof(settings, key)]).map(drop)
        })
    }

    /// Whether the user chose these settings for the session.
    pub(crate) fn chose(&self, settings: &Value, key: &str) -> bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM state WHERE name = 'settings' AND value = ?1)";
        self.on_file(|on| on.query_row(sql, [proof(settings, key)], |row| row.get(0)))
            .unwrap_or_default()
    }

    pub(crate) fn touch(&self, now: DateTime<Utc>) {
        // It counts as idle for longer where that cannot be written.
        let _ = self.on_file(|on| {
            on.execute(
                "UPDATE session SET active_at = ?1",
                [now.timestamp_millis()],
            )
        });
    }

    /// Ends the session: what has its lifetime ends with it, and so does what is being worked
    /// on. Nothing else does.
    pub(crate) fn end(&self, end: End, now: DateTime<Utc>) -> Result<(), Error> {
        self.on_file(|on| {
            let of_session = "has_ended = 0 AND lifetime = '\"session\"'";
            let sql = format!("SELECT EXISTS (SELECT 1 FROM hints WHERE {of_session})");
            let is_empty = !on.query_row(&sql, [], |row| row.get::<_, bool>(0))?;
            // Nobody wants to have nothing back.
            if !is_empty || end == End::Purged {
                forget(on)?;
                on.execute(
                    &format!("UPDATE hints SET has_ended = 1 WHERE {of_session}"),
                    [],
                )?;
                let row = params![end.word(), now.timestamp_millis(), end == End::Stopped];
                on.execute("INSERT INTO ended VALUES (?1, ?2, ?3)", row)?;
            }
            if end == End::Purged {
                forget(on)?;
                on.execute("UPDATE answers SET result = NULL", [])?;
            }
            on.execute_batch("DELETE FROM work; DELETE FROM lost; DELETE FROM session;")
        })?;
        if end == End::Purged {
            self.file().forget_soon(true);
        }
        Ok(())
    }

    /// The session that ended last, while it can be brought back. One whose time is over is
    /// deleted.
    pub(crate) fn ended(&self, now: DateTime<Utc>) -> Option<Ended> {
        let find = |on: &Connection| {
            let mut found = on.prepare("SELECT kind, at, is_told FROM ended")?;
            let ended = found.query_row([], |row| {
                let end = match &*row.get::<_, String>(0)? {
                    "stop" => End::Stopped,
                    _ => End::Lingered,
                };
                let at = time(row.get(1)?);
                let is_told = row.get(2)?;
                Ok(Ended { end, at, is_told })
            });
            let ended = ended.optional()?;
            let is_over = |ended: &Ended| now.signed_duration_since(ended.at) >= ended.end.stays();
            let is_over = ended.as_ref().is_some_and(is_over);
            if is_over {
                forget(on)?;
            }
            Ok((ended.filter(|_| !is_over), is_over))
        };
        let (ended, is_over) = self.on_file(find).unwrap_or_default();
        if is_over {
            self.file().forget_soon(false);
        }
        ended
    }

    pub(crate) fn tell_ended(&self) {
        // It is told again by the next server then.
        let _ = self.on_file(|on| on.execute("UPDATE ended SET is_told = 1", []));
    }

    /// The hints of the session that ended last, and where there is none of damaged files.
    pub(crate) fn ended_hints(&self, now: DateTime<Utc>) -> Result<Vec<ChangeKind>, Error> {
        if self.ended(now).is_some() {
            return self.on_file(load::ended);
        }
        let damaged = aside_of(&self.file().folder, MEMORY.name).into_iter();
        let damaged = damaged.filter_map(|path| salvage(&path, &MEMORY));
        Ok(damaged.flat_map(|file| load::salvaged(&file)).collect())
    }

    pub(crate) fn forget_ended(&self) -> Result<(), Error> {
        self.on_file(|on| on.execute_batch(FORGET))
    }

    /// What the user trusts of the files of a repository's projects, from now on.
    pub(crate) fn set_trust(
        &self,
        repo: &str,
        hashes: &[String],
        is_trusted: bool,
    ) -> Result<(), Error> {
        self.on_file(|on| trust(on, repo, hashes.iter(), is_trusted))
    }

    pub(crate) fn set_roots(&self, all: &Roots) -> Result<(), Error> {
        self.on_file(|on| {
            on.execute("DELETE FROM roots", [])?;
            let mut add = on.prepare_cached("INSERT INTO roots VALUES (?1, ?2, ?3)")?;
            for (repo, roots) in all {
                for (root, tip) in roots {
                    add.execute([repo, root, tip])?;
                }
            }
            Ok(())
        })
    }

    /// Deletes what was put aside more than a week ago.
    pub(crate) fn forget_old(folder: &Path, now: DateTime<Utc>) {
        let now = u128::from(now.timestamp_millis().unsigned_abs());
        // What cannot be removed now is in a while.
        let _ = forget_old_aside(folder, MEMORY.name, now);
    }
}

/// Writes which hints of a repository's projects the user trusts, or no longer does.
pub(super) fn trust<'h>(
    on: &Connection,
    repo: &str,
    mut hashes: impl Iterator<Item = &'h String>,
    is_trusted: bool,
) -> rusqlite::Result<()> {
    let mut write = on.prepare(if is_trusted {
        "INSERT OR IGNORE INTO trusted VALUES (?1, ?2)"
    } else {
        "DELETE FROM trusted WHERE repo = ?1 AND hash = ?2"
    })?;
    hashes.try_for_each(|hash| write.execute([repo, hash]).map(drop))
}

pub(super) fn roots(on: &Connection) -> rusqlite::Result<Roots> {
    let mut all = Roots::new();
    let sql = "SELECT repo, root, tip FROM roots ORDER BY rowid";
    for (repo, root, tip) in query(on, sql, [], |row| row.try_into())? {
        let of_repo: &mut Vec<_> = all.entry(repo).or_default();
        of_repo.push((root, tip));
    }
    Ok(all)
}

fn proof(settings: &Value, key: &str) -> String {
    sha256(&format!("{key}\n{}", json(settings)))
}

const FORGET: &str = "DELETE FROM hints WHERE has_ended = 1; DELETE FROM ended;";

/// Forgets what can be brought back no more, in answers too.
fn forget(on: &Connection) -> rusqlite::Result<()> {
    on.execute_batch(FORGET)?;
    on.execute_batch("UPDATE answers SET result = NULL")
}

fn time(millis: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(millis).unwrap_or_default()
}
