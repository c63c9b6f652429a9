//! One call, from what a client gives to what the store says: what this door
//! adds on the way in, and what it says it added on the way out.

use nudge::Context;
use rmcp::model::{Implementation, JsonObject};
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::{Door, Place, reply};
use crate::config::ScopeWrites;
use crate::door::rpc::{Answer, Fault};
use crate::session::infer;

/// The longest `added_by`, in bytes, that the store takes.
const LONGEST_NAME: usize = 128;

/// What came of a call: the text of the result, and what this door added to the
/// call, as a field that the answer tells it in.
pub(super) struct Outcome {
    answer: Answer,
    added: Option<(&'static str, String)>,
}

impl Outcome {
    /// The text of the result with what was added.
    pub(super) fn text(self) -> Result<String, Fault> {
        let Outcome { answer, added } = self;
        Ok(extended(answer?.get(), added))
    }

    /// The text of the result, where a get that found nothing has one as well.
    pub(super) fn text_or_miss(self, params: &JsonObject) -> Result<String, Fault> {
        let Outcome { answer, added } = self;
        match answer {
            Ok(answer) => Ok(extended(answer.get(), added)),
            Err(fault) => match reply::miss(&fault, params) {
                Some(text) => Ok(extended(&text, added)),
                None => Err(fault),
            },
        }
    }
}

impl Door {
    /// Calls a method of the store for a client.
    pub(super) async fn call(
        &self,
        method: &str,
        mut params: JsonObject,
        client: Option<&Implementation>,
    ) -> Outcome {
        if method == "nudge.set_hint" {
            stamp(&mut params, client);
            let scoped_to = self.scope_write(&mut params).await;
            return Outcome {
                answer: self.session.call(method, &text(&params)).await,
                added: scoped_to.map(|repo| ("scoped_to", json!(repo).to_string())),
            };
        }
        let given = params.get("context").filter(|given| !given.is_null());
        let infers = infer::infers(method, given.is_some()) && self.is_here();
        if !infers {
            return Outcome {
                answer: self.session.call(method, &text(&params)).await,
                added: None,
            };
        }
        let given = given.and_then(|given| to_raw_value(given).ok());
        match self.call_from_here(method, params, given.as_deref()).await {
            Ok(outcome) => outcome,
            Err(fault) => Outcome {
                answer: Err(fault),
                added: None,
            },
        }
    }

    /// Calls a method with the facts of this process.
    async fn call_from_here(
        &self,
        method: &str,
        mut params: JsonObject,
        given: Option<&RawValue>,
    ) -> Result<Outcome, Fault> {
        let mut context = infer::infer(given, &self.session.env_names())?;
        state(&mut params, &context);
        let mut answer = self.session.call(method, &text(&params)).await;
        // Only its answer says which variables the scopes of another process's
        // store mention.
        let names = self.session.env_names();
        if matches!(method, "nudge.get_hint" | "nudge.query") && infer::lacks(&context, &names) {
            context = infer::infer(given, &names)?;
            state(&mut params, &context);
            answer = self.session.call(method, &text(&params)).await;
        }
        let used = serde_json::to_string(&context).ok();
        Ok(Outcome {
            answer,
            added: used.map(|used| ("context_used", used)),
        })
    }

    /// Scopes a write that names no scope and meets an empty slot to the
    /// repository of this process, if that is wanted, and says to which.
    async fn scope_write(&self, params: &mut JsonObject) -> Option<String> {
        let wanted = matches!(self.place, Place::Here(ScopeWrites::Repo));
        let names_a_scope = match params.get("meta") {
            Some(Value::Object(meta)) => meta.contains_key("scope"),
            None | Some(Value::Null) => false,
            Some(_) => return None,
        };
        if !wanted || names_a_scope {
            return None;
        }
        let slot = json!({"component": params.get("component")?, "key": params.get("key")?});
        let found = self.session.call("nudge.get_hint", &slot.to_string()).await;
        let repo = infer::scoped_to(&found)?;
        let meta = params.entry("meta").or_insert_with(|| json!({}));
        if meta.is_null() {
            *meta = json!({});
        }
        meta.as_object_mut()?
            .insert("scope".to_owned(), json!({"repo": [repo]}));
        Some(repo)
    }

    /// The names of all components, sorted.
    pub(super) async fn components(&self) -> Vec<String> {
        let listed = self.listed(json!({})).await;
        listed.into_iter().map(|component| component.name).collect()
    }

    /// The keys of a component, sorted; none when it is not there.
    pub(super) async fn keys(&self, component: &str) -> Vec<String> {
        let mut listed = self.listed(json!({"component": component})).await;
        listed
            .pop()
            .map(|component| component.keys)
            .unwrap_or_default()
    }

    /// Whether the client is where this process is.
    pub(super) fn is_here(&self) -> bool {
        matches!(self.place, Place::Here(_))
    }

    async fn listed(&self, params: Value) -> Vec<Listed> {
        let answer = self
            .session
            .call("nudge.list_components", &params.to_string())
            .await;
        let answer: Option<Components> = answer
            .ok()
            .and_then(|answer| serde_json::from_str(answer.get()).ok());
        answer.map(|answer| answer.components).unwrap_or_default()
    }
}

#[derive(Deserialize)]
struct Components {
    components: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    name: String,
    #[serde(default)]
    keys: Vec<String>,
}

/// Says who a write comes from.
///
/// A client of this door is a program, so it cannot claim to be the user: the
/// claim is stored as `agent`, and so is a write that names no source. What is
/// no claim of that kind is left for the store to judge.
fn stamp(params: &mut JsonObject, client: Option<&Implementation>) {
    let meta = params.entry("meta").or_insert_with(|| json!({}));
    if meta.is_null() {
        *meta = json!({});
    }
    let Some(meta) = meta.as_object_mut() else {
        return;
    };
    let source = meta.entry("source").or_insert(Value::Null);
    if source.is_null() || source == "user" {
        *source = json!("agent");
    }
    if !meta.contains_key("added_by")
        && let Some(name) = client.and_then(name)
    {
        meta.insert("added_by".to_owned(), Value::String(name));
    }
}

/// A client's name and version as a name that the store takes.
fn name(client: &Implementation) -> Option<String> {
    let mut name = format!("{}/{}", client.name, client.version);
    name.retain(|letter| !letter.is_control());
    while name.len() > LONGEST_NAME {
        name.pop();
    }
    let name = name.trim();
    (!client.name.trim().is_empty()).then(|| name.to_owned())
}

fn state(params: &mut JsonObject, context: &Context) {
    let context = serde_json::to_value(context).unwrap_or_default();
    params.insert("context".to_owned(), context);
}

fn text(params: &JsonObject) -> String {
    serde_json::to_string(params).unwrap_or_default()
}

/// The text of an object with one more field at its end, so that the fields of
/// the answer keep the order in which they read best.
fn extended(object: &str, field: Option<(&str, String)>) -> String {
    let Some((name, json)) = field else {
        return object.to_owned();
    };
    let fields = object.trim_end().strip_suffix('}').unwrap_or(object);
    let comma = if fields.trim_end().ends_with('{') {
        ""
    } else {
        ","
    };
    format!("{fields}{comma}\"{name}\":{json}}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamped(params: &Value, client: Option<&Implementation>) -> Value {
        let mut params = params.as_object().unwrap().clone();
        stamp(&mut params, client);
        params.get("meta").cloned().unwrap()
    }

    #[test]
    fn a_client_is_an_agent_whatever_it_claims() {
        let client = Implementation::new("codex", "0.166");
        for meta in [
            json!({}),
            json!({"source": "user"}),
            json!({"source": null}),
        ] {
            let meta = stamped(&json!({"meta": meta}), Some(&client));
            assert_eq!(meta, json!({"source": "agent", "added_by": "codex/0.166"}));
        }
        assert_eq!(stamped(&json!({}), None), json!({"source": "agent"}));
        assert_eq!(
            stamped(&json!({"meta": null}), None),
            json!({"source": "agent"})
        );
    }

    #[test]
    fn what_a_client_gives_otherwise_is_left_to_the_store() {
        let given = json!({"source": "tool-output", "added_by": null});
        let client = Implementation::new("codex", "0.166");
        assert_eq!(stamped(&json!({"meta": given}), Some(&client)), given);
        assert_eq!(
            stamped(&json!({"meta": {"source": 1}}), None),
            json!({"source": 1})
        );
        assert_eq!(stamped(&json!({"meta": []}), None), json!([]));
    }

    #[test]
    fn a_strange_name_of_a_client_cannot_spoil_its_writes() {
        let cut = |client: &str, version: &str| name(&Implementation::new(client, version));
        assert_eq!(cut("a\u{7}b\n", "1").as_deref(), Some("ab/1"));
        assert_eq!(cut(&"é".repeat(200), "1").map(|name| name.len()), Some(128));
        assert_eq!(cut("", "1"), None);
    }

    #[test]
    fn a_field_is_added_to_any_object() {
        let one = || Some(("a", "1".to_owned()));
        assert_eq!(extended("{}", one()), r#"{"a":1}"#);
        assert_eq!(extended(r#"{"b":{}}"#, one()), r#"{"b":{},"a":1}"#);
        assert_eq!(extended("{}", None), "{}");
    }
}
