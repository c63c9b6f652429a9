//! From nothing to the first answer, and the memory a server takes.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::json;

use crate::Outcome;
use crate::corpus;
use crate::measure::{Figures, Way, number, take_turns};
use crate::place::Place;
use crate::process::{Ends, Process, call_line};
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
    let open = call_line("open_nodes", &json!({"names": ["api/build"]}));
    let folder = place.fresh()?;
    let file = folder.path().join("memory.jsonl");
    let node = place.server_memory(&file).map(|_| ());
    let mut ways = [
        Way::new("nudge, in an empty runtime folder", || {
            let runtime = place.fresh()?;
            first_answers(place.serve(runtime.path()), &get)
        }),
        Way::new("rmcp echo, stdio()", || {
            first_answers(place.echo("stdio", ANSWER), &echo)
        }),
        Way::tried(
            "server-memory, no entities",
            node.map(|()| || first_answers(place.server_memory(&file)?, &open)),
        ),
    ];
    take_turns(&mut ways, ROUNDS);
    let asked = [Asked::AtMost(1.5), Asked::TimesFaster(100.0)];
    let title = "from the start of the process to the answer to `initialize`";
    block(title, Unit::Seconds, 0, &ways, &asked);
    let title = "from the start of the process to the answer to the first get";
    block(title, Unit::Seconds, 1, &ways, &asked);
    memory(place);
    Ok(())
}

/// The times from the start to the opening answer and to that of the first call.
fn first_answers(command: Command, call: &str) -> Outcome<Figures> {
    let start = Instant::now();
    let mut process = Process::start(command, Ends::Pipes)?;
    process.open_session()?;
    let opened = start.elapsed();
    process.ask(call)?;
    Ok(vec![opened.as_secs_f64(), start.elapsed().as_secs_f64()])
}

fn memory(place: &Place) {
    let hint = json!({"component": "api", "key": "build", "value": "make"});
    let set = call_line("nudge_set_hint", &hint);
    let get = call_line("nudge_get_hint", &corpus::asked("api", "build"));
    let echo = call_line("echo", &corpus::asked("api", "build"));
    let mut ways = [
        Way::new("nudge, one hint", || {
            let runtime = place.fresh()?;
            resident(place.serve(runtime.path()), &set, &get)
        }),
        Way::new("rmcp echo, stdio()", || {
            resident(place.echo("stdio", ANSWER), &echo, &echo)
        }),
    ];
    take_turns(&mut ways, 5);
    let title = format!("resident memory after {CALLS} calls");
    block(&title, Unit::Bytes, 0, &ways, &[Asked::AtMost(1.5)]);
}

fn resident(command: Command, first: &str, then: &str) -> Outcome<Figures> {
    let mut process = Process::open(command, Ends::Pipes)?;
    process.ask(first)?;
    for _ in 0..CALLS {
        process.ask(then)?;
    }
    Ok(vec![number(process.resident()?)])
}

/// What is left of each program without its symbols.
pub(crate) fn size(place: &Place) -> Outcome<()> {
    let folder = place.fresh()?;
    let stripped = |name: &str| {
        let program = folder.path().join(name);
        strip(&place.built(name), &program).map(|bytes| move || Ok(vec![number(bytes)]))
    };
    let mut ways = [
        Way::tried("nudge", stripped("nudge")),
        Way::tried("rmcp echo", stripped("nudge-echo")),
    ];
    take_turns(&mut ways, 1);
    block(
        "the stripped binary",
        Unit::Bytes,
        0,
        &ways,
        &[Asked::AtMost(2.0)],
    );
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
