//! What `nudge doctor` says of hooks: one line for each host that has some of ours.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Finding, PATIENCE, ran};
use crate::hook::trial;
use crate::install::hooks::{Found, Hooks};
use crate::install::machine::Machine;
use crate::install::program::is_executable;
use crate::install::table::{Host, Scope};

const ABOUT: &str = "hooks";

/// How often a hook is timed; the shortest time counts, the others were a busy machine's.
const RUNS: u32 = 3;

pub(super) fn look(machine: &Machine) -> Vec<Finding> {
    let hosts = machine.hosts().into_iter();
    let found = hosts.filter_map(|host| Some(look_at(host, machine)?.of(host)));
    found.collect()
}

/// Hooks of ours, and the file that they are in.
struct Wired {
    scope: Scope,
    path: PathBuf,
    found: Vec<Found>,
}

fn look_at(host: &Host, machine: &Machine) -> Option<Finding> {
    let hooks = Hooks::of(host)?;
    let mut wired = Vec::new();
    for scope in [Scope::User, Scope::Project] {
        let file = match hooks.file(scope, machine) {
            Ok(file) => file,
            Err(words) => return Some(Finding::bad(ABOUT, words)),
        };
        match hooks.found(&file.text) {
            Ok(found) if found.is_empty() => {}
            Ok(found) => wired.push(Wired {
                scope,
                path: file.path,
                found,
            }),
            Err(flaw) => return Some(Finding::bad(ABOUT, file.flawed(&flaw))),
        }
    }
    match wired.as_slice() {
        [] => None,
        [one] => Some(judged(host, hooks, machine, one)),
        [one, other, ..] => {
            let (one, other) = (one.path.display(), other.path.display());
            let words = format!("`{one}` has hooks and `{other}` has, so all is counted twice");
            let fix = format!("nudge uninstall {} --scope project", host.id);
            Some(Finding::odd(ABOUT, words).fixed_by(fix))
        }
    }
}

fn judged(host: &Host, hooks: &Hooks, machine: &Machine, wired: &Wired) -> Finding {
    let file = wired.path.display();
    let fix = format!("nudge install {} --hooks{}", host.id, wired.scope.flag());
    for Found { program, .. } in &wired.found {
        let path = machine.resolve(program);
        if !path.is_some_and(|path| is_executable(&path)) {
            let words = format!("`{file}` runs `{program}`, which cannot be started");
            return Finding::bad(ABOUT, words).fixed_by(fix);
        }
    }
    if !hooks.are_complete(&wired.found, wired.scope, machine) {
        let words = format!("the hooks in `{file}` are not those of this binary, each once");
        return Finding::odd(ABOUT, words).fixed_by(fix);
    }
    // They are this very binary's, so it may be started wherever the file is from.
    let program = machine.binary.display();
    match took(machine, host) {
        Ok(time) => {
            let time = time.as_millis();
            let words = format!("`{file}` runs `{program}`, which takes {time} ms");
            Finding::good(ABOUT, words)
        }
        Err(words) => {
            let words = format!("`{file}` runs `{program}`, but {words}");
            Finding::bad(ABOUT, words).fixed_by(fix)
        }
    }
}

/// How long a hook takes that hears of the start of a session, which changes nothing.
fn took(machine: &Machine, host: &Host) -> Result<Duration, String> {
    let Some((words, event)) = trial(host.id) else {
        return Err(format!("it knows no events of {}", host.name));
    };
    let mut shortest = PATIENCE;
    for _ in 0..RUNS {
        let mut command = Command::new(&machine.binary);
        command.args(&words);
        let start = Instant::now();
        let ran = ran(&mut command, &event)?;
        shortest = shortest.min(start.elapsed());
        if !ran.status.success() {
            return Err("its hook does not end well".to_owned());
        }
    }
    Ok(shortest)
}
