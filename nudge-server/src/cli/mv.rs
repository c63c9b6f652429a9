//! `nudge mv`

use nudge::{Moved, slot_of};

use super::prelude::*;
use super::shell::SHELL;
use super::slot::keys;

#[derive(Debug, Args)]
#[command(override_usage = "nudge mv [OPTIONS] <COMPONENT> [KEY] <NEW>")]
#[command(after_help = "Examples:
  nudge mv api gateway            the component, with all it has in this project
  nudge mv api build compile      one key of it
  nudge mv --repo acme/api acme/gateway")]
pub(crate) struct Mv {
    /// The component; `.` is where you are
    component: String,
    /// The new name; before it the key, if only that is meant
    #[arg(value_name = "NEW", num_args = 1..=2, required = true)]
    names: Vec<String>,
    /// What is named are repositories: all that is for the first is for the second
    #[arg(long)]
    repo: bool,
    /// In every project, not only in this one
    #[arg(long)]
    everywhere: bool,
    /// Only say what would be moved
    #[arg(long)]
    dry_run: bool,
}

impl Mv {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let (mut component, mut key, mut to) = match &self.names[..] {
            [key, to] => (&*self.component, Some(&**key), Some(&**to)),
            names => (&*self.component, None, names.first().map(|to| &**to)),
        };
        // `shop/lint` is a hint, unless it is a component.
        let slot = slot_of(component).filter(|_| !self.repo && key.is_none());
        if let Some((outer, inner)) = slot
            && keys(terminal, component)?.is_empty()
        {
            if let Some((new, renamed)) = to.and_then(slot_of) {
                if new != outer {
                    return Err(other_component((outer, inner), (new, renamed)).into());
                }
                to = Some(renamed);
            }
            (component, key) = (outer, Some(inner));
        }
        let what = if self.repo { "repo" } else { "component" };
        let params = Params::default()
            .with(what, Some(component))
            .with_switch("everywhere", self.everywhere)
            .with("key", key)
            .with("to", to)
            .with_switch("dry_run", self.dry_run);
        terminal.tell(ServerOperation::Mv, &params, None, |page, moved| {
            self.write(page, moved)
        })
    }

    fn write(&self, page: &mut Page, moved: &Moved) -> Exit {
        for one in &moved.hints {
            let (name, hint) = (pretty::slot(&one.component, &one.key), &one.hint);
            let line = format!("{name}: {} ({})", pretty::value(hint), pretty::scope(hint));
            if self.dry_run {
                page.line(&format!("would move to {line}"));
            } else {
                page.done(&format!("moved to {line}"));
            }
        }
        pretty::elsewhere(page, moved.elsewhere, &self.component);
        Exit::Done
    }
}

/// That a hint stays in its component; the words are a component and a key each.
fn other_component((component, key): (&str, &str), (other, new): (&str, &str)) -> Error {
    let typed = |word: &str| SHELL.quoted(word);
    let (name, key) = (pretty::slot(other, new), typed(key));
    misuse(format!(
        "`{name}` is of another component, and a key is only renamed within its own; set it there by \
         `nudge set {} {} VALUE`, or type `nudge mv {} {key} {}` for a key of that whole name",
        typed(other),
        typed(new),
        typed(component),
        typed(&name)
    ))
}
