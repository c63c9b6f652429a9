//! A command as a whole process, in the processor time that it takes.

use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde_json::{Map, json};

use crate::Outcome;
use crate::corpus;
use crate::measure::{Figures, Way, number, take_turns};
use crate::place::Place;
use crate::process::Process;
use crate::start::took;
use crate::table::{Asked, Unit, block, pair};

const ROUNDS: usize = 21;

/// Runs in a round.
const RUNS: u32 = 50;

pub(crate) fn get(place: &Place) -> Outcome<()> {
    let runtime = place.roomy()?;
    let mut server = Process::open(place.serve(runtime.path()))?;
    corpus::fill(&mut server)?;
    let (component, key) = corpus::slots().next().ok_or("no slots")?;
    let mut get = place.nudge(runtime.path());
    get.args(["get", &component, &key]);
    let mut nothing = Command::new("/bin/true");
    let mut ways = [
        Way::new("nudge get", || processor_time(&mut get)),
        Way::new("/bin/true", || processor_time(&mut nothing)),
    ];
    take_turns(&mut ways, ROUNDS);
    let title = "nudge get as a process, user and system time";
    block(title, Unit::Seconds, 0, &ways, &[Asked::AtMost(3.0)]);
    drop(server);
    status(place)
}

/// `nudge status` where many hints are, beside where one is.
fn status(place: &Place) -> Outcome<()> {
    let (full, one) = (place.roomy()?, place.fresh()?);
    let hints: Map<_, _> = (0..200)
        .map(|key| (format!("k{key}"), json!({"value": "make"})))
        .collect();
    let components: Map<_, _> = (0..250)
        .map(|n| (format!("c{n}"), json!({"hints": hints})))
        .collect();
    let file = one.path().join("hints.json");
    std::fs::write(
        &file,
        json!({"schema_version": "1.1", "components": components}).to_string(),
    )?;
    took(place.nudge(full.path()).arg("import").arg(&file))?;
    took(place.nudge(one.path()).args(["set", "c0", "k0", "make"]))?;
    let ways = [
        Way::new("nudge status, 50,000 hints", || {
            took(place.nudge(full.path()).arg("status"))
        }),
        Way::new("nudge status, one hint", || {
            took(place.nudge(one.path()).arg("status"))
        }),
    ];
    pair(
        "nudge status, from its start to its end",
        ways,
        ROUNDS,
        Asked::AtMost(1.5),
    );
    Ok(())
}

/// The processor time of one run. Only children that have been waited for
/// count, so the servers that go on meanwhile do not.
fn processor_time(command: &mut Command) -> Outcome<Figures> {
    let before = of_children()?;
    for _ in 0..RUNS {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null());
        if !command.status()?.success() {
            return Err(format!("{command:?} failed").into());
        }
    }
    Ok(vec![(of_children()? - before) / f64::from(RUNS)])
}

pub(crate) fn of_children() -> Outcome<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let time = usage.user_time() + usage.system_time();
    Ok(number(time.num_microseconds().try_into()?) / 1e6)
}
