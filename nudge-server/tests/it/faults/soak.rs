//! `make soak`: the PRIMARY is killed again and again under load, then the load
//! goes on for minutes. It takes too long for every day, and prints figures.

use std::env;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use super::load::{Load, Tally};
use super::{member, place, primary, result, status};
use crate::mcp::host::Host;
use crate::process::kill;

/// How many clients write at the same time.
const WRITERS: usize = 3;

/// How many components the store has besides theirs, and how many hints each: with theirs a little
/// less than it takes from others than the user.
const HINTS: [usize; 2] = [42, 100];

/// How often one looks at the processes in the long part.
const LOOKS: u32 = 10;

#[test]
#[ignore = "it takes minutes; `make soak` runs it"]
#[expect(clippy::print_stdout, reason = "the figures are what it is run for")]
fn soak() {
    let rounds = asked_for("ROUNDS", 200);
    let minutes = asked_for("MINUTES", 10);
    let runtime = crate::process::folder();
    let mut first = member(runtime.path());
    fill(&mut first);
    let before = place(&mut first);

    let load = Load::start(runtime.path(), WRITERS);
    drop(first);
    let mut took = Vec::new();
    let mut moved = 0;
    for _ in 0..rounds {
        load.goes_on();
        let mut survivor = member(runtime.path());
        moved += u64::from(place(&mut survivor) != before);
        // To find it takes as long as a third of the pause.
        let old = primary(runtime.path());
        let start = Instant::now();
        kill(old, Signal::KILL);
        let known = json!({"component": "c0", "key": "k0"});
        result(&mut survivor, "nudge.get_hint", known);
        took.push(start.elapsed());
        assert_ne!(primary(runtime.path()), old);
        survivor.hang_up();
    }
    let mut watching = member(runtime.path());
    let killed = load.end(&mut watching);
    println!("killed {rounds} times: {}", figures(&killed));
    println!("session or port was another one: {moved} times");
    took.sort_unstable();
    println!(
        "the pause of a call: p50 {:.1?}, p95 {:.1?}, longest {:.1?}",
        quantile(&took, 50),
        quantile(&took, 95),
        quantile(&took, 100)
    );

    let load = Load::start_as(runtime.path(), WRITERS, "long");
    let pause = Duration::from_mins(minutes) / LOOKS;
    let mut looks = Vec::new();
    for _ in 0..=LOOKS {
        looks.push(processes(&mut watching));
        sleep(pause);
    }
    let lasted = load.end(&mut watching);
    println!("{minutes} minutes: {}", figures(&lasted));
    println!("role      memory (kB), first to last look        descriptors");
    for (number, (role, _)) in looks[0].iter().enumerate() {
        let of = |what: fn(&Usage) -> usize| {
            let seen = looks.iter().filter_map(|look| look.get(number));
            let seen: Vec<String> = seen.map(|(_, used)| what(used).to_string()).collect();
            seen.join(" ")
        };
        println!(
            "{role:8}  {}  {}",
            of(|used| used.memory),
            of(|used| used.descriptors)
        );
    }
    killed.assert_clean();
    lasted.assert_clean();
}

/// What a process takes.
struct Usage {
    memory: usize,
    descriptors: usize,
}

/// What every member takes, the PRIMARY first.
fn processes(seen_from: &mut Host) -> Vec<(String, Usage)> {
    let mut status = status(seen_from);
    let members = status["members"].take();
    let members = members.as_array().unwrap().iter();
    members
        .map(|member| {
            let process = Path::new("/proc").join(member["pid"].to_string());
            let memory = fs::read_to_string(process.join("status")).unwrap();
            let memory = memory
                .lines()
                .find_map(|line| line.strip_prefix("VmRSS:"))
                .and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok());
            let usage = Usage {
                memory: memory.unwrap(),
                descriptors: fs::read_dir(process.join("fd")).unwrap().count(),
            };
            (member["role"].as_str().unwrap().to_owned(), usage)
        })
        .collect()
}

fn fill(host: &mut Host) {
    for component in 0..HINTS[0] {
        for key in 0..HINTS[1] {
            let params = json!({"component": format!("c{component}"), "key": format!("k{key}"),
                "value": "docker compose build router", "meta": {"tags": ["build"]}});
            result(host, "nudge.set_hint", params);
        }
    }
}

fn figures(tally: &Tally) -> String {
    let Tally {
        acknowledged,
        lost,
        doubled,
        errors,
    } = tally;
    let shown = errors.first().map_or("", String::as_str);
    format!(
        "{acknowledged} writes acknowledged, {lost} lost, {doubled} doubled, {} errors {shown}",
        errors.len()
    )
}

fn quantile(sorted: &[Duration], percent: usize) -> Duration {
    let place = (sorted.len() * percent / 100).saturating_sub(1);
    sorted.get(place).copied().unwrap_or_default()
}

fn asked_for(name: &str, usual: u64) -> u64 {
    let given = env::var(name).ok().filter(|given| !given.is_empty());
    given.map_or(usual, |given| given.parse().unwrap())
}
