//! One call of a tool over stdio, from the client's write to the end of its read: through a
//! PROXY to the PRIMARY and back.

use crate::Outcome;
use crate::asker::Asker;
use crate::corpus::{self, HINTS};
use crate::measure::take_turns;
use crate::place::Place;
use crate::process::{Ends, Process};
use crate::table::{Asked, Unit, block};

const ROUNDS: usize = 21;

pub(crate) fn calls(place: &Place) -> Outcome<()> {
    for ends in [Ends::Pipes, Ends::Sockets] {
        let runtime = place.roomy()?;
        let mut process = Process::open(place.serve(runtime.path()), ends)?;
        corpus::fill(&mut process)?;
        let url = process.url()?;
        let mut ours = Asker::nudge(process)?;
        let bytes = ours.first_answer()?;
        let stdio = Asker::echo(place, "stdio", ends, &mut ours);
        let mut peers = vec![Asker::way("rmcp echo, stdio()", stdio)];
        let mut asked = vec![Asked::AtMost(1.5)];
        if let Ends::Pipes = ends {
            // rmcp has no other transport for sockets.
            let pipes = Asker::echo(place, "pipes", ends, &mut ours);
            peers.push(Asker::way("rmcp echo, stdio_pipes()", pipes));
            asked.push(Asked::Nothing);
        }
        let memory = Asker::server_memory(place, ends);
        let name = format!("server-memory, {HINTS} entities, open_nodes");
        peers.push(Asker::way(&name, memory));
        asked.push(Asked::TimesFaster(100.0));
        let remote = Asker::mcp_remote(place, &url, ends);
        let name = "mcp-remote in front of the PRIMARY's /mcp";
        peers.push(Asker::way(name, remote));
        asked.push(Asked::TimesFaster(20.0));

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
