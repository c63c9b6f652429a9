//! Nudge is a small, fast memory for coding agents.
//!
//! An agent, a person or a program stores small facts ("how do I build
//! `http-proxy` on this branch?") and gets back the one that fits where it is
//! now, with the reason why. This crate is all of Nudge in-process: it opens
//! no file and no socket, starts no thread, and executes nothing.
//!
//! ```
//! use nudge::{Bump, Context, GetHint, Nudge, Query, SetHint};
//!
//! let nudge = Nudge::default();
//!
//! // Somebody finds out how to build a component on a branch.
//! nudge.set_hint(
//!     SetHint::new("http-proxy", "build", "docker compose build router")
//!         .tags(["build", "docker"])
//!         .priority(7)
//!         .cwd_glob("**/http-proxy*")
//!         .branch("dev"),
//! )?;
//!
//! // Later, somebody else is there and asks.
//! let here = Context::new().cwd("/work/http-proxy").branch("dev");
//! let found = nudge.get_hint(GetHint::new("http-proxy", "build").context(&here))?;
//! assert_eq!(found.hint.value.as_str(), Some("docker compose build router"));
//! assert_eq!(found.match_explain.reasons(), ["cwd matched **/http-proxy*", "branch=dev allowed"]);
//!
//! // It worked, so it is worth more next time.
//! nudge.bump(Bump::new("http-proxy", "build"))?;
//!
//! // Something else failed: what is known about building?
//! let found = nudge.query(Query::new().tag("build").context(&here))?;
//! assert_eq!(found.total, 1);
//! # Ok::<(), nudge::Error>(())
//! ```
//!
//! # Where to look
//!
//! * [`Nudge`] has the operations; each takes a request ([`SetHint`],
//!   [`GetHint`], [`Query`], …) and gives an answer ([`HintSet`],
//!   [`HintMatch`], [`Found`], …). All of them are also JSON, with the same
//!   words in every language: see [`from_json`].
//! * [`Scope`] says where a hint applies, [`Context`] where a caller is.
//! * [`Error`] says what went wrong and what to do next.
//! * [`Config`] has the limits, [`Change`] and [`Sink`] make every write data,
//!   [`Clock`] makes time an argument.
//!
//! To read the code, go `nudge.rs`, `rank/select.rs`, `scope/matcher.rs`,
//! `rank/score.rs`, `store.rs`; a write goes by `write/plan.rs` and `store/change.rs`.

#![forbid(unsafe_code)]
#![deny(missing_docs, rustdoc::broken_intra_doc_links)]

mod active;
mod api;
mod clock;
mod command;
mod config;
#[doc(hidden)]
pub mod fork_lock;
mod hint;
mod learn;
mod model;
mod nudge;
mod operations;
mod rank;
mod scope;
mod secret;
mod store;
mod write;

pub use crate::active::is_active;
pub use crate::api::answer::{
    Bumped, ComponentEntry, Components, Deleted, DeletedHints, Exported, Found, HintMatch, HintSet,
    Imported, Ineligible, Moved, MovedHint, OwnProposal, Problem, Ranked, TakenBack, Undone, Was,
};
pub use crate::api::caller::{Actor, Caller, Speaker, Via};
pub use crate::api::context_sets::{
    ContextItem, ContextMode, ContextSets, GetContext, OthersWork, SetContext,
};
pub use crate::api::event::{Event, EventKind, HoldBack};
pub use crate::api::import_export::{Export, Format, Import, ImportMode, ListComponents};
pub use crate::api::match_explain::{MatchExplain, Parts};
pub use crate::api::merge::{Merge, Merged};
pub use crate::api::payload::{Payload, Snapshot};
pub use crate::api::projects::{FoundCommand, Projects};
pub use crate::api::prompt_block::{Block, BlockEntry, PromptBlock};
pub use crate::api::proposals::{Accept, ListProposals, Proposals, Propose, Proposed, Reject};
pub use crate::api::reaction::{Did, Reaction};
pub use crate::api::request::{GetHint, Query, TagsMode};
pub use crate::api::runs::{KnownPitfall, Runs, ToldLine};
pub use crate::api::selector::{Bump, DeleteHint, Outcome};
pub use crate::api::set_hint::{MetaPatch, Patch, SetHint};
pub use crate::clock::{Clock, ManualClock, SystemClock};
pub use crate::command::{command_words, kind_of_command, only_looks, programs_of};
pub use crate::config::{Config, Limits, Weights};
pub use crate::hint::committed::Committed;
pub use crate::hint::lifetime::Lifetime;
pub use crate::hint::mark::Mark;
pub use crate::hint::origin::{Origin, Replaced};
pub use crate::hint::proposal::Proposal;
pub use crate::hint::stamp::{Stamp, is_machine};
pub use crate::hint::told::is_plain;
pub use crate::hint::with_secrets::WithSecrets;
pub use crate::hint::working_set::WorkingSet;
pub use crate::hint::{
    Command, Hint, HintMeta, HintValue, PathValue, Sensitivity, Shell, Source, Template,
    TemplateFormat,
};
pub use crate::model::anchor::{Absent, Anchor, AnchorState};
pub use crate::model::error::{Error, ErrorData, ErrorKind};
pub use crate::model::fix::Fix;
pub use crate::model::host::Host;
pub use crate::model::json::{from_json, invalid_field};
pub use crate::model::name::Name;
pub use crate::model::near_miss::NearMiss;
pub use crate::model::rate_limit::RateLimit;
pub use crate::model::scope::{Os, Scope};
pub use crate::model::suggest::suggest;
pub use crate::model::time::Age;
pub use crate::model::ttl::Ttl;
pub use crate::nudge::Nudge;
pub use crate::nudge::stored::Ending;
pub use crate::operations::{
    About, Access, Call, ContextUse, Cost, Operation, Request, Row, Schemas, read_slips,
};
#[doc(hidden)]
pub use crate::operations::{Located, operation_from_json};
pub use crate::scope::component::{component_at, slot_of};
pub use crate::scope::context::{Context, Facts};
pub use crate::scope::matcher::ScopeMatcher;
pub use crate::scope::repo::Repo;
pub use crate::secret::redact;
pub use crate::store::change::{Change, ChangeKind, Removed, Used};
pub use crate::store::stats::{GetStats, Stats, TagCount};
pub use crate::write::sink::{Answer, Sink};

/// The Rust block of the page with all languages, run as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../../docs/library.md")]
struct LibraryPage;

/// Those of the page for Rust.
#[cfg(doctest)]
#[doc = include_str!("../../docs/rust.md")]
struct RustPage;
