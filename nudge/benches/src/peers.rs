//! What a Rust user would pick instead: plain structs in a map, and sqlite.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use parking_lot::RwLock;
use regex::Regex;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use crate::corpus::Corpus;

/// A hint as a struct of strings, the way one writes it first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PlainHint {
    pub(crate) value: String,
    pub(crate) meta: PlainMeta,
    pub(crate) version: u64,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
    pub(crate) use_count: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PlainMeta {
    pub(crate) reason: Option<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) priority: Option<u8>,
    pub(crate) confidence: Option<f64>,
    pub(crate) scope: PlainScope,
    pub(crate) source: Option<String>,
    pub(crate) added_by: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PlainScope {
    pub(crate) cwd_glob: Vec<String>,
    pub(crate) branch: Vec<String>,
    pub(crate) os: Vec<String>,
}

/// A whole payload as such structs.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PlainStore {
    schema_version: String,
    created_at: String,
    session_id: String,
    components: BTreeMap<String, PlainComponent>,
}

#[derive(Debug, Serialize, Deserialize)]
struct PlainComponent {
    hints: BTreeMap<String, Vec<PlainHint>>,
}

/// One variant of a slot as a plain struct, through the same JSON.
pub(crate) fn plain(slot: usize, variant: usize) -> PlainHint {
    let request = Corpus::request(slot, variant, 0);
    let json = serde_json::to_value(&request).unwrap_or_default();
    let mut hint = json.clone();
    for (field, value) in [
        ("version", 1.into()),
        ("use_count", 0.into()),
        ("created_at", "2025-11-04T10:00:00.000Z".into()),
        ("updated_at", "2025-11-04T10:00:00.000Z".into()),
    ] as [(&str, serde_json::Value); 4]
    {
        hint[field] = value;
    }
    serde_json::from_value(hint).unwrap_or_else(|error| panic!("{error}"))
}

/// The map that one writes first: a lock around it, hints behind an `Arc`.
pub(crate) type LockedMap = RwLock<HashMap<String, Arc<PlainHint>>>;

pub(crate) fn locked_map(corpus: Corpus) -> LockedMap {
    let slots = 0..corpus.slots();
    let entries = slots.map(|slot| (Corpus::flat_key(slot), Arc::new(plain(slot, 0))));
    RwLock::new(entries.collect())
}

/// An in-memory sqlite with the same rows, an index on the slot and one on the tags.
pub(crate) fn sqlite(corpus: Corpus) -> rusqlite::Result<Connection> {
    let mut db = Connection::open_in_memory()?;
    db.execute_batch(
        "create table hints (id integer primary key, component text, key text, cwd_glob text, branch text,
             os text, value text, tags text, reason text, priority integer, confidence real, version integer,
             updated_at integer, last_used_at integer, use_count integer);
         create table tags (tag text, hint integer);",
    )?;
    let deterministic = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    db.create_scalar_function("regexp", 2, deterministic, |call| {
        let compile = |pattern: rusqlite::types::ValueRef<'_>| -> Result<Regex, Box<dyn std::error::Error + Send + Sync>> {
            Ok(Regex::new(pattern.as_str()?)?)
        };
        let regex = call.get_or_create_aux(0, compile)?;
        Ok(regex.is_match(call.get_raw(1).as_str()?))
    })?;
    let filling = db.transaction()?;
    {
        let mut hint =
            filling.prepare("insert into hints values (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")?;
        let mut tag = filling.prepare("insert into tags values (?,?)")?;
        for slot in 0..corpus.slots() {
            let (component, key) = Corpus::names(slot);
            for variant in 0..4 {
                let id = i64::try_from(slot * 4 + variant).unwrap_or(0);
                let plain = plain(slot, variant);
                let meta = plain.meta;
                hint.execute(params![
                    id,
                    component,
                    key,
                    meta.scope.cwd_glob.join(","),
                    meta.scope.branch.join(","),
                    meta.scope.os.join(","),
                    plain.value,
                    meta.tags.join("\n"),
                    meta.reason,
                    meta.priority,
                    meta.confidence,
                    1,
                    0,
                    0,
                    0
                ])?;
                for name in &meta.tags {
                    tag.execute(params![name, id])?;
                }
            }
        }
    }
    filling.commit()?;
    db.execute_batch(
        "create index slot on hints (component, key); create index by_tag on tags (tag, hint); analyze;",
    )?;
    Ok(db)
}

/// Runs a query and fetches what a caller needs of each row.
pub(crate) fn fetch(db: &Connection, sql: &str, params: &[&dyn rusqlite::ToSql]) -> usize {
    let run = || -> rusqlite::Result<usize> {
        let mut statement = db.prepare_cached(sql)?;
        let mut rows = statement.query(params)?;
        let mut bytes = 0;
        while let Some(row) = rows.next()? {
            for column in 0..9 {
                bytes += row.get::<_, String>(column).map_or(0, |text| text.len());
            }
            for column in 9..15 {
                bytes += usize::from(row.get::<_, f64>(column).is_ok());
            }
        }
        Ok(bytes)
    };
    run().unwrap_or_else(|error| panic!("{error}"))
}
