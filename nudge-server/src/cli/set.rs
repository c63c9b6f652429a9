//! `nudge set`

use clap::Args;
use nudge::{Clock, Error, HintSet, Lifetime, Operation, SystemClock};
use serde_json::Value;

use super::context_flags::ContextFlags;
use super::flags::{Params, number};
use super::lifetime::lifetime;
use super::meta_flags::MetaFlags;
use super::output::Exit;
use super::pretty;
use super::terminal::{Asked, Terminal, stdin};
use super::value_flags::ValueFlags;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge set api build \"make all\" --tags build --reason \"the Makefile knows the order\"
  nudge set api test \"cargo test\" --scope-branch 'dev,hotfix/*' --ttl 2h
  nudge set api deploy --type command --shell bash - < deploy.sh")]
pub(crate) struct Set {
    /// A service, module or folder by name; `.` is where you are
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
    #[command(flatten)]
    context: ContextFlags,
}

impl Set {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let slot = Params::slot(&self.component, &self.key);
        let asked = match self.params(slot.clone()) {
            // Who means everywhere is nowhere in particular.
            Ok(set) if self.meta.is_everywhere() => {
                Asked::about(&slot, terminal.call_here(Operation::SetHint, &set))
            }
            Ok(set) => terminal.choose(Operation::SetHint, &set, self.context.given().as_ref()),
            Err(error) => Asked::about(&slot, Err(error.into())),
        };
        let answer = asked.answer.as_ref().map_or("", |answer| answer.get());
        if let Some(shell) = terminal
            .shell()
            .filter(|_| answer.contains("\"proposal\":"))
        {
            let words = format!("{}, so what is set is an agent's", shell.describe());
            terminal.out.note(&words);
        }
        let exit = terminal.out.asked(&asked, pretty::hint_set);
        let set = serde_json::from_str::<HintSet>(answer).ok();
        let set = set.filter(|set| set.proposal.is_none() && !terminal.out.is_json());
        if let Some(set) = set {
            let is_volatile = || {
                terminal
                    .runtime()
                    .is_ok_and(|runtime| runtime.is_volatile())
            };
            let words = match set.hint.lifetime {
                Lifetime::Kept if is_volatile() => "kept until the next reboot".to_owned(),
                _ => lifetime(&set.hint, SystemClock.now()),
            };
            terminal.out.note(&words);
        }
        exit
    }

    fn params(&self, slot: Params) -> Result<Params, Error> {
        let text = match self.text.as_str() {
            "-" => stdin()?,
            text => text.to_owned(),
        };
        let value = self.value.value(text)?;
        Ok(slot
            .with("value", Some(value))
            .with("meta", self.meta.given().some())
            .with("if_match_version", self.if_match_version.clone()))
    }
}
