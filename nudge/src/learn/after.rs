//! After a command: it counts for the hints that hold it, and a hint may explain why
//! it failed.

use super::before::{offer, redacted_run};
use super::command_hints::{explaining, for_step, same_command};
use super::location::Location;
use super::wording::display_name;
use super::{proposal, receipts, with_client, wording, words};
use crate::api::answer::Ranked;
use crate::api::caller::Caller;
use crate::api::event::Event;
use crate::api::reaction::{Did, Reaction};
use crate::api::selector::{Bump, Outcome};
use crate::command::client::CommandRun;
use crate::command::form::contains;
use crate::command::line::CommandLine;
use crate::command::step::Step;
use crate::model::scope::Scope;
use crate::nudge::Nudge;

pub(super) fn after_command(nudge: &Nudge, by: &Caller<'_>, event: &Event) -> Option<Reaction> {
    let command = event.command.as_deref()?;
    let line = CommandLine::read(command)?;
    let location = Location::of(&event.context, &line)?;
    let same = same_command(nudge, &location, &line);
    let run = redacted_run(nudge, event, &line, &location);
    // Some hosts do not say how a command ended, but it ran.
    run.as_ref()
        .inspect(|run| receipts::count_avoided(nudge, event, run, &same));
    let worked = event.worked()?;
    let mut by = event.caller(by, location.repo());
    let mut did = Vec::new();
    for known in &same {
        did.extend(count(nudge, &by, &known.hint, worked));
        // One change is known by the request; the others follow from it.
        by.request = None;
    }

    let run = run?;
    let failures = run.step.filter(|_| worked && same.is_empty()).map(|step| {
        with_client(nudge, event, |client| {
            client.failures(step, &run.location, run.at)
        })
    });
    with_client(nudge, event, |client| client.remember(run.clone()));
    if worked {
        let learned = proposal::learn(nudge, &by, &location, &run, &failures.unwrap_or_default());
        did.extend(learned.map(Did::Proposed));
        return Some(Reaction { text: None, did });
    }
    let offered = explain_failure(nudge, event, &location, &line, &run).unwrap_or_default();
    did.extend(offered.did);
    Some(Reaction {
        text: offered.text,
        did,
    })
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
