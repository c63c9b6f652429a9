//! `nudge.db` as rows: which tables there are, and what a change writes.

use nudge::{ChangeKind, Hint, Mark, Name, WorkingSet};
use nudge_client::folder::STORE;
use rusqlite::{Connection, OptionalExtension, Result, params};
use serde::Serialize;

use super::database::Schema;

/// What is loaded when a server starts. A hint of the session that ended last has `has_ended`;
/// `lost` has where a secret stood, which no row ever holds.
pub(super) const MEMORY: Schema = Schema {
    name: STORE,
    major: 1,
    tables: "
    CREATE TABLE session (
        id TEXT NOT NULL, created_at INTEGER NOT NULL, settings TEXT NOT NULL,
        active_at INTEGER NOT NULL);
    CREATE TABLE ended (kind TEXT NOT NULL, at INTEGER NOT NULL, is_told INTEGER NOT NULL);
    CREATE TABLE state (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
    CREATE TABLE hints (
        component TEXT NOT NULL, key TEXT NOT NULL, scope TEXT NOT NULL,
        has_ended INTEGER NOT NULL, lifetime TEXT NOT NULL, hint TEXT NOT NULL,
        PRIMARY KEY (component, key, scope, has_ended)) WITHOUT ROWID;
    CREATE TABLE lost (
        component TEXT NOT NULL, key TEXT NOT NULL, scope TEXT NOT NULL,
        PRIMARY KEY (component, key, scope)) WITHOUT ROWID;
    CREATE TABLE proposals (id INTEGER PRIMARY KEY, proposal TEXT NOT NULL);
    CREATE TABLE marks (
        component TEXT NOT NULL, key TEXT NOT NULL, repo TEXT NOT NULL, value TEXT NOT NULL,
        mark TEXT NOT NULL, PRIMARY KEY (component, key, repo, value)) WITHOUT ROWID;
    CREATE TABLE work (owner TEXT NOT NULL UNIQUE, work TEXT NOT NULL);
    CREATE TABLE trusted (
        repo TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (repo, hash)) WITHOUT ROWID;
    CREATE TABLE answers (
        client TEXT PRIMARY KEY, number INTEGER NOT NULL, print TEXT NOT NULL, slots TEXT NOT NULL,
        result TEXT, at INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE unread (row TEXT NOT NULL, at INTEGER NOT NULL);
    ",
    added: &[
        "
    CREATE TABLE roots (repo TEXT NOT NULL, root TEXT NOT NULL, tip TEXT NOT NULL);
    ",
        "
    ALTER TABLE hints ADD COLUMN stamp TEXT;
    CREATE TABLE machine (machine TEXT NOT NULL, counter INTEGER NOT NULL);
    ",
    ],
};

/// Whether the file may have values that are gone.
pub(super) const OWED: &str = "owed";

/// The number of the last change, and that of the last proposal.
pub(super) const LAST_CHANGE: &str = "last_change";
pub(super) const LAST_PROPOSAL: &str = "last_proposal";

pub(super) fn write(on: &Connection, change: &ChangeKind) -> Result<()> {
    match change {
        ChangeKind::Set { .. } | ChangeKind::Bump(_) | ChangeKind::Fail(_) => {
            if let Some((slot, hint)) = change.slot().zip(change.hint()) {
                put(on, slot, hint)?;
            }
        }
        ChangeKind::Delete(gone) | ChangeKind::Expire(gone) => {
            let (slot, scope) = ((&gone.component, &gone.key), json(&gone.scope));
            let table = match change {
                // The session that ended last may have had the same value.
                ChangeKind::Delete(_) => "hints and ended",
                _ => "hints",
            };
            take(on, table, slot, &scope)?;
            take(on, "lost", slot, &scope)?;
        }
        ChangeKind::Clear => {
            on.execute("DELETE FROM hints WHERE has_ended = 0", [])?;
            on.execute("DELETE FROM lost", [])?;
        }
        ChangeKind::Context { working_set, .. } => {
            let owner = json(&(&working_set.repo, &working_set.session));
            on.prepare_cached("DELETE FROM work WHERE owner = ?1")?
                .execute([&owner])?;
            if working_set.items().next().is_some() {
                on.prepare_cached("INSERT INTO work VALUES (?1, ?2)")?
                    .execute([&owner, &json(working_set)])?;
                let (all, most) = ("SELECT rowid FROM work", WorkingSet::MOST_OWNERS);
                let oldest = format!("{all} ORDER BY rowid DESC LIMIT -1 OFFSET {most}");
                on.prepare_cached(&format!("DELETE FROM work WHERE rowid IN ({oldest})"))?
                    .execute([])?;
            }
        }
        ChangeKind::Propose(proposal) => {
            set_state(on, LAST_PROPOSAL, proposal.id)?;
            if !proposal.hint.is_secret() {
                on.prepare_cached("INSERT OR REPLACE INTO proposals VALUES (?1, ?2)")?
                    .execute(params![number(proposal.id), json(proposal)])?;
            }
        }
        ChangeKind::Dismiss { proposal, .. } => {
            on.prepare_cached("DELETE FROM proposals WHERE id = ?1")?
                .execute([number(*proposal)])?;
        }
        ChangeKind::Mark(mark) => {
            let [component, key, repo, value] = identity(mark);
            on.prepare_cached("INSERT OR REPLACE INTO marks VALUES (?1, ?2, ?3, ?4, ?5)")?
                .execute([component, key, repo, value, json(mark)])?;
        }
        ChangeKind::Unmark(mark) => {
            let sql = "DELETE FROM marks
                WHERE component = ?1 AND key = ?2 AND repo = ?3 AND value = ?4";
            on.prepare_cached(sql)?.execute(identity(mark))?;
        }
        ChangeKind::Machine { machine, counter } => {
            on.execute("DELETE FROM machine", [])?;
            let row = params![&**machine, number(*counter)];
            on.execute("INSERT INTO machine VALUES (?1, ?2)", row)?;
        }
        ChangeKind::Lost { component, key } => {
            lose(on, (component, key), "null")?;
        }
    }
    Ok(())
}

/// The texts that a change takes away: of what stands there, and of what is a secret from now on.
pub(super) fn taken_by(on: &Connection, change: &ChangeKind) -> Result<Vec<String>> {
    let scope = match change {
        ChangeKind::Delete(gone) => Some(json(&gone.scope)),
        ChangeKind::Set { hint, .. } => Some(json(&hint.meta.scope)),
        _ => None,
    };
    let sql = match scope {
        Some(_) => "SELECT hint FROM hints WHERE component = ?1 AND key = ?2 AND scope = ?3",
        None => "SELECT hint FROM hints WHERE coalesce(?1, ?2, ?3) IS NULL",
    };
    let (component, key) = change.slot().unzip();
    let params = params![component.map(|it| &**it), key.map(|it| &**it), scope];
    let mut hints = on.prepare_cached(sql)?;
    let hints = hints.query_map(params, |row| row.get::<_, String>(0))?;
    let hints = hints.filter_map(|json| serde_json::from_str::<Hint>(&json.ok()?).ok());
    let texts = hints.map(|hint| hint.value.text().into_owned());
    let secret = change.hint().map(|hint| hint.value.text().into_owned());
    Ok(texts.chain(secret).collect())
}

/// Puts a hint where the variant of its scope is. What a project's file says is read from there,
/// and of a secret only the place is written.
fn put(on: &Connection, slot: (&Name, &Name), hint: &Hint) -> Result<()> {
    let scope = json(&hint.meta.scope);
    if hint.is_secret() {
        take(on, "hints and ended", slot, &scope)?;
        return lose(on, slot, &scope);
    }
    take(on, "lost", slot, &scope)?;
    if hint.is_projects() {
        return Ok(());
    }
    // A later minor version has more columns.
    let sql = "INSERT OR REPLACE INTO hints
        (component, key, scope, has_ended, lifetime, hint, stamp) VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6)";
    let lifetime = json(&hint.lifetime);
    let stamp = hint.stamp.as_ref().map(json);
    // The scope has a column of its own, by which it is read once for many hints.
    let mut hint = Hint::clone(hint);
    hint.meta.scope = None;
    on.prepare_cached(sql)?.execute(params![
        &**slot.0,
        &**slot.1,
        scope,
        lifetime,
        json(&hint),
        stamp
    ])?;
    Ok(())
}

fn take(on: &Connection, table: &str, slot: (&Name, &Name), scope: &str) -> Result<()> {
    let sql = match table {
        "lost" => "DELETE FROM lost WHERE component = ?1 AND key = ?2 AND scope = ?3",
        "hints and ended" => "DELETE FROM hints WHERE component = ?1 AND key = ?2 AND scope = ?3",
        _ => "DELETE FROM hints WHERE component = ?1 AND key = ?2 AND scope = ?3 AND has_ended = 0",
    };
    on.prepare_cached(sql)?
        .execute([&**slot.0, &**slot.1, scope])?;
    Ok(())
}

fn lose(on: &Connection, slot: (&Name, &Name), scope: &str) -> Result<()> {
    on.prepare_cached("INSERT OR REPLACE INTO lost VALUES (?1, ?2, ?3)")?
        .execute([&**slot.0, &**slot.1, scope])?;
    Ok(())
}

/// What makes a mark the same as another, as its row has it.
fn identity(mark: &Mark) -> [String; 4] {
    let repo = match &mark.scope {
        Some(scope) => json(scope),
        None => mark.repo.as_deref().unwrap_or_default().to_owned(),
    };
    let [component, key, value] =
        [&mark.component, &mark.key, &mark.value].map(ToString::to_string);
    [component, key, repo, value]
}

pub(super) fn set_state(on: &Connection, name: &str, value: u64) -> Result<()> {
    on.prepare_cached("INSERT OR REPLACE INTO state VALUES (?1, ?2)")?
        .execute(params![name, number(value)])?;
    Ok(())
}

/// A number that is remembered by a name; 0 where there is none.
pub(super) fn state(on: &Connection, name: &str) -> Result<u64> {
    let mut found = on.prepare_cached("SELECT value FROM state WHERE name = ?1")?;
    let found = found.query_row([name], |row| row.get::<_, i64>(0));
    Ok(found.optional()?.unwrap_or_default().unsigned_abs())
}

/// A number as SQLite has it.
pub(super) fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// What is written of a part of a change.
pub(super) fn json(part: &impl Serialize) -> String {
    // Nothing of ours has keys that are not text, which alone could fail.
    serde_json::to_string(part).unwrap_or_default()
}
