//! One call of a tool over stdio, from the client's write to the end of its read: through a
//! PROXY to the PRIMARY and back.

use crate::Outcome;
use crate::asker::Asker;
use crate::corpus::{self, HINTS};
use crate::measure::take_turns;
use crate::place::Place;
use crate::process::Process;
use crate::table::{Asked, Unit, block};

const ROUNDS: usize = 21;

pub(crate) fn calls(place: &Place) -> Outcome<()> {
    let runtime = place.roomy()?;
    let mut process = Process::open(place.serve(runtime.path()))?;
    corpus::fill(&mut process)?;
    let mut ours = Asker::nudge(process)?;
    let bytes = ours.first_answer()?;
    let floor = Asker::echo(place, &mut ours);
    let mut ways = [
        Asker::way("nudge", Ok(ours)),
        Asker::way("floor: an rmcp echo", floor),
    ];
    take_turns(&mut ways, ROUNDS);
    let title = format!("tools/call nudge_get_hint, {HINTS} hints, {bytes} bytes back, p50");
    block(&title, Unit::Seconds, 0, &ways, &[Asked::AtMost(1.5)]);
    Ok(())
}
