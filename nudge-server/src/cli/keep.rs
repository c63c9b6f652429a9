//! `nudge keep` and `nudge kept`

use chrono::Local;
use nudge::{Clock, SystemClock};

use super::prelude::*;
use super::slot::SlotArgs;
use crate::install::add::unified;
use crate::primary::keep_requests::{Keeping, KeptHints, LayerName};
use crate::wire::escape::{shown, shown_lines};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge keep api test                keeps it for you, in this repository
  nudge keep api test --project      moves it to .nudge-hints.json, for everybody who clones
  nudge keep . build                 keeps what the project's own files declare")]
pub(crate) struct Keep {
    #[command(flatten)]
    slot: SlotArgs,
    /// Keep it for every project
    #[arg(long, conflicts_with = "project")]
    everywhere: bool,
    /// Move it to the project's own file, and show how that changes
    #[arg(long)]
    project: bool,
    /// Only say what would happen
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    context: ContextFlags,
}

impl Keep {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let layer = match (self.everywhere, self.project) {
            (true, _) => Some("everywhere"),
            (_, true) => Some("project"),
            _ => None,
        };
        let params = Params::default()
            .with("layer", layer)
            .with_switch("dry_run", self.dry_run);
        let (keep, given) = (ServerOperation::Keep, self.context.given());
        let asked = self.slot.ask(terminal, keep, params, given)?;
        let out = &terminal.out;
        Ok(out.asked(&asked, |page, kept| write(page, kept, self.dry_run)))
    }
}

fn write(page: &mut Page, kept: &Keeping, is_dry: bool) -> Exit {
    if let Some(file) = &kept.file {
        let diff = unified(&file.path, [&file.before, &file.after], 3);
        for line in shown_lines(&diff).lines() {
            page.line(line);
        }
    }
    let name = pretty::slot(&kept.component, &kept.key);
    let place = match kept.layer {
        LayerName::Everywhere => "for every project",
        LayerName::Project => "for everybody who has this project",
        LayerName::Repository => "for this repository",
    };
    let done = if is_dry { "would keep" } else { "kept" };
    let value = pretty::value(&kept.hint);
    page.done(&format!("{done} {name} {place}: {value}"));
    Exit::Done
}

#[derive(Debug, Args)]
pub(crate) struct Kept {
    #[command(flatten)]
    context: ContextFlags,
}

impl Kept {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        list(terminal, self.context.given())
    }
}

/// Lists what is kept where the user is, as `nudge ls --kept` does.
pub(crate) fn list(terminal: &Terminal, given: Option<Value>) -> Result<Exit, Fault> {
    terminal.tell(
        ServerOperation::ListKept,
        &Params::default(),
        given,
        write_kept,
    )
}

fn write_kept(page: &mut Page, kept: &KeptHints) -> Exit {
    let now = SystemClock.now();
    for one in &kept.hints {
        let hint = &one.hint;
        let name = pretty::slot(&one.component, &one.key);
        page.line(&format!("{name}: {}", pretty::value(hint)));
        let worked = hint.describe_use(now).map(|worked| format!(", {worked}"));
        let worked = worked.unwrap_or_default();
        let set = hint.updated_at.with_timezone(&Local).format("%F");
        let (who, place) = (pretty::who(hint), pretty::scope(hint));
        let place = place.replace("repo=", "");
        page.dim(&format!("  {}; {who}, set {set}{worked}", shown(&place)));
    }
    if kept.waiting > 0 {
        let hints = pretty::count(kept.waiting, "hint");
        page.line(&format!("{hints} of the project wait: `nudge trust`"));
    }
    page.listed(!kept.hints.is_empty(), "nothing is kept here yet")
}
