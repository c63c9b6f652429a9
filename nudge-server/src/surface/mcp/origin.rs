//! Who a write comes from, as far as the client of this surface may say.

use rmcp::model::{Implementation, JsonObject};
use serde_json::{Value, json};

/// The longest `added_by`, in bytes, that the store takes.
const LONGEST_NAME: usize = 128;

/// Says who a write comes from.
///
/// A client of this surface is a program, so it cannot claim to be the user: the
/// claim is stored as `agent`, and so is a write that names no source. What is
/// no claim of that kind is left for the store to judge.
pub(super) fn stamp(params: &mut JsonObject, client: Option<&Implementation>) {
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

/// Makes the hints of a payload that claim to be the user's an agent's, for the
/// reason that [`stamp`] has. One that names no source is the store's to name.
///
/// Who set them is not the client's to say either: its claims go, and the hints
/// come from who imports them.
pub(super) fn disown(params: &mut JsonObject) {
    let components = params
        .get_mut("payload")
        .and_then(|payload| payload.get_mut("components"));
    for component in components.into_iter().flat_map(fields) {
        for slot in component.get_mut("hints").into_iter().flat_map(fields) {
            let variants = match slot {
                Value::Array(variants) => variants.as_mut_slice(),
                one => std::slice::from_mut(one),
            };
            let metas = variants.iter_mut();
            let metas = metas.filter_map(|variant| variant.get_mut("meta")?.as_object_mut());
            for meta in metas {
                meta.remove("origin");
                if let Some(source) = meta.get_mut("source").filter(|source| *source == "user") {
                    *source = json!("agent");
                }
            }
        }
    }
}

fn fields(object: &mut Value) -> impl Iterator<Item = &mut Value> {
    let fields = object.as_object_mut();
    fields.into_iter().flat_map(serde_json::Map::values_mut)
}

/// A client's name and version as a name that the store takes.
pub(super) fn name(client: &Implementation) -> Option<String> {
    let mut name = format!("{}/{}", client.name, client.version);
    name.retain(|letter| !letter.is_control());
    while name.len() > LONGEST_NAME {
        name.pop();
    }
    let name = name.trim();
    (!client.name.trim().is_empty()).then(|| name.to_owned())
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
    fn no_hint_of_a_payload_is_the_users() {
        let payload = |source: Value| {
            let one = json!({"value": "a", "meta": {"source": source}});
            let none = json!({"value": "b", "meta": {}});
            json!({"payload": {"components": {"api": {"hints": {"k": one, "l": [none, one]}}}}})
        };
        let disowned = |params: Value| {
            let mut params = params.as_object().unwrap().clone();
            disown(&mut params);
            Value::Object(params)
        };
        assert_eq!(disowned(payload(json!("user"))), payload(json!("agent")));
        for kept in [json!("tool-output"), json!("USER"), json!(1), Value::Null] {
            assert_eq!(disowned(payload(kept.clone())), payload(kept));
        }
        for odd in [
            json!({}),
            json!({"payload": []}),
            json!({"payload": {"components": {"a": 1, "b": {"hints": []}}}}),
        ] {
            assert_eq!(disowned(odd.clone()), odd);
        }
    }

    #[test]
    fn a_strange_name_of_a_client_cannot_spoil_its_writes() {
        let cut = |client: &str, version: &str| name(&Implementation::new(client, version));
        assert_eq!(cut("a\u{7}b\n", "1").as_deref(), Some("ab/1"));
        assert_eq!(cut(&"é".repeat(200), "1").map(|name| name.len()), Some(128));
        assert_eq!(cut("", "1"), None);
    }
}
