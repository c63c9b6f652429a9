//! `nudge export --as`: the file by which a cloud sets a project up, of what is known to work here.

use clap::ValueEnum;
use nudge::{GetHint, HintMatch, Operation};
use serde_json::json;

use super::output::{self, Exit};
use super::terminal::{Terminal, misuse};
use crate::proxy::infer::HERE;
use crate::wire::Fault;

/// A cloud that makes a clone ready by a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Cloud {
    // `.devcontainer/devcontainer.json`, for Codespaces too
    Devcontainer,
    // `.cursor/environment.json`
    Cursor,
    // `.github/workflows/copilot-setup-steps.yml`
    Copilot,
    // The setup script of a Codex environment
    Codex,
}

/// An image that has the usual languages.
const IMAGE: &str = "mcr.microsoft.com/devcontainers/universal:2";

impl Cloud {
    /// Prints the file, for review; it is written nowhere.
    pub(crate) fn print(self, terminal: &Terminal) -> Result<Exit, Fault> {
        let known = |key: &str| {
            let get = GetHint::new(HERE, key);
            let found: HintMatch = terminal.get(Operation::GetHint, &get, None).ok()?;
            let text = found.hint.shown().into_owned();
            // A line is a command; anything else is a note for people.
            (!found.hint.is_secret() && !text.contains(char::is_control)).then_some(text)
        };
        let ready = known("setup").or_else(|| known("install"));
        let steps: Vec<String> = ready.into_iter().chain(known("build")).collect();
        if steps.is_empty() {
            let words = "no command for setup, install or build is known here; set one, such as \
                 `nudge set install \"npm ci\"`, or run it once with an agent"
                .to_owned();
            return Err(misuse(words).into());
        }
        let test = known("test");
        terminal
            .out
            .note(&format!("for {}; read it before you use it", self.place()));
        let file = self.file(&steps, test.as_deref());
        Ok(output::written_out(&format!("{}\n", file.trim_end())))
    }

    fn place(self) -> &'static str {
        match self {
            Cloud::Devcontainer => "`.devcontainer/devcontainer.json`",
            Cloud::Cursor => "`.cursor/environment.json`",
            Cloud::Copilot => "`.github/workflows/copilot-setup-steps.yml`",
            Cloud::Codex => "the setup script of a Codex environment",
        }
    }

    pub(crate) fn file(self, steps: &[String], test: Option<&str>) -> String {
        let line = steps.join(" && ");
        let pretty = |value| serde_json::to_string_pretty(&value).unwrap_or_default();
        let check = test.map(|test| format!("# to check it: {test}\n"));
        let check = check.unwrap_or_default();
        match self {
            Cloud::Devcontainer => pretty(json!({"image": IMAGE, "postCreateCommand": line})),
            Cloud::Cursor => pretty(json!({"install": line})),
            Cloud::Copilot => {
                // A text of JSON is one of YAML.
                let run = |step: &String| format!("      - run: {}\n", json!(step));
                let runs: String = steps.iter().map(run).collect();
                format!(
                    "{check}name: \"Copilot Setup Steps\"\n\non: workflow_dispatch\n\njobs:\n  \
                     copilot-setup-steps:\n    runs-on: ubuntu-latest\n    permissions:\n      \
                     contents: read\n    steps:\n      - uses: actions/checkout@v5\n{runs}"
                )
            }
            Cloud::Codex => {
                let steps = steps.join("\n");
                format!("#!/usr/bin/env bash\n{check}set -euxo pipefail\n{steps}\n")
            }
        }
    }
}
