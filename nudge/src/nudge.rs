//! `Nudge`: what it is made of, and its operations.

mod below;
pub(crate) mod books;
mod counting;
mod home;
mod lifecycle;
mod many;
pub(crate) mod projects;
mod reads;
mod replay;
pub(crate) mod stored;
mod transaction;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64};

use crossbeam_utils::sync::ShardedLock;
use parking_lot::Mutex;

use self::books::Books;
use self::counting::Counted;
use crate::api::answer::{
    Bumped, Components, Deleted, Exported, Found, HintMatch, HintSet, Imported,
};
use crate::api::caller::Caller;
use crate::api::context_sets::{ContextSets, GetContext, SetContext};
use crate::api::event::Event;
use crate::api::import_export::{Export, Import, ListComponents};
use crate::api::projects::Projects;
use crate::api::prompt_block::{Block, PromptBlock};
use crate::api::proposals::{Accept, ListProposals, Proposals, Propose, Proposed, Reject};
use crate::api::reaction::Reaction;
use crate::api::request::{GetHint, Query};
use crate::api::runs::Runs;
use crate::api::selector::{Bump, DeleteHint};
use crate::api::set_hint::SetHint;
use crate::clock::Monotone;
use crate::command::client::Clients;
use crate::config::Config;
use crate::model::error::Error;
use crate::store::Store;
use crate::store::interner::Interner;
use crate::store::pattern::Patterns;
use crate::write::sink::Sink;
use crate::write::undo::UndoList;

/// A store of hints, shared by reference between threads.
///
/// All methods take `&self`; clone an `Arc<Nudge>` to share it. A read holds
/// one lock for as long as it looks at the maps, and never while it compiles a
/// glob or a regex, words a reason, writes JSON or runs code of yours. Writes
/// wait for each other, and hold readers up only while the maps change.
///
/// # Examples
///
/// ```
/// use nudge::{Context, GetHint, Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(
///     SetHint::new("http-proxy", "build", "docker compose build router")
///         .branch("dev"),
/// )?;
///
/// let here = Context::new().branch("dev");
/// let found = nudge.get_hint(GetHint::new("http-proxy", "build").context(here))?;
/// assert_eq!(found.hint.value.as_str(), Some("docker compose build router"));
/// assert_eq!(found.match_explain.reasons(), ["branch=dev allowed"]);
/// # Ok::<(), nudge::Error>(())
/// ```
///
/// A hint whose scope does not match is as absent as one that was never set:
///
/// ```
/// # use nudge::{Context, ErrorKind, GetHint, Nudge, SetHint};
/// # let nudge = Nudge::default();
/// # nudge.set_hint(SetHint::new("http-proxy", "build", "make").branch("dev"))?;
/// let elsewhere = Context::new().branch("main");
/// let error = nudge.get_hint(GetHint::new("http-proxy", "build").context(elsewhere)).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// # Ok::<(), nudge::Error>(())
/// ```
pub struct Nudge {
    pub(crate) config: Config,
    pub(crate) session_id: Arc<str>,
    pub(crate) clock: Monotone,
    /// In milliseconds since 1970; a clock that is pinned at the start moves it.
    pub(crate) created_at: AtomicI64,
    pub(crate) interner: Interner,
    pub(crate) patterns: Patterns,
    /// Whoever holds this is the only writer.
    pub(crate) writing: Mutex<()>,
    /// The number of the last change.
    pub(crate) last_change: AtomicU64,
    pub(crate) sink: Option<Box<dyn Sink>>,
    pub(crate) projects: Option<Arc<dyn Projects>>,
    /// Where how commands ended is written down.
    pub(crate) runs: Option<Arc<dyn Runs>>,
    pub(crate) books: Mutex<Books>,
    /// Readers of different threads take different parts of this lock and do
    /// not slow each other down; a writer takes them all.
    pub(crate) store: ShardedLock<Store>,
    /// What the clients ran whose hooks report events.
    pub(crate) clients: Mutex<Clients>,
    /// Who has counted for which hint lately.
    pub(crate) counted: Mutex<Counted>,
    /// What the user can take back; absent where nobody asks for it.
    pub(crate) undo_list: Option<Mutex<UndoList>>,
}

/// Makes a method of each operation: who asks by it is the user.
macro_rules! asks {
    ($($(#[$docs:meta])+ $name:ident: $Request:ty => $Answer:ty;)+) => {
        /// The operations, each with its request, which has an example, and its answer.
        impl Nudge {$(
            $(#[$docs])+
            pub fn $name(&self, request: $Request) -> Result<$Answer, Error> {
                self.ask(&Caller::user(), request)
            }
        )+}
    };
}

asks! {
    /// Sets a hint: a new one, or a variant that is there already.
    set_hint: SetHint => HintSet;
    /// Finds the hint of a slot that fits best where the caller is.
    get_hint: GetHint => HintMatch;
    /// Finds all hints that fit some filters, the best first.
    query: Query => Found;
    /// Deletes a hint.
    delete_hint: DeleteHint => Deleted;
    /// Lists the components.
    list_components: ListComponents => Components;
    /// Counts a use of a hint, which makes it come first more often.
    bump: Bump => Bumped;
    /// Gives the store, or a part of it, as a payload.
    export: Export => Exported;
    /// Loads the hints of a payload.
    import: Import => Imported;
    /// Writes the hints that apply here as a block of text for a prompt.
    prompt_block: PromptBlock => Block;
    /// Takes an event of a host's hook, and says what the agent should be told.
    ///
    /// A command that succeeds is learned as the hint of its kind, and counts for the hint
    /// that holds it; a failure counts if the command could not run. What a client ran is
    /// kept in memory, without what looks like a credential.
    on_event: Event => Reaction;
    /// Proposes a hint: it is never served until it is accepted.
    propose: Propose => Proposed;
    /// Lists the proposals that wait.
    list_proposals: ListProposals => Proposals;
    /// Sets the hint of a proposal, as the user's own.
    accept: Accept => HintSet;
    /// Drops a proposal.
    reject: Reject => Proposed;
    /// Says what is being worked on, in named sets.
    ///
    /// A set has 10 items at most and all have 50: the newest stay, and the
    /// answer says what went.
    set_context: SetContext => ContextSets;
    /// Tells what is being worked on. Files that no longer exist on this machine
    /// are counted and not listed.
    get_context: GetContext => ContextSets;
}
