//! After a command: it counts for the hints that hold it, it may teach something, and a hint
//! may explain why it failed.

use super::before::{offer, once};
use super::command_hints::{CommandHint, explaining, for_step, same_command};
use super::location::Location;
use super::runs::{self, Ended, error_of};
use super::wording::display_name;
use super::{lesson, pitfall, remind, told, with_client, wording, work};
use crate::api::answer::Ranked;
use crate::api::caller::Caller;
use crate::api::event::Event;
use crate::api::reaction::{Did, Reaction};
use crate::api::selector::{Bump, Outcome};
use crate::command::client::CommandRun;
use crate::command::ending::{Ending, is_answer};
use crate::command::form::Form;
use crate::command::line::CommandLine;
use crate::command::safety::may_be_named;
use crate::command::step::Step;
use crate::model::rate_limit::print;
use crate::model::scope::Scope;
use crate::nudge::Nudge;
use crate::secret::redact;

pub(super) fn after_command(nudge: &Nudge, by: &Caller<'_>, event: &Event) -> Option<Reaction> {
    let command = event.command.as_deref()?;
    let line = CommandLine::read(command);
    let location = |line: &CommandLine| Location::of(&event.context, line);
    let location = line.as_ref().and_then(location);
    let seen = line.zip(location);
    let run = seen.as_ref().and_then(|(line, location)| {
        let run = redacted_run(event, location)?;
        Some((run, same_command(nudge, location, line)))
    });
    if is_answer(event.exit_code, command) {
        return None;
    }
    let ended = runs::ended(nudge, event);
    told::follow(nudge, event, &ended);
    runs::record(nudge, event, &ended);
    let is_success = event.worked()?;
    if let Some((run, _)) = &run {
        work::ran(nudge, by, event, run);
    }
    if is_success {
        let did = succeeded(nudge, by, event, &ended, seen.as_ref());
        if let Some((run, _)) = run {
            with_client(nudge, event, |client| client.remember(run));
        }
        let reminder = seen.and_then(|(_, at)| remind::after_commands(nudge, event, &at));
        let text = reminder.and_then(|reminder| reminder.text);
        return Some(Reaction {
            text,
            did,
            ..Reaction::default()
        });
    }
    let ((line, location), (run, same)) = (seen?, run?);
    let lacks = |ended: &Ended| {
        ended.line.text == line.text && matches!(ended.ending, Ending::CouldNotRun(_))
    };
    let lacking = ended.iter().find(|ended| lacks(ended));
    let did = failed(nudge, by, event, (&location, lacking), &same);
    with_client(nudge, event, |client| client.remember(run.clone()));
    let mut reaction = explain_failure(nudge, event, &ended, &run).unwrap_or_default();
    reaction.did.splice(0..0, did);
    Some(reaction)
}

/// The command of an event without what looks like a credential, as it is remembered.
fn redacted_run(event: &Event, location: &Location) -> Option<CommandRun> {
    Some(CommandRun {
        line: CommandLine::read(&redact(event.command.as_deref()?))?,
        location: location.key(),
        worked: event.worked().unwrap_or_default(),
    })
}

/// Counts the command, and each that is known to have succeeded in it, and learns from them.
fn succeeded(
    nudge: &Nudge,
    by: &Caller<'_>,
    event: &Event,
    ended: &[Ended],
    whole: Option<&(CommandLine, Location)>,
) -> Vec<Did> {
    let parts = || ended.iter().filter(|ended| ended.ending == Ending::Ok);
    let whole = whole.filter(|(line, _)| !parts().any(|part| part.line.text == line.text));
    let whole = whole.map(|(line, location)| (line, location, None));
    let parts = parts().map(|part| (&part.line, &part.location, Some(&*part.folder)));
    let mut did = Vec::new();
    let mut request = by.request;
    for (line, location, folder) in whole.into_iter().chain(parts) {
        let mut by = event.caller(by, location.repo());
        // One change is known by the request; the others follow from it.
        by.request = request.take();
        let same = same_command(nudge, location, line).into_iter();
        for known in same.filter(|known| !known.line.is_pipe()) {
            did.extend(count(nudge, &by, &known.hint, true));
            by.request = None;
            refresh(nudge, &by, location, &known.hint);
        }
        let learned = folder.and_then(|folder| lesson::learn(nudge, &by, (location, folder), line));
        did.extend(learned);
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
    (location, lacking): (&Location, Option<&Ended>),
    same: &[CommandHint],
) -> Vec<Did> {
    let folder = match lacking {
        Some(lacking) => lacking.folder.clone(),
        None => nudge.folder_at(&location.context),
    };
    let mut by = event.caller(by, location.repo());
    let mut did = Vec::new();
    for CommandHint { hint: known, .. } in same.iter().filter(|known| !known.line.is_pipe()) {
        let checked = nudge.check_anchors(&known.hint, location.context.facts());
        if lacking.is_none() && !checked.is_some_and(|checked| checked.is_gone()) {
            continue;
        }
        if known.hint.is_learned() {
            let names = (known.component.clone(), known.key.clone());
            if lesson::take_back(nudge, &by, (location, &folder), names, &known.hint) {
                did.push(Did::Failed(display_name(known)));
            }
        } else {
            did.extend(count(nudge, &by, known, false));
        }
        by.request = None;
    }
    did
}

/// Says what helped after this error; or, where a command could not run, how its step is done
/// here; or the user's own hint about it.
fn explain_failure(
    nudge: &Nudge,
    event: &Event,
    ended: &[Ended],
    run: &CommandRun,
) -> Option<Reaction> {
    let failed = ended
        .iter()
        .find(|ended| matches!(ended.ending, Ending::Failed | Ending::CouldNotRun(_)));
    if let Some(failed) = failed {
        let text = works_here(nudge, event, failed).or_else(|| cure(nudge, event, failed));
        if let Some(text) = text {
            return Some(Reaction::said(text));
        }
        if matches!(failed.ending, Ending::CouldNotRun(_))
            && let Some(reaction) = other_way(nudge, event, failed)
        {
            return Some(reaction);
        }
    }
    let location = Location::at(&event.context);
    let explaining = explaining(nudge, &location, event.output_end());
    let is_new = |hint: &&Ranked| {
        let other = CommandLine::read(&hint.hint.value.text());
        let is_other = other.is_none_or(|other| other.text != run.line.text);
        !hint.hint.failed_last() && is_other
    };
    let hint = explaining.iter().find(is_new)?;
    let text = wording::how(hint, nudge.now(), true)?;
    once(nudge, event, hint).then(|| offer(nudge, event, hint, text))
}

/// What works here instead of what could not run.
fn works_here(nudge: &Nudge, event: &Event, failed: &Ended) -> Option<String> {
    let Ending::CouldNotRun(missing) = &failed.ending else {
        return None;
    };
    let (form, repo) = (&failed.form, failed.location.book(nudge)?);
    let words = missing.words;
    let way = nudge.with_book(repo, |book| {
        pitfall::way_out(book, &failed.folder, form, words)
    })?;
    let id = print(&form.text());
    let is_new = with_client(nudge, event, |client| client.warned.insert(id));
    let text = wording::fit(format!("Nudge: `{way}` worked here")).filter(|_| is_new)?;
    told::way(nudge, event, &way, (failed.kind, None));
    Some(text)
}

/// What helped after this error in other sessions.
fn cure(nudge: &Nudge, event: &Event, failed: &Ended) -> Option<String> {
    let form = failed.form.text();
    let error = error_of(event).unwrap_or_else(|| format!("form {} {form}", failed.folder));
    let repo = failed.location.book(nudge)?;
    let helped = nudge.with_book(repo, |book| {
        let (helped, times) = book.cure(&error)?;
        Some((helped.to_owned(), times))
    });
    let (helped, times) =
        helped.filter(|(helped, _)| *helped != form && may_be_named(helped, &form))?;
    let words: Vec<String> = helped.split(' ').map(str::to_owned).collect();
    let kind = Step::of(&words);
    let is_other = kind.is_some() && kind != failed.kind && kind != Some(Step::Install);
    // Where a command could not run, what does something else is no way out.
    if is_other && matches!(failed.ending, Ending::CouldNotRun(_)) {
        return None;
    }
    let is_new = with_client(nudge, event, |client| {
        !client.warned.contains(&print(&form)) && client.warned.insert(print(&("cure", &error)))
    });
    let text = format!("Nudge: [seen {times}×] after this error, `{helped}` helped here");
    let text = wording::fit(text).filter(|_| is_new)?;
    told::way(nudge, event, &helped, (None, None));
    Some(text)
}

/// The command of a kind that works here, after one that could not run.
fn other_way(nudge: &Nudge, event: &Event, failed: &Ended) -> Option<Reaction> {
    let form = failed.form.text();
    let root = failed.location.context.facts().root.as_deref();
    let was_warned = with_client(nudge, event, |client| client.warned.contains(&print(&form)));
    let others = for_step(nudge, &failed.location, failed.kind?).into_iter();
    let mut others = others.filter(|known| {
        let other = Form::of(&known.line, root).text();
        let has_worked = known.hint.hint.seen_worked().is_some() || known.hint.hint.is_users();
        other != form && has_worked && !known.hint.hint.failed_last()
    });
    let known = others.next().filter(|_| !was_warned)?;
    let text = wording::how(&known.hint, nudge.now(), true)?;
    once(nudge, event, &known.hint).then(|| offer(nudge, event, &known.hint, text))
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
