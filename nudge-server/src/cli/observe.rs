//! `nudge observe`

use clap::ValueEnum;

use super::config;
use super::prelude::*;
use crate::observe::answers::Observing;

#[derive(Debug, Args)]
pub(crate) struct Observe {
    /// Whether to record from now on; says how it is when left out
    #[arg(value_name = "on|off", hide_possible_values = true)]
    to: Option<Switch>,
    #[command(flatten)]
    context: ContextFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

impl Observe {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let on = self.to.map(|to| to == Switch::On);
        let params = Params::default().with("on", on);
        let (observe, given) = (ServerOperation::Observe, || self.context.given());
        let is_off = || {
            let said = terminal.get::<Observing>(observe, &Params::default(), given());
            said.is_ok_and(|said| !said.session)
        };
        // Where the session records nothing, who asks for it wants that first.
        if on == Some(true) && is_off() {
            let exit = config::write(terminal, "observe", "on")?;
            if exit != Exit::Done {
                return Ok(exit);
            }
        }
        terminal.tell(observe, &params, given(), |page, said| {
            write(page, said, on)
        })
    }
}

fn write(page: &mut Page, said: &Observing, asked: Option<bool>) -> Exit {
    if !said.session {
        page.line("observations are off; `nudge observe on` turns them on");
        return Exit::Nothing;
    }
    let project = shown(said.project.as_deref().unwrap_or_default());
    let is = if said.on { "recorded" } else { "not recorded" };
    page.line(&format!("what happens in {project} is {is}"));
    let size = said.bytes.unsigned_abs().div_ceil(1 << 20);
    let all = count(said.observations as usize, "observation");
    page.dim(&format!("  {all} here; {size} MiB in all"));
    if said.dropped > 0 {
        page.warned(
            "!",
            &format!("{} lost: too many at once", count(said.dropped, "event")),
        );
    }
    if let Some(why) = &said.paused {
        page.alarmed("✘", &shown(why));
    }
    Exit::found(said.on == asked.unwrap_or(true))
}
