//! One call, from what a client gives to what the store says: what this surface
//! adds on the way in, and what it says it added on the way out.

use nudge::{ComponentEntry, Components, Host, Operation, Via};
use rmcp::model::{Implementation, JsonObject};
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::client_name::name;
use super::{Place, Surface, reply};
use crate::primary::operations::{Method, ServerOperation};
use crate::proxy::infer;
use crate::wire::json_text::extended;
use crate::wire::sender::Sender;
use crate::wire::shell::session as session_of;
use crate::wire::{Answer, Fault};

/// What came of a call: the text of the result, and what this surface added to the
/// call, as a field that the answer tells it in.
pub(super) struct Outcome {
    answer: Answer,
    added: Option<(&'static str, String)>,
}

impl Outcome {
    /// The text of the result with what was added.
    pub(super) fn text(self) -> Result<String, Fault> {
        let Outcome { answer, added } = self;
        Ok(with_added(answer?.get(), added))
    }

    /// The text of the result, where a get that found nothing has one as well.
    pub(super) fn text_or_miss(self, asked: &JsonObject) -> Result<String, Fault> {
        let Outcome { answer, added } = self;
        match answer {
            Ok(answer) => Ok(with_added(answer.get(), added)),
            Err(fault) => match reply::miss(&fault, asked) {
                Some(text) => Ok(with_added(&text, added)),
                None => Err(fault),
            },
        }
    }
}

impl Surface {
    /// Calls a method of the store for a client.
    pub(super) async fn call(
        &self,
        method: impl Into<Method>,
        mut params: JsonObject,
        client: Option<&Implementation>,
    ) -> Outcome {
        let method = method.into();
        self.introduce(client);
        self.know(method, &params);
        if self.is_here() {
            infer::place(method, &mut params);
        }
        let given = params.get("context").filter(|given| !given.is_null());
        let has = |field: &str| params.get(field).is_some_and(|given| !given.is_null());
        if !(self.is_here() && infer::infers(method, has)) {
            return Outcome {
                answer: self.send_text(method, &text(&params), client).await,
                added: None,
            };
        }
        let given = given.and_then(|given| to_raw_value(given).ok());
        let asked = self.call_from_here(method, params, given.as_deref(), client);
        asked.await.unwrap_or_else(|fault| Outcome {
            answer: Err(fault),
            added: None,
        })
    }

    /// Sends a call, and says who makes it.
    async fn send_text(
        &self,
        method: Method,
        params: &str,
        client: Option<&Implementation>,
    ) -> Answer {
        let mut sender = self.sender(client);
        let is_of_work = matches!(
            method,
            Method::Store(Operation::SetContext | Operation::GetContext)
        );
        if is_of_work && self.is_here() && sender.caller().session.is_none() {
            // Where the host tells no session, what is worked on is this process's client's.
            sender = sender.session(Some(format!("proxy-{}", std::process::id())));
        }
        self.session.call_from(&sender, method, params).await
    }

    /// The agent that a client is: who started this process gave it its environment, and
    /// so the session.
    fn sender(&self, client: Option<&Implementation>) -> Sender {
        let client = client.and_then(name);
        let host = client.as_deref().and_then(Host::named);
        let host = host.filter(|_| self.is_here());
        let session = host.and_then(|host| session_of(host, |name| std::env::var_os(name)));
        let sender = Sender::new(Via::Mcp, client).session(session);
        match self.place {
            Place::Here => sender.here(self.session.scopes_writes()),
            Place::Elsewhere => sender,
        }
    }

    /// The context in the folder that the client's agent has moved to.
    async fn moved(
        &self,
        given: Option<&RawValue>,
        client: Option<&Implementation>,
    ) -> Option<Box<RawValue>> {
        #[derive(Deserialize)]
        struct Greeting {
            cwd: String,
        }
        let by = self.sender(client);
        by.caller().session?;
        let hello = self.session.call_from(&by, ServerOperation::Hello, "{}");
        let greeting: Greeting = serde_json::from_str(hello.await.ok()?.get()).ok()?;
        infer::moved(given, &greeting.cwd)
    }

    /// Calls a method with the facts of this process.
    async fn call_from_here(
        &self,
        method: Method,
        mut params: JsonObject,
        given: Option<&RawValue>,
        client: Option<&Implementation>,
    ) -> Result<Outcome, Fault> {
        params.remove("context");
        let moved = self.moved(given, client).await;
        let given = moved.as_deref().or(given);
        infer::check_folder(given)?;
        // Another process's store says only in its answer which variables its
        // scopes mention.
        let is_ours = self.session.is_own();
        let used = infer::infer(given, &self.session.env_names())?;
        if let Some(component) = params.get_mut("component").filter(|it| *it == infer::HERE) {
            *component = infer::component(&used)?.as_str().into();
        }
        let params = text(&params);
        let stated = |context: &str| extended(&params, "context", context);
        let mut context = serde_json::to_string(&used).unwrap_or_default();
        let mut answer = self.send_text(method, &stated(&context), client).await;
        if !is_ours && !method.writes() && method.about().context.is_inferred() {
            let names = self.session.env_names();
            if infer::lacks(&used, &names) {
                let used = infer::infer(given, &names)?;
                context = serde_json::to_string(&used).unwrap_or_default();
                answer = self.send_text(method, &stated(&context), client).await;
            }
        }
        Ok(Outcome {
            answer,
            // What a write has to say of the place, its answer says.
            added: (!method.writes()).then_some(("context_used", context)),
        })
    }

    /// The names of all components, sorted.
    pub(super) async fn components(&self) -> Vec<String> {
        let listed = self.listed(json!({})).await;
        let names = listed.into_iter().map(|component| component.name);
        names.map(|name| name.to_string()).collect()
    }

    /// The keys of a component, sorted; none when it is not there.
    pub(super) async fn keys(&self, component: &str) -> Vec<String> {
        let mut listed = self.listed(json!({"component": component})).await;
        let keys = listed.pop().and_then(|component| component.keys);
        let keys = keys.into_iter().flatten();
        keys.map(|key| key.to_string()).collect()
    }

    /// Whether the client is where this process is.
    pub(super) fn is_here(&self) -> bool {
        self.place == Place::Here
    }

    async fn listed(&self, params: Value) -> Vec<ComponentEntry> {
        let list = Operation::ListComponents.into();
        let answer = self.send_text(list, &params.to_string(), None).await;
        let answer: Option<Components> = answer
            .ok()
            .and_then(|answer| serde_json::from_str(answer.get()).ok());
        answer.map(|answer| answer.components).unwrap_or_default()
    }
}

fn text(params: &JsonObject) -> String {
    serde_json::to_string(params).unwrap_or_default()
}

/// The text of an answer with what this surface added to the call.
fn with_added(answer: &str, added: Option<(&str, String)>) -> String {
    match added {
        Some((name, json)) => extended(answer, name, &json),
        None => answer.to_owned(),
    }
}
