//! Which hints are about a command: those that hold it, those for its step, those
//! that explain its failure.

use std::cell::LazyCell;

use super::location::Location;
use super::words;
use crate::api::answer::Ranked;
use crate::api::request::GetHint;
use crate::command::line::CommandLine;
use crate::command::programs::runs_projects;
use crate::command::step::Step;
use crate::hint::{Hint, HintValue};
use crate::model::name::Name;
use crate::nudge::Nudge;

/// A hint that holds a command, taken apart.
#[derive(Debug, Clone)]
pub(super) struct CommandHint {
    pub(super) hint: Ranked,
    pub(super) line: CommandLine,
    /// Whether a get would choose it here, and no other variant of its slot.
    pub(super) is_served: bool,
}

/// The hints that hold this very command, up to white space and the folder it is
/// run in. A hint with a `cd` of its own means that folder.
///
/// A slot is there once, although several of its variants may hold it.
pub(super) fn same_command(
    nudge: &Nudge,
    location: &Location,
    line: &CommandLine,
) -> Vec<CommandHint> {
    let program = line.words.first().map_or("", String::as_str);
    let same = nudge.applying(&location.context, |_, hint| {
        // Most are ruled out by a word.
        let may_be = hint.value.text().contains(program);
        let held = may_be.then(|| command_of(hint)).flatten();
        held.is_some_and(|held| is_same(location, line, &held))
    });
    let mut found = command_hints(nudge, location, same);
    // A slot counts once, with the variant that is served if that holds it.
    found.sort_by_key(|known| !known.is_served);
    let mut seen = Vec::new();
    found.retain(|known| {
        let slot = (known.hint.component.clone(), known.hint.key.clone());
        let is_first = !seen.contains(&slot);
        seen.push(slot);
        is_first
    });
    let first = found.first().map(|known| known.hint.component.clone());
    let is_first = |known: &CommandHint| Some(&known.hint.component) == first.as_ref();
    if !found.iter().all(is_first) {
        return location.of_this_folder(nudge, found);
    }
    found
}

/// The hints for a step that hold a command, of the component at this location, as
/// far as an agent may be told of them.
pub(super) fn for_step(nudge: &Nudge, location: &Location, step: Step) -> Vec<CommandHint> {
    let is_steps = |(_, key): (&Name, &Name), _: &Hint| Step::of_key(key) == Some(step);
    let hints = nudge.applying(&location.context, is_steps);
    let mut found = command_hints(nudge, location, hints);
    found.retain(|known| {
        let is_told = known.is_served && location.may_tell(&known.hint);
        is_told && is_command(&known.hint, &known.line)
    });
    location.of_this_folder(nudge, found)
}

/// The hints whose tags or reason share two words with an error, or a code; those
/// that share most come first.
pub(super) fn explaining(nudge: &Nudge, location: &Location, error: &str) -> Vec<Ranked> {
    let words = LazyCell::new(|| words::significant(error));
    let says_why = |hint: &Hint| !hint.meta.tags.is_empty() || hint.meta.reason.is_some();
    let mut hints = nudge.applying(&location.context, |_, hint| {
        says_why(hint) && shared(hint, &words) >= 2
    });
    hints.retain(|hint| location.may_tell(hint));
    hints.sort_by_key(|hint| std::cmp::Reverse(shared(&hint.hint, &words)));
    hints.retain(|hint| is_served(nudge, location, hint));
    hints
}

/// Whether a get would choose this variant there.
pub(super) fn is_served(nudge: &Nudge, location: &Location, hint: &Ranked) -> bool {
    let slot = GetHint::new(hint.component.clone(), hint.key.clone());
    let served = nudge.get_hint(slot.context(&location.context));
    served.is_ok_and(|served| served.hint.meta.scope == hint.hint.meta.scope)
}

/// How much the tags and the reason of a hint share with an error: one for each
/// word, two for one that is a code and hardly means anything else.
fn shared(hint: &Hint, words: &[String]) -> usize {
    let meta = &hint.meta;
    let reason = words::significant(meta.reason.as_deref().unwrap_or_default());
    let has = |word: &String| {
        let in_tags = meta.tags.iter().any(|tag| tag.eq_ignore_ascii_case(word));
        in_tags || reason.iter().any(|other| other.eq_ignore_ascii_case(word))
    };
    let weight = |word: &String| 1 + usize::from(words::is_code(word));
    words.iter().filter(|word| has(word)).map(weight).sum()
}

/// The command that a hint holds.
fn command_of(hint: &Hint) -> Option<CommandLine> {
    match &hint.value {
        HintValue::Text(text) => CommandLine::read(text),
        HintValue::Command(command) => CommandLine::read(&command.cmd),
        _ => None,
    }
}

/// Those hints that hold a command.
fn command_hints(nudge: &Nudge, location: &Location, hints: Vec<Ranked>) -> Vec<CommandHint> {
    let known = |hint: Ranked| {
        let line = command_of(&hint.hint)?;
        Some(CommandHint {
            is_served: is_served(nudge, location, &hint),
            line,
            hint,
        })
    };
    hints.into_iter().filter_map(known).collect()
}

/// Whether a hint's text is a command and no prose.
fn is_command(hint: &Ranked, line: &CommandLine) -> bool {
    let is_path = line.words.first().is_some_and(|word| word.contains('/'));
    matches!(hint.hint.value, HintValue::Command(_))
        || is_path
        || runs_projects(&line.words)
        || Step::of(&line.words).is_some()
}

fn is_same(location: &Location, line: &CommandLine, hint: &CommandLine) -> bool {
    let to_same_folder = || {
        let cwd = |line| {
            Location::of(&location.context, line)?
                .context
                .facts()
                .cwd
                .clone()
        };
        let there = cwd(hint);
        hint.folder == line.folder || there.is_some() && there == location.context.facts().cwd
    };
    line.text == hint.text && (hint.folder.is_none() || to_same_folder())
}
