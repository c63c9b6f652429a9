//! `nudge set`

use clap::Args;
use nudge::{Error, HintSet, Operation};
use serde_json::Value;

use super::flags::{Params, number};
use super::meta_flags::MetaFlags;
use super::output::Exit;
use super::pretty;
use super::terminal::{Asked, Terminal, stdin};
use super::value_flags::ValueFlags;
use crate::proxy::infer;
use crate::wire::shell::Shell;
use crate::wire::{Answer, Fault};

/// Why a set in an agent's shell is only proposed, and who can change that.
fn note(shell: &Shell, answer: &Answer) -> Option<String> {
    let set: HintSet = serde_json::from_str(answer.as_ref().ok()?.get()).ok()?;
    let (why, id) = (shell.describe(), set.proposal?.id);
    Some(format!(
        "{why}, so this is an agent's and waits for the user, who can run `nudge accept {id}`"
    ))
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge set api build \"make all\" --tags build --reason \"the Makefile knows the order\"
  nudge set api test \"cargo test\" --scope-branch 'dev,hotfix/*' --ttl 2h
  nudge set api deploy --type command --shell bash - < deploy.sh")]
pub(crate) struct Set {
    /// A service, module or folder by name
    component: String,
    /// What the hint is about
    key: String,
    /// The hint; `-` reads it from stdin
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    text: String,
    /// Only if the variant has this version; 0 for "must not exist"
    #[arg(long, value_name = "VERSION", value_parser = number, allow_negative_numbers = true)]
    if_match_version: Option<Value>,
    #[command(flatten)]
    value: ValueFlags,
    #[command(flatten)]
    meta: MetaFlags,
}

impl Set {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let slot = Params::slot(&self.component, &self.key);
        let meta = self.meta.given();
        let may_scope = terminal.scopes_writes() && !meta.has("scope");
        let params = self.params(slot.clone(), meta).map_err(Fault::from);
        let answer = params.and_then(|set| terminal.call(Operation::SetHint, &set.to_json()));
        let repo = may_scope.then(|| infer::scoped_to(&answer)).flatten();
        let scoped_to = repo.map(|repo| ("scoped_to", repo.into()));
        let asked = Asked {
            echo: scoped_to.or_else(|| Some(("note", note(terminal.shell()?, &answer)?.into()))),
            ..Asked::about(&slot, answer)
        };
        terminal.out.asked(&asked, pretty::hint_set)
    }

    fn params(&self, slot: Params, mut meta: Params) -> Result<Params, Error> {
        let text = match self.text.as_str() {
            "-" => stdin()?,
            text => text.to_owned(),
        };
        let value = self.value.value(text)?;
        // Whoever types is the user, also where an agent has set the hint before.
        if !meta.has("source") {
            meta = meta.with("source", Some("user"));
        }
        Ok(slot
            .with("value", Some(value))
            .with("meta", meta.some())
            .with("if_match_version", self.if_match_version.clone()))
    }
}
