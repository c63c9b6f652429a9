//! More than one machine: git carries what is kept from one to the others.
//!
//! `state` is what this machine remembers of it, `remote` says what a repository may hold, and
//! `round` is one `nudge sync`. Nothing of it runs in the PRIMARY, which only merges what a round
//! hands it.

mod remote;
mod round;
mod state;

pub(crate) use self::remote::check_url;
pub use self::round::{Call, Done, Round, round};
pub use self::state::State;
pub(crate) use self::state::{SyncStatus, files, forget_clone, start_if_due};
