//! `nudge trust` and `nudge untrust`

use std::io::{self, IsTerminal};

use super::prelude::*;
use super::question::is_agreed;
use crate::primary::keep_requests::{ProjectHint, Trusted};

#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// Only those of a component
    component: Option<String>,
    /// Only those with a key
    key: Option<String>,
    /// Do not ask first, also on a terminal
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    context: ContextFlags,
}

impl Trust {
    /// Shows the hints of the project's file that wait, and trusts them.
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let given = || self.context.given();
        let listed = terminal.ask(ServerOperation::Trust, &self.params(true, None), given());
        let waiting = listed.answer.as_ref().ok();
        let waiting = waiting.and_then(|waiting| read::<Trusted>(waiting).ok());
        let Some(waiting) = waiting.filter(|waiting| !waiting.hints.is_empty()) else {
            return Ok(terminal.out.asked(&listed, trusted));
        };
        let is_asked = !self.yes && !terminal.out.json;
        if is_asked {
            for hint in &waiting.hints {
                terminal.out.note(&describe(hint));
            }
            let hints = count(waiting.hints.len(), "hint");
            let what = format!("trust {hints} of the project's file");
            if !io::stdin().is_terminal() {
                terminal
                    .out
                    .note("nobody can be asked here; look at them, then add `--yes`");
                return Ok(Exit::Refused);
            }
            if !is_agreed(&what) {
                terminal.out.note("nothing was trusted");
                return Ok(Exit::Nothing);
            }
        }
        // What was shown is trusted, whatever the file says by now.
        let hashes = waiting.hints.into_iter().map(|hint| hint.hash).collect();
        let params = self.params(false, Some(hashes));
        terminal.tell(ServerOperation::Trust, &params, given(), trusted)
    }

    /// Trusts hints of the project's file no more.
    pub(crate) fn withdraw(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let (params, given) = (self.params(false, None), self.context.given());
        let untrust = ServerOperation::Untrust;
        terminal.tell(untrust, &params, given, |page, untrusted: &Trusted| {
            for hint in &untrusted.hints {
                page.done(&format!("no longer trusted: {}", describe(hint)));
            }
            nothing(page, untrusted, "no hint of the project is trusted")
        })
    }

    fn params(&self, is_dry: bool, hashes: Option<Vec<String>>) -> Params {
        Params::default()
            .with("component", self.component.clone())
            .with("key", self.key.clone())
            .with("hashes", hashes)
            .with_switch("dry_run", is_dry)
    }
}

fn trusted(page: &mut Page, trusted: &Trusted) -> Exit {
    for hint in &trusted.hints {
        page.done(&format!("trusted {}", describe(hint)));
    }
    nothing(page, trusted, "no hint of the project waits")
}

fn nothing(page: &mut Page, trusted: &Trusted, words: &str) -> Exit {
    if trusted.waiting > 0 {
        let hints = count(trusted.waiting, "hint");
        page.dim(&format!("  {hints} of the project wait"));
    }
    page.listed(!trusted.hints.is_empty(), words)
}

/// A hint of the project's file in one line: its names, its value, and what else is said of it.
fn describe(hint: &ProjectHint) -> String {
    let value = match &hint.hint["value"] {
        Value::String(text) => text.clone(),
        value => value["cmd"]
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned),
    };
    let meta = Some(&hint.hint["meta"]).filter(|meta| !meta.is_null());
    let meta = meta.map(|meta| format!("  {meta}")).unwrap_or_default();
    shown(&format!("{}/{}: {value}{meta}", hint.component, hint.key)).into_owned()
}
