//! What makes the store again that `nudge.db` has rows of.

use std::collections::HashMap;
use std::sync::Arc;

use nudge::{ChangeKind, Hint, Name, ScopeMatcher, WorkingSet};
use rusqlite::{Connection, Result, Row, params};

use super::database::query;
use super::rows::{LAST_PROPOSAL, state};

const LIVING: &str = "SELECT hint, component, key, scope, stamp FROM hints WHERE has_ended = 0";
const ENDED: &str = "SELECT hint, component, key, scope, stamp FROM hints WHERE has_ended = 1";
const MARKS: &str = "SELECT mark FROM marks";
const PROPOSALS: &str = "SELECT proposal FROM proposals";

/// The hints of a damaged file are read from both of their ends, up to where it is damaged.
const FROM_THE_END: &str = " ORDER BY component DESC, key DESC, scope DESC";

/// Reads everything that lives, and says how many rows could not be read: those are put aside.
pub(super) fn living(on: &Connection, now: i64) -> Result<(Vec<ChangeKind>, usize)> {
    let mut all = machine(on)?;
    let mut scopes = Scopes::default();
    let hint = |row: &Row<'_>| scopes.hint(row);
    let mut unread = rows(on, now, ("hints", "hint"), LIVING, hint, &mut all)?;
    let lost = "SELECT '', component, key FROM lost";
    rows(on, now, ("lost", "scope"), lost, lost_secret, &mut all)?;
    let mut marks = Vec::new();
    unread += rows(on, now, ("marks", "mark"), MARKS, mark, &mut marks)?;
    marks.sort_by_key(|change| match change {
        ChangeKind::Mark(mark) => Some(mark.at),
        _ => None,
    });
    all.append(&mut marks);
    let work = "SELECT work FROM work ORDER BY rowid";
    unread += rows(on, now, ("work", "work"), work, working_set, &mut all)?;
    // So that no number comes twice, whatever still waits.
    all.push(ChangeKind::Dismiss {
        proposal: state(on, LAST_PROPOSAL)?,
        component: None,
        key: None,
    });
    unread += rows(
        on,
        now,
        ("proposals", "proposal"),
        PROPOSALS,
        proposal,
        &mut all,
    )?;
    Ok((all, unread))
}

/// Reads the hints of the session that ended last.
pub(super) fn ended(on: &Connection) -> Result<Vec<ChangeKind>> {
    let (mut all, mut scopes) = (Vec::new(), Scopes::default());
    let hint = |row: &Row<'_>| scopes.hint(row);
    rows(on, 0, ("hints", "hint"), ENDED, hint, &mut all)?;
    Ok(all)
}

pub(super) fn salvaged(on: &Connection) -> Vec<ChangeKind> {
    let (mut all, mut scopes) = (Vec::new(), Scopes::default());
    let backwards = [LIVING, FROM_THE_END].concat();
    // An error is where the damage begins; what came before it is good.
    for sql in [LIVING, &backwards] {
        let _ = each(on, sql, |row| {
            all.extend(scopes.hint(row));
            Ok(())
        });
    }
    for (sql, parse) in [(MARKS, mark as Parse), (PROPOSALS, proposal)] {
        let _ = each(on, sql, |row| {
            all.extend(parse(row));
            Ok(())
        });
    }
    all
}

type Parse = fn(&Row<'_>) -> Option<ChangeKind>;

/// The scopes that were read, by their text: many hints have the same, and to compile one takes
/// longer than to read the rest of a hint.
#[derive(Default)]
struct Scopes(HashMap<String, Option<Arc<ScopeMatcher>>>);

impl Scopes {
    fn hint(&mut self, row: &Row<'_>) -> Option<ChangeKind> {
        let mut hint: Hint = json(row)?;
        hint.meta.scope = self.matcher(row.get_ref(3).ok()?.as_str().ok()?).ok()?;
        let stamp = row.get_ref(4).ok()?.as_str_or_null().ok()?;
        hint.stamp = stamp.and_then(|json| serde_json::from_str(json).ok());
        Some(ChangeKind::Set {
            component: name(row, 1)?,
            key: name(row, 2)?,
            before: 0,
            value_changed: false,
            hint: Arc::new(hint),
        })
    }

    fn matcher(&mut self, text: &str) -> serde_json::Result<Option<Arc<ScopeMatcher>>> {
        if let Some(known) = self.0.get(text) {
            return Ok(known.clone());
        }
        let matcher: Option<Arc<ScopeMatcher>> = serde_json::from_str(text)?;
        self.0.insert(text.to_owned(), matcher.clone());
        Ok(matcher)
    }
}

/// What this machine is called by others.
fn machine(on: &Connection) -> Result<Vec<ChangeKind>> {
    query(on, "SELECT machine, counter FROM machine", [], |row| {
        Ok(ChangeKind::Machine {
            machine: row.get::<_, String>(0)?.into(),
            counter: row.get::<_, i64>(1)?.unsigned_abs(),
        })
    })
}

fn lost_secret(row: &Row<'_>) -> Option<ChangeKind> {
    let (component, key) = (name(row, 1)?, name(row, 2)?);
    Some(ChangeKind::Lost { component, key })
}

fn mark(row: &Row<'_>) -> Option<ChangeKind> {
    json(row).map(ChangeKind::Mark)
}

fn proposal(row: &Row<'_>) -> Option<ChangeKind> {
    json(row).map(ChangeKind::Propose)
}

fn working_set(row: &Row<'_>) -> Option<ChangeKind> {
    let working_set: Arc<WorkingSet> = json(row)?;
    let sets = Arc::default();
    Some(ChangeKind::Context { working_set, sets })
}

fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>) -> Option<T> {
    serde_json::from_slice(row.get_ref(0).ok()?.as_bytes().ok()?).ok()
}

fn name(row: &Row<'_>, column: usize) -> Option<Name> {
    row.get_ref(column).ok()?.as_str().ok().map(Name::from)
}

fn each(on: &Connection, sql: &str, mut take: impl FnMut(&Row<'_>) -> Result<()>) -> Result<()> {
    let mut statement = on.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        take(row)?;
    }
    Ok(())
}

/// Adds what the rows of a table say. Those that mean nothing are moved to where nobody reads
/// them, and counted.
fn rows(
    on: &Connection,
    now: i64,
    (table, column): (&str, &str),
    sql: &str,
    mut parse: impl FnMut(&Row<'_>) -> Option<ChangeKind>,
    all: &mut Vec<ChangeKind>,
) -> Result<usize> {
    let mut bad: Vec<Vec<u8>> = Vec::new();
    each(on, sql, |row| {
        match parse(row) {
            Some(change) => all.push(change),
            None => bad.push(row.get_ref(0)?.as_bytes().unwrap_or_default().to_vec()),
        }
        Ok(())
    })?;
    for row in &bad {
        on.execute("INSERT INTO unread VALUES (?1, ?2)", params![row, now])?;
        let sql = format!("DELETE FROM {table} WHERE CAST({column} AS BLOB) = ?1");
        on.execute(&sql, [row])?;
    }
    Ok(bad.len())
}
