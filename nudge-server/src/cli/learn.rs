//! `nudge learn`

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use clap::ValueEnum;
use nudge::{
    Command, Context, ErrorKind, GetHint, HintMatch, Proposal, Proposals, Propose, SetHint,
    kind_of_command,
};
use serde::Serialize;

use super::prelude::*;
use super::pretty::{slot, value};
use super::progress::Progress;
use super::terminal::here;
use crate::install::machine::Machine;
use crate::past::{Budget, Reading, Source, Worktrees, put_in_order};
use crate::primary::past::{LearnedHint, LearnedPast, PastEvent};
use crate::project::{ProjectFiles, Resolution};
use crate::proxy::infer::HERE;

/// How many bytes are told at once: a server takes requests of twice that.
const AT_ONCE: usize = 4 << 20;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge learn --dry-run      says what would be learned, and from where
  nudge learn --from claude
  nudge learn --from entire  reads the branch `entire/checkpoints/v1` of this repository, which is
                             read only when named: whoever can push it can write it")]
pub(crate) struct Learn {
    /// Only say what would happen
    #[arg(long)]
    dry_run: bool,
    /// Only atuin, bash, zsh, claude, codex, copilot, gemini, opencode or entire; repeatable
    #[arg(long, value_name = "SOURCE", hide_possible_values = true)]
    from: Vec<Source>,
}

/// A source, what was read of it, and what came of that.
#[derive(Serialize)]
struct Lessons {
    source: Source,
    #[serde(flatten)]
    reading: Reading,
    learned: Vec<LearnedHint>,
    /// Absent where none are recorded.
    observations: Option<usize>,
    /// What was typed here often, and waits to be accepted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    proposed: Vec<Habit>,
}

impl Learn {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let (all, paused) = self.learn(terminal)?;
        let json = json!({"sources": all, "dry_run": self.dry_run, "paused": paused});
        Ok(terminal.out.value(&json, |page| {
            for lessons in &all {
                self.write(page, lessons);
            }
            if let Some(why) = &paused {
                page.alarmed("✘", &shown(why));
            }
            let nothing = "there is nothing to learn from: no history of a shell, no transcripts";
            page.listed(!all.is_empty(), nothing)
        }))
    }

    /// What came of each source, and why nothing was recorded if that is so.
    fn learn(&self, terminal: &Terminal) -> Result<(Vec<Lessons>, Option<String>), Fault> {
        let machine = Machine::here().map_err(misuse)?;
        let (mut all, mut paused) = (Vec::new(), None);
        let (mut worktrees, mut known) = (Worktrees::new(), HashMap::new());
        let (progress, mut number) = (Progress::of(&terminal.out, "reading"), 0_usize);
        let mut step = |part: &str| {
            number += 1;
            progress.at(format!("{part}: {number}"));
        };
        let mut budget = Budget::default();
        let mut sources: Vec<Source> = Source::usual().collect();
        if !self.from.is_empty() {
            sources = Source::value_variants().to_vec();
            sources.retain(|source| self.from.contains(source));
        }
        for source in sources {
            let read = source.read(&machine, &mut budget, &mut || step(source.name()));
            if let Some(mut reading) = read {
                reading.sort_into(&mut worktrees, &mut known);
                all.push(Lessons {
                    source,
                    reading,
                    learned: Vec::new(),
                    observations: None,
                    proposed: Vec::new(),
                });
            }
        }
        for (now, mut events) in worktrees.into_values() {
            put_in_order(&mut events);
            for events in parts(&events) {
                step("learning");
                let params = json!({"events": events, "context": now, "dry_run": self.dry_run});
                let answer = terminal.call(ServerOperation::LearnPast, &params.to_string())?;
                let mut answer: LearnedPast = read(&answer)?;
                for lessons in &mut all {
                    lessons.take(&mut answer);
                }
                paused = paused.or(answer.paused);
            }
        }
        for lessons in &mut all {
            lessons.proposed = propose(terminal, &lessons.reading.typed, self.dry_run)?;
        }
        Ok((all, paused))
    }

    fn write(&self, page: &mut Page, of: &Lessons) {
        let reading = &of.reading;
        let (commands, edits) = (
            count(reading.commands, "command"),
            count(reading.edits, "change"),
        );
        let (name, files) = (of.source.name(), count(reading.files, "file"));
        page.done(&format!("{name}: read {commands} and {edits} in {files}"));
        let (learned, proposed, recorded) = if self.dry_run {
            ("would learn", "would propose", "would be recorded")
        } else {
            ("learned", "proposes", "recorded")
        };
        for one in &of.learned {
            let (names, hint) = (slot(&one.component, &one.key), &one.hint);
            page.line(&format!("  {learned} {names}: {}", value(hint)));
            let repo = hint.meta.origin.as_ref().and_then(|it| it.repo.as_deref());
            let repo = shown(repo.unwrap_or_default());
            page.dim(&format!("    worked {}× in {repo}", hint.use_count));
        }
        for habit in &of.proposed {
            let (kind, command, times) = (habit.kind, shown(&habit.command), habit.times);
            page.line(&format!("  {proposed} {kind}: {command}, typed {times}×"));
        }
        if !of.proposed.is_empty() && !self.dry_run {
            page.dim("  `nudge proposals` lists them; how they ended, a history does not say");
        }
        if of.learned.is_empty() && of.proposed.is_empty() {
            page.dim("  no new hint");
        }
        if let Some(new) = of.observations {
            page.dim(&format!("  {} {recorded}", count(new, "observation")));
        }
        for (what, number) in &reading.left_alone {
            page.dim(&format!("  left alone: {what} ({number})"));
        }
    }
}

impl Lessons {
    /// Takes what is of this source; that which holds other agents' transcripts comes last.
    fn take(&mut self, answer: &mut LearnedPast) {
        let name = json!(self.source);
        let is_host = |host: &str| name == host || self.source == Source::Entire;
        let is_mine = |it: &mut LearnedHint| {
            let origin = it.hint.meta.origin.as_ref();
            origin.is_some_and(|origin| origin.client.as_deref().is_some_and(is_host))
        };
        for hint in answer.learned.extract_if(.., is_mine) {
            // What is learned later takes the place of what was before.
            let is_same = |it: &LearnedHint| {
                let names = (&it.component, &it.key, it.hint.scope());
                names == (&hint.component, &hint.key, hint.hint.scope())
            };
            self.learned.retain(|it| !is_same(it));
            self.learned.push(hint);
        }
        if let Some(new) = &mut answer.observations {
            let new = new.extract_if(.., |host, _| is_host(host));
            *self.observations.get_or_insert_default() += new.map(|(_, new)| new).sum::<usize>();
        }
    }
}

/// Events in parts that can be told at once.
fn parts(events: &[PastEvent]) -> impl Iterator<Item = &[PastEvent]> {
    let mut room = AT_ONCE;
    events.chunk_by(move |_, next| {
        let size = json!(next).to_string().len();
        let fits = size <= room;
        room = if fits { room } else { AT_ONCE }.saturating_sub(size);
        fits
    })
}

/// How often a command must have been typed to be more than a try.
const OFTEN: usize = 3;

/// A command that somebody types for a step.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Habit {
    kind: &'static str,
    command: String,
    times: usize,
}

/// Proposes what is typed in the repository where the user is. A history does not say where a
/// command ran: only one whose name this project declares is taken for one of it.
fn propose(terminal: &Terminal, typed: &[String], dry_run: bool) -> Result<Vec<Habit>, Fault> {
    let context = here()?;
    let Some(repo) = context.facts().repos.first() else {
        return Ok(Vec::new());
    };
    let mut habits = habits(typed, &context);
    let waiting = terminal.get(Operation::ListProposals, &Params::default(), None);
    let waiting = waiting.map_or_else(|_| Vec::new(), |waiting: Proposals| waiting.proposals);
    habits.retain(|habit| {
        let waits =
            |one: &Proposal| &*one.key == habit.kind && one.hint.value.text() == habit.command;
        !waiting.iter().any(waits)
    });
    let mut failed = None;
    habits.retain(|habit| {
        let get = GetHint::new(HERE, habit.kind);
        let known = terminal.get::<HintMatch>(Operation::GetHint, &get, None);
        let is_known = known.is_ok_and(|known| known.hint.value.text() == habit.command);
        if is_known || dry_run {
            return !is_known;
        }
        let command = Command::new(habit.command.as_str());
        let set = SetHint::new(HERE, habit.kind, command).repo(repo.as_str());
        let why = format!("typed {} times, by the shell's history", habit.times);
        match terminal.call_here(Operation::Propose, &Propose::new(set, why)) {
            Ok(_) => true,
            // What was proposed or rejected before is nothing new.
            Err(fault) if Error::from(&fault).kind() == ErrorKind::Conflict => false,
            Err(fault) => {
                failed.get_or_insert(fault);
                false
            }
        }
    });
    failed.map_or(Ok(habits), Err)
}

/// Of each kind what was typed most, among what the project declares where a context is.
fn habits(typed: &[String], here: &Context) -> Vec<Habit> {
    let facts = here.facts();
    let (Some(root), Some(cwd)) = (facts.root.as_deref(), facts.cwd.as_deref()) else {
        return Vec::new();
    };
    let below = Path::new(cwd).strip_prefix(root).ok();
    let below = below.and_then(Path::to_str).unwrap_or_default();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for command in typed {
        *times.entry(command).or_default() += 1;
    }
    let files = ProjectFiles::patient();
    let mut best: BTreeMap<&'static str, (usize, &str)> = BTreeMap::new();
    for (command, times) in times.into_iter().filter(|(_, times)| *times >= OFTEN) {
        let is_declared = || files.resolve(root, below, command) == Resolution::Holds;
        if let Some(kind) = kind_of_command(command).filter(|_| is_declared()) {
            let most = best.entry(kind).or_insert((times, command));
            *most = (*most).max((times, command));
        }
    }
    let habits = best.into_iter();
    let habits = habits.map(|(kind, (times, command))| Habit {
        kind,
        command: command.to_owned(),
        times,
    });
    habits.collect()
}
