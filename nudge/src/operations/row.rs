//! `Row`: what is known of one operation.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::api::caller::Caller;
use crate::model::error::{Error, ErrorKind};
use crate::model::json::from_json;
use crate::scope::context::Context;

/// Does an operation over a state: the caller, JSON in, JSON out.
pub type Call<S> = fn(&S, &Caller<'_>, &[u8], &mut Vec<u8>) -> Result<(), Error>;

/// One operation over a state `S`, such as a store.
pub struct Row<S: 'static> {
    /// What is known of it.
    pub about: About,
    /// Does it.
    pub call: Call<S>,
}

/// What is known of an operation.
#[derive(Debug)]
pub struct About {
    /// Its name on the wire, such as `nudge.set_hint`.
    pub name: &'static str,
    /// The name of the type of its request.
    pub request: &'static str,
    /// The name of the type of its answer.
    pub answer: &'static str,
    /// What it does: one sentence, a blank line, then the rest.
    pub docs: &'static str,
    /// Whether it may change something.
    pub writes: bool,
    /// What a call of it costs.
    pub cost: Cost,
    /// Whether it asks where the caller is.
    pub context: ContextUse,
    /// Who may call it.
    pub access: Access,
    /// What it may fail with, besides a bug.
    pub refuses: &'static [ErrorKind],
}

/// What a call of an operation costs, and so whether others wait for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Microseconds, in memory.
    Quick,
    /// More the more is stored: it looks at the words of hints.
    Search,
    /// More the more is stored or given: it takes or gives a whole store.
    Bulk,
    /// It reads a file where observations are on.
    Disk,
}

/// Whether an operation asks where the caller is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextUse {
    /// It does not.
    None,
    /// It takes a context, and means something else without one.
    Optional,
    /// It chooses by context, so a surface that knows where the caller is says so.
    Inferred,
    /// The same, unless it names what it means by a `scope`.
    Selector,
}

/// The context of a request: what it states, else where its caller is.
#[doc(hidden)]
pub trait Located {
    /// Says where the caller is, unless the request does, and tells who wants to know.
    /// Refuses a place of which something is too large.
    fn locate(&mut self, by: &Caller<'_>) -> Result<(), Error>;
}

impl Located for Context {
    fn locate(&mut self, by: &Caller<'_>) -> Result<(), Error> {
        if let Some(here) = by.here {
            self.or(here);
        }
        self.check()?;
        by.enters(self);
        Ok(())
    }
}

impl Located for Option<Context> {
    fn locate(&mut self, by: &Caller<'_>) -> Result<(), Error> {
        if self.is_none() {
            *self = by.here.cloned();
        }
        if let Some(context) = self {
            context.check()?;
            by.enters(context);
        }
        Ok(())
    }
}

/// Who may call an operation: the user, unless its row says otherwise.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Access {
    /// The user.
    #[default]
    User,
    /// The user, and hooks.
    Hook,
    /// Anyone, as far as the operation lets others.
    Anyone,
}

/// A request of an operation over a state `S`.
pub trait Request<S>: DeserializeOwned {
    /// What it is answered.
    type Answer: Serialize;

    /// What is known of its operation.
    const ABOUT: &'static About;

    /// Checks whether the caller may ask this, and does it.
    fn run(self, state: &S, by: &Caller<'_>) -> Result<Self::Answer, Error>;
}

impl About {
    /// What it does, in one sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let lines = self.docs.lines().map(str::trim);
        words(lines.take_while(|line| !line.is_empty()))
    }

    /// What else there is to say.
    #[must_use]
    pub fn description(&self) -> String {
        let lines = self.docs.lines().map(str::trim);
        words(lines.skip_while(|line| !line.is_empty()).skip(1))
    }
}

/// Lines as one.
fn words<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    lines.collect::<Vec<_>>().join(" ")
}

/// Reads a request, runs it, and writes its answer: what a row calls.
#[doc(hidden)]
pub fn operation_from_json<S, R: Request<S>>(
    state: &S,
    by: &Caller<'_>,
    params: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let answer = from_json::<R>(params)?.run(state, by)?;
    serde_json::to_writer(out, &by.answered(&answer))
        .map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
}
