//! The resources: all components, one of them, one hint; and the names in their addresses.

use std::fmt;

use nudge::{ChangeKind, Operation};
use rmcp::ErrorData;
use rmcp::model::{
    CompleteRequestParams, CompletionInfo, JsonObject, ReadResourceResult, Resource,
    ResourceContents, ResourceTemplate,
};
use serde_json::json;

use super::{Surface, reply};
use crate::wire::escape::percent_encoded;

/// What every resource is written in.
pub(super) const JSON: &str = "application/json";
const SCHEME: &str = "nudge://";

/// The templates of the resources that have a name in their address.
const COMPONENT: &str = "nudge://components/{name}";
const HINT: &str = "nudge://hints/{component}/{key}";

/// What an address of a resource means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Address {
    Components,
    Component(String),
    Hint(String, String),
}

impl Address {
    /// Reads an address; names in it are percent-encoded where they need to be.
    pub(super) fn read(uri: &str) -> Option<Address> {
        let mut parts = uri.strip_prefix(SCHEME)?.split('/');
        let (kind, first, second, more) = (parts.next()?, parts.next(), parts.next(), parts.next());
        match (kind, first, second, more) {
            ("components", None, ..) => Some(Address::Components),
            ("components", Some(name), None, _) => Some(Address::Component(decoded(name)?)),
            ("hints", Some(component), Some(key), None) => {
                Some(Address::Hint(decoded(component)?, decoded(key)?))
            }
            _ => None,
        }
    }

    /// Whether a change is one to what is there.
    pub(super) fn is_touched_by(&self, change: &ChangeKind) -> bool {
        let (slot, counts) = match change {
            ChangeKind::Clear => return true,
            // No resource shows what is proposed, being worked on, remembered or lost.
            ChangeKind::Propose(_)
            | ChangeKind::Dismiss { .. }
            | ChangeKind::Context { .. }
            | ChangeKind::Mark(_)
            | ChangeKind::Unmark(_)
            | ChangeKind::Machine { .. }
            | ChangeKind::Lost { .. } => return false,
            ChangeKind::Set { before: 0, .. } | ChangeKind::Delete(_) | ChangeKind::Expire(_) => {
                (change.slot(), true)
            }
            ChangeKind::Set { .. } | ChangeKind::Bump(_) | ChangeKind::Fail(_) => {
                (change.slot(), false)
            }
        };
        slot.is_some_and(|(component, key)| match self {
            Address::Components => counts,
            Address::Component(name) => counts && component == name.as_str(),
            Address::Hint(other, name) => component == other.as_str() && key == name.as_str(),
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoded = |name: &str| percent_encoded(name.as_bytes(), "");
        match self {
            Address::Components => write!(f, "{SCHEME}components"),
            Address::Component(name) => write!(f, "{SCHEME}components/{}", encoded(name)),
            Address::Hint(component, key) => {
                write!(f, "{SCHEME}hints/{}/{}", encoded(component), encoded(key))
            }
        }
    }
}

/// The resources that are always there.
///
/// Other components and hints are reached by their templates: a list of them
/// would have to ask the store, and a client's opening lists are answered before
/// it is known where that is.
pub(super) fn listed() -> Vec<Resource> {
    let components = Resource::new(Address::Components.to_string(), "components")
        .with_title("Components")
        .with_description("Every component that has hints, and how many.")
        .with_mime_type(JSON);
    vec![components]
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(COMPONENT, "component")
            .with_title("One component")
            .with_description("A component and its keys.")
            .with_mime_type(JSON),
        ResourceTemplate::new(HINT, "hint")
            .with_title("One hint")
            .with_description("The hint of a key that applies here, and why.")
            .with_mime_type(JSON),
    ]
}

impl Surface {
    pub(super) async fn read(&self, uri: &str) -> Result<ReadResourceResult, ErrorData> {
        let nothing =
            |message: String| ErrorData::resource_not_found(message, Some(json!({"uri": uri})));
        let Some(address) = Address::read(uri) else {
            return Err(nothing(format!(
                "no resource `{uri}`; try `nudge://components`"
            )));
        };
        let (method, params) = match &address {
            Address::Components => (Operation::ListComponents, json!({})),
            Address::Component(name) => (Operation::ListComponents, json!({"component": name})),
            Address::Hint(component, key) => (
                Operation::GetHint,
                json!({"component": component, "key": key}),
            ),
        };
        let params: JsonObject = params.as_object().cloned().unwrap_or_default();
        let answer = self.call(method, params, None).await.value(None);
        let answer = answer.map_err(|fault| match reply::error(&fault) {
            miss if miss.code.0 == nudge::ErrorKind::NotFound.code() => {
                nothing(miss.message.into_owned())
            }
            error => error,
        })?;
        if let Address::Component(name) = &address
            && self.keys(name).await.is_empty()
        {
            return Err(nothing(format!(
                "no component `{name}`; `nudge://components` lists them"
            )));
        }
        let contents = ResourceContents::text(answer.to_string(), uri).with_mime_type(JSON);
        Ok(ReadResourceResult::new(vec![contents]))
    }

    /// The names that begin with what a client has typed so far.
    pub(super) async fn completed(&self, request: &CompleteRequestParams) -> CompletionInfo {
        let template = request.r#ref.as_resource_uri().unwrap_or_default();
        let given = request.context.as_ref();
        let names = match (template, &*request.argument.name) {
            (COMPONENT, "name") | (HINT, "component") => self.components().await,
            (HINT, "key") => match given.and_then(|given| given.get_argument("component")) {
                Some(component) => self.keys(component).await,
                None => Vec::new(),
            },
            _ => Vec::new(),
        };
        begun_with(names, &request.argument.value)
    }
}

fn begun_with(mut names: Vec<String>, start: &str) -> CompletionInfo {
    let start = start.to_lowercase();
    names.retain(|name| name.to_lowercase().starts_with(&start));
    let total = names.len();
    names.truncate(CompletionInfo::MAX_VALUES);
    let more = total > names.len();
    CompletionInfo::with_pagination(names, u32::try_from(total).ok(), more).unwrap_or_default()
}

/// A name without its percent-encoding; `None` when that is broken.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
                u8::try_from(high * 16 + low).ok()?
            }
            _ => byte,
        });
    }
    String::from_utf8(bytes)
        .ok()
        .filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nudge::{Bump, Change, DeleteHint, Nudge, Propose, Reject, SetContext, SetHint};
    use parking_lot::Mutex;

    use super::*;

    fn hint(component: &str, key: &str) -> Address {
        Address::Hint(component.to_owned(), key.to_owned())
    }

    #[test]
    fn an_address_comes_back_as_it_was() {
        for address in [
            Address::Components,
            Address::Component("api/v2 100%".to_owned()),
            hint("é", "env.FEATURE_X"),
            hint("a?b", "c#d"),
        ] {
            assert_eq!(Address::read(&address.to_string()), Some(address));
        }
        assert_eq!(hint("a/b", "c").to_string(), "nudge://hints/a%2Fb/c");
    }

    #[test]
    fn what_is_no_address_is_none() {
        for uri in [
            "nudge://",
            "nudge://components/",
            "nudge://components/a/b",
            "nudge://hints/a",
            "nudge://hints/a/b/c",
            "nudge://hints/a/",
            "nudge://hints/a/%",
            "nudge://hints/a/%zz",
            "nudge://hints/a/%ff",
            "file:///etc/passwd",
            "",
        ] {
            assert_eq!(Address::read(uri), None, "{uri}");
        }
    }

    #[test]
    fn a_change_touches_what_it_changed_and_nothing_else() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&seen);
        let nudge = Nudge::default().with_sink(move |changes: &[Change]| {
            noted.lock().extend(changes.iter().cloned());
            Ok(())
        });
        let build = || SetHint::new("api", "build", "make");
        nudge.set_hint(build()).unwrap();
        nudge.bump(Bump::new("api", "build")).unwrap();
        nudge.delete_hint(DeleteHint::new("api", "build")).unwrap();
        let other = SetHint::new("api", "build", "make all");
        nudge.propose(Propose::new(other, "it worked")).unwrap();
        nudge.reject(Reject::new(1)).unwrap();
        nudge.set_context(SetContext::new("ports", ["1"])).unwrap();
        let seen = seen.lock();
        let mut changes: Vec<&ChangeKind> = seen.iter().map(|change| &change.kind).collect();
        changes.push(&ChangeKind::Clear);
        let component = |name: &str| Address::Component(name.to_owned());
        for (address, [set, bump]) in [
            (Address::Components, [true, false]),
            (component("api"), [true, false]),
            (component("web"), [false, false]),
            (hint("api", "build"), [true, true]),
            (hint("api", "test"), [false, false]),
        ] {
            let touched: Vec<bool> = changes
                .iter()
                .map(|change| address.is_touched_by(change))
                .collect();
            // What the user deleted and rejected is remembered.
            let expected = [set, bump, set, false, false, false, false, false, true];
            assert_eq!(touched, expected, "{address}");
        }
    }

    #[test]
    fn a_start_is_completed_without_regard_to_case_and_up_to_a_hundred() {
        let names = |count: usize| (0..count).map(|n| format!("Api{n:03}")).collect();
        for (count, start, listed, has_more) in [(3, "aPI00", 3, false), (101, "", 100, true)] {
            let found = begun_with(names(count), start);
            assert_eq!(
                (found.values.len(), found.has_more),
                (listed, Some(has_more))
            );
            assert_eq!(found.total, u32::try_from(count).ok());
        }
    }
}
