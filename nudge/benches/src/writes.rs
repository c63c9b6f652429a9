//! Setting.

use std::collections::HashMap;
use std::hint::black_box;

use nudge::{Nudge, SetHint};
use parking_lot::RwLock;

use crate::corpus::Corpus;
use crate::measure::{Race, done};
use crate::plain::{PlainHint, plain};

/// How many operations one round does.
const BATCH: usize = 5_000;

pub(crate) fn set(corpus: Corpus, nudge: &Nudge) {
    let slots: Vec<usize> = corpus.shuffled().take(BATCH).collect();
    // Two editions in turns, so that every set changes the value.
    let editions: Vec<Vec<SetHint>> = (0..2)
        .map(|edition| {
            slots
                .iter()
                .map(|slot| Corpus::request(*slot, slot % 4, edition))
                .collect()
        })
        .collect();
    let keys: Vec<String> = slots.iter().map(|slot| Corpus::flat_key(*slot)).collect();
    let hints: Vec<PlainHint> = slots.iter().map(|slot| plain(*slot, slot % 4)).collect();
    let all = (0..corpus.slots()).map(|slot| (Corpus::flat_key(slot), plain(slot, 0)));
    let map: RwLock<HashMap<String, PlainHint>> = RwLock::new(all.collect());
    let mut turn = 0;
    Race::new(format!("set, {} hints", corpus.hints))
        .way("floor: the hint cloned into a locked HashMap", || {
            for (key, hint) in keys.iter().zip(&hints) {
                black_box(map.write().insert(key.clone(), hint.clone()));
            }
            BATCH
        })
        .way(
            "nudge: the request cloned, guard and checks included",
            || {
                turn += 1;
                for request in &editions[turn % 2] {
                    black_box(done(nudge.set_hint(request.clone())));
                }
                BATCH
            },
        )
        .run();
}
