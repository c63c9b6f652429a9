//! Memory, import and export.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;

use nudge::{Export, Import, Nudge};

use crate::corpus::Corpus;
use crate::measure::{self, Race, heading, line, resident};
use crate::peers::{PlainStore, plain};
use crate::{empty, filled};

/// What the memory is measured of.
const HOLDERS: [&str; 2] = ["nudge", "structs of Strings in a map"];

/// Prints how much memory a hint takes, each way in a process of its own.
pub(crate) fn memory(corpus: Corpus) {
    heading(&format!("memory, {} hints, resident", corpus.hints));
    let json = payload(&filled(corpus)).len();
    let print = |name, bytes: usize| {
        let ratio = measure::bytes(bytes) / measure::bytes(json);
        line(
            name,
            &format!("{:>5} B a hint {ratio:>6.2} x", bytes / corpus.hints),
        );
    };
    print("floor: the bytes of their JSON", json);
    for holder in HOLDERS {
        let bytes = std::env::current_exe().and_then(|program| {
            std::process::Command::new(program)
                .args(["--hold", holder, &corpus.hints.to_string()])
                .output()
        });
        let bytes = bytes
            .ok()
            .and_then(|output| String::from_utf8(output.stdout).ok());
        print(
            holder,
            bytes
                .and_then(|bytes| bytes.trim().parse().ok())
                .unwrap_or(0),
        );
    }
}

/// Fills one holder and prints what that added to this process.
pub(crate) fn hold(holder: &str, corpus: Corpus) {
    let before = resident();
    if holder == "nudge" {
        let nudge = filled(corpus);
        println!("{}", resident() - before);
        drop(nudge);
    } else {
        let slots = 0..corpus.slots();
        let variants = |slot| {
            (0..4)
                .map(|variant| Arc::new(plain(slot, variant)))
                .collect()
        };
        let map: HashMap<String, Vec<_>> = slots
            .map(|slot| (Corpus::flat_key(slot), variants(slot)))
            .collect();
        println!("{}", resident() - before);
        drop(map);
    }
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
    let title = |what| format!("{what} of {:.1} MB", measure::bytes(json.len()) / 1e6);
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
