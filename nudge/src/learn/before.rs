//! Before a command: what is known not to run here, or how the user does that step.

use super::command_hints::{CommandHint, for_step};
use super::location::Location;
use super::wording::display_name;
use super::{pitfall, told, with_client, wording};
use crate::api::answer::Ranked;
use crate::api::event::{Event, HoldBack};
use crate::api::reaction::{Did, Reaction};
use crate::command::breadth::{is_qualified, whole_step};
use crate::command::form::{Form, contains};
use crate::command::line::CommandLine;
use crate::command::proven::parts;
use crate::command::step::Step;
use crate::model::rate_limit::print;
use crate::nudge::Nudge;

pub(super) fn before_command(nudge: &Nudge, event: &Event) -> Option<Reaction> {
    if event.hold_back == Some(HoldBack::Never) {
        return None;
    }
    let known = pitfall::before(nudge, event);
    // Words that the host would drop wait until they can be heard.
    let is_heard = event.hold_back != Some(HoldBack::Only);
    known.or_else(|| is_heard.then(|| users_way(nudge, event)).flatten())
}

/// The user's own hint of the command's kind, unless the command is that, or a part of it.
fn users_way(nudge: &Nudge, event: &Event) -> Option<Reaction> {
    let command = event.command.as_deref()?;
    let root = event.context.facts().root.as_deref();
    let parts = parts(command).into_iter().map(|part| part.line);
    let whole = CommandLine::read(command).filter(|line| !line.variables.is_empty());
    parts.chain(whole).find_map(|line| {
        let step = whole_step(&line)?;
        let location = Location::of(&event.context, &line)?;
        let hints = for_step(nudge, &location, step);
        let id = Form::of(&line, root).id();
        let is_same = |known: &CommandLine| {
            let is_part = contains(&line, known) || is_qualified(&line, known);
            is_part || Form::of(known, root).id() == id
        };
        if hints.iter().any(|known| is_same(&known.line)) {
            return None;
        }
        let users = hints.into_iter().filter(|known| known.hint.hint.is_users());
        let mut users: Vec<CommandHint> = users.collect();
        if users.len() > 1 {
            users.retain(|known| known.hint.key.eq_ignore_ascii_case(step.name()));
        }
        // Nobody is sent to what is gone.
        let is_gone = |known: &CommandHint| {
            let checked = nudge.check_anchors(&known.hint.hint, location.context.facts());
            checked.is_some_and(|checked| checked.is_gone())
        };
        let users = users
            .into_iter()
            .find(|known| !known.hint.hint.failed_last() && !is_gone(known))?;
        let text = wording::how(&users.hint, nudge.now(), false)?;
        once(nudge, event, &users.hint).then(|| offer(nudge, event, &users.hint, text))
    })
}

/// Whether a client was not told of a hint yet, after which it is.
pub(super) fn once(nudge: &Nudge, event: &Event, hint: &Ranked) -> bool {
    let variant = print(&("hint", told::variant(hint)));
    with_client(nudge, event, |client| client.warned.insert(variant))
}

/// Offers a client a hint about a command.
pub(super) fn offer(nudge: &Nudge, event: &Event, hint: &Ranked, text: String) -> Reaction {
    let kind = Step::of_key(&hint.key);
    told::way(nudge, event, &hint.hint.value.text(), (kind, None));
    Reaction {
        did: vec![Did::Offered(display_name(hint))],
        ..Reaction::said(text)
    }
}
