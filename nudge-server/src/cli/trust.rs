//! `nudge trust` and `nudge untrust`

use std::io::{self, IsTerminal};

use clap::Args;
use serde_json::Value;

use super::context_flags::ContextFlags;
use super::flags::Params;
use super::output::{Exit, Page};
use super::pretty::count;
use super::question::is_agreed;
use super::terminal::{Asked, Terminal};
use crate::primary::keep_requests::{ProjectHint, Trusted};
use crate::primary::operations::ServerOperation;
use crate::wire::escape::shown;

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
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let listed = self.ask(terminal, ServerOperation::Trust, true, None);
        let waiting = listed.answer.as_ref().ok();
        let waiting =
            waiting.and_then(|waiting| serde_json::from_str::<Trusted>(waiting.get()).ok());
        let Some(waiting) = waiting.filter(|waiting| !waiting.hints.is_empty()) else {
            return terminal.out.asked(&listed, trusted);
        };
        let stdin = io::stdin();
        let is_asked = !self.yes && !terminal.out.is_json();
        if is_asked {
            for hint in &waiting.hints {
                terminal.out.note(&describe(hint));
            }
            let what = format!(
                "trust {} of the project's file",
                count(waiting.hints.len(), "hint")
            );
            if !stdin.is_terminal() {
                terminal
                    .out
                    .note("nobody can be asked here; look at them, then add `--yes`");
                return Exit::Refused;
            }
            if !is_agreed(&what, stdin.lock(), io::stderr()) {
                terminal.out.note("nothing was trusted");
                return Exit::Nothing;
            }
        }
        // What was shown is trusted, whatever the file says by now.
        let hashes = waiting.hints.into_iter().map(|hint| Value::from(hint.hash));
        let asked = self.ask(
            terminal,
            ServerOperation::Trust,
            false,
            Some(hashes.collect()),
        );
        terminal.out.asked(&asked, trusted)
    }

    /// Trusts hints of the project's file no more.
    pub(crate) fn withdraw(&self, terminal: &Terminal) -> Exit {
        let asked = self.ask(terminal, ServerOperation::Untrust, false, None);
        terminal.out.asked(&asked, |page, untrusted: &Trusted| {
            for hint in &untrusted.hints {
                page.marked("✔", &format!("no longer trusted: {}", describe(hint)));
            }
            nothing(page, untrusted, "no hint of the project is trusted")
        })
    }

    fn ask(
        &self,
        terminal: &Terminal,
        operation: ServerOperation,
        is_dry: bool,
        hashes: Option<Vec<Value>>,
    ) -> Asked {
        let params = Params::default()
            .with("component", self.component.clone())
            .with("key", self.key.clone())
            .with("hashes", hashes)
            .with_switch("dry_run", is_dry);
        terminal.choose(operation, &params, self.context.given().as_ref())
    }
}

fn trusted(page: &mut Page, trusted: &Trusted) -> Exit {
    for hint in &trusted.hints {
        page.marked("✔", &format!("trusted {}", describe(hint)));
    }
    nothing(page, trusted, "no hint of the project waits")
}

fn nothing(page: &mut Page, trusted: &Trusted, words: &str) -> Exit {
    if trusted.waiting > 0 {
        page.dim(&format!(
            "  {} of the project wait",
            count(trusted.waiting, "hint")
        ));
    }
    if trusted.hints.is_empty() {
        page.line(words);
        return Exit::Nothing;
    }
    Exit::Done
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
