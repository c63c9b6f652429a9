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
mod prime;
mod receipts;
mod remind;
mod retire;
mod wording;
mod words;
mod work;

use crate::api::caller::Caller;
use crate::api::event::{Event, EventKind};
use crate::api::reaction::Reaction;
use crate::command::client::Client;
use crate::nudge::Nudge;

/// Does what follows from an event, and returns what the agent should be told.
pub(crate) fn on_event(nudge: &Nudge, by: &Caller<'_>, event: &Event) -> Reaction {
    let reaction = match event.event {
        EventKind::SessionStart => {
            retire::retire(nudge, &event.caller(by, None), &event.context);
            let text = prime::prime(nudge, by, event);
            with_client(nudge, event, |client| client.start(nudge.now(), &text));
            (!text.is_empty()).then(|| Reaction {
                text: Some(text),
                ..Reaction::default()
            })
        }
        EventKind::Prompt => remind::at_prompt(nudge, event),
        EventKind::BeforeEdit => {
            work::edits(nudge, by, event);
            remind::before_edit(nudge, event)
        }
        EventKind::BeforeCommand => before::before_command(nudge, event),
        EventKind::AfterCommand => after::after_command(nudge, by, event),
        EventKind::SessionEnd => {
            nudge.clients.lock().forget(event.client());
            work::ends(nudge, by, event);
            None
        }
        EventKind::Other => None,
    };
    reaction.unwrap_or_default()
}

/// Looks at what is remembered of an event's client.
fn with_client<T>(nudge: &Nudge, event: &Event, look: impl FnOnce(&mut Client) -> T) -> T {
    look(nudge.clients.lock().client(event.client()))
}
