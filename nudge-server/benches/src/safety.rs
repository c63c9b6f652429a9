//! What it costs to survive the PRIMARY.

use std::time::Instant;

use nudge::{Clock, Nudge, SetHint, SystemClock};
use nudge_server::store::Memory;

use crate::Outcome;
use crate::measure::{Figures, Way, number};
use crate::place::Place;
use crate::table::{Asked, pair};

const ROUNDS: usize = 31;
const WRITES: u32 = 1000;

/// A write that goes to `SQLite` beside one that does not.
pub(crate) fn safety(_: &Place) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let plain = Nudge::default();
    let memory = Memory::open(folder.path(), SystemClock.now());
    let (memory, _) = memory.map_err(|refusal| refusal.to_string())?;
    let kept = Nudge::default().with_sink(memory);
    let ways = [
        Way::new("set_hint with SQLite", || set(&kept)),
        Way::new("set_hint in memory", || set(&plain)),
    ];
    let title = "one write of the PRIMARY, and its row";
    pair(title, ways, ROUNDS, Asked::Adds(60e-6));
    Ok(())
}

fn set(nudge: &Nudge) -> Outcome<Figures> {
    let start = Instant::now();
    for number in 0..WRITES {
        let hint = SetHint::new("api", format!("k{}", number % 100), "docker compose build");
        nudge.set_hint(hint.tags(["build", "docker"]).branch("dev"))?;
    }
    Ok(each(start, WRITES))
}

/// The seconds that one of so many took.
fn each(start: Instant, count: u32) -> Figures {
    vec![start.elapsed().as_secs_f64() / number(count.into())]
}
