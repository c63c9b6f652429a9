//! `nudge export`

use std::path::{Path, PathBuf};

use super::cloud::Cloud;
use super::flags::{List, items};
use super::prelude::*;
use super::progress::Progress;
use super::shell::SHELL;
use super::terminal::here;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge export -o hints.json
  nudge export --here -o here.json     this repository alone
  nudge export --seed                  what a person would commit
  nudge export 'api*'                  quote patterns for the shell
  nudge export --as devcontainer       the file by which Codespaces sets this project up")]
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
    #[arg(short, long, visible_alias = "tag")]
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
    /// The set-up file of a cloud: devcontainer, cursor, copilot or codex
    #[arg(
        long = "as",
        value_name = "CLOUD",
        value_enum,
        hide_possible_values = true,
        exclusive = true
    )]
    cloud: Option<Cloud>,
    /// The file to write to; stdout when left out
    #[arg(short, long, value_name = "FILE", conflicts_with = "json")]
    output: Option<PathBuf>,
}

fn is_file(name: &str) -> bool {
    let end = Path::new(name).extension();
    end.is_some_and(|end| end.eq_ignore_ascii_case("json"))
}

impl Export {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        if let Some(cloud) = self.cloud {
            return cloud.print(terminal);
        }
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
        if let Some(file) = self.only.as_deref().filter(|name| is_file(name)) {
            let file = SHELL.quoted(file);
            let words = format!("`{file}` is no component; `nudge export -o {file}` writes a file");
            return Err(misuse(words).into());
        }
        let progress = Progress::of(&terminal.out, "exporting");
        let asked = terminal.ask(Operation::Export, &params, None);
        drop(progress);
        terminal.out.exported(&asked, self.output.as_deref())
    }
}
