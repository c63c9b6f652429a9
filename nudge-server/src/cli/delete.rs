//! `nudge delete`

use clap::Args;
use nudge::{Deleted, DeletedHints, Name, Operation};
use serde_json::json;

use super::context_flags::ContextFlags;
use super::flags::Params;
use super::output::{Exit, Page};
use super::pretty;
use super::scope_flags::ScopeFlags;
use super::terminal::Terminal;
use crate::observe::answers::Pitfalls;
use crate::primary::operations::ServerOperation;
use crate::wire::escape::shown;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge delete api build
  nudge delete 'old-*' '*' --dry-run   shows what would go; quote patterns for the shell
  nudge undo                           takes it back")]
pub(crate) struct Delete {
    /// A service, module or folder by name; `.` is where you are, `*` in it any text, `?` a character
    #[arg(required_unless_present = "pitfall")]
    component: Option<String>,
    /// What the hint is about; `*` in it is any text, `?` a character
    #[arg(required_unless_present = "pitfall")]
    key: Option<String>,
    /// A command of `nudge ls --pitfalls` of which no agent is to be warned again
    #[arg(long, value_name = "COMMAND", conflicts_with = "component")]
    pitfall: Option<String>,
    /// Every variant of this project; with --everywhere those of others too
    #[arg(long)]
    all: bool,
    /// Only say what would go
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    scope: ScopeFlags,
    #[command(flatten)]
    context: ContextFlags,
}

impl Delete {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let given = self.context.given();
        if let Some(command) = &self.pitfall {
            let params = Params::default().with("forget", Some(command.as_str()));
            let asked = terminal.choose(ServerOperation::GetPitfalls, &params, given.as_ref());
            return terminal.out.asked(&asked, |page, left: &Pitfalls| {
                if !left.forgotten {
                    page.line("no agent is warned of that here; `nudge ls --pitfalls` lists them");
                    return Exit::Nothing;
                }
                page.line("no agent is warned of it any more");
                Exit::Done
            });
        }
        let [component, key] =
            [&self.component, &self.key].map(|it| it.as_deref().unwrap_or_default());
        let names = [component, key].map(Name::from);
        let is_pattern = names.iter().any(Name::is_pattern);
        let scope = self.scope.given();
        let is_everywhere = (self.all || is_pattern) && scope == Some(json!({}));
        let params = Params::slot(component, key)
            .with("scope", scope.filter(|_| !is_everywhere))
            .with_switch("all", self.all || is_everywhere)
            .with_switch("everywhere", is_everywhere);
        if !self.dry_run && !is_pattern {
            let asked = terminal.choose(Operation::DeleteHint, &params, given.as_ref());
            let print = |page: &mut Page, gone: &Deleted| pretty::deleted(page, gone, self.all);
            return terminal.out.asked(&asked, print);
        }
        let params = params.with_switch("dry_run", self.dry_run);
        let asked = terminal.choose(ServerOperation::DeleteHints, &params, given.as_ref());
        terminal
            .out
            .asked(&asked, |page, gone| self.write(page, gone))
    }

    fn write(&self, page: &mut Page, gone: &DeletedHints) -> Exit {
        for slot in &gone.deleted {
            if !self.dry_run {
                pretty::deleted(page, slot, false);
                continue;
            }
            let name = format!("{}/{}", shown(&slot.component), shown(&slot.key));
            for hint in &slot.previous {
                let (value, scope) = (pretty::value(hint), pretty::scope(hint));
                page.line(&format!("would delete {name}: {value} ({scope})"));
            }
        }
        if gone.left > 0 && gone.elsewhere == 0 {
            let keys = pretty::count(gone.left, "key");
            page.line(&format!("left alone, not of this place: {keys}"));
        }
        pretty::elsewhere(
            page,
            gone.elsewhere,
            self.component.as_deref().unwrap_or_default(),
        );
        Exit::Done
    }
}
