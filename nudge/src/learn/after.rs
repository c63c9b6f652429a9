//! After a command: what it says about the hints that say it, and the hint that
//! explains why it failed.

use super::before::{remembered, tell};
use super::known::{explaining, for_step, saying};
use super::place::Place;
use super::wording::display_name;
use super::{proposal, with_client, wording, words};
use crate::api::answer::Ranked;
use crate::api::caller::Caller;
use crate::api::event::Event;
use crate::api::reaction::{Did, Reaction};
use crate::api::selector::{Bump, Outcome};
use crate::command::client::Ran;
use crate::command::form::contains;
use crate::command::line::CommandLine;
use crate::command::step::Step;
use crate::model::scope::Scope;
use crate::nudge::Nudge;

pub(super) fn after_command(nudge: &Nudge, by: &Caller<'_>, event: &Event) -> Option<Reaction> {
    let command = event.command.as_deref()?;
    let line = CommandLine::read(command)?;
    let place = Place::of(&event.context, &line)?;
    let worked = event.worked()?;
    let said = saying(nudge, &place, &line);
    let mut by = event.caller(by, place.repo());
    let mut did = Vec::new();
    for known in &said {
        did.extend(count(nudge, &by, &known.hint, worked));
        // One change is known by the request; the others follow from it.
        by.request = None;
    }

    let ran = Ran {
        at: nudge.now(),
        line: remembered(command)?,
        step: Step::of(&line.words),
        spot: place.spot(),
        worked,
    };
    let failures = ran.step.filter(|_| worked && said.is_empty()).map(|step| {
        with_client(nudge, event, |client| {
            client.failures(step, &ran.spot, ran.at)
        })
    });
    with_client(nudge, event, |client| client.note(ran.clone()));
    if worked {
        let learned = proposal::learn(nudge, &by, &place, &ran, &failures.unwrap_or_default());
        did.extend(learned.map(Did::Proposed));
        return Some(Reaction { text: None, did });
    }
    let offered = offer(nudge, event, &place, &line).unwrap_or_default();
    did.extend(offered.did);
    Some(Reaction {
        text: offered.text,
        did,
    })
}

/// Tells of the hint that explains a failure, or of how this step is done here.
fn offer(nudge: &Nudge, event: &Event, place: &Place, line: &CommandLine) -> Option<Reaction> {
    let now = nudge.now();
    let is_new = |hint: &Ranked| {
        let other = CommandLine::read(&hint.hint.value.text());
        !hint.hint.failed_last() && other.is_none_or(|other| other.text != line.text)
    };
    let explaining = explaining(nudge, place, &words::telling(event.output_end()));
    let explains = explaining.into_iter().find(|hint| is_new(hint));
    let by_step = || {
        let others = for_step(nudge, place, Step::of(&line.words)?);
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
    tell(nudge, event, &hint, text)
}

/// Counts what came of a hint, of that very variant.
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
