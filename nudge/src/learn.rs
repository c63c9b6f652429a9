//! What follows from a host's events: which hint a client is shown, and what is
//! learned from how commands end.
//!
//! Nothing here looks at the machine: the event says what happened, the store what
//! is known and what time it is. What a client ran is kept in memory, without what
//! looks like a credential, until its session ends.

mod after;
mod before;
mod command_hints;
mod lesson;
mod location;
mod past;
mod pitfall;
mod prime;
mod remind;
mod retire;
pub(crate) mod runs;
mod told;
mod wording;
mod words;
mod work;

use std::borrow::Cow;

use crate::api::answer::HintSet;
use crate::api::caller::Caller;
use crate::api::event::{Event, EventKind, HoldBack};
use crate::api::proposals::Accept;
use crate::api::reaction::Reaction;
use crate::command::client::{Client, Note};
use crate::hint::Source;
use crate::hint::proposal::Proposal;
use crate::hint::told::is_plain;
use crate::model::error::Error;
use crate::model::host::known_by;
use crate::model::rate_limit::lasting_print;
use crate::nudge::Nudge;

/// Does what follows from an event, and returns what the agent should be told.
pub(crate) fn on_event(nudge: &Nudge, by: &Caller<'_>, event: &Event) -> Reaction {
    use EventKind::{ContextLost, Other, SessionEnd, SessionStart};
    let event = &*where_it_began(nudge, event);
    let takes_words = !matches!(event.event, SessionStart | ContextLost | SessionEnd | Other)
        && !matches!(event.hold_back, Some(HoldBack::Only | HoldBack::Never));
    let has_lost = takes_words && with_client(nudge, event, Client::take_loss);
    let start_again = has_lost.then(|| {
        let mut event = event.clone();
        event.reason = Some("compact".to_owned());
        start(nudge, by, &event)
    });
    let reaction = match event.event {
        SessionStart => Some(Reaction {
            text: start(nudge, by, event),
            ..Reaction::default()
        }),
        ContextLost => {
            with_client(nudge, event, Client::lose_start);
            None
        }
        EventKind::Prompt => remind::at_prompt(nudge, event),
        EventKind::BeforeEdit => remind::before_edit(nudge, event),
        EventKind::BeforeCommand => before::before_command(nudge, event),
        EventKind::AfterCommand => after::after_command(nudge, by, event),
        SessionEnd => {
            nudge.clients.lock().forget(event.client());
            work::ends(nudge, by, event);
            None
        }
        EventKind::AfterEdit | EventKind::AfterWrite => {
            work::edits(nudge, by, event);
            with_client(nudge, event, Client::edits);
            None
        }
        Other => None,
    };
    let mut reaction = reaction.unwrap_or_default();
    let is_told = takes_words && !reaction.hold_back || event.event == SessionStart;
    let notes = is_told.then(|| nudge.clients.lock().take_notes(event.client()));
    let before = start_again.flatten().into_iter();
    let before: String = before.chain(notes.into_iter().flatten()).collect();
    if !before.is_empty() {
        reaction.text = Some(before + &reaction.text.unwrap_or_default());
    }
    told::note(nudge, event, &reaction);
    reaction
}

/// Accepts a proposal, and leaves a note for the agent that made it.
pub(crate) fn accept(nudge: &Nudge, by: &Caller<'_>, accept: Accept) -> Result<HintSet, Error> {
    let mut waiting = nudge.waiting(by).proposals.into_iter();
    let accepted = waiting.find(|one| one.id == accept.id);
    let set = nudge.write(by, |on| accept.plan(on))?;
    // What was learned from runs is nobody's own.
    let is_agents = |one: &Proposal| one.delete || one.hint.meta.source == Some(Source::Agent);
    let accepted = accepted.filter(is_agents);
    if let Some((one, client)) = accepted.and_then(|one| one.client.clone().map(|it| (one, it))) {
        let (component, key, hint) = (&one.component, &one.key, &one.hint);
        let is = match hint.shown() {
            _ if one.delete => "is deleted".to_owned(),
            value if is_plain(&value) && !hint.is_secret() => format!("is now: {value}"),
            _ => "is set".to_owned(),
        };
        // What is to go is somebody else's.
        let origin = hint.meta.origin.as_ref().filter(|_| !one.delete);
        let session = origin.and_then(|origin| origin.session.as_deref());
        nudge.clients.lock().leave(Note {
            host: known_by(&client).to_owned(),
            session: session.map(str::to_owned),
            text: format!("The user accepted your proposal: {component}/{key} {is}\n"),
        });
    }
    Ok(set)
}

/// An event of a command, with where that began: a host may say afterwards where it led.
fn where_it_began<'e>(nudge: &Nudge, event: &'e Event) -> Cow<'e, Event> {
    let call = (
        event.call.clone(),
        event.command.clone().unwrap_or_default(),
    );
    let began = with_client(nudge, event, |client| match event.event {
        EventKind::BeforeCommand => {
            client.begin(call, event.context.clone());
            None
        }
        EventKind::AfterCommand => client.take_begun(&call),
        _ => None,
    });
    match began.filter(|began| *began != event.context) {
        Some(context) => Cow::Owned(Event {
            context,
            ..event.clone()
        }),
        None => Cow::Borrowed(event),
    }
}

/// What an agent that knows nothing is told, if anything.
fn start(nudge: &Nudge, by: &Caller<'_>, event: &Event) -> Option<String> {
    retire::retire(nudge, &event.caller(by, None), &event.context);
    let text = prime::prime(nudge, by, event);
    with_client(nudge, event, |client| client.start(nudge.now(), &text));
    (!text.is_empty()).then_some(text)
}

/// The agent session of an event, as it is written down with runs.
fn session_print(event: &Event) -> u64 {
    let (host, session) = event.client();
    lasting_print(&format!("{host}\0{session}"))
}

/// Looks at what is remembered of an event's client.
fn with_client<T>(nudge: &Nudge, event: &Event, look: impl FnOnce(&mut Client) -> T) -> T {
    look(nudge.clients.lock().client(event.client()))
}
