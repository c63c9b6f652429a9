//! What happened before: what shells, Atuin and agents have left on disk, read as their hooks would have
//! told it.
//!
//! The files are other programs': they are read within bounds and never written, no link is
//! followed, and what is not understood is left alone and counted.

mod atuin;
mod claude;
mod codex;
mod copilot;
mod entire;
mod files;
mod gemini;
mod history;
mod opencode;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use nudge::{Context, EventKind};
use nudge_client::folder::file::open;
use serde::Serialize;
use serde_json::Value;

pub(crate) use self::files::{Budget, day};
use crate::hook::read_event;
use crate::install::machine::{Machine, Root};
use crate::primary::past::PastEvent;
use crate::store::Foreign;

/// What is left alone.
const OUTSIDE: &str = "what happened outside the repositories that are here";
const UNKNOWN: &str = "files in an unknown format";
const LINKS: &str = "links and devices";
const UNREADABLE: &str = "files that cannot be read";
const BROKEN: &str = "lines that are not JSON or are too long";

/// Who has left something; its word is that of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Source {
    Atuin,
    Bash,
    Zsh,
    Claude,
    Codex,
    Copilot,
    Gemini,
    #[value(name = "opencode")]
    OpenCode,
    Entire,
}

/// What was read of a source.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Reading {
    pub(crate) files: usize,
    pub(crate) commands: usize,
    pub(crate) edits: usize,
    /// What was typed, of which neither the place nor the end is known.
    #[serde(skip)]
    pub(crate) typed: Vec<String>,
    pub(crate) left_alone: BTreeMap<String, usize>,
    #[serde(skip)]
    told: Vec<PastEvent>,
    /// The root of the only worktree that it may speak of, where it may of no other.
    #[serde(skip)]
    only: Option<String>,
}

/// What happened in each worktree that is here, by its root, and what it is now.
pub(crate) type Worktrees = BTreeMap<String, (Context, Vec<PastEvent>)>;

trait Transcript: Default {
    /// Begins one in a file.
    fn at(_: &Path) -> Self {
        Self::default()
    }

    /// Takes a line; false while nothing is known of the format.
    fn read(&mut self, line: &Value, told: &mut Vec<PastEvent>) -> bool;

    /// Tells what is known only at the end.
    fn finish(self, _: &mut Vec<PastEvent>) {}
}

impl Source {
    /// Those that only programs of this user write, which are read where none is named.
    pub(crate) fn usual() -> impl Iterator<Item = Source> {
        let all = Source::value_variants().iter().copied();
        all.filter(|source| *source != Source::Entire)
    }

    /// What people call it, and where it leaves what is read: the variable that names a folder,
    /// that folder in the home, and what lies below it.
    fn row(self) -> [&'static str; 4] {
        match self {
            Source::Atuin => ["Atuin", "XDG_DATA_HOME", ".local/share", "atuin/history.db"],
            Source::Bash => ["bash", "", "", ".bash_history"],
            Source::Zsh => ["zsh", "ZDOTDIR", "", ".zsh_history"],
            Source::Claude => ["Claude Code", "CLAUDE_CONFIG_DIR", ".claude", "projects"],
            Source::Codex => ["Codex", "CODEX_HOME", ".codex", "sessions"],
            Source::Copilot => ["Copilot CLI", "COPILOT_HOME", ".copilot", "session-state"],
            Source::Gemini => ["Gemini CLI", "GEMINI_CLI_HOME", "", ".gemini/tmp"],
            Source::OpenCode => [
                "OpenCode",
                "XDG_DATA_HOME",
                ".local/share",
                "opencode/opencode.db",
            ],
            Source::Entire => ["Entire", "", "", ""],
        }
    }

    pub(crate) fn name(self) -> &'static str {
        let [name, ..] = self.row();
        name
    }

    /// Where it leaves what is read.
    pub(crate) fn place(self, machine: &Machine) -> PathBuf {
        let [_, variable, home, rest] = self.row();
        if self == Source::Entire {
            return machine.folder.clone();
        }
        let roots = [Root::In(variable, ""), Root::Home(home)];
        machine.first(&roots).join(rest)
    }

    /// On how many days after one, counted since 1970, its agent has written to a transcript.
    pub(crate) fn days_used(self, machine: &Machine, after: u64) -> usize {
        let mut left = Reading::default();
        let below = files::below(&self.place(machine), "", &Budget::default(), &mut left);
        let days = below.iter().filter_map(|path| files::day(path));
        days.filter(|day| *day > after)
            .collect::<BTreeSet<_>>()
            .len()
    }

    /// Reads what it has left; `None` where there is nothing.
    pub(crate) fn read(
        self,
        machine: &Machine,
        budget: &mut Budget,
        step: &mut dyn FnMut(),
    ) -> Option<Reading> {
        let (place, home) = (self.place(machine), machine.first(&[]));
        let real = place.canonicalize().ok()?;
        let mut reading = Reading::default();
        let stays = || home.canonicalize().is_ok_and(|home| real.starts_with(home));
        if place.starts_with(&home) && !stays() {
            reading.leave("a folder that leads out of your home");
            return Some(reading);
        }
        match self {
            Source::Atuin => atuin::read(&real, &mut reading),
            Source::Bash | Source::Zsh => history::read(&real, &mut reading),
            Source::Claude => reading.read_all::<claude::Claude>(&real, "", budget, step),
            Source::Codex => reading.read_all::<codex::Codex>(&real, "rollout-", budget, step),
            Source::Copilot => reading.read_all::<copilot::Copilot>(&real, "events", budget, step),
            Source::Gemini => reading.read_all::<gemini::Gemini>(&real, "session-", budget, step),
            Source::OpenCode => opencode::read(&real, &mut reading),
            Source::Entire => entire::read(&real, &mut reading, budget)?,
        }
        let is_command = |told: &&PastEvent| told.event.event == EventKind::AfterCommand;
        let commands = reading.told.iter().filter(is_command).count();
        reading.commands = commands + reading.typed.len();
        reading.edits = reading.told.len() - commands;
        Some(reading)
    }
}

impl Reading {
    fn leave(&mut self, what: &str) {
        *self.left_alone.entry(what.to_owned()).or_default() += 1;
    }

    /// What a database of another program has of what is asked.
    fn rows<T>(&mut self, path: &Path, ask: impl Fn(&Foreign) -> Option<Vec<T>>) -> Vec<T> {
        let rows = Foreign::open(path).map(|database| ask(&database));
        match rows {
            None => self.leave(UNREADABLE),
            Some(None) => self.leave(UNKNOWN),
            Some(Some(rows)) => {
                self.files = 1;
                return rows;
            }
        }
        Vec::new()
    }

    fn read_all<T: Transcript>(
        &mut self,
        folder: &Path,
        start: &str,
        budget: &mut Budget,
        step: &mut dyn FnMut(),
    ) {
        for path in files::below(folder, start, budget, self) {
            step();
            if budget.is_spent() {
                self.leave("files for which there was no time");
                continue;
            }
            let file = open(&path, OpenOptions::new().read(true)).map(BufReader::new);
            self.read_one(T::at(&path), file, budget);
        }
    }

    fn read_one<T: Transcript>(
        &mut self,
        mut transcript: T,
        file: io::Result<impl BufRead>,
        budget: &mut Budget,
    ) {
        let (mut is_known, mut told) = (false, Vec::new());
        let take = |line: &Value| is_known |= transcript.read(line, &mut told);
        match file.and_then(|file| files::each_line(file, budget, take)) {
            Err(_) => self.leave(UNREADABLE),
            Ok(_) if !is_known => self.leave(UNKNOWN),
            Ok(broken) => {
                transcript.finish(&mut told);
                self.files += 1;
                self.told.append(&mut told);
                (0..broken).for_each(|_| self.leave(BROKEN));
            }
        }
    }

    /// Adds what happened in worktrees that are here; of each folder the worktree is known.
    pub(crate) fn sort_into(
        &mut self,
        worktrees: &mut Worktrees,
        known: &mut HashMap<String, Option<(String, Context)>>,
    ) {
        for told in std::mem::take(&mut self.told) {
            let cwd = told.event.context.facts().cwd.clone().unwrap_or_default();
            match known.entry(cwd).or_insert_with_key(|cwd| worktree(cwd)) {
                Some((root, now)) if self.only.as_ref().is_none_or(|only| only == root) => {
                    let there = worktrees.entry(root.clone());
                    there
                        .or_insert_with(|| (now.clone(), Vec::new()))
                        .1
                        .push(told);
                }
                _ => self.leave(OUTSIDE),
            }
        }
    }
}

/// Puts what happened in order, each once: a session that is resumed has a copy of what went
/// before.
pub(crate) fn put_in_order(events: &mut Vec<PastEvent>) {
    let key = |told: &PastEvent| {
        let event = &told.event;
        let what = (event.command.clone(), event.file.clone());
        (told.timestamp, event.context.facts().cwd.clone(), what)
    };
    events.sort_by_cached_key(key);
    events.dedup_by_key(|told| key(told));
}

/// The worktree that a folder is in, if both are here, by its root.
fn worktree(cwd: &str) -> Option<(String, Context)> {
    let is_here = Path::new(cwd).is_absolute() && Path::new(cwd).is_dir();
    let now = is_here.then(|| Context::at(cwd))?;
    now.facts().repos.first()?;
    Some((now.facts().root.clone()?, now))
}

/// Tells what a host's hook would have been told.
fn tell(host: &str, hook: &Value, at: &Value, branch: &Value, told: &mut Vec<PastEvent>) {
    let at = chrono::DateTime::parse_from_rfc3339(at.as_str().unwrap_or_default());
    let Some((at, (cwd, events))) = at.ok().zip(read_event(host, hook)) else {
        return;
    };
    let branch = branch.as_str().filter(|branch| !branch.is_empty());
    let context = branch
        .into_iter()
        .fold(Context::new().cwd(cwd), Context::branch);
    for mut event in events {
        let has_failed = event.worked() == Some(false);
        event.output = event.output.filter(|_| has_failed);
        event.context = context.clone();
        let timestamp = at.timestamp();
        told.push(PastEvent { timestamp, event });
    }
}
