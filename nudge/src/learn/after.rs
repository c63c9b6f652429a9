//! After a command: it counts for the hints that hold it, it may teach something, and a hint
//! may explain why it failed.

use super::before::{offer, redacted_run};
use super::command_hints::{CommandHint, explaining, for_step, same_command};
use super::location::Location;
use super::wording::display_name;
use super::{lesson, receipts, remind, with_client, wording, words, work};
use crate::api::answer::Ranked;
use crate::api::caller::Caller;
use crate::api::event::Event;
use crate::api::reaction::{Did, Reaction};
use crate::api::selector::{Bump, Outcome};
use crate::command::client::CommandRun;
use crate::command::failure::{could_not_run, is_answer};
use crate::command::form::contains;
use crate::command::line::CommandLine;
use crate::command::proven::proven;
use crate::command::step::Step;
use crate::model::scope::Scope;
use crate::nudge::Nudge;

pub(super) fn after_command(nudge: &Nudge, by: &Caller<'_>, event: &Event) -> Option<Reaction> {
    let command = event.command.as_deref()?;
    let line = CommandLine::read(command);
    let location = line
        .as_ref()
        .and_then(|line| Location::of(&event.context, line));
    let seen = line.zip(location);
    let run = seen.as_ref().and_then(|(line, location)| {
        let same = same_command(nudge, location, line);
        let run = redacted_run(nudge, event, location);
        // Some hosts do not say how a command ended, but it ran.
        run.as_ref()
            .inspect(|run| receipts::count_avoided(nudge, event, run, &same));
        run.map(|run| (run, same))
    });
    if is_answer(event.exit_code, command) {
        return None;
    }
    let is_success = event.worked()?;
    if let Some((run, _)) = &run {
        work::ran(nudge, by, event, run);
    }
    if is_success {
        let did = succeeded(nudge, by, event, command, seen.as_ref());
        if let Some((run, _)) = run {
            with_client(nudge, event, |client| client.remember(run));
        }
        let reminder = seen.and_then(|(_, at)| remind::after_commands(nudge, event, &at));
        let text = reminder.and_then(|reminder| reminder.text);
        return Some(Reaction { text, did });
    }
    let ((line, location), (run, same)) = (seen?, run?);
    let did = failed(nudge, by, event, &location, &same);
    with_client(nudge, event, |client| client.remember(run.clone()));
    let mut reaction = explain_failure(nudge, event, &location, &line, &run).unwrap_or_default();
    reaction.did.splice(0..0, did);
    Some(reaction)
}

/// Counts the command, and each that is known to have succeeded in it, and learns from them.
fn succeeded(
    nudge: &Nudge,
    by: &Caller<'_>,
    event: &Event,
    command: &str,
    whole: Option<&(CommandLine, Location)>,
) -> Vec<Did> {
    let parts = proven(command).into_iter().filter_map(|part| {
        let location = Location::of(&event.context, &part)?;
        Some((part, location))
    });
    let parts: Vec<(CommandLine, Location)> = parts.collect();
    let is_part =
        |(line, _): &&(CommandLine, Location)| parts.iter().any(|(part, _)| part.text == line.text);
    let whole = whole.filter(|whole| !is_part(whole));
    let mut did = Vec::new();
    let mut request = by.request;
    for (line, location) in whole.into_iter().chain(&parts) {
        let mut by = event.caller(by, location.repo());
        // One change is known by the request; the others follow from it.
        by.request = request.take();
        let same = same_command(nudge, location, line).into_iter();
        for known in same.filter(|known| !known.line.is_pipe()) {
            did.extend(count(nudge, &by, &known.hint, true));
            by.request = None;
            refresh(nudge, &by, location, &known.hint);
        }
        if parts.iter().any(|(part, _)| part.text == line.text) {
            did.extend(lesson::learn(nudge, &by, location, line));
        }
    }
    did
}

/// Notes of a hint that worked what it rests on now, and in which clone that was.
fn refresh(nudge: &Nudge, by: &Caller<'_>, location: &Location, known: &Ranked) {
    if !nudge.knows_root(&location.context) {
        return;
    }
    let anchors = nudge.anchors_of(&location.context, &known.hint.value.text());
    let root = location.context.facts().root.as_deref();
    let names = (known.component.clone(), known.key.clone());
    // Where it cannot be written, the next success does it.
    let _ = nudge.rest_on(by, names, known.hint.scope(), anchors, root);
}

/// Counts a failure for the hints that hold the command, if it could not run: any other one
/// speaks about the code.
fn failed(
    nudge: &Nudge,
    by: &Caller<'_>,
    event: &Event,
    location: &Location,
    same: &[CommandHint],
) -> Vec<Did> {
    let mut by = event.caller(by, location.repo());
    let could_not_run = could_not_run(event.exit_code, event.output_end());
    let mut did = Vec::new();
    for CommandHint { hint: known, .. } in same.iter().filter(|known| !known.line.is_pipe()) {
        let checked = nudge.check_anchors(&known.hint, location.context.facts());
        if !could_not_run && !checked.is_some_and(|checked| checked.is_gone()) {
            continue;
        }
        if known.hint.is_learned() {
            let names = (known.component.clone(), known.key.clone());
            lesson::take_back(nudge, &by, location, names, &known.hint);
            did.push(Did::Failed(display_name(known)));
        } else {
            did.extend(count(nudge, &by, known, false));
        }
        by.request = None;
    }
    did
}

/// Offers the hint that explains a failure, or the one for this step.
fn explain_failure(
    nudge: &Nudge,
    event: &Event,
    location: &Location,
    line: &CommandLine,
    run: &CommandRun,
) -> Option<Reaction> {
    let now = nudge.now();
    let is_new = |hint: &Ranked| {
        let other = CommandLine::read(&hint.hint.value.text());
        !hint.hint.failed_last() && other.is_none_or(|other| other.text != line.text)
    };
    let explaining = explaining(nudge, location, &words::significant(event.output_end()));
    let explains = explaining.into_iter().find(|hint| is_new(hint));
    let by_step = || {
        let others = for_step(nudge, location, Step::of(&line.words)?);
        // A hint that says less than the command would not have helped.
        let mut others = others
            .into_iter()
            .filter(|known| !contains(line, &known.line));
        others
            .find(|known| is_new(&known.hint))
            .map(|known| known.hint)
    };
    let hint = explains.or_else(by_step)?;
    let reason = hint.hint.meta.reason.as_deref();
    let reason = reason.map(|reason| format!(": {reason}"));
    let text = wording::how(&hint, now, reason.as_slice())?;
    offer(nudge, event, &hint, text, run)
}

/// Counts that this variant of a hint worked or failed.
fn count(nudge: &Nudge, by: &Caller<'_>, hint: &Ranked, worked: bool) -> Option<Did> {
    let scope = hint.hint.scope().cloned().unwrap_or_else(Scope::new);
    let outcome = if worked { Outcome::Ok } else { Outcome::Fail };
    let bump = Bump::new(hint.component.clone(), hint.key.clone());
    nudge.ask(by, bump.scope(scope).outcome(outcome)).ok()?;
    let name = display_name(hint);
    Some(if worked {
        Did::Bumped(name)
    } else {
        Did::Failed(name)
    })
}
