//! One call, from what a client gives to what the store says: what this surface
//! adds on the way in, and what it says it added on the way out.

use nudge::{ComponentEntry, Components, Host, Operation, Via, is_active};
use rmcp::model::{Implementation, JsonObject};
use serde_json::{Value, json};

use super::{Place, Surface, reply};
use crate::primary::operations::Method;
use crate::proxy::infer;
use crate::wire::sender::{Known, Sender};
use crate::wire::shell::session as session_of;
use crate::wire::{Answer, Fault};

/// What came of a call, and the context that this surface added to it, which the answer tells.
pub(super) struct Outcome {
    answer: Answer,
    context: Option<Value>,
}

impl Outcome {
    /// The result; one of a get that found nothing as well, where it is known what that asked for.
    pub(super) fn value(self, asked: Option<&JsonObject>) -> Result<Value, Fault> {
        let mut value = match self.answer {
            Ok(answer) => read(answer.get()),
            Err(fault) => {
                let miss = asked.and_then(|asked| reply::miss(&fault, asked));
                miss.ok_or(fault)?
            }
        };
        if let Some(context) = self.context {
            value["context_used"] = context;
        }
        Ok(value)
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
        let sender = self.sender_of(method, client);
        if !(self.is_here() && infer::infers(method, has)) {
            let params = text(&params);
            let answer = self.session.call_from(&sender, method, &params).await;
            let context = None;
            return Outcome { answer, context };
        }
        let given = params.remove("context").filter(|given| !given.is_null());
        let mut used = None;
        let params = |known: &Known| {
            let moved = known.cwd.as_deref();
            let moved = moved.and_then(|cwd| infer::moved(given.as_ref(), cwd));
            let given = moved.as_ref().or(given.as_ref());
            infer::check_folder(given)?;
            let context = infer::infer(given, &known.env_names)?;
            let mut params = params.clone();
            if let Some(component) = params.get_mut("component").filter(|it| *it == infer::HERE) {
                *component = infer::component(&context)?.as_str().into();
            }
            let context = serde_json::to_value(&context).unwrap_or_default();
            params.insert("context".to_owned(), context.clone());
            used = Some(context);
            Ok(text(&params))
        };
        let answer = self.session.call_knowing(&sender, method, params).await;
        // What a write has to say of the place, its answer says.
        let context = used.filter(|_| !method.writes());
        Outcome { answer, context }
    }

    /// Who makes a call.
    fn sender_of(&self, method: Method, client: Option<&Implementation>) -> Sender {
        let sender = self.sender(client);
        let is_of_work = matches!(
            method,
            Method::Store(Operation::SetContext | Operation::GetContext)
        );
        if is_of_work && self.is_here() && sender.caller().session.is_none() {
            // Where the host tells no session, what is worked on is this process's client's.
            return sender.session(Some(format!("proxy-{}", std::process::id())));
        }
        sender
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
        let (by, params) = (self.sender(None), params.to_string());
        let list = Operation::ListComponents;
        let answer = self.session.call_from(&by, list, &params);
        let answer: Option<Components> = answer
            .await
            .ok()
            .and_then(|answer| serde_json::from_str(answer.get()).ok());
        answer.map(|answer| answer.components).unwrap_or_default()
    }
}

/// Reads what the core has written.
fn read(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
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
