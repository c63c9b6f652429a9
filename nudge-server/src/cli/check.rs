//! `nudge check`: whether the commands that a project writes down still name something.

mod written;

use std::fs;
use std::path::{Path, PathBuf};

use nudge::Context;
use nudge_client::folder::file::read_named;
use nudge_client::platform::plain;
use serde::Serialize;
use serde::de::IgnoredAny;

use self::written::{Written, written};
use super::prelude::*;
use super::progress::Progress;
use super::terminal::here;
use crate::primary::keep_requests::{KeptHints, LayerName};
use crate::project::check::{Checker, command_of, is_for_branch};
use crate::project::{ProjectFiles, Resolution};
use crate::store::Memory;

/// What is looked at where no file is named.
const SOURCES: [&str; 3] = [".nudge-hints.json", "AGENTS.md", "CLAUDE.md"];

const LARGEST: u64 = 8 << 20;

const KEPT: &str = "your kept hints";

#[derive(Debug, Args)]
#[command(
    after_help = "Looks at the project's .nudge-hints.json, AGENTS.md and CLAUDE.md, and at your kept hints, where there
are some.
A command is gone when the script, target, recipe, task, session or environment that it names is gone
from a manifest that is there. What cannot be told is left out.

Exit status: 0 all resolve, 1 one is gone, 2 a file cannot be read."
)]
pub(crate) struct Check {
    /// Look at this file alone: hints as JSON, or Markdown
    file: Option<PathBuf>,
}

/// A command that names what is gone.
#[derive(Serialize)]
struct Gone<'s> {
    source: &'s str,
    /// None of what is kept, which stands in no file.
    line: Option<usize>,
    command: &'s str,
    name: String,
    /// The manifest that it is gone from.
    from: String,
    near: Option<String>,
}

impl Check {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let out = &terminal.out;
        let cwd = std::env::current_dir().unwrap_or_default();
        let file = self.file.as_ref().map(|file| cwd.join(file));
        let here = file.as_deref().and_then(Path::parent).unwrap_or(&cwd);
        let here = fs::canonicalize(here).map(plain).unwrap_or_default();
        let context = Context::at(here.to_string_lossy());
        let root = context.facts().root.clone();
        let root = root.unwrap_or_else(|| here.to_string_lossy().into_owned());
        let projects = ProjectFiles::patient();
        let below = here.strip_prefix(&root).ok().filter(|_| file.is_some());
        let below = below.and_then(Path::to_str).unwrap_or_default();
        let mut texts = Vec::new();
        if let (Some(file), Some(name)) = (&file, &self.file) {
            let name = name.to_string_lossy().into_owned();
            let text = read_named(file, LARGEST)
                .map_err(|error| misuse(format!("`{name}` cannot be read: {error}")))?;
            texts.push((name, text));
        } else {
            let read = |name: &str| Some((name.to_owned(), projects.text(&root, name)?));
            texts.extend(SOURCES.into_iter().filter_map(read));
            // The one is often a link to the other.
            texts.dedup_by(|one, other| one.1 == other.1);
        }
        for (name, text) in &texts {
            let is_json = Path::new(name).extension() == Some("json".as_ref());
            if let (true, Err(error)) = (is_json, serde_json::from_str::<IgnoredAny>(text)) {
                let name = shown(name);
                let words = format!("`{name}` cannot be read: it is not JSON ({error})");
                return Err(misuse(words).into());
            }
        }
        let commands = |(name, text): (String, String)| (name, written(&text, below));
        let mut sources: Vec<_> = texts.into_iter().map(commands).collect();
        if file.is_none() {
            sources.push((KEPT.to_owned(), kept(terminal, &context)));
        }
        let (mut held, mut gone) = (0, Vec::new());
        let progress = Progress::of(out, "checking");
        for (source, commands) in &sources {
            let (holding, lost) = check_commands(&projects, &root, source, commands);
            held += holding;
            gone.extend(lost);
        }
        drop(progress);
        let json = json!({"checked": held + gone.len(), "gone": gone});
        Ok(out.value(&json, |page| {
            for one in &gone {
                page.line(&one.words());
            }
            match (gone.len(), held) {
                (0, 0) => page.line("nothing to check"),
                (0, 1) => page.line("the command resolves"),
                (0, _) => page.line(&format!("all {held} commands resolve")),
                _ => return Exit::Nothing,
            }
            Exit::Done
        }))
    }
}

/// The user's hints that no agent is told here, because what they name is not there, each with that.
pub(super) fn left_out(terminal: &Terminal) -> Vec<String> {
    let context = here().unwrap_or_default();
    let Some(root) = &context.facts().root else {
        return Vec::new();
    };
    let (projects, kept) = (ProjectFiles::patient(), kept(terminal, &context));
    let (_, gone) = check_commands(&projects, root, "not told", &kept);
    gone.iter().map(Gone::words).collect()
}

/// The commands of the user's kept hints that apply here; none where there is no memory.
fn kept(terminal: &Terminal, context: &Context) -> Vec<Written> {
    let runtime = terminal.found_runtime();
    if !runtime.is_some_and(|runtime| Memory::is_there(runtime.folder())) {
        return Vec::new();
    }
    let list = json!({ "context": context }).to_string();
    let kept = terminal.call(ServerOperation::ListKept, &list);
    let kept = kept.and_then(|kept| read::<KeptHints>(&kept));
    let kept = kept.map(|kept| kept.hints).unwrap_or_default().into_iter();
    let kept = kept.filter(|one| one.layer == LayerName::Repository);
    let commands = kept.filter_map(|one| {
        let hint = serde_json::to_value(&one.hint).ok()?;
        let (folder, command) = command_of(&hint, "").filter(|_| is_for_branch(&hint, context))?;
        Some((None, folder, command))
    });
    commands.collect()
}

/// How many of some commands resolve, and those that are gone.
fn check_commands<'s>(
    projects: &ProjectFiles,
    root: &str,
    source: &'s str,
    commands: &'s [Written],
) -> (usize, Vec<Gone<'s>>) {
    let (mut held, mut gone) = (0, Vec::new());
    let mut checker = Checker::new(projects, root);
    for (line, folder, command) in commands {
        match checker.check(folder, command) {
            Resolution::Unknown => {}
            Resolution::Holds => held += 1,
            Resolution::Gone { name, from, near } => gone.push(Gone {
                source,
                line: *line,
                command,
                name,
                from,
                near,
            }),
        }
    }
    (held, gone)
}

impl Gone<'_> {
    fn words(&self) -> String {
        let line = self.line.map(|line| format!(":{line}"));
        let lost = lost(self.command, &self.name, &self.from, self.near.as_deref());
        format!("{}{}: {lost}", shown(self.source), line.unwrap_or_default())
    }
}

/// That a command is gone, from where, and what is like it.
pub(crate) fn lost(command: &str, name: &str, from: &str, near: Option<&str>) -> String {
    let from = match from {
        // A file has no manifest.
        from if from == name => String::new(),
        from => format!(" from {}", shown(from)),
    };
    let near = near.map(|near| format!("; nearest is `{}`", shown(near)));
    let near = near.unwrap_or_default();
    format!("`{}` is gone{from}{near}", shown(command))
}
