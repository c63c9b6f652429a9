//! One call of a tool over stdio, from the client's write to the end of its read.

use crate::Outcome;
use crate::asker::Asker;
use crate::corpus::{self, HINTS};
use crate::measure::take_turns;
use crate::place::Place;
use crate::process::{Ends, Process};
use crate::table::{Asked, Unit, block};

const ROUNDS: usize = 21;

/// A server that owns its store, beside the peers.
pub(crate) fn direct(place: &Place) -> Outcome<()> {
    for ends in [Ends::Pipes, Ends::Sockets] {
        let runtime = place.fresh()?;
        let mut process = Process::open(place.serve(runtime.path()), ends)?;
        corpus::fill(&mut process)?;
        let mut ours = Asker::nudge(process)?;
        let bytes = ours.first_answer()?;
        let stdio = Asker::echo(place, "stdio", ends, &mut ours);
        let mut peers = vec![Asker::way("rmcp echo, stdio()", stdio)];
        let mut asked = vec![Asked::AtMost(0.7)];
        if let Ends::Pipes = ends {
            // rmcp has no other transport for sockets.
            let pipes = Asker::echo(place, "pipes", ends, &mut ours);
            peers.push(Asker::way("rmcp echo, stdio_pipes()", pipes));
            asked.push(Asked::AtMost(1.2));
        }
        let memory = Asker::server_memory(place, ends);
        let name = format!("server-memory, {HINTS} entities, open_nodes");
        peers.push(Asker::way(&name, memory));
        asked.push(Asked::TimesFaster(200.0));

        let mut ways = vec![Asker::way("nudge", Ok(ours))];
        ways.append(&mut peers);
        take_turns(&mut ways, ROUNDS);
        let title = format!(
            "tools/call nudge_get_hint over {}, {HINTS} hints, {bytes} bytes back, p50",
            ends.name()
        );
        block(&title, Unit::Seconds, 0, &ways, &asked);
    }
    Ok(())
}

/// A server that forwards to the one that owns the store.
pub(crate) fn forwarded(place: &Place) -> Outcome<()> {
    let ends = Ends::Pipes;
    let runtime = place.fresh()?;
    let mut primary = Process::open(place.serve(runtime.path()), ends)?;
    corpus::fill(&mut primary)?;
    let url = primary.url()?;
    let process = Process::open(place.serve(runtime.path()), ends)?;
    let mut ours = Asker::nudge(process)?;
    let stdio = Asker::echo(place, "stdio", ends, &mut ours);
    let remote = Asker::mcp_remote(place, &url, ends);
    let mut ways = [
        Asker::way("nudge as a PROXY", Ok(ours)),
        Asker::way("rmcp echo, stdio()", stdio),
        Asker::way("mcp-remote in front of the PRIMARY's /mcp", remote),
    ];
    take_turns(&mut ways, ROUNDS);
    let title = format!("the same through a PROXY over {}", ends.name());
    let asked = [Asked::AtMost(1.5), Asked::TimesFaster(20.0)];
    block(&title, Unit::Seconds, 0, &ways, &asked);
    drop(ways);
    drop(primary);
    Ok(())
}
