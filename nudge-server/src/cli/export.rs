//! `nudge export` and `nudge import`

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use nudge_client::folder::file::read_named;
use nudge_client::platform::with_mode;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::cloud::Cloud;
use super::flags::{List, items};
use super::output::{Output, written_out};
use super::prelude::*;
use super::progress::Progress;
use super::shell::SHELL;
use super::terminal::{Asked, here, stdin};
use crate::wire::Answer;
use crate::wire::json_text::{extended, inert_json};

/// The longest file: more is in no store, whatever its limits.
const LARGEST: u64 = 1 << 30;

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
        exported(&terminal.out, &asked, self.output.as_deref())
    }
}

/// Prints an export: for people the payload alone, which `nudge import` reads.
fn exported(out: &Output, asked: &Asked, file: Option<&Path>) -> Result<Exit, Fault> {
    #[derive(Deserialize)]
    struct Exported<'a> {
        #[serde(borrow)]
        payload: &'a RawValue,
        #[serde(default)]
        secrets_left_out: usize,
    }
    let result = match &asked.answer {
        Ok(result) if !out.json => result,
        _ => return Ok(out.asked(asked, |_, _: &IgnoredAny| Exit::Done)),
    };
    let exported: Exported<'_> = serde_json::from_str(result.get())
        .map_err(|_| misuse("this server's export cannot be read; look at it with `--json`"))?;
    let text = inert_json(&indented(exported.payload.get())) + "\n";
    let exit = match file {
        None => written_out(&text),
        Some(file) => {
            let name = file.display();
            written(file, &text)
                .map_err(|error| misuse(format!("`{name}` cannot be written: {error}")))?;
            out.page_of(|page| page.done(&format!("wrote `{name}`")))
        }
    };
    if exported.secrets_left_out > 0 {
        let count = exported.secrets_left_out;
        out.note(&format!(
            "left out {count} marked as secret; `--include-secrets` writes them as well"
        ));
    }
    Ok(exit)
}

/// Writes a file that only its owner can read: an export may hold secrets.
#[expect(
    clippy::disallowed_methods,
    reason = "nothing is read from what the user named"
)]
fn written(file: &Path, text: &str) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    with_mode(&mut options, 0o600)
        .open(file)?
        .write_all(text.as_bytes())
}

/// Spreads compact JSON over lines. What is in it, and in which order, stays
/// as it is to the letter, which a map of our own in between would not keep.
fn indented(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let (mut depth, mut before) = (0_usize, ' ');
    let (mut in_string, mut is_escaped) = (false, false);
    for letter in json.chars() {
        if in_string {
            in_string = is_escaped || letter != '"';
            is_escaped = !is_escaped && letter == '\\';
            text.push(letter);
        } else {
            let is_end = matches!(letter, '}' | ']');
            depth = depth.saturating_sub(usize::from(is_end));
            // What is empty stays in one.
            if before == ',' || is_end != matches!(before, '{' | '[') {
                text.push('\n');
                text.extend(std::iter::repeat_n("  ", depth));
            }
            depth += usize::from(matches!(letter, '{' | '['));
            in_string = letter == '"';
            text.push(letter);
            text.extend((letter == ':').then_some(' '));
        }
        before = letter;
    }
    text
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge import hints.json --dry-run
  nudge export -o hints.json && nudge import hints.json
  nudge import --mode replace < hints.json")]
pub(crate) struct Import {
    /// What `nudge export` wrote; left out, or `-`, it is read from stdin
    file: Option<String>,
    /// merge (the newer hint wins) or replace; merge when left out
    #[arg(long)]
    mode: Option<String>,
    /// Only say what would happen
    #[arg(long)]
    dry_run: bool,
}

impl Import {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let progress = Progress::of(&terminal.out, "importing");
        let answer = self.send(terminal, &self.text()?);
        drop(progress);
        Ok(terminal.out.asked(&answer.into(), |page, imported| {
            pretty::imported(page, imported, self.dry_run)
        }))
    }

    fn text(&self) -> Result<String, Error> {
        match self.file.as_deref() {
            None if io::stdin().is_terminal() => {
                let words =
                    "the file is missing; type `nudge import FILE`, or `nudge import < FILE`";
                Err(misuse(words))
            }
            None | Some("-") => stdin(),
            Some(file) => read_named(Path::new(file), LARGEST)
                .map_err(|error| misuse(format!("`{file}` cannot be read: {error}"))),
        }
    }

    /// Sends the file's text as it is.
    fn send(&self, terminal: &Terminal, text: &str) -> Answer {
        let payload: &RawValue = serde_json::from_str(text).map_err(|error| {
            let words = "is not JSON; give what `nudge export` wrote";
            let file = self.file.as_deref().unwrap_or("-");
            misuse(format!("`{file}` {words} ({error})"))
        })?;
        let beside = Params::default()
            .with("mode", self.mode.as_deref())
            .with_switch("dry_run", self.dry_run);
        let params = extended(&beside.to_json(), "payload", payload.get());
        terminal.call(Operation::Import, &params)
    }
}
