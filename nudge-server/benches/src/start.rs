//! From nothing to the first answer, and the memory that servers take.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::json;

use crate::Outcome;
use crate::corpus;
use crate::measure::{Figures, Way, number, take_turns};
use crate::place::{Folder, Place};
use crate::process::{Process, call_line, resident};
use crate::table::{Asked, Unit, block};

const ROUNDS: usize = 31;

/// Gets before the memory is looked at.
const CALLS: usize = 300;

/// How long our answer is when there is nothing to be found; the length is
/// not what matters here.
const ANSWER: usize = 600;

pub(crate) fn start(place: &Place) -> Outcome<()> {
    let get = call_line("nudge_get_hint", &corpus::asked("api", "build"));
    let echo = call_line("echo", &corpus::asked("api", "build"));
    let mut ways = [
        Way::new("nudge, in an empty session folder", || {
            let runtime = place.fresh()?;
            first_answers(place.serve(runtime.path()), &get)
        }),
        Way::new("floor: an rmcp echo", || {
            first_answers(place.echo(ANSWER), &echo)
        }),
    ];
    take_turns(&mut ways, ROUNDS);
    let title = "from the start of the process to the answer to `initialize`";
    block(title, Unit::Seconds, 0, &ways, &[Asked::AtMost(1.5)]);
    let title = "the same to the answer to the first get, for which the PRIMARY is started";
    block(title, Unit::Seconds, 1, &ways, &[Asked::Nothing]);
    command(place)?;
    memory(place)
}

/// The times from the start to the opening answer and to that of the first call.
fn first_answers(command: Command, call: &str) -> Outcome<Figures> {
    let start = Instant::now();
    let mut process = Process::start(command)?;
    process.open_session()?;
    let opened = start.elapsed();
    process.ask(call)?;
    Ok(vec![opened.as_secs_f64(), start.elapsed().as_secs_f64()])
}

/// A command where no server runs: it starts the PRIMARY.
fn command(place: &Place) -> Outcome<()> {
    let full = filled(place)?;
    let (component, key) = corpus::slots().next().ok_or("no slots")?;
    let words = ["get", &component, &key];
    let mut ways = [
        Way::new("nudge set, which begins a session", || {
            let runtime = place.fresh()?;
            let set = ["set", "api", "build", "make"];
            took(place.nudge(runtime.path()).args(set))
        }),
        Way::new("nudge get, whose session of 5,000 goes on", || {
            full.kill_primary();
            took(place.nudge(full.path()).args(words))
        }),
        Way::new("nudge get, where a server runs", || {
            took(place.nudge(full.path()).args(words))
        }),
    ];
    take_turns(&mut ways, ROUNDS);
    let title = "a command where no server runs, from its start to its end";
    block(title, Unit::Seconds, 0, &ways, &[Asked::Nothing; 2]);
    Ok(())
}

/// A session with all hints, and a server.
fn filled(place: &Place) -> Outcome<Folder> {
    let runtime = place.roomy()?;
    corpus::fill(&mut Process::open(place.serve(runtime.path()))?)?;
    Ok(runtime)
}

pub(crate) fn took(command: &mut Command) -> Outcome<Figures> {
    let start = Instant::now();
    if !command.stdout(Stdio::null()).status()?.success() {
        return Err(format!("{command:?} failed").into());
    }
    Ok(vec![start.elapsed().as_secs_f64()])
}

/// What each process of a session takes, with one hint and with all.
fn memory(place: &Place) -> Outcome<()> {
    let hint = json!({"component": "api", "key": "build", "value": "make"});
    let set = call_line("nudge_set_hint", &hint);
    let get = call_line("nudge_get_hint", &corpus::asked("api", "build"));
    let echo = call_line("echo", &corpus::asked("api", "build"));
    let full = filled(place)?;
    let one = place.fresh()?;
    let ours = |runtime: &Folder| -> Outcome<Figures> {
        let proxy = used(place.serve(runtime.path()), &set, &get)?;
        let primary = runtime.primary().ok_or("nobody owns the session")?;
        Ok(vec![
            number(resident(proxy.pid())?),
            number(resident(primary)?),
        ])
    };
    let floor = || {
        let floor = used(place.echo(ANSWER), &echo, &echo)?;
        let bytes = number(resident(floor.pid())?);
        Ok(vec![bytes, bytes])
    };
    let mut ways = [
        Way::new(format!("nudge, {} hints", corpus::HINTS), || ours(&full)),
        Way::new("nudge, one hint", || ours(&one)),
        Way::new("floor: an rmcp echo", floor),
    ];
    take_turns(&mut ways, 5);
    let asked = [Asked::Nothing, Asked::AtMost(1.5)];
    let title = format!("resident memory of a PROXY after {CALLS} calls");
    block(&title, Unit::Bytes, 0, &ways, &asked);
    let asked = [Asked::Nothing; 2];
    block("  the same, of the PRIMARY", Unit::Bytes, 1, &ways, &asked);
    Ok(())
}

/// A server that has answered some calls.
fn used(command: Command, first: &str, then: &str) -> Outcome<Process> {
    let mut process = Process::open(command)?;
    process.ask(first)?;
    for _ in 0..CALLS {
        process.ask(then)?;
    }
    Ok(process)
}

/// What is left of each program without its symbols.
pub(crate) fn size(place: &Place) -> Outcome<()> {
    let folder = place.fresh()?;
    let stripped = |name: &str| {
        let program = folder.path().join(name);
        strip(&place.program(name), &program).map(|bytes| move || Ok(vec![number(bytes)]))
    };
    let mut ways = [
        Way::tried("nudge", stripped("nudge")),
        Way::tried("floor: an rmcp echo", stripped("nudge-echo")),
    ];
    take_turns(&mut ways, 1);
    let title = "the stripped binary";
    block(title, Unit::Bytes, 0, &ways, &[Asked::AtMost(2.0)]);
    Ok(())
}

fn strip(program: &Path, to: &Path) -> Outcome<u64> {
    let done = Command::new("strip")
        .arg("-o")
        .arg(to)
        .arg(program)
        .status();
    match done {
        Ok(status) if status.success() => Ok(std::fs::metadata(to)?.len()),
        _ => Err("no strip".into()),
    }
}
