//! Memory, import and export.

use std::hint::black_box;

use nudge::{Export, Import, Nudge};

use crate::corpus::Corpus;
use crate::measure::{self, Race, done, heading, line, resident};
use crate::plain::PlainStore;
use crate::{empty, filled};

/// Prints how much memory a hint takes, in a process of its own.
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
    let told = std::env::current_exe().and_then(|program| {
        let mut hold = std::process::Command::new(program);
        hold.args(["--hold", &corpus.hints.to_string()]).output()
    });
    let told = told.map(|output| String::from_utf8_lossy(&output.stdout).trim().parse());
    print("nudge", told.ok().and_then(Result::ok).unwrap_or(0));
}

/// Fills a store and prints what that added to this process.
pub(crate) fn hold(corpus: Corpus) {
    let before = resident();
    let nudge = filled(corpus);
    println!("{}", resident() - before);
    drop(nudge);
}

fn payload(nudge: &Nudge) -> String {
    let exported = done(nudge.export(Export::new()));
    serde_json::to_string(&exported.payload).unwrap_or_default()
}

pub(crate) fn import_and_export(nudge: &Nudge) {
    let json = payload(nudge);
    let plain: PlainStore = done(serde_json::from_str(&json));
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
