//! What it costs to survive the PRIMARY, and to know who calls.

use std::hint::black_box;
use std::net::{Ipv4Addr, TcpStream};
use std::time::Instant;

use nudge::{Clock, Nudge, SetHint, SystemClock};
use nudge_server::platform::peer::Peers;
use nudge_server::store::Memory;

use crate::Outcome;
use crate::measure::{Figures, Way, number};
use crate::place::Place;
use crate::table::{Asked, pair};

const ROUNDS: usize = 31;
const WRITES: u32 = 1000;
const LOOKS: u32 = 1000;

pub(crate) fn safety(_: &Place) -> Outcome<()> {
    store()?;
    peers()
}

/// A write that goes to `SQLite` beside one that does not.
fn store() -> Outcome<()> {
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

/// Asking the kernel who a peer is, beside asking it for the peer's address.
fn peers() -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (_client, accepted) = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let client = TcpStream::connect(listener.local_addr()?)?;
        let (accepted, _) = listener.accept().await?;
        Ok::<_, std::io::Error>((client, accepted))
    })?;
    let mut peers = Peers::new();
    let ways = [
        Way::new("whose the other end is", || {
            let start = Instant::now();
            for _ in 0..LOOKS {
                if peers.uid(black_box(&accepted)).is_none() {
                    return Err("this kernel does not tell".into());
                }
            }
            Ok(each(start, LOOKS))
        }),
        Way::new("where it is", || {
            let start = Instant::now();
            for _ in 0..LOOKS {
                black_box(accepted.peer_addr()?);
            }
            Ok(each(start, LOOKS))
        }),
    ];
    let title = "one look at the peer of a connection";
    pair(title, ways, ROUNDS, Asked::Adds(10e-6));
    Ok(())
}

/// The seconds that one of so many took.
fn each(start: Instant, count: u32) -> Figures {
    vec![start.elapsed().as_secs_f64() / number(count.into())]
}
