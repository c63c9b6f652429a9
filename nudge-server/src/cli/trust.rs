//! `nudge trust` and `nudge untrust`

use std::io::{self, IsTerminal};

use super::prelude::*;
use super::question::is_agreed;
use super::slot::split;
use crate::primary::keep_requests::{ProjectHint, Trusted};

/// The component and the key that are meant, as far as they are named.
type Named = (Option<String>, Option<String>);

#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// Only those of a component, or COMPONENT/KEY
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
        let named = self.named(terminal)?;
        let listed = params(&named).with_switch("dry_run", true);
        let listed = terminal.ask(ServerOperation::Trust, &listed, given());
        let waiting = listed.answer.as_ref().ok();
        let waiting = waiting.and_then(|waiting| read::<Trusted>(waiting).ok());
        let Some(waiting) = waiting.filter(|waiting| !waiting.hints.is_empty()) else {
            return Ok(terminal
                .out
                .asked(&listed, |page, it| trusted(page, it, &named)));
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
        let hashes = waiting.hints.into_iter().map(|hint| hint.hash);
        let hashes: Vec<String> = hashes.collect();
        let params = params(&named).with("hashes", Some(hashes));
        let trust = ServerOperation::Trust;
        terminal.tell(trust, &params, given(), |page, it| {
            trusted(page, it, &named)
        })
    }

    /// Trusts hints of the project's file no more.
    pub(crate) fn withdraw(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let (named, given) = (self.named(terminal)?, self.context.given());
        let (untrust, params) = (ServerOperation::Untrust, params(&named));
        terminal.tell(untrust, &params, given, |page, untrusted: &Trusted| {
            for hint in &untrusted.hints {
                page.done(&format!("no longer trusted: {}", describe(hint)));
            }
            nothing(page, untrusted, &named, "is trusted")
        })
    }

    fn named(&self, terminal: &Terminal) -> Result<Named, Error> {
        let name = self.component.as_deref().filter(|_| self.key.is_none());
        let slot = name.map(|name| split(terminal, name)).transpose()?;
        Ok(match slot.flatten() {
            Some((component, key)) => (Some(component), Some(key)),
            None => (self.component.clone(), self.key.clone()),
        })
    }
}

fn params((component, key): &Named) -> Params {
    let params = Params::default().with("component", component.clone());
    params.with("key", key.clone())
}

fn trusted(page: &mut Page, trusted: &Trusted, named: &Named) -> Exit {
    for hint in &trusted.hints {
        page.done(&format!("trusted {}", describe(hint)));
    }
    nothing(page, trusted, named, "waits")
}

/// What there is beside the hints that were meant, or that there are none.
fn nothing(page: &mut Page, trusted: &Trusted, named: &Named, is_so: &str) -> Exit {
    let has_some = !trusted.hints.is_empty();
    if !has_some {
        let what = match named {
            (Some(component), Some(key)) => format!("`{}`", pretty::slot(component, key)),
            (Some(component), None) => format!("hint of `{}`", shown(component)),
            _ => "hint".to_owned(),
        };
        page.line(&format!("no {what} of the project {is_so}"));
    }
    if trusted.waiting > 0 {
        let hints = count(trusted.waiting, "hint");
        let wait = ["wait", "waits"][usize::from(trusted.waiting == 1)];
        page.dim(&format!("  {hints} of the project {wait}: `nudge trust`"));
    }
    Exit::found(has_some)
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
