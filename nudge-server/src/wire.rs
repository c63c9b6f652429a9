//! What processes say to each other, which clients know as well; and whose shell this is.

pub(crate) mod escape;
pub(crate) mod shell;

pub use nudge_client::answer::{Answer, Fault};
pub use nudge_client::{identity, sender};
pub(crate) use nudge_client::{json_text, same};
