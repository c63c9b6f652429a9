//! A host's hook as a whole process: what an agent waits for at each command.

use std::fs::File;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::json;

use crate::Outcome;
use crate::command::of_children;
use crate::corpus;
use crate::measure::{Figures, Way, number, take_turns};
use crate::place::Place;
use crate::process::{Ends, Process};
use crate::table::{Asked, Unit, block};

const ROUNDS: usize = 21;

/// Runs in a round, and of those that wait for a server in vain.
const RUNS: u32 = 50;
const VAIN_RUNS: u32 = 3;

/// The most seconds that a hook may hold up its host.
const MOST: f64 = 0.150;

pub(crate) fn hook(place: &Place) -> Outcome<()> {
    let runtime = place.roomy()?;
    let mut server = Process::open(place.serve(runtime.path()), Ends::Pipes)?;
    corpus::fill(&mut server)?;
    let (absent, hung) = (place.fresh()?, place.fresh()?);
    let _silent = UnixListener::bind(hung.path().join("nudge.sock"))?;
    let event = absent.path().join("event.json");
    let told = json!({
        "session_id": "s", "cwd": place.repository, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "cargo build --release"}, "tool_use_id": "t",
    });
    std::fs::write(&event, told.to_string())?;
    let hook = |runtime: &Path| {
        let mut command = place.nudge(runtime);
        command.args(["hook", "claude"]);
        command
    };
    let (mut answered, mut alone) = (hook(runtime.path()), hook(absent.path()));
    let mut in_vain = hook(hung.path());
    let mut nothing = Command::new("/bin/true");
    let mut ways = [
        Way::new("nudge hook", || times(&mut answered, &event, RUNS)),
        Way::new("/bin/true", || times(&mut nothing, &event, RUNS)),
    ];
    take_turns(&mut ways, ROUNDS);
    let title = "nudge hook as a process, user and system time";
    block(title, Unit::Seconds, 0, &ways, &[Asked::AtMost(3.0)]);
    let title = "nudge hook as a process, from its start to its end";
    block(title, Unit::Seconds, 1, &ways, &[Asked::AtMost(4.0)]);
    let mut again = Command::new("/bin/true");
    for (title, command, runs) in [
        (
            "nudge hook where no server runs, from its start to its end",
            &mut alone,
            RUNS,
        ),
        (
            "nudge hook whose server hangs, from its start to its end",
            &mut in_vain,
            VAIN_RUNS,
        ),
    ] {
        let mut ways = [
            Way::new("nudge hook", || times(command, &event, runs)),
            Way::new("/bin/true", || times(&mut again, &event, runs)),
        ];
        take_turns(&mut ways, ROUNDS.min(7));
        block(title, Unit::Seconds, 1, &ways, &[Asked::Adds(MOST)]);
    }
    drop(server);
    Ok(())
}

/// The processor time of one run, and how long it took.
pub(crate) fn times(command: &mut Command, event: &Path, runs: u32) -> Outcome<Figures> {
    let (before, start) = (of_children()?, Instant::now());
    for _ in 0..runs {
        let command = command.stdin(File::open(event)?).stdout(Stdio::null());
        if !command.status()?.success() {
            return Err(format!("{command:?} failed").into());
        }
    }
    let runs = number(runs.into());
    let took = start.elapsed().as_secs_f64();
    Ok(vec![(of_children()? - before) / runs, took / runs])
}
