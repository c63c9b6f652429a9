//! `nudge mv`

use clap::Args;
use nudge::Moved;

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
            .asked(&asked, |page, moved| self.write(page, key, moved))
    }

    fn write(&self, page: &mut Page, key: Option<&String>, moved: &Moved) -> Exit {
        let Some(first) = moved.hints.first() else {
            return Exit::Nothing;
        };
        let (old, new) = match key {
            Some(key) => (
                format!("{}/{}", self.component, key),
                format!("{}/{}", first.component, first.key),
            ),
            None => (self.component.clone(), first.component.to_string()),
        };
        let done = if self.dry_run { "would move" } else { "moved" };
        let hints = pretty::count(moved.hints.len(), "hint");
        let line = format!("{done} {} to {}, {hints}", shown(&old), shown(&new));
        if self.dry_run {
            page.line(&line);
        } else {
            page.marked("✔", &line);
        }
        for moved in &moved.hints {
            let (key, value) = (shown(&moved.key), pretty::value(&moved.hint));
            page.dim(&format!(
                "  {key}: {value} ({})",
                pretty::scope(&moved.hint)
            ));
        }
        Exit::Done
    }
}
