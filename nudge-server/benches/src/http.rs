//! Calls over HTTP on TCP, beside a bare axum route.

use std::process::Command;

use serde_json::json;

use crate::Outcome;
use crate::corpus::{self, HINTS};
use crate::load::{ask_once, load};
use crate::measure::{Figures, Way, number, take_turns};
use crate::place::Place;
use crate::process::{Process, processor_time};
use crate::table::{Asked, Unit, block};

const ROUNDS: usize = 15;

/// Calls in a round.
const CALLS: usize = 10_000;

/// How many different requests take turns.
const REQUESTS: usize = 256;

pub(crate) fn http(place: &Place) -> Outcome<()> {
    let runtime = place.roomy()?;
    let mut server = Process::open(place.serve(runtime.path()))?;
    corpus::fill(&mut server)?;
    let primary = runtime.primary().ok_or("nobody owns the session")?;
    let port = server.url()?;
    let port = port.rsplit(':').next().ok_or("it has no port")?.parse()?;
    let requests = requests(place, port);

    let answer = ask_once(port, &requests[0])?;
    if !String::from_utf8_lossy(&answer).contains(r#""matched":true"#) {
        return Err(format!("no hint: {}", String::from_utf8_lossy(&answer)).into());
    }
    let file = runtime.path().join("answer.json");
    std::fs::write(&file, answer)?;
    let mut floor = Command::new(std::env::current_exe()?);
    floor.arg("--floor").arg(file);
    let mut floor = Process::start(floor)?;
    let floor_port = String::from_utf8_lossy(floor.hear()?).trim().parse()?;

    for connections in [16, 64] {
        let run = |pid, port| -> Outcome<Figures> {
            let before = processor_time(pid)?;
            let mut figures = load(port, &requests, connections, CALLS)?;
            let took = processor_time(pid)? - before;
            figures.push(took / number(CALLS.try_into()?));
            Ok(figures)
        };
        let mut ways = [
            Way::new("nudge", || run(primary, port)),
            Way::new("axum route that returns the same bytes", || {
                run(floor.pid(), floor_port)
            }),
        ];
        take_turns(&mut ways, ROUNDS);
        let title = format!("POST /rpc get, {HINTS} hints, {connections} connections on TCP");
        block(&title, Unit::PerSecond, 0, &ways, &[Asked::AtLeast(0.8)]);
        let title = "  the same, p99";
        block(title, Unit::Seconds, 1, &ways, &[Asked::AtMost(1.5)]);
        let title = "  the same, processor time of the server for a call";
        block(title, Unit::Seconds, 2, &ways, &[Asked::Nothing]);
    }
    Ok(())
}

/// Calls as a client writes them, each for another slot.
fn requests(place: &Place, port: u16) -> Vec<Vec<u8>> {
    let request = |(component, key): (String, String)| {
        let params = corpus::asked_from(&component, &key, &place.repository);
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "nudge.get_hint", "params": params});
        let call = call.to_string();
        let head = format!(
            "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            call.len()
        );
        [head, call].concat().into_bytes()
    };
    corpus::slots().take(REQUESTS).map(request).collect()
}
