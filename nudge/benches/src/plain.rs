//! The floor: a hint as plain structs, in a map behind a lock.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use parking_lot::RwLock;
use serde::{Deserialize, Serialize};

use crate::corpus::Corpus;
use crate::measure::done;

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
    done(serde_json::from_value(hint))
}

/// The map that one writes first: a lock around it, hints behind an `Arc`.
pub(crate) type LockedMap = RwLock<HashMap<String, Arc<PlainHint>>>;

pub(crate) fn locked_map(corpus: Corpus) -> LockedMap {
    let slots = 0..corpus.slots();
    let entries = slots.map(|slot| (Corpus::flat_key(slot), Arc::new(plain(slot, 0))));
    RwLock::new(entries.collect())
}
