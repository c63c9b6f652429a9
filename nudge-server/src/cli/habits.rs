//! What a shell's history tells of a repository: what is typed there, and not how it ended.

use std::collections::BTreeMap;
use std::path::Path;

use nudge::{
    Command, Context, ErrorKind, GetHint, HintMatch, Proposal, Proposals, Propose, SetHint,
    kind_of_command,
};
use serde::Serialize;

use super::failure::error_of;
use super::prelude::*;
use super::terminal::here;
use crate::project::{ProjectFiles, Resolution};
use crate::proxy::infer::HERE;

/// How often a command must have been typed to be more than a try.
const OFTEN: usize = 3;

/// A command that somebody types for a step.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Habit {
    pub(super) kind: &'static str,
    pub(super) command: String,
    pub(super) times: usize,
}

/// Proposes what is typed in the repository where the user is. A history does not say where a
/// command ran: only one whose name this project declares is taken for one of it.
pub(super) fn propose(
    terminal: &Terminal,
    typed: &[String],
    dry_run: bool,
) -> Result<Vec<Habit>, Fault> {
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
            Err(fault) if error_of(&fault).kind() == ErrorKind::Conflict => false,
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
    let files = ProjectFiles::default();
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
