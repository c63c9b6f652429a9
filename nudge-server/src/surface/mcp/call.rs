//! One call, from what a client gives to what the store says: what this surface
//! adds on the way in, and what it says it added on the way out.

use nudge::{ComponentEntry, Components, Host, Operation, Via, is_active};
use rmcp::model::{Implementation, JsonObject};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Place, Surface, reply};
use crate::primary::operations::{Method, ServerOperation};
use crate::proxy::infer;
use crate::wire::json_text::extended;
use crate::wire::sender::Sender;
use crate::wire::shell::session as session_of;
use crate::wire::{Answer, Fault};

/// What came of a call, and the context that this surface added to it, which the answer tells.
pub(super) struct Outcome {
    answer: Answer,
    context: Option<String>,
}

impl Outcome {
    /// The text of the result; one of a get that found nothing as well, where it is known what
    /// that asked for.
    pub(super) fn text(self, asked: Option<&JsonObject>) -> Result<String, Fault> {
        let text = match self.answer {
            Ok(answer) => answer.get().to_owned(),
            Err(fault) => {
                let miss = asked.and_then(|asked| reply::miss(&fault, asked));
                miss.ok_or(fault)?
            }
        };
        Ok(match self.context {
            Some(context) => extended(&text, "context_used", &context),
            None => text,
        })
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
        let has = |field: &str| params.get(field).is_some_and(|given| !given.is_null());
        if !(self.is_here() && infer::infers(method, has)) {
            return Outcome {
                answer: self.send_text(method, &text(&params), client).await,
                context: None,
            };
        }
        let asked = self.call_from_here(method, params, client);
        asked.await.unwrap_or_else(|fault| Outcome {
            answer: Err(fault),
            context: None,
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
    async fn moved(&self, given: Option<&Value>, client: Option<&Implementation>) -> Option<Value> {
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
        client: Option<&Implementation>,
    ) -> Result<Outcome, Fault> {
        let given = params.remove("context").filter(|given| !given.is_null());
        let moved = self.moved(given.as_ref(), client).await;
        let given = moved.as_ref().or(given.as_ref());
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
            context: (!method.writes()).then_some(context),
        })
    }

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

/// The longest name, in bytes, that the store takes.
const LONGEST_NAME: usize = 128;

/// A client's name and version as a name that the store takes.
pub(super) fn name(client: &Implementation) -> Option<String> {
    let mut name = format!("{}/{}", client.name, client.version);
    name.retain(|letter| !is_active(letter));
    while name.len() > LONGEST_NAME {
        name.pop();
    }
    let name = name.trim();
    (!client.name.trim().is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strange_name_of_a_client_cannot_spoil_its_writes() {
        let cut = |client: &str, version: &str| name(&Implementation::new(client, version));
        assert_eq!(cut("a\u{7}b\u{202e}\n", "1").as_deref(), Some("ab/1"));
        assert_eq!(cut(&"é".repeat(200), "1").map(|name| name.len()), Some(128));
        assert_eq!(cut("", "1"), None);
    }
}
