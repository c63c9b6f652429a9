//! `GetHint`, `Query` and the other requests: the wire words, defined once.
//!
//! A request is only a form: whatever it holds is checked by the operation
//! that takes it. As JSON it is the `params` of the method of its name, a
//! field that is not known is refused, and `null` is as good as absent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::absent::{is_false, is_zero, nullable};
use crate::model::name::Name;
use crate::model::number;
use crate::model::rows::setters;
use crate::scope::context::Context;

/// Asks for the hint of a slot that fits best.
///
/// # Examples
///
/// ```
/// use nudge::{Context, GetHint, Nudge, Os, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("http-proxy", "directory", r"c:\code\http-proxy").os(Os::Windows))?;
/// nudge.set_hint(SetHint::new("http-proxy", "directory", "/code/http-proxy").os(Os::Darwin))?;
///
/// let here = Context::new().os(Os::Darwin);
/// let found = nudge.get_hint(GetHint::new("http-proxy", "directory").context(&here))?;
/// assert_eq!(found.hint.value.as_str(), Some("/code/http-proxy"));
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct GetHint {
    /// A service, module or folder by name, such as `http-proxy`.
    #[schemars(length(min = 1))]
    pub component: Name,
    /// The name of the fact, such as `build`, `test`, `run`, `directory` or `env.FEATURE_X`.
    #[schemars(length(min = 1))]
    pub key: Name,
    /// Where the caller is. Nothing is inferred: a condition whose fact is not given fails.
    #[serde(default, deserialize_with = "nullable")]
    #[serde(skip_serializing_if = "Context::is_empty")]
    pub context: Context,
    /// How many more fitting hints of this key to return; 0 when absent.
    #[schemars(range(min = 0, max = 20))]
    #[serde(default, deserialize_with = "number::or_zero")]
    #[serde(skip_serializing_if = "is_zero")]
    pub alternatives: u32,
}

impl GetHint {
    /// Asks for a component's key.
    pub fn new(component: impl Into<Name>, key: impl Into<Name>) -> GetHint {
        GetHint {
            component: component.into(),
            key: key.into(),
            context: Context::new(),
            alternatives: 0,
        }
    }
}

setters! { GetHint:
    /// Says where the caller is.
    context(context: impl Into<Context>) |it| it.context = context.into();
    /// Asks for up to 20 more eligible variants.
    alternatives(most: u32) |it| it.alternatives = most;
}

/// Asks for all hints that fit some filters, the best first.
///
/// The filters combine by AND; an empty list is no filter.
///
/// # Examples
///
/// ```
/// use nudge::{Nudge, Query, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("http-proxy", "build", "docker compose build").tags(["docker"]))?;
/// nudge.set_hint(SetHint::new("http-proxy", "test", "cargo test"))?;
///
/// let found = nudge.query(Query::new().tag("Docker").regex("compose (build|up)"))?;
/// assert_eq!(found.total, 1);
/// assert_eq!(found.hints[0].key, "build");
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Query {
    /// Only hints of this component.
    #[schemars(length(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<Name>,
    /// Only these keys.
    #[serde(deserialize_with = "nullable")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<Name>,
    /// Only hints with one of these tags.
    #[serde(deserialize_with = "nullable")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Name>,
    /// Whether one tag is enough (`any`, when absent) or all are needed.
    #[serde(deserialize_with = "nullable")]
    pub tags_mode: TagsMode,
    /// Only hints in whose key, value, tags or reason this is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regex: Option<String>,
    /// Words: only hints that have each of them, or a word that begins with it, in component,
    /// key, value, tags or reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where the caller is. Nothing is inferred: a condition whose fact is not given fails.
    #[serde(deserialize_with = "nullable")]
    #[serde(skip_serializing_if = "Context::is_empty")]
    pub context: Context,
    /// The most hints to return; 10 when absent.
    #[schemars(range(min = 1, max = 100))]
    #[serde(deserialize_with = "number::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// How many tokens the hints may have in component, key, value and reason, at three bytes
    /// each; the best that fit stay.
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(deserialize_with = "number::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Also list, without their values, hints that do not apply here, and why.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_false")]
    pub include_ineligible: bool,
    /// Also return hints that do not apply here, as if they did; the user only.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_false")]
    pub anywhere: bool,
}

/// Whether a hint needs one of the tags of a query or all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TagsMode {
    /// One is enough.
    #[default]
    Any,
    /// Every one.
    All,
}

impl Query {
    /// Asks for everything.
    #[must_use]
    pub fn new() -> Query {
        Query::default()
    }
}

setters! { Query:
    /// Only hints of this component.
    component(component: impl Into<Name>) |it| it.component = Some(component.into());
    /// Adds a key that will do.
    key(key: impl Into<Name>) |it| it.keys.push(key.into());
    /// Adds a tag.
    tag(tag: impl Into<Name>) |it| it.tags.push(tag.into());
    /// Asks for hints that have every tag.
    all_tags() |it| it.tags_mode = TagsMode::All;
    /// Only hints in whose key, value, tags or reason this is found.
    regex(regex: impl Into<String>) |it| it.regex = Some(regex.into());
    /// Only hints that have all these words, or words that begin with them.
    text(words: impl Into<String>) |it| it.text = Some(words.into());
    /// Says where the caller is.
    context(context: impl Into<Context>) |it| it.context = context.into();
    /// Gives the most hints to return.
    limit(most: u32) |it| it.limit = Some(most);
    /// Gives how many tokens the hints may have.
    max_tokens(most: u32) |it| it.max_tokens = Some(most);
    /// Asks for those out of scope as well, without their values.
    include_ineligible() |it| it.include_ineligible = true;
}
