//! What the owner of the store makes of a host's events: whom it tells of which
//! hint, and what it learns from how commands end.
//!
//! Nothing here asks a machine anything: the event says what happened, the store
//! what is known and what time it is. What a client ran is kept in memory, without
//! what looks like a credential, and ends with the client.

mod after;
mod before;
mod event;
mod known;
mod place;
mod prime;
mod proposal;
#[cfg(test)]
mod tests;
mod wording;
mod words;

use parking_lot::Mutex;

use self::event::What;
pub use self::event::{Event, Reaction};
use crate::api::caller::Caller;
use crate::command::client::{Client, Clients};
use crate::nudge::Nudge;

/// What is remembered of the clients whose hooks tell what they do.
#[derive(Default)]
pub struct Attention {
    clients: Mutex<Clients>,
}

impl Attention {
    /// Does what follows from an event, and says what its client is to be told.
    pub fn on_event(&self, nudge: &Nudge, by: &Caller<'_>, event: &Event) -> Reaction {
        let reaction = match event.what() {
            Some(What::SessionStart) => {
                let text = prime::prime(nudge, event.context(), event.reason(), event.budget());
                (!text.is_empty()).then(|| Reaction {
                    text: Some(text),
                    ..Reaction::default()
                })
            }
            Some(What::BeforeCommand) => self.before_command(nudge, event),
            Some(What::AfterCommand) => self.after_command(nudge, by, event),
            Some(What::SessionEnd) => {
                self.clients.lock().forget(event.client());
                None
            }
            None => None,
        };
        reaction.unwrap_or_default()
    }

    /// Looks at what is remembered of an event's client.
    fn with<T>(&self, event: &Event, look: impl FnOnce(&mut Client) -> T) -> T {
        look(self.clients.lock().client(event.client()))
    }
}
