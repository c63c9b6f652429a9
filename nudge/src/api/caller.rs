//! `Caller`: who asks. It stands beside a request, never in it.

use std::fmt;

use serde::Serialize;

use crate::hint::origin::Origin;
use crate::hint::proposal::Proposal;
use crate::hint::with_secrets::WithSecrets;
use crate::hint::{Hint, Source};
use crate::model::host::known_by;
use crate::model::rows::setters;
use crate::scope::context::Context;

/// Who asks: on whose behalf, by which way, and from where.
///
/// A surface states it beside the request, so that nothing a caller sends can
/// claim it. A program that uses the library is the user, and says nothing.
///
/// # Examples
///
/// ```
/// use nudge::{Caller, GetHint, Nudge, SetHint, Source, Via};
///
/// let nudge = Nudge::default();
/// let codex = Caller::agent("codex/0.166").via(Via::Mcp).repo("git:acme/api");
/// let set = nudge.ask(&codex, SetHint::new("api", "build", "make"))?;
/// assert_eq!(set.hint.meta.source, Some(Source::Agent));
/// assert_eq!(set.hint.meta.origin.as_ref().unwrap().via, "mcp");
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Caller<'a> {
    /// On whose behalf.
    pub actor: Actor,
    /// The way the call came in.
    pub via: Via,
    /// The program that calls, with its version, such as `codex/0.166`.
    pub client: Option<&'a str>,
    /// The agent session that it is in, as its host calls it.
    pub session: Option<&'a str>,
    /// The repository that it is in.
    pub repo: Option<&'a str>,
    /// Where it is, for a request that takes a context and states none.
    pub here: Option<&'a Context>,
    /// Where else it is known to be, of others than the user: a read reaches nothing beyond.
    pub places: &'a [Context],
    /// Who is told where the call means to be, before it is made.
    pub on_enter: Option<OnEnter<'a>>,
    /// What the call is known by, where it may be made again.
    pub request: Option<&'a str>,
    /// Whether what it sets without a stated place applies only where it is.
    pub scopes_writes: bool,
    /// Whether JSON for it has `***` in the place of secrets, because people may see it.
    pub hides_secrets: bool,
}

/// What is done once it is known where a call means to be.
#[derive(Clone, Copy)]
pub struct OnEnter<'a>(&'a (dyn Fn(&Context) + Sync));

impl fmt::Debug for OnEnter<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("OnEnter")
    }
}

/// On whose behalf a call is made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Actor {
    /// The user: a person, or a program that speaks for one.
    #[default]
    User,
    /// A coding agent.
    Agent,
    /// A host's hook, which tells what it saw.
    Hook,
    /// Any other program.
    Program,
}

/// The way a call came in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Via {
    /// The library, in the caller's own process. It leaves no origin.
    #[default]
    Library,
    /// The command line.
    Cli,
    /// The Model Context Protocol.
    Mcp,
    /// JSON-RPC over HTTP.
    Http,
    /// The page.
    Page,
    /// A host's hook.
    Hook,
    /// A project's own file of hints, which is loaded. It leaves no origin.
    Project,
    /// What another machine has, which is merged. It leaves no origin.
    Sync,
}

impl Via {
    /// The word for it, as in `meta.origin.via`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Via::Library => "library",
            Via::Cli => "cli",
            Via::Mcp => "mcp",
            Via::Http => "http",
            Via::Page => "page",
            Via::Hook => "hook",
            Via::Project => "project",
            Via::Sync => "sync",
        }
    }
}

impl Default for Caller<'_> {
    fn default() -> Self {
        Caller::user()
    }
}

impl<'a> Caller<'a> {
    /// The user, by the library.
    #[must_use]
    pub const fn user() -> Caller<'a> {
        Caller {
            actor: Actor::User,
            via: Via::Library,
            client: None,
            session: None,
            repo: None,
            here: None,
            places: &[],
            on_enter: None,
            request: None,
            scopes_writes: true,
            hides_secrets: false,
        }
    }

    /// An agent, by the name of its program.
    #[must_use]
    pub const fn agent(client: &'a str) -> Caller<'a> {
        let mut caller = Caller::user();
        caller.actor = Actor::Agent;
        caller.client = Some(client);
        caller
    }

    /// An answer, to be written as this caller gets it.
    pub(crate) fn answered<'t, T: Serialize>(&self, answer: &'t T) -> Answered<'t, T> {
        if self.hides_secrets {
            Answered::Masked(answer)
        } else {
            Answered::Whole(WithSecrets(answer))
        }
    }

    /// Tells where the call means to be.
    pub(crate) fn enters(&self, context: &Context) {
        if let Some(OnEnter(enter)) = self.on_enter {
            enter(context);
        }
    }

    /// Whether the user asks.
    #[must_use]
    pub fn is_user(&self) -> bool {
        self.actor == Actor::User
    }

    /// Whether it is a command that the user typed.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        self.via == Via::Cli && self.is_user() && self.client.is_some()
    }

    /// Whether a hint was set by the caller's client, whichever of its names it gave.
    pub(crate) fn has_set(&self, hint: &Hint) -> bool {
        let Some(origin) = hint.meta.origin.as_ref() else {
            return false;
        };
        match (self.client, origin.client.as_deref()) {
            (Some(caller), Some(author)) => known_by(caller) == known_by(author),
            // Programs without a name are told apart by nothing but the way they came.
            (None, None) => origin.via == *self.via.as_str(),
            _ => false,
        }
    }

    /// Whether the caller may see a proposal: others than the user see their own, whichever of
    /// its names a client gave.
    pub(crate) fn may_see(&self, proposal: &Proposal) -> bool {
        let client = proposal.client.as_deref();
        self.is_user() || client.map(known_by) == self.client.map(known_by)
    }

    /// Who a hint comes from that this caller sets.
    pub(crate) fn source(&self) -> Source {
        match self.actor {
            Actor::User => Source::User,
            Actor::Agent | Actor::Program => Source::Agent,
            Actor::Hook => Source::ToolOutput,
        }
    }

    /// The origin of a value that this caller sets; the user leaves none in a program's
    /// own store.
    pub(crate) fn origin(&self) -> Option<Origin> {
        if matches!(self.via, Via::Library | Via::Project | Via::Sync) && self.is_user() {
            return None;
        }
        // What a request states of where it is counts for less than what its surface knows,
        // and for nothing from a program: it would be told in that repository.
        let here = self.here.filter(|_| self.actor != Actor::Program);
        let stated = here.and_then(|here| here.facts().repo());
        let seen_at = here.filter(|_| self.actor == Actor::Hook);
        let seen_at = seen_at.map(Context::facts);
        let name = |text: Option<&String>| text.map(|text| text.as_str().into());
        Some(Origin {
            branch: name(seen_at.and_then(|facts| facts.branch.as_ref())),
            root: name(seen_at.and_then(|facts| facts.root.as_ref())),
            client: self.client.map(Into::into),
            session: self.session.map(Into::into),
            repo: self.repo.or(stated).map(Into::into),
            ..Origin::new(self.via.as_str())
        })
    }
}

setters! { const Caller<'a>:
    /// Says on whose behalf the call is made.
    actor(actor: Actor) |it| it.actor = actor;
    /// Says which way the call came in.
    via(via: Via) |it| it.via = via;
    /// Names the program that calls.
    client(client: &'a str) |it| it.client = Some(client);
    /// Names the agent session that the caller is in.
    session(session: &'a str) |it| it.session = Some(session);
    /// Names the repository that the caller is in.
    repo(repo: &'a str) |it| it.repo = Some(repo);
    /// Says where the caller is, for a request that takes a context and states none.
    here(here: &'a Context) |it| it.here = Some(here);
    /// Says where else the caller is known to be.
    places(places: &'a [Context]) |it| it.places = places;
    /// Has somebody told where the call means to be, before it is made.
    on_enter(enter: &'a (dyn Fn(&Context) + Sync)) |it| it.on_enter = Some(OnEnter(enter));
    /// Names the call, so that a sink knows one that is made again.
    request(id: &'a str) |it| it.request = Some(id);
    /// Says whether what the caller sets without a stated place applies only where it is.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Caller, Context, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// let here = Context::new().repo("git:acme/api");
    /// let by = Caller::user().here(&here);
    /// let set = nudge.ask(&by, SetHint::new("api", "build", "make"))?;
    /// assert_eq!(set.hint.scope().unwrap().repo.as_deref().unwrap(), ["git:acme/api"]);
    ///
    /// let set = nudge.ask(&by.scopes_writes(false), SetHint::new("api", "test", "make test"))?;
    /// assert_eq!(set.hint.scope(), None);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    scopes_writes(scopes: bool) |it| it.scopes_writes = scopes;
    /// Asks for JSON without the values of hints that are marked as secret.
    hides_secrets(hides: bool) |it| it.hides_secrets = hides;
}

/// Who calls, for a program that keeps it: a [`Caller`] borrows what it says.
///
/// # Examples
///
/// ```
/// use nudge::{Nudge, SetHint, Source, Speaker};
///
/// let agent: Speaker = serde_json::from_str(r#"{"actor": "agent", "client": "my-bot"}"#).unwrap();
/// let set = Nudge::default().ask(&agent.caller(), SetHint::new("api", "build", "make"))?;
/// assert_eq!(set.hint.meta.source, Some(Source::Agent));
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Speaker {
    /// On whose behalf.
    pub actor: Actor,
    /// The program, with its version.
    pub client: Option<String>,
    /// The agent session.
    pub session: Option<String>,
}

impl Speaker {
    /// The caller that it is.
    #[must_use]
    pub fn caller(&self) -> Caller<'_> {
        let mut caller = Caller::user().actor(self.actor);
        caller.client = self.client.as_deref();
        caller.session = self.session.as_deref();
        caller
    }
}

/// An answer as a caller gets it.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Answered<'a, T> {
    Masked(&'a T),
    Whole(WithSecrets<&'a T>),
}
