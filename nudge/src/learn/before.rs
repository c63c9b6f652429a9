//! Before a command: silence, unless a hint for this place contradicts it.

use super::known::{Known, for_step, saying};
use super::place::Place;
use super::wording::display_name;
use super::{with_client, wording};
use crate::api::answer::Ranked;
use crate::api::event::Event;
use crate::api::reaction::{Did, Reaction};
use crate::command::form;
use crate::command::line::CommandLine;
use crate::command::step::Step;
use crate::hint::Source;
use crate::nudge::Nudge;
use crate::secret::redact;

pub(super) fn before_command(nudge: &Nudge, event: &Event) -> Option<Reaction> {
    let command = event.command.as_deref()?;
    let line = CommandLine::read(command)?;
    let place = Place::of(&event.context, &line)?;
    let now = nudge.now();
    let said = saying(nudge, &place, &line);
    let step = Step::of(&line.words);
    let others = step.map(|step| for_step(nudge, &place, step));
    let others = others.unwrap_or_default();
    let clean = remembered(command)?;
    let spot = place.spot();
    let failed_at = with_client(nudge, event, |client| client.failed_here(&clean, &spot));

    let failing = said.iter().find(|known| known.hint.hint.failed_last());
    let (hint, text) = if failing.is_some() || failed_at.is_some() {
        let failures = failing.and_then(|failing| failing.hint.hint.describe_failures(now));
        let failures =
            failures.or(failed_at.map(|at| format!("failed at {}", at.format("%H:%M"))))?;
        match others.iter().find(|other| is_better(other, &line)) {
            Some(better) => {
                let but = wording::but(&clean.text, &failures);
                (&better.hint, wording::how(&better.hint, now, &[but])?)
            }
            // Who saw it fail need not be told.
            None if failed_at.is_some() => return None,
            None => (&failing?.hint, wording::failing(&failing?.hint, now)?),
        }
    } else {
        let hint = contradicting(&others, &line, &said, step?)?;
        (hint, wording::how(hint, now, &[])?)
    };
    tell(nudge, event, hint, text)
}

/// Tells a client of a hint, unless it was told so or too much already.
pub(super) fn tell(nudge: &Nudge, event: &Event, hint: &Ranked, text: String) -> Option<Reaction> {
    let what = (&*hint.component, &*hint.key, hint.hint.scope());
    let may = with_client(nudge, event, |client| client.may_tell(&what, nudge.now()));
    may.then(|| Reaction {
        text: Some(text),
        did: vec![Did::Offered(display_name(hint))],
    })
}

/// A command as it is remembered: without what looks like a credential.
pub(super) fn remembered(command: &str) -> Option<CommandLine> {
    CommandLine::read(&redact(command))
}

fn is_better(other: &Known, line: &CommandLine) -> bool {
    other.line.text != line.text && !other.hint.hint.failed_last()
}

/// The confirmed hint that says this step in another way; `None` where some hint
/// says it this way, and where several say it in several ways.
fn contradicting<'k>(
    others: &'k [Known],
    line: &CommandLine,
    said: &[Known],
    step: Step,
) -> Option<&'k Ranked> {
    let agrees = |other: &Known| form::contains(line, &other.line);
    if said.iter().any(|known| known.is_served) || others.iter().any(agrees) {
        return None;
    }
    let is_confirmed = |known: &&Known| {
        let hint = &known.hint.hint;
        let is_trusted = hint.use_count > 0 || hint.meta.source == Some(Source::User);
        is_trusted && !hint.failed_last()
    };
    let mut confirmed: Vec<&Known> = others.iter().filter(is_confirmed).collect();
    if confirmed.len() > 1 {
        confirmed.retain(|known| known.hint.key.eq_ignore_ascii_case(step.name()));
    }
    let [only, ..] = confirmed[..] else {
        return None;
    };
    form::differs(line, &only.line).then_some(&only.hint)
}
