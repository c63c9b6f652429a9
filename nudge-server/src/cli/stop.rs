//! `nudge stop` and `nudge restart`

use std::io::{self, IsTerminal};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nudge::{Clock, SystemClock};
use nudge_client::folder::{Lock, Runtime};
use nudge_client::platform;

use super::prelude::*;
use super::pretty::stopped;
use super::question::is_agreed;
use super::status::Status;
use crate::config::Flags;
use crate::store::{End, Memory};
use crate::wire::Answer;

/// How long a process that was ended may take to be gone.
const GONE_WITHIN: Duration = Duration::from_secs(2);

/// How long the old server may take to make way.
const ANEW_WITHIN: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge stop             ends the session: what is kept stays, and `nudge restore` brings back
                         what ended, but secrets, within ten minutes
  nudge stop --purge     ends it, and deletes for good what ends with it, now or before
  nudge stop --force     ends it and the process, where that does not answer")]
pub(crate) struct Stop {
    /// Do not ask first, also on a terminal
    #[arg(short, long)]
    yes: bool,
    /// Delete what ends for good, and what ended with earlier sessions
    #[arg(long)]
    purge: bool,
    /// End the session and the process that holds it, although it does not answer
    #[arg(long)]
    force: bool,
}

impl Stop {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let is_asked = !self.yes && !terminal.out.json && io::stdin().is_terminal();
        let status = (!self.force).then(|| Status::of_session(terminal).ok());
        let ending = status.flatten().and_then(|status| status.ending);
        let held = ending.filter(|hints| *hints > 0);
        if is_asked && (held.is_some() || self.force) {
            let what = held.map_or_else(
                || "end the process and its session".to_owned(),
                |hints| format!("end the session, and {} with it", count(hints, "hint")),
            );
            if !is_agreed(&what) {
                terminal.out.note("the session goes on");
                return Ok(Exit::Nothing);
            }
        }
        let answer = if self.force {
            self.forced(terminal)?
        } else {
            let params = json!({ "purge": self.purge }).to_string();
            terminal.call_session(ServerOperation::Stop, &params)?
        };
        Ok(terminal.out.asked(&Ok(answer).into(), |page, answer| {
            stopped(page, answer, self.purge)
        }))
    }

    /// Ends the process that holds the lock, as the kernel tells it, and then the session.
    fn forced(&self, terminal: &Terminal) -> Answer {
        terminal.only_user("`--force`")?;
        let runtime = terminal.runtime()?;
        if runtime.is_locked() {
            platform::end(runtime.lock_holder().ok_or_else(|| unknown(&runtime))?);
        }
        // Before anybody can go on with it.
        let lock = locked(&runtime)?;
        let ends = [End::Stopped, End::Purged][usize::from(self.purge)];
        let now = SystemClock.now();
        let (memory, _) = Memory::open(runtime.folder(), now)
            .map_err(|refusal| Fault::unavailable(refusal.to_string()))?;
        memory.end(ends, now)?;
        memory.file().settle(now);
        runtime.forget(&lock);
        let answer = serde_json::value::to_raw_value(&json!({ "stopped": true }));
        answer.map_err(|error| Fault::unavailable(error.to_string()))
    }
}

pub(super) fn locked(runtime: &Runtime) -> Result<Lock, Fault> {
    let start = Instant::now();
    loop {
        if let Some(lock) = runtime.try_lock()? {
            return Ok(lock);
        }
        if start.elapsed() > GONE_WITHIN {
            let words = "the server does not end: it may wait for a disk, or another program has \
                         started it again; try again later";
            return Err(Fault::unavailable(words));
        }
        sleep(Duration::from_millis(5));
    }
}

fn unknown(runtime: &Runtime) -> Fault {
    let lock = runtime.folder().join("lock");
    let which = match runtime.identity().map(|identity| identity.pid) {
        Some(pid) => format!("if it is process {pid}, end it with `kill -KILL {pid}`"),
        None => format!("end the one that `lsof {}` shows", lock.display()),
    };
    Fault::unavailable(format!(
        "this system does not tell which process holds the session; {which}"
    ))
}

#[derive(Debug, Default, Args)]
#[command(after_help = "Examples:
  nudge restart                       after an upgrade, or a change of config.toml
  nudge restart --max-hints 100000")]
pub(crate) struct Restart {
    /// Do not ask first, although secrets would be lost
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    pub(super) flags: Flags,
}

impl Restart {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let answer = self.restarted(terminal)?;
        Ok(terminal
            .out
            .asked(&Ok(answer).into(), |page, status: &Status| {
                let Status { version, pid, .. } = status;
                let words = format!("nudge {version} serves the session, process {pid}");
                page.done(&words);
                Exit::Done
            }))
    }

    /// What the server says of itself that has come in the place of the old one.
    fn restarted(&self, terminal: &Terminal) -> Answer {
        let old = match terminal.call(ServerOperation::Status, "{}") {
            Ok(status) => read::<Status>(&status).ok(),
            // One that speaks another protocol says nothing, but makes way.
            Err(Fault::Passed(_)) => None,
            Err(fault) => return Err(fault),
        };
        if old.as_ref().is_some_and(|old| old.holds_secrets) && !self.yes {
            let question = "restart, and lose the hints that are marked as secret";
            if !io::stdin().is_terminal() || !is_agreed(question) {
                let words = "hints that are marked as secret are in no file and would be lost; \
                             `nudge restart --yes` restarts all the same";
                return Err(misuse(words).into());
            }
        }
        let params = json!({ "settings": terminal.settings.session }).to_string();
        terminal.call(ServerOperation::Restart, &params)?;
        let start = Instant::now();
        loop {
            let answer = terminal.call(ServerOperation::Status, "{}")?;
            let new: Status = read(&answer)?;
            let is_new = old.as_ref().is_none_or(|old| old.pid != new.pid);
            if is_new || start.elapsed() > ANEW_WITHIN {
                return Ok(answer);
            }
            sleep(Duration::from_millis(5));
        }
    }
}
