//! What can be called: the operations of the store, and those of the server.

use nudge::{About, DeletedHints, Imported, Moved, Operation, Schemas, Undone, operations};
use serde_json::Value;

use super::Primary;
use super::ending::{Restart, Restarting, Restore, Stop, Stopped, Undo};
use super::keep_requests::{Keep, Keeping, KeptHints, ListKept, Trust, Trusted, Untrust};
use super::member::Introduction as Hello;
use super::names::{DeleteHints, Mv};
use super::page::{Applying, FindPage, GetApplying, PageAddress};
use super::past::{LearnPast, LearnedPast};
use super::status::{Greeting, ServerStatus, Status};
use super::week::{GetWeek, Week};
use super::why::{GetWhy, Why};
use crate::observe::answers::{
    Fixes, Found, History, Observations, Observing, Pitfalls, Purged, Scored, Timeline, Trace,
};
use crate::observe::requests::{
    FileHistory, Fix, GetLog, GetObservations, GetPitfalls, GetTimeline, Observe, Purge,
    RecentContext, Search, SessionTrace,
};
use crate::wire::Fault;

operations! {
    /// What a server can be asked to do.
    pub enum ServerOperation for Primary;

    /// Says who the server is, and which variables its scopes mention.
    ///
    /// What a client asks first: the first number of `protocol` must agree with its own.
    Hello "nudge.hello" -> Greeting = |primary, _, _| Ok(primary.greet()),
        { reads, None, Anyone, [Invalid] }

    /// Says how the server is doing.
    ///
    /// Counts, limits, and the processes that share the session.
    Status "nudge.status" -> ServerStatus = |primary, by, status| primary.status(by, status),
        { reads, None, Anyone, [Invalid] }

    /// Ends the server and its session.
    ///
    /// What is kept stays, and so does what has a time of its own. PROXYs stay with their hosts,
    /// and the next call starts a new session. For ten minutes `nudge.restore` brings back what
    /// ended, but secrets. While a hint would end that is not the caller's own, only the user may
    /// end it, and only the user may say `purge`.
    Stop "nudge.stop" -> Stopped = |primary, by, stop| primary.end(by, stop),
        { reads, None, Anyone, [Invalid Forbidden] }

    /// Ends the server, but not its session, with which the next one goes on.
    ///
    /// Settings that are given are the session's from then on.
    Restart "nudge.restart" -> Restarting = |primary, _, restart| primary.restart(restart),
        { reads, None, [Invalid Forbidden Unavailable] }

    /// Merges the hints of the session that ended last into this one.
    ///
    /// One that was stopped is kept for ten minutes, one that nobody used for a week.
    Restore "nudge.restore" -> Imported = |primary, by, _| primary.restore(by),
        { writes, None, [Invalid Forbidden NotFound Unavailable] }

    /// Deletes in every slot whose names fit, all at once.
    ///
    /// In a name that does not exist, `*` is any text and `?` any character. With a `context`
    /// every variant of its place is meant, and `elsewhere` counts the others; without one, and
    /// for who may delete it, it is as of `nudge.delete_hint`. Slots in which none is meant are
    /// counted in `left`. Nothing goes if one of them may not be deleted.
    DeleteHints "nudge.delete_hints" -> DeletedHints = |primary, by, delete| primary.delete_hints(by, delete),
        { writes, Selector, Anyone, [Invalid ScopeInvalid Forbidden NotFound Quota Unavailable] }

    /// Gives a component, or one of its keys, another name; or a repository.
    ///
    /// Every variant that applies in the place of the `context` goes along, with its uses,
    /// versions and times; `elsewhere` counts those that stay. A name that
    /// exists there is `E_CONFLICT` with `detail` `exists`; what is in a project's own file is
    /// `E_INVALID` with `detail` `project`. With `repo` all that is for a repository is for `to`
    /// from now on, what the user deleted there too; of two hints for the same the newer stays.
    Mv "nudge.mv" -> Moved = |primary, by, moved| primary.mv(by, &moved),
        { writes, Inferred, [Invalid SecretRejected ScopeInvalid Forbidden NotFound Conflict Unavailable] }

    /// Takes back the last write by which the user deleted or overwrote hints, all of it at once.
    ///
    /// They are as they were, with their uses and times; the next call takes back the write
    /// before. 20 are remembered, in memory alone, and nothing of a secret. What somebody has
    /// changed since stays: `E_CONFLICT` with `detail` `changed_since`.
    Undo "nudge.undo" -> Undone = |primary, by, _| primary.nudge.undo(by),
        { writes, None, [Invalid Forbidden NotFound Conflict Quota Unavailable] }

    /// Has a hint be there in the next session, as the user's own.
    ///
    /// It is the one that a get from `context` returns. With `layer` `project` it moves to the
    /// project's file `.nudge-hints.json`, and `file` says how that changes. A secret is never kept.
    Keep "nudge.keep" -> Keeping = |primary, by, keep| primary.keep_hint(by, keep),
        { writes, Inferred, [Invalid SecretRejected Forbidden NotFound Quota Unavailable] }

    /// Lists the hints that outlive the session where the caller is.
    ///
    /// By itself that is what the user set, what was learned in a repository that has a remote,
    /// and what an agent set once it is proven.
    ListKept "nudge.kept" -> KeptHints = |primary, by, list| primary.list_kept(by, &list),
        { reads, Inferred, Anyone, [Invalid Forbidden] }

    /// Trusts hints of the project's file, which are then the project's word.
    ///
    /// A hint that changes in the file waits again; the others stay. With `dry_run` those that
    /// wait are listed.
    Trust "nudge.trust" -> Trusted = |primary, _, trust| primary.trust(&trust, true),
        { writes, Inferred, [Invalid Forbidden Unavailable] }

    /// Trusts hints of the project's file no more.
    Untrust "nudge.untrust" -> Trusted = |primary, _, untrust| primary.trust(&untrust.0, false),
        { writes, Inferred, [Invalid Forbidden Unavailable] }

    /// Tells every variant of a hint, and what is known of each.
    ///
    /// First those that apply there, in the order in which a get chooses, with when each was last
    /// run; then the others, each with the condition that keeps it away.
    GetWhy "nudge.why" -> Why = |primary, by, get| primary.why(by, &get),
        { reads Bulk, Inferred, Anyone, [Invalid NotFound Unavailable] }

    /// Searches what happened in this repository: commands, edits, prompts.
    ///
    /// Any word counts, rare ones first. `"a phrase"`, `prefix*`, `AND`, `OR` and `NOT` are
    /// understood. The best come first, each with the first 120 characters;
    /// `nudge.get_observations` gives the rest.
    Search "nudge.search" -> Found = |primary, by, search| primary.ask(by, &search),
        { reads Disk, Inferred, Anyone, [Invalid Unavailable] }

    /// Gives observations by their numbers.
    ///
    /// Those that are gone, or of another repository, are left out.
    GetObservations "nudge.get_observations" -> Observations = |primary, by, get| primary.ask(by, &get),
        { reads Disk, Inferred, Anyone, [Invalid Unavailable] }

    /// Tells what happened before and after an observation, in its session.
    GetTimeline "nudge.timeline" -> Timeline = |primary, by, get| primary.ask(by, &get),
        { reads Disk, Inferred, Anyone, [Invalid NotFound Unavailable] }

    /// Tells what happened lately in this repository, what matters most first.
    ///
    /// What is a week old counts half; a change of a file counts more than a command, and that
    /// more than the rest. A file is listed once.
    RecentContext "nudge.recent_context" -> Scored = |primary, by, recent| primary.ask(by, &recent),
        { reads Disk, Inferred, Anyone, [Invalid Unavailable] }

    /// Tells what happened last in this repository, the latest first.
    ///
    /// After a number the order is that of time, so that whoever follows misses nothing.
    GetLog "nudge.log" -> Found = |primary, by, log| primary.ask(by, &log),
        { reads Disk, Inferred, Anyone, [Invalid NotFound Unavailable] }

    /// Tells a session of an agent: each prompt, and what followed.
    ///
    /// Of a long one the last 200 observations are listed.
    SessionTrace "nudge.session_trace" -> Trace = |primary, by, trace| primary.ask(by, &trace),
        { reads Disk, Inferred, Anyone, [Invalid NotFound Unavailable] }

    /// Tells which sessions changed a file, and what the user had asked for.
    FileHistory "nudge.file_history" -> History = |primary, by, history| primary.ask(by, &history),
        { reads Disk, Inferred, Anyone, [Invalid Unavailable] }

    /// Tells what helped against an error in this repository.
    ///
    /// A fix is what was run or changed between the error and the next success of the command
    /// that had failed, at least twice. Errors are the same whose last lines are, but for
    /// numbers, paths and times.
    Fix "nudge.fix" -> Fixes = |primary, by, fix| primary.ask(by, &fix),
        { reads Disk, Inferred, Anyone, [Invalid Unavailable] }

    /// Lists the commands that could not run in this repository and have not ended well since.
    ///
    /// Agents are warned before they run one of them again. With `forget` of that one no more.
    GetPitfalls "nudge.pitfalls" -> Pitfalls = |primary, _, get| primary.pitfalls(&get),
        { writes, Inferred, [Invalid Forbidden Unavailable] }

    /// Tells what agents were told and heeded, what was learned, what broke and what waits.
    ///
    /// By day, as the reader has them, and by repository. Only what hooks told in a session of
    /// an agent counts; what somebody only looks at never does. It is kept for 30 days.
    GetWeek "nudge.week" -> Week = |primary, by, week| primary.week(by, week),
        { reads Bulk, None, [Invalid Forbidden Unavailable] }

    /// Says whether observations are recorded in this repository, and changes that.
    ///
    /// What was recorded before stays; `nudge.purge` deletes it.
    Observe "nudge.observe" -> Observing = |primary, _, observe| primary.observe(&observe),
        { writes Disk, Inferred, [Invalid Forbidden Unavailable] }

    /// Deletes observations.
    ///
    /// At least one of `before`, `repo`, `here` and `ids` is given; what is deleted is what
    /// all of them mean. With `dry_run` it is only counted.
    Purge "nudge.purge" -> Purged = |primary, _, purge| primary.observer()?.purge(&purge),
        { writes Disk, Inferred, [Invalid Forbidden Unavailable] }

    /// Learns from what happened before, in the repository of the context.
    ///
    /// Commands teach what hooks would have learned from them, had they seen them then; the
    /// user's word and what worked later stand. Where observations are on, what is not known
    /// is recorded with its own time. What was told before adds nothing.
    LearnPast "nudge.learn_past" -> LearnedPast = |primary, by, past| primary.learn_past(by, past),
        { writes Bulk, Inferred, [Invalid Forbidden Unavailable] }

    /// Says where the page for people is, and the key that it shows.
    ///
    /// What `nudge ui` asks. Both are the PRIMARY's: the next one has others.
    FindPage "nudge.page" -> PageAddress = |primary, by, _| primary.page.find(by),
        { reads, None, [Invalid Unavailable] }

    /// Tells which hints apply in a place: all that a query from there would find, by name.
    GetApplying "nudge.applying" -> Applying = |primary, by, get| primary.applying(by, &get),
        { reads Search, None, [Invalid Forbidden] }
}

/// A method of the wire: an operation of the store, or of its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Of the store.
    Store(Operation),
    /// Of its owner.
    Server(ServerOperation),
}

impl Method {
    /// All of them, in the order in which people read about them.
    pub fn all() -> impl Iterator<Item = Method> {
        let store = Operation::ALL.iter().copied().map(Method::Store);
        let server = ServerOperation::ALL.iter().copied();
        store.chain(server.map(Method::Server))
    }

    /// What is known of it.
    #[must_use]
    pub const fn about(self) -> &'static About {
        match self {
            Method::Store(operation) => operation.about(),
            Method::Server(operation) => operation.about(),
        }
    }

    /// The schemas of its params and of its result.
    pub fn schemas(self, schemas: &mut Schemas) -> [Value; 2] {
        match self {
            Method::Store(operation) => operation.schemas(schemas),
            Method::Server(operation) => operation.schemas(schemas),
        }
    }

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.about().name
    }

    /// Whether it may change the store.
    #[must_use]
    pub const fn writes(self) -> bool {
        self.about().writes
    }

    /// The method of a name.
    pub fn named(name: &str) -> Result<Method, Fault> {
        let store = Operation::named(name).map(Method::Store);
        let server = || ServerOperation::named(name).map(Method::Server);
        store.or_else(server).ok_or_else(|| {
            let start: String = name.chars().take(64).collect();
            let words =
                format!("there is no method `{start}`; `docs/reference.md` lists those there are");
            Fault::Method(words)
        })
    }
}

impl From<Method> for nudge_client::Method<'_> {
    fn from(method: Method) -> Self {
        nudge_client::Method {
            name: method.name(),
            writes: method.writes(),
        }
    }
}

impl From<ServerOperation> for nudge_client::Method<'_> {
    fn from(operation: ServerOperation) -> Self {
        Method::from(operation).into()
    }
}

impl From<Operation> for Method {
    fn from(operation: Operation) -> Method {
        Method::Store(operation)
    }
}

impl From<ServerOperation> for Method {
    fn from(operation: ServerOperation) -> Method {
        Method::Server(operation)
    }
}
