//! `nudge check`: whether the commands that a project writes down still name something.

mod written;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use nudge::{Clock, Context, ManualClock, SystemClock};
use nudge_client::folder::file::read_named;
use nudge_client::platform::plain;
use serde_json::{Value, json};

use self::written::{Written, written};
use super::output::{Exit, misused};
use super::progress::Progress;
use super::terminal::{Terminal, here};
use crate::primary::operations::ServerOperation;
use crate::project::check::{Checker, is_for_branch};
use crate::project::{ProjectFiles, Resolution};
use crate::store::Memory;
use crate::wire::escape::shown;

/// What is looked at where no file is named.
const SOURCES: [&str; 3] = [".nudge-hints.json", "AGENTS.md", "CLAUDE.md"];

/// The longest file that is looked at.
const LARGEST: u64 = 8 << 20;

/// What the user's kept hints are called.
const KEPT: &str = "your kept hints";

#[derive(Debug, Args)]
#[command(
    after_help = "Looks at the project's .nudge-hints.json, AGENTS.md and CLAUDE.md, and at your kept hints, where there
are some.
A command is gone when the script, target, recipe, task, session or environment that it names is gone
from a manifest that is there. What cannot be told is left out.

Exit status: 0 all resolve, 1 one is gone, 2 FILE cannot be read."
)]
pub(crate) struct Check {
    /// Look at this file alone: hints as JSON, or Markdown
    file: Option<PathBuf>,
}

impl Check {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let out = &terminal.out;
        let cwd = std::env::current_dir().unwrap_or_default();
        let file = self.file.as_ref().map(|file| cwd.join(file));
        let here = file.as_deref().and_then(Path::parent).unwrap_or(&cwd);
        let here = fs::canonicalize(here).map(plain).unwrap_or_default();
        let context = Context::at(here.to_string_lossy());
        let root = context.facts().root.clone();
        let root = root.unwrap_or_else(|| here.to_string_lossy().into_owned());
        // Its time stands still: CI waits for a slow disk, where a session would not.
        let projects = ProjectFiles::with_clock(ManualClock::at(SystemClock.now()));
        let mut sources = Vec::new();
        if let (Some(file), Some(name)) = (&file, &self.file) {
            let name = name.to_string_lossy().into_owned();
            match read_named(file, LARGEST) {
                Ok(text) => sources.push((name, text)),
                Err(error) => return misused(&shown(&format!("`{name}` cannot be read: {error}"))),
            }
        } else {
            let read = |name: &str| Some((name.to_owned(), projects.text(&root, name)?));
            sources.extend(SOURCES.into_iter().filter_map(read));
            // The one is often a link to the other.
            sources.dedup_by(|one, other| one.1 == other.1);
            sources.extend(kept(terminal, &context));
        }
        let below = here.strip_prefix(&root).ok().filter(|_| file.is_some());
        let below = below.and_then(Path::to_str).unwrap_or_default();
        let (mut held, mut gone) = (0, Vec::new());
        let progress = Progress::of(out, "checking");
        for (source, text) in sources {
            let (holding, lost) = check_commands(&projects, &root, &source, &written(&text, below));
            held += holding;
            gone.extend(lost);
        }
        drop(progress);
        let json = json!({"checked": held + gone.len(), "gone": gone});
        out.value(&json, |page| {
            for one in &gone {
                page.line(&words(one));
            }
            match (gone.len(), held) {
                (0, 0) => page.line("nothing to check"),
                (0, 1) => page.line("the command resolves"),
                (0, _) => page.line(&format!("all {held} commands resolve")),
                _ => return Exit::Nothing,
            }
            Exit::Done
        })
    }
}

/// The user's hints that no agent is told here, because what they name is not there, each with that.
pub(super) fn left_out(terminal: &Terminal) -> Vec<String> {
    let Ok(context) = here() else {
        return Vec::new();
    };
    let root = context.facts().root.clone().unwrap_or_default();
    let kept = kept(terminal, &context).filter(|_| !root.is_empty());
    let gone = kept.map(|(source, text)| {
        let projects = ProjectFiles::default();
        check_commands(&projects, &root, &source, &written(&text, "")).1
    });
    let words = |one: &Value| words(one).replacen(KEPT, "not told", 1);
    gone.unwrap_or_default().iter().map(words).collect()
}

/// The user's kept hints that apply here, where there is a memory.
fn kept(terminal: &Terminal, context: &Context) -> Option<(String, String)> {
    let runtime = terminal.found_runtime()?;
    Memory::is_there(runtime.folder()).then_some(())?;
    let params = json!({ "context": context }).to_string();
    let answer = terminal.call(ServerOperation::ListKept, &params).ok()?;
    let kept: Value = serde_json::from_str(answer.get()).ok()?;
    let mut components = json!({});
    for one in kept["hints"].as_array()? {
        let (hint, key) = (&one["hint"], one["key"].as_str()?);
        if one["layer"] == "repository" && is_for_branch(hint, context) {
            let slots = &mut components[one["component"].as_str()?]["hints"];
            match slots[key].as_array_mut() {
                Some(variants) => variants.push(hint.clone()),
                None => slots[key] = json!([hint]),
            }
        }
    }
    let text = serde_json::to_string_pretty(&json!({ "components": components })).ok()?;
    Some((KEPT.to_owned(), text))
}

/// How many of some commands resolve, and those that are gone: where each stands, the name,
/// the manifest that it is gone from, and the nearest name.
pub(crate) fn check_commands(
    projects: &ProjectFiles,
    root: &str,
    source: &str,
    commands: &[Written],
) -> (usize, Vec<Value>) {
    let (mut held, mut gone) = (0, Vec::new());
    let mut checker = Checker::new(projects, root);
    for Written {
        line,
        folder,
        command,
    } in commands
    {
        match checker.check(folder, command) {
            Resolution::Unknown => {}
            Resolution::Holds => held += 1,
            Resolution::Gone { name, from, near } => gone.push(json!({
                "source": source, "line": line, "command": command,
                "name": name, "from": from, "near": near,
            })),
        }
    }
    (held, gone)
}

fn words(gone: &Value) -> String {
    let (source, lost) = (
        shown(gone["source"].as_str().unwrap_or_default()),
        lost(gone),
    );
    // What is kept is one text for all, of which nobody looks for a line.
    let line = match &*source {
        KEPT => String::new(),
        _ => format!(":{}", gone["line"]),
    };
    format!("{source}{line}: {lost}")
}

/// That a command is gone, from where, and what is like it.
pub(crate) fn lost(gone: &Value) -> String {
    let text = |name: &str| shown(gone[name].as_str().unwrap_or_default()).into_owned();
    let from = match text("from") {
        // A file has no manifest.
        from if from == text("name") => String::new(),
        from => format!(" from {from}"),
    };
    let near = gone["near"].as_str();
    let near = near.map(|near| format!("; nearest is `{}`", shown(near)));
    let near = near.unwrap_or_default();
    format!("`{}` is gone{from}{near}", text("command"))
}
