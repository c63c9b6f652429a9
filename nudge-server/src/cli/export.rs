//! `nudge export`

use std::path::PathBuf;

use clap::Args;
use nudge::Operation;
use serde_json::json;

use super::flags::{List, Params, items, list};
use super::output::Exit;
use super::progress::Progress;
use super::terminal::{Terminal, here};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge export -o hints.json
  nudge export --here -o here.json     this repository alone
  nudge export --seed                  what a person would commit
  nudge export 'api*'                  quote patterns for the shell")]
pub(crate) struct Export {
    /// Only this component; `*` in it is any text, `?` a character
    #[arg(value_name = "COMPONENT", conflicts_with = "component")]
    only: Option<String>,
    /// json, which is the only one
    #[arg(long)]
    format: Option<String>,
    /// Only this component
    #[arg(long)]
    component: Option<String>,
    /// Only hints with one of these tags
    #[arg(long, value_parser = list)]
    tags: Vec<List>,
    /// Write hints that are marked as secret as well
    #[arg(long)]
    include_secrets: bool,
    /// Only what a person would commit: values, and the meta that people set
    #[arg(long)]
    seed: bool,
    /// Only what is of this repository or folder, and what names none
    #[arg(long)]
    here: bool,
    /// The file to write to; stdout when left out
    #[arg(short, long, value_name = "FILE", conflicts_with = "json")]
    output: Option<PathBuf>,
}

impl Export {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::default()
            .with("format", self.format.as_deref())
            .with(
                "component",
                self.only.as_deref().or(self.component.as_deref()),
            )
            .with("tags", items(&self.tags))
            .with_switch("include_secrets", self.include_secrets)
            .with_switch("seed", self.seed)
            .with(
                "context",
                self.here.then(|| json!(here().unwrap_or_default())),
            );
        let progress = Progress::of(&terminal.out, "exporting");
        let asked = terminal.choose(Operation::Export, &params, None);
        drop(progress);
        terminal.out.exported(&asked, self.output.as_deref())
    }
}
