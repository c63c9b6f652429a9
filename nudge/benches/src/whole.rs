//! Memory, import and export.

use std::hint::black_box;

use nudge::{Export, Import, Nudge};

use crate::corpus::Corpus;
use crate::measure::{Race, heading, line, resident};
use crate::peers::{PlainStore, locked_map};
use crate::{empty, filled};

pub(crate) fn memory(corpus: Corpus) {
    heading(&format!("memory, {} hints", corpus.hints));
    let before = resident();
    let nudge = filled(corpus);
    let held = resident().saturating_sub(before);
    let json = payload(&nudge).len();
    let bytes = |name, bytes: usize| {
        let ratio = bytes as f64 / json as f64;
        line(
            name,
            &format!("{:>8} B a hint {ratio:>5.2} x", bytes / corpus.hints),
        );
    };
    bytes("floor: the bytes of their JSON", json);
    bytes("nudge, resident", held);
    drop(nudge);
    let before = resident();
    let map = locked_map(corpus);
    bytes(
        "structs of Strings in a map, resident",
        4 * resident().saturating_sub(before),
    );
    drop(map);
}

fn payload(nudge: &Nudge) -> String {
    let exported = nudge
        .export(Export::new())
        .unwrap_or_else(|error| panic!("{error}"));
    serde_json::to_string(&exported.payload).unwrap_or_default()
}

pub(crate) fn import_and_export(nudge: &Nudge) {
    let json = payload(nudge);
    let plain: PlainStore = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}"));
    let title = |what| format!("{what} of {:.1} MB", json.len() as f64 / 1e6);
    Race::new(title("import"))
        .way("floor: parsed into structs of Strings", || {
            let text = json.clone();
            black_box(serde_json::from_str::<PlainStore>(&text)).map_or(0, |_| 1)
        })
        .way("nudge: parsed, checked, guarded, indexed", || {
            let store = empty();
            let text = json.clone();
            let imported = store.import(Import::new(text));
            assert!(imported.is_ok_and(|imported| imported.skipped == 0));
            1
        })
        .run();
    Race::new(title("export"))
        .way("floor: structs of Strings written", || {
            black_box(serde_json::to_string(&plain)).map_or(0, |_| 1)
        })
        .way("nudge: collected, sorted, written", || {
            black_box(payload(nudge)).len().min(1)
        })
        .run();
}
