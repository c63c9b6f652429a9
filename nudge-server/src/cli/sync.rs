//! `nudge sync`

use std::path::Path;

use clap::ValueEnum;
use nudge::{Actor, Merged};
use nudge_client::folder::Runtime;

use super::prelude::*;
use crate::platform::detach::start_detached;
use crate::sync::{Done, Round, State, check_url, round};
use crate::wire::shell::Shell;

#[derive(Debug, Args)]
#[command(after_help = "\
Git carries it: each machine writes one branch of its own in a repository of yours, and reads the
others. Once it has worked, agents' sessions start it in the background, at most once an hour.
`NUDGE_SYNC=read` pushes nothing.

Examples:
  nudge sync on git@github.com:you/memory.git
  nudge sync                         now
  nudge sync forget old-laptop-1a2b3c4d")]
pub(crate) struct Sync {
    /// Share, stop sharing, or remove a dead machine's branch
    #[arg(value_enum, value_name = "on|off|forget", hide_possible_values = true)]
    what: Option<What>,
    /// For `on` the repository, for `forget` the machine
    #[arg(value_name = "URL|MACHINE", requires = "what")]
    which: Option<String>,
    /// Start a round that nobody waits for; what it does is the user's alone to say
    #[arg(long, hide = true, conflicts_with = "what")]
    background: bool,
    /// Be that round
    #[arg(long, hide = true, conflicts_with = "what")]
    detached: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    On,
    Off,
    Forget,
}

impl Sync {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let runtime = terminal.runtime()?;
        if self.background {
            // Before anything else is open.
            let _ = start_detached(["sync", "--detached"].into_iter(), runtime.folder());
            return Ok(Exit::Done);
        }
        if !self.detached {
            terminal.only_user("`nudge sync`")?;
        }
        let mut state = State::load(runtime.folder());
        let which = |what: &str| {
            let missing = || misuse(format!("say which {what}, as `nudge sync --help` shows"));
            self.which.as_ref().ok_or_else(missing)
        };
        match self.what {
            Some(What::On) => {
                let url = which("repository")?;
                check_url(url).map_err(misuse)?;
                let before = state.clone();
                state.point(url);
                let done = self.round(terminal, &runtime, state, None);
                // An address that does not work takes no place of one that does.
                if done.is_err() && before.url != *url {
                    before.save(runtime.folder()).ok();
                }
                let done = done?;
                let state = State::load(runtime.folder());
                let exit = told(terminal, &state, &done);
                terminal.out.note(&format!(
                    "whoever can read {0} can read what is kept here, and whoever can push there speaks \
                     as you to your agents; let nobody else",
                    shown(url)
                ));
                Ok(exit)
            }
            Some(What::Off) => off(terminal, runtime.folder(), state),
            Some(What::Forget) => {
                let machine = which("machine")?;
                if state.url.is_empty() {
                    return Err(is_off().into());
                }
                if state.is_on && state.machine == *machine {
                    return Err(misuse("that is this machine; `nudge sync off` first").into());
                }
                let done = self.round(terminal, &runtime, state, Some(machine))?;
                if !done.has_forgotten {
                    let words = format!("no machine `{}` has a branch there", shown(machine));
                    terminal.out.note(&words);
                    return Ok(Exit::Nothing);
                }
                let json = json!({"forgotten": machine});
                Ok(terminal.out.value(&json, |page| {
                    let machine = shown(machine);
                    page.done(&format!("forgot {machine}; what others took of it stays"));
                    Exit::Done
                }))
            }
            None if !state.is_on => Err(is_off().into()),
            None => {
                let done = self.round(terminal, &runtime, state, None)?;
                Ok(told(terminal, &State::load(runtime.folder()), &done))
            }
        }
    }

    fn round(
        &self,
        terminal: &Terminal,
        runtime: &Runtime,
        state: State,
        forget: Option<&str>,
    ) -> Result<Done, Fault> {
        let asked = Round {
            folder: runtime.folder(),
            is_by_hand: !self.detached,
            only_reads: std::env::var_os("NUDGE_SYNC").is_some_and(|it| it == "read"),
            forget,
        };
        let call = |params: &str| {
            let answer = if self.detached {
                // On behalf of the user, whoever started it.
                let user = Shell::sender(None).actor(Actor::User);
                terminal
                    .client()
                    .and_then(|client| client.call_from(&user, Operation::Merge, params))
            } else {
                terminal.call(Operation::Merge, params)
            };
            let merged = answer.and_then(|answer| read::<Merged>(&answer));
            merged.map_err(|fault| Error::from(&fault).to_string())
        };
        round(asked, state, &call).map_err(Fault::unavailable)
    }
}

fn off(terminal: &Terminal, folder: &Path, mut state: State) -> Result<Exit, Fault> {
    if !state.is_on {
        terminal.out.note("sync is off already");
        return Ok(Exit::Nothing);
    }
    state.is_on = false;
    let saved = state.save(folder);
    saved.map_err(|error| Fault::unavailable(format!("`sync.json` cannot be written: {error}")))?;
    let json = json!({"sync": "off", "machine": state.machine, "url": state.url});
    Ok(terminal.out.value(&json, |page| {
        page.done("sync is off; what is kept here stays here");
        let (url, machine) = (shown(&state.url), &state.machine);
        page.line(&format!(
            "what was pushed stays at {url}; `nudge sync forget {machine}` removes it"
        ));
        Exit::Done
    }))
}

fn is_off() -> nudge::Error {
    misuse("sync is off; `nudge sync on URL` begins it, with a private repository of your own")
}

fn told(terminal: &Terminal, state: &State, done: &Done) -> Exit {
    let status = state.status();
    let words = status
        .as_ref()
        .map_or_else(String::new, |status| status.describe().0);
    let json = json!({
        "sync": status, "taken": done.taken, "deleted": done.deleted, "refused": done.refused,
        "left_out": done.left_out, "pushed": done.has_pushed,
    });
    terminal.out.value(&json, |page| {
        let (words, came) = (shown(&words), count(done.taken, "hint"));
        let gone = match done.deleted {
            0 => String::new(),
            number => format!(", {number} deleted elsewhere"),
        };
        let pushed = if done.has_pushed {
            "what is new here was pushed"
        } else {
            "nothing was pushed"
        };
        page.done(&format!("{words}; {came} came{gone}; {pushed}"));
        if done.refused > 0 {
            page.line(&format!(
                "{} of other machines refused: not as Nudge writes them, or like a credential",
                done.refused
            ));
        }
        if done.left_out > 0 {
            let stay = count(done.left_out, "hint");
            page.line(&format!("{stay} stay here: they look like credentials"));
        }
        Exit::Done
    })
}
