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
use crate::measure::{Figures, Way, number, percentile, take_turns};
use crate::place::Place;
use crate::process::Process;
use crate::table::{Asked, Unit, block};

const ROUNDS: usize = 21;

/// Runs in a round, and of those that wait for a server in vain.
const RUNS: u32 = 50;
const VAIN_RUNS: u32 = 3;

/// The most seconds that a hook may hold up its host, that one in twenty may, and that a status
/// line may.
const MOST: f64 = 0.150;
const MOST_MOSTLY: f64 = 0.010;
const MOST_STATUS_LINE: f64 = 0.003;

pub(crate) fn hook(place: &Place) -> Outcome<()> {
    let runtime = place.roomy()?;
    let mut server = Process::open(place.serve(runtime.path()))?;
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
    block(title, Unit::Seconds, 0, &ways, &[Asked::AtMost(4.0)]);
    let title = "nudge hook as a process, from its start to its end";
    block(title, Unit::Seconds, 1, &ways, &[Asked::AtMost(4.0)]);
    let title = "nudge hook as a process, the slowest but one in twenty";
    block(title, Unit::Seconds, 2, &ways, &[Asked::Adds(MOST_MOSTLY)]);
    let mut line = place.nudge(runtime.path());
    line.arg("statusline");
    let mut nothing = Command::new("/bin/true");
    let mut ways = [
        Way::new("nudge statusline", || times(&mut line, &event, RUNS)),
        Way::new("/bin/true", || times(&mut nothing, &event, RUNS)),
    ];
    take_turns(&mut ways, ROUNDS);
    let title = "nudge statusline as a process, from its start to its end";
    let asked = [Asked::Adds(MOST_STATUS_LINE)];
    block(title, Unit::Seconds, 1, &ways, &asked);
    let mut again = Command::new("/bin/true");
    for (of, command, runs) in [
        ("where no server runs", &mut alone, RUNS),
        ("whose server hangs", &mut in_vain, VAIN_RUNS),
    ] {
        let mut ways = [
            Way::new("nudge hook", || times(command, &event, runs)),
            Way::new("/bin/true", || times(&mut again, &event, runs)),
        ];
        take_turns(&mut ways, ROUNDS.min(7));
        let title = format!("nudge hook {of}, user and system time");
        block(&title, Unit::Seconds, 0, &ways, &[Asked::AtMost(3.0)]);
        let title = format!("nudge hook {of}, from its start to its end");
        block(&title, Unit::Seconds, 1, &ways, &[Asked::Adds(MOST)]);
    }
    drop(server);
    Ok(())
}

/// The processor time of one run, how long it took, and how long the slowest did but one in
/// twenty.
pub(crate) fn times(command: &mut Command, event: &Path, runs: u32) -> Outcome<Figures> {
    let before = of_children()?;
    let mut took = Vec::new();
    for _ in 0..runs {
        let start = Instant::now();
        let command = command.stdin(File::open(event)?).stdout(Stdio::null());
        if !command.status()?.success() {
            return Err(format!("{command:?} failed").into());
        }
        took.push(start.elapsed().as_secs_f64());
    }
    let runs = number(runs.into());
    let mean = took.iter().sum::<f64>() / runs;
    let mostly = percentile(&mut took, 95);
    Ok(vec![(of_children()? - before) / runs, mean, mostly])
}
