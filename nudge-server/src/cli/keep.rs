//! `nudge keep`

use clap::Args;
use similar::TextDiff;

use super::context_flags::ContextFlags;
use super::flags::Params;
use super::output::{Exit, Page};
use super::pretty;
use super::slot::SlotArgs;
use super::terminal::Terminal;
use crate::primary::keep_requests::{Keeping, LayerName};
use crate::primary::operations::ServerOperation;
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
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let layer = match (self.everywhere, self.project) {
            (true, _) => Some("everywhere"),
            (_, true) => Some("project"),
            _ => None,
        };
        let (component, key) = match self.slot.names(terminal) {
            Ok(names) => names,
            Err(error) => return terminal.out.print_word(Err(error.into())),
        };
        let params = Params::slot(&component, &key)
            .with("layer", layer)
            .with_switch("dry_run", self.dry_run);
        let given = self.context.given();
        let asked = terminal.choose(ServerOperation::Keep, &params, given.as_ref());
        let is_dry = self.dry_run;
        terminal
            .out
            .asked(&asked, |page, kept| write(page, kept, is_dry))
    }
}

fn write(page: &mut Page, kept: &Keeping, is_dry: bool) -> Exit {
    if let Some(file) = &kept.file {
        let diff = TextDiff::from_lines(&*file.before, &*file.after);
        let diff = diff
            .unified_diff()
            .header(&file.path, &file.path)
            .to_string();
        for line in shown_lines(&diff).lines() {
            page.line(line);
        }
    }
    let name = format!("{}/{}", shown(&kept.component), shown(&kept.key));
    let place = match kept.layer {
        LayerName::Everywhere => "for every project",
        LayerName::Project => "for everybody who has this project",
        LayerName::Repository => "for this repository",
    };
    let (done, value) = (
        if is_dry { "would keep" } else { "kept" },
        pretty::value(&kept.hint),
    );
    page.marked("✔", &format!("{done} {name} {place}: {value}"));
    Exit::Done
}
