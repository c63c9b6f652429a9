//! A call of the store or of its owner: the one match from a method's name to what it does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use nudge::{
    Accept, Bump, DeleteHint, Error, ErrorKind, Import, Origin, Propose, SetContext, SetHint,
    from_json,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::Primary;
use super::discover;
use super::member::Introduction;
use super::method::Method;
use crate::wire::{Answer, Fault, origin};

/// Calls a method of the store, or of its owner, with the text of its params.
///
/// What it changes is said to be done by `origin`. A panic, which is a bug of ours, is an answer like any other.
pub fn call(primary: &Primary, origin: Option<&Origin>, method: &str, params: &str) -> Answer {
    let answer = caught(|| dispatch(primary, origin, method, params, Boxed));
    primary.tidy_journal();
    answer
}

/// The same, with the result appended to `response`. What is there after a
/// failure is to be thrown away.
pub fn call_into(
    primary: &Primary,
    origin: Option<&Origin>,
    method: &str,
    params: &str,
    response: &mut Vec<u8>,
) -> Result<(), Fault> {
    let answer = caught(|| dispatch(primary, origin, method, params, response));
    primary.tidy_journal();
    answer
}

/// How a result leaves.
trait Form {
    type Made;

    fn make(self, answer: &impl Serialize) -> serde_json::Result<Self::Made>;
}

/// By itself, for whoever passes it on.
struct Boxed;

impl Form for Boxed {
    type Made = Box<RawValue>;

    fn make(self, answer: &impl Serialize) -> serde_json::Result<Box<RawValue>> {
        to_raw_value(answer)
    }
}

/// As a part of a response.
impl Form for &mut Vec<u8> {
    type Made = ();

    fn make(self, answer: &impl Serialize) -> serde_json::Result<()> {
        serde_json::to_writer(self, answer)
    }
}

fn dispatch<F: Form>(
    primary: &Primary,
    origin: Option<&Origin>,
    method: &str,
    params: &str,
    form: F,
) -> Result<F::Made, Fault> {
    primary.calls.fetch_add(1, Ordering::Relaxed);
    let nudge = &primary.nudge;
    let origin = || origin.cloned().map(Box::new);
    let Some(method) = Method::named(method) else {
        let words = format!(
            "there is no method `{}`; `rpc.discover` lists those there are",
            shown(method)
        );
        return Err(Fault::Method(words));
    };
    match method {
        Method::SetHint => run(params, form, |request| {
            let origin = origin();
            nudge.set_hint(SetHint { origin, ..request })
        }),
        Method::GetHint => run(params, form, |request| nudge.get_hint(request)),
        Method::Query => run(params, form, |request| nudge.query(request)),
        Method::DeleteHint => run(params, form, |request| {
            let origin = origin();
            nudge.delete_hint(DeleteHint { origin, ..request })
        }),
        Method::ListComponents => run(params, form, |request| nudge.list_components(request)),
        Method::Bump => run(params, form, |request| {
            let origin = origin();
            nudge.bump(Bump { origin, ..request })
        }),
        Method::Export => run(params, form, |request| nudge.export(request)),
        Method::Import => run(params, form, |request| {
            let origin = origin();
            let by_program = origin.as_deref().is_some_and(origin::is_program);
            nudge.import(Import {
                origin,
                by_program,
                ..request
            })
        }),
        Method::SetContext => run(params, form, |request| {
            let origin = origin();
            nudge.set_context(SetContext { origin, ..request })
        }),
        Method::GetContext => run(params, form, |request| nudge.get_context(request)),
        Method::Propose => run(params, form, |request| {
            let origin = origin();
            nudge.propose(Propose { origin, ..request })
        }),
        Method::ListProposals => run(params, form, |request| nudge.list_proposals(request)),
        Method::Accept => run(params, form, |request| {
            let origin = origin();
            nudge.accept(Accept { origin, ..request })
        }),
        Method::Reject => run(params, form, |request| {
            let origin = origin();
            nudge.reject(Accept { origin, ..request })
        }),
        Method::PromptBlock => run(params, form, |request| nudge.prompt_block(request)),
        Method::OnEvent => run(params, form, |event| {
            Ok(primary.attention.on_event(nudge, &event))
        }),
        Method::Hello => run(params, form, |said: Introduction| {
            primary.meet(said);
            Ok(hello(primary))
        }),
        Method::Status => run(params, form, |_: Nothing| Ok(status(primary))),
        Method::Stop => run(params, form, |_: Nothing| {
            primary.end_session();
            Ok(json!({"stopped": true}))
        }),
        Method::Discover => run(params, form, |_: Nothing| Ok(discover::document(primary))),
    }
}

/// Whether a method changes the store.
#[must_use]
pub fn writes(method: &str) -> bool {
    matches!(
        method,
        "nudge.set_hint"
            | "nudge.delete_hint"
            | "nudge.bump"
            | "nudge.import"
            | "nudge.set_context"
            | "nudge.propose"
            | "nudge.accept"
            | "nudge.reject"
            | "nudge.on_event"
    )
}

/// Calls a method as [`call`] does, but once for each request id: a write that was
/// answered already, also by an earlier PRIMARY of the session, is answered again.
pub fn call_once(
    primary: &Primary,
    id: Option<&str>,
    origin: Option<&Origin>,
    method: &str,
    params: &str,
) -> Answer {
    match (id, primary.journal()) {
        (Some(id), Some(journal)) if writes(method) => {
            journal.once(id, || call(primary, origin, method, params))
        }
        _ => call(primary, origin, method, params),
    }
}

/// What a call is known by, of those that a request holds. One that is made again
/// in its own process is the first of its request.
pub(crate) fn nth(request: &str, number: usize) -> String {
    format!("{request}/{number}")
}

/// Does some work, in which a panic is a fault and nothing more.
fn caught<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    // A store that a panic went through is whole: what an operation changes is
    // worked out first and then put in place. What the panic says is not
    // repeated, for it may quote what is stored.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let words = "this is a bug of Nudge's; nothing was changed, please report it";
        Err(Fault::Core(Error::new(ErrorKind::Internal, words)))
    })
}

/// The params of a method that takes none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// Who the server is, and which variables a caller may want to state.
fn hello(primary: &Primary) -> serde_json::Value {
    let identity = &primary.identity;
    json!({
        "product": identity.product,
        "version": identity.version,
        "protocol": identity.protocol,
        "session_id": identity.session_id,
        "role": "primary",
        "env_names": *primary.env_names(),
    })
}

/// How the server is doing.
fn status(primary: &Primary) -> serde_json::Value {
    let identity = &primary.identity;
    json!({
        "product": identity.product,
        "version": identity.version,
        "protocol": identity.protocol,
        "role": "primary",
        "pid": identity.pid,
        "port": identity.port,
        "url": format!("http://127.0.0.1:{}", identity.port),
        "started": identity.started,
        "session_id": identity.session_id,
        "members": primary.members(),
        "stats": primary.nudge.stats(),
        "limits": primary.nudge.config().limits,
        "last_change": primary.nudge.last_change(),
    })
}

fn run<Q: DeserializeOwned, A: Serialize, F: Form>(
    params: &str,
    form: F,
    operation: impl FnOnce(Q) -> Result<A, Error>,
) -> Result<F::Made, Fault> {
    if params.trim_start().starts_with('[') {
        return Err(Fault::Params);
    }
    let answer = operation(from_json(params.as_bytes())?)?;
    let made = form.make(&answer);
    made.map_err(|error| Fault::Core(Error::new(ErrorKind::Internal, error.to_string())))
}

/// The start of a name, as an error may show it.
fn shown(name: &str) -> &str {
    name.char_indices()
        .nth(64)
        .map_or(name, |(end, _)| name.get(..end).unwrap_or_default())
}
