//! `nudge keep`

use clap::Args;
use serde::Deserialize;
use serde_json::Value;
use similar::TextDiff;

use super::context_flags::ContextFlags;
use super::escape::{shown, shown_lines};
use super::flags::Params;
use super::output::{Exit, Page};
use super::pretty;
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge keep api test                keeps it for you, in this repository
  nudge keep api test --project      moves it to .nudge-hints.json, for everybody who clones
  nudge keep . build                 keeps what the project's own files declare")]
pub(crate) struct Keep {
    /// A service, module or folder by name; `.` is where you are
    component: String,
    /// What the hint is about
    key: String,
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

/// What was kept, as far as it is printed.
#[derive(Deserialize)]
struct Kept {
    component: String,
    key: String,
    hint: nudge::Hint,
    layer: String,
    file: Option<FileChange>,
}

#[derive(Deserialize)]
struct FileChange {
    path: String,
    before: String,
    after: String,
}

impl Keep {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let layer = match (self.everywhere, self.project) {
            (true, _) => Some("everywhere"),
            (_, true) => Some("project"),
            _ => None,
        };
        let params = Params::slot(&self.component, &self.key)
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

fn write(page: &mut Page, kept: &Kept, is_dry: bool) -> Exit {
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
    let place = match &*kept.layer {
        "everywhere" => "for every project",
        "project" => "for everybody who has this project",
        _ => "for this repository",
    };
    let (done, value) = (
        if is_dry { "would keep" } else { "kept" },
        pretty::value(&kept.hint),
    );
    page.marked("✔", &format!("{done} {name} {place}: {value}"));
    Exit::Done
}

/// The waiting or trusted hints of a project, as far as they are printed.
#[derive(Deserialize)]
pub(crate) struct ProjectHint {
    pub(crate) component: String,
    pub(crate) key: String,
    pub(crate) hint: Value,
    pub(crate) hash: String,
}

impl ProjectHint {
    /// In one line: its names, its value, and what else the file says of it.
    pub(crate) fn describe(&self) -> String {
        let value = match &self.hint["value"] {
            Value::String(text) => text.clone(),
            value => value["cmd"]
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned),
        };
        let meta = Some(&self.hint["meta"]).filter(|meta| !meta.is_null());
        let meta = meta.map(|meta| format!("  {meta}")).unwrap_or_default();
        let line = format!("{}/{}: {value}{meta}", self.component, self.key);
        shown(&line).into_owned()
    }
}
