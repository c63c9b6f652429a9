//! Before a command: nothing, unless a hint that applies here contradicts it.

use super::command_hints::{CommandHint, for_step, same_command};
use super::location::Location;
use super::wording::display_name;
use super::{receipts, with_client, wording};
use crate::api::answer::Ranked;
use crate::api::event::Event;
use crate::api::reaction::{Did, Reaction};
use crate::command::breadth::whole_step;
use crate::command::client::CommandRun;
use crate::command::form;
use crate::command::line::CommandLine;
use crate::command::step::Step;
use crate::nudge::Nudge;
use crate::secret::redact;

pub(super) fn before_command(nudge: &Nudge, event: &Event) -> Option<Reaction> {
    let command = event.command.as_deref()?;
    let line = CommandLine::read(command)?;
    let location = Location::of(&event.context, &line)?;
    let now = nudge.now();
    let mut same = same_command(nudge, &location, &line);
    same.retain(|known| known.is_served && location.may_tell(&known.hint));
    let step = Step::of(&line.words);
    let others = step.map(|step| for_step(nudge, &location, step));
    let others = others.unwrap_or_default();
    let run = redacted_run(nudge, event, &location)?;
    let failed_at = with_client(nudge, event, |client| client.failed_here(&run));

    let failing = same.iter().find(|known| known.hint.hint.failed_last());
    let (hint, text) = if failing.is_some() || failed_at.is_some() {
        let failures = failing.and_then(|failing| failing.hint.hint.describe_failures(&now));
        let failures =
            failures.or(failed_at.map(|at| format!("failed at {}", at.format("%H:%M"))))?;
        match others.iter().find(|other| is_better(other, &line)) {
            Some(better) => {
                let but = wording::but(&run.line.text, &failures);
                (&better.hint, wording::how(&better.hint, now, &[but])?)
            }
            // The client has just seen it fail.
            None if failed_at.is_some() => return None,
            None => (&failing?.hint, wording::failing(&failing?.hint, now)?),
        }
    } else {
        // Who looks at a version or tries one test does not do the step in another way.
        let step = whole_step(&line)?;
        let same = location.of_this_folder(nudge, same);
        let hint = contradicting(&others, &line, &same, step)?;
        (hint, wording::how(hint, now, &[])?)
    };
    offer(nudge, event, hint, text, &run)
}

/// Offers a client a hint about a command, unless it was shown this one or too many already.
pub(super) fn offer(
    nudge: &Nudge,
    event: &Event,
    hint: &Ranked,
    text: String,
    run: &CommandRun,
) -> Option<Reaction> {
    let may = with_client(nudge, event, |client| {
        client.may_show(receipts::variant(hint), run)
    });
    may.then(|| {
        receipts::told(nudge, event, 1);
        Reaction {
            text: Some(text),
            did: vec![Did::Offered(display_name(hint))],
        }
    })
}

/// The command of an event without what looks like a credential, as it is remembered.
pub(super) fn redacted_run(
    nudge: &Nudge,
    event: &Event,
    location: &Location,
) -> Option<CommandRun> {
    Some(CommandRun {
        at: nudge.now(),
        line: CommandLine::read(&redact(event.command.as_deref()?))?,
        location: location.key(),
        worked: event.worked().unwrap_or_default(),
    })
}

fn is_better(other: &CommandHint, line: &CommandLine) -> bool {
    other.line.text != line.text && !other.hint.hint.failed_last()
}

/// The confirmed hint that does this step in another way; `None` where some hint
/// does it this way, and where several do it in different ways.
fn contradicting<'k>(
    others: &'k [CommandHint],
    line: &CommandLine,
    same: &[CommandHint],
    step: Step,
) -> Option<&'k Ranked> {
    let agrees = |other: &CommandHint| form::contains(line, &other.line);
    if !same.is_empty() || others.iter().any(agrees) {
        return None;
    }
    let is_confirmed = |known: &&CommandHint| {
        let hint = &known.hint.hint;
        let is_trusted = hint.is_users() || hint.seen_worked().is_some();
        is_trusted && !hint.failed_last()
    };
    let mut confirmed: Vec<&CommandHint> = others.iter().filter(is_confirmed).collect();
    if confirmed.len() > 1 {
        confirmed.retain(|known| known.hint.key.eq_ignore_ascii_case(step.name()));
    }
    let [only, ..] = confirmed[..] else {
        return None;
    };
    form::differs(line, &only.line).then_some(&only.hint)
}
