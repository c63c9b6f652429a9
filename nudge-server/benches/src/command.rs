//! A command as a whole process, in the processor time that it takes.

use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::Outcome;
use crate::corpus;
use crate::measure::{Figures, Way, number, take_turns};
use crate::place::Place;
use crate::process::{Ends, Process};
use crate::table::{Asked, Unit, block};

const ROUNDS: usize = 21;

/// Runs in a round.
const RUNS: u32 = 50;

pub(crate) fn get(place: &Place) -> Outcome<()> {
    let runtime = place.roomy()?;
    let mut server = Process::open(place.serve(runtime.path()), Ends::Pipes)?;
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
