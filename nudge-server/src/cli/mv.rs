//! `nudge mv`

use clap::Args;
use nudge::{Moved, MovedHint};

use super::escape::shown;
use super::flags::Params;
use super::output::{Exit, Page};
use super::pretty;
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;

#[derive(Debug, Args)]
#[command(override_usage = "nudge mv [OPTIONS] <COMPONENT> [KEY] <NEW>")]
#[command(after_help = "Examples:
  nudge mv api gateway            the component, with all it has
  nudge mv api build compile      one key of it")]
pub(crate) struct Mv {
    /// The component; `.` is where you are
    component: String,
    /// The new name; before it the key, if only that is meant
    #[arg(value_name = "NEW", num_args = 1..=2, required = true)]
    names: Vec<String>,
    /// Only say what would be moved
    #[arg(long)]
    dry_run: bool,
}

impl Mv {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let (key, to) = match &self.names[..] {
            [key, to] => (Some(key), Some(to)),
            names => (None, names.first()),
        };
        let params = Params::default()
            .with("component", Some(&*self.component))
            .with("key", key.map(String::as_str))
            .with("to", to.map(String::as_str))
            .with_switch("dry_run", self.dry_run);
        let asked = terminal.choose(ServerOperation::Mv, &params, None);
        terminal
            .out
            .asked(&asked, |page, moved| self.write(page, moved))
    }

    fn write(&self, page: &mut Page, moved: &Moved) -> Exit {
        for MovedHint {
            component,
            key,
            hint,
            ..
        } in &moved.hints
        {
            let (name, value) = (format!("{component}/{key}"), pretty::value(hint));
            let line = format!("{}: {value} ({})", shown(&name), pretty::scope(hint));
            if self.dry_run {
                page.line(&format!("would move to {line}"));
            } else {
                page.marked("✔", &format!("moved to {line}"));
            }
        }
        Exit::Done
    }
}
