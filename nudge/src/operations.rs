//! What Nudge can do, said once: every operation with its name, its words, its
//! rules and its types. Dispatch, tool list, documents and bindings read this table.

mod row;
mod schema;
mod slips;
#[macro_use]
mod table;

use crate::api::answer::{
    Bumped, Components, Deleted, Exported, Found, HintMatch, HintSet, Imported,
};
use crate::api::caller::{Actor, Caller};
use crate::api::context_sets::{ContextSets, GetContext, SetContext};
use crate::api::event::Event as OnEvent;
use crate::api::import_export::{Export, Import, ListComponents};
use crate::api::merge::{Merge, Merged};
use crate::api::prompt_block::{Block, PromptBlock};
use crate::api::proposals::{Accept, ListProposals, Proposals, Propose, Proposed, Reject};
use crate::api::reaction::Reaction;
use crate::api::request::{GetHint, Query};
use crate::api::selector::{Bump, DeleteHint};
use crate::api::set_hint::SetHint;
use crate::learn;
use crate::model::error::Error;
use crate::nudge::Nudge;
use crate::store::stats::{GetStats, Stats};

pub use self::row::{
    About, Access, Call, ContextUse, Cost, Located, Request, Row, operation_from_json,
};
pub use self::schema::Schemas;
pub use self::slips::read_slips;

operations! {
    /// What a store can be asked to do.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::Operation;
    ///
    /// let operation = Operation::named("nudge.set_hint").unwrap();
    /// assert_eq!(operation, Operation::SetHint);
    /// assert!(operation.about().writes);
    /// ```
    pub enum Operation for Nudge;

    /// Sets a hint: a new one, or a variant that is there already.
    ///
    /// With `meta.scope`, the variant with that very scope is written, or a new one.
    /// Without it, what a get from `context` returns, as far as it applies in that place
    /// only; else a variant for the place. What the user has set, others only propose to
    /// change. A set that changes the value starts counting its uses from zero.
    SetHint "nudge.set_hint" -> HintSet = |nudge, by, set| nudge.set(by, set),
        { writes, Inferred, Anyone, [Invalid SecretRejected ScopeInvalid Forbidden NotFound Conflict Quota Unavailable] }

    /// Gives the hint of a slot that fits best, and why.
    ///
    /// The user's word goes first, and what is said for a place before the rest; then a
    /// variant whose conditions contain another's; of the user's the newest, of others' the
    /// one with the best score.
    /// A miss is `E_NOT_FOUND`, whose `near_misses` say which condition failed and what
    /// would fix it.
    GetHint "nudge.get_hint" -> HintMatch = |nudge, by, get| nudge.find(by, get),
        { reads, Inferred, Anyone, [Invalid NotFound] }

    /// Searches the hints that apply, best first.
    ///
    /// The filters combine by AND; within `keys` and `tags` one is enough. `text` is words, at
    /// most 32 in 512 bytes: each must occur, whatever its case, whole or as the start of a word.
    /// A hint with whole words goes before one where they only start a word, and a word that
    /// stands whole in few of the hits weighs more than one that does in many; then the score
    /// decides. In a component or key that does not exist, `*` is any text and `?` any character;
    /// an unknown one gives an empty list, and `nearest`.
    Query "nudge.query" -> Found = |nudge, by, query| nudge.search(by, &query),
        { reads Search, Inferred, Anyone, [Invalid Forbidden] }

    /// Deletes a variant of a slot, or all of them.
    ///
    /// `scope`, `context` or `all` say which; with none of them, the only one. Several
    /// are then `E_INVALID` with `detail` `ambiguous`. From a place, one that applies
    /// everywhere is reached by its scope only: `E_INVALID` with `detail` `everywhere`.
    /// Others than the user only propose to delete what the user has set.
    DeleteHint "nudge.delete_hint" -> Deleted = |nudge, by, delete| nudge.delete(by, delete),
        { writes, Selector, Anyone, [Invalid ScopeInvalid Forbidden NotFound Quota Unavailable] }

    /// Lists the components, sorted; of one that is named, its keys too.
    ///
    /// Only live hints count, and with a context only those that apply there. `api*` names
    /// every component that begins so.
    ListComponents "nudge.list_components" -> Components = |nudge, by, list| Ok(nudge.list(by, &list)),
        { reads, Optional, Anyone, [Invalid] }

    /// Says that a hint proved useful, so that it ranks higher.
    ///
    /// Neither the version nor the time to live changes. `scope` or `context` say which
    /// variant is meant. An agent session counts once in ten minutes.
    Bump "nudge.bump" -> Bumped = |nudge, by, bump| nudge.count(by, bump),
        { writes, Selector, Anyone, [Invalid ScopeInvalid NotFound Unavailable] }

    /// Gives the store, or a part of it, as one payload.
    ///
    /// Everything is sorted: equal stores give equal bytes. Hints marked as secret are
    /// left out unless asked for, and counted. `api*` names every component that begins so.
    /// Without `component` and `tags` it has the proposals and the context sets as well.
    Export "nudge.export" -> Exported = |nudge, by, export| nudge.snapshot(by, &export),
        { reads Bulk, None, Anyone, [Invalid Forbidden] }

    /// Loads the hints of a payload.
    ///
    /// `merge` passes over what is bad and lists the first 20 problems; `replace` is
    /// refused if anything is bad. Every hint passes the guard, the checks and the limits
    /// as if it were set. Proposals get new numbers, and context sets join those that are
    /// there; `replace` swaps those that the payload has. Neither is counted.
    Import "nudge.import" -> Imported = |nudge, by, import| nudge.load(by, import),
        { writes Bulk, None, Anyone, [Invalid SecretRejected ScopeInvalid Forbidden Conflict Quota Unavailable] }

    /// Merges what another machine keeps with what this one does.
    ///
    /// Of each hint the higher stamp counts, then the machine, then the bytes; never a clock. So
    /// the order of merges says nothing, and one that says nothing new changes nothing. From
    /// the first one on, what is changed here takes a stamp above all that it has seen. What looks
    /// like a credential is neither taken nor given, whatever the settings are. `nudge sync` calls it.
    Merge "nudge.merge" -> Merged = |nudge, by, merge| nudge.merge(by, merge),
        { writes Bulk, None, [Invalid Forbidden Unavailable] }

    /// Says what is being worked on, in named sets.
    ///
    /// They belong to the caller's agent session, or to the user, in the repository of `context`.
    /// A set has 10 items at most, `intent` and `last_command` have one, and all have 50: the
    /// newest stay, and `dropped` says what went. Sets that are not named stay as they are.
    SetContext "nudge.set_context" -> ContextSets = |nudge, by, set| nudge.write(by, |on| set.plan(on)),
        { writes, Inferred, Anyone, [Invalid SecretRejected Unavailable] }

    /// Tells what is being worked on in the repository of `context`: the caller's own in `sets`,
    /// then that of `others`.
    ///
    /// Files that no longer exist on this machine are counted in `gone` and not listed.
    GetContext "nudge.get_context" -> ContextSets = |nudge, by, get| nudge.working_on(by, &get),
        { reads, Inferred, Anyone, [Invalid NotFound] }

    /// Proposes a hint: it is never served until it is accepted.
    ///
    /// 10 of one client may wait, and its oldest go; 100 in all. What waits already waits
    /// once; what is set already is `E_CONFLICT`.
    Propose "nudge.propose" -> Proposed = |nudge, by, propose| nudge.write(by, |on| propose.plan(on)),
        { writes, None, Anyone, [Invalid SecretRejected ScopeInvalid Forbidden Conflict Quota Unavailable] }

    /// Lists the hints that wait to be accepted.
    ///
    /// A set of a program that would overwrite what the user has set waits here as well. Others
    /// than the user see their own.
    ListProposals "nudge.list_proposals" -> Proposals = |nudge, by, _| Ok(nudge.waiting(by)),
        { reads, None, Anyone, [Invalid] }

    /// Sets the hint of a proposal, as the user's own.
    ///
    /// Only the user may: who proposes does not decide.
    Accept "nudge.accept" -> HintSet = |nudge, by, accept| learn::accept(nudge, by, accept),
        { writes, None, [Invalid Forbidden NotFound Conflict Quota Unavailable] }

    /// Drops a proposal.
    ///
    /// Only the user may: who proposes does not decide.
    Reject "nudge.reject" -> Proposed = |nudge, by, reject| nudge.write(by, |on| reject.plan(on)),
        { writes, None, [Invalid Forbidden NotFound Unavailable] }

    /// Writes the hints that apply as text for a prompt, within a budget.
    ///
    /// One hint a slot, the one that a get would choose, in the order of names, but for how to set
    /// up and install, which comes first: the same hints give the same bytes, and prompt caches
    /// survive. Secrets are never shown.
    PromptBlock "nudge.prompt_block" -> Block = |nudge, by, block| Ok(nudge.block(&nudge.reach(by, Some(&block.context)), &block, false)?.0),
        { reads, Inferred, Anyone, [Invalid] }

    /// Takes an event of a host's hook, and says what the agent should be told.
    ///
    /// A command that succeeds is learned, and bumps the hint that holds it; one that could not
    /// run counts a failure. Mostly nothing is said. `nudge hook` calls it.
    OnEvent "nudge.on_event" -> Reaction = |nudge, by, event| Ok(learn::on_event(nudge, &by.places(&[]), &event)),
        { writes Disk, Inferred, Hook, [Invalid Forbidden Unavailable] }

    /// Counts what the store holds, and says which tags are on most hints.
    ///
    /// Only live hints count.
    GetStats "nudge.stats" -> Stats = |nudge, by, _| Ok(Stats::of(&nudge.read(), nudge.now(), &nudge.reach(by, None))),
        { reads, None, Anyone, [Invalid] }
}

impl Nudge {
    /// Does what is asked, as whoever asks: the only place that checks permission.
    ///
    /// What a Rust program calls by name, such as [`Nudge::set_hint`], is the same as
    /// asking by the user.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Accept, Caller, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// let agent = Caller::agent("codex/0.166");
    /// let set = nudge.ask(&agent, SetHint::new("api", "build", "cmake"))?;
    /// let id = set.proposal.unwrap().id;
    /// assert!(nudge.ask(&agent, Accept::new(id)).is_err());
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn ask<R: Request<Nudge>>(&self, by: &Caller<'_>, request: R) -> Result<R::Answer, Error> {
        request.run(self, by)
    }

    /// Does an operation by its name, with JSON in and JSON out: what a surface calls that
    /// is not Rust. What is in `out` after a failure is to be thrown away.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Caller, Nudge, Operation};
    ///
    /// let nudge = Nudge::default();
    /// let mut out = Vec::new();
    /// nudge.call(&Caller::user(), Operation::ListComponents, b"{}", &mut out)?;
    /// assert_eq!(out, br#"{"components":[]}"#);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn call(
        &self,
        by: &Caller<'_>,
        operation: Operation,
        params: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        (operation.row().call)(self, by, params, out)
    }
}

impl Access {
    /// Refuses a caller who may not do this.
    pub fn check(self, by: &Caller<'_>, name: &str) -> Result<(), Error> {
        let allowed = match self {
            Access::Anyone => true,
            Access::Hook => matches!(by.actor, Actor::User | Actor::Hook),
            Access::User => by.is_user(),
        };
        if allowed {
            return Ok(());
        }
        let word = name.rsplit('.').next().unwrap_or(name);
        let words = match self {
            Access::Hook => format!("`{name}` is for a host's hooks; `nudge hook` calls it"),
            _ => format!("only the user may do this; ask the user to run `nudge {word}`"),
        };
        Err(Error::forbidden("only_user", words))
    }
}
