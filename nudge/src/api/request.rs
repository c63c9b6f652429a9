//! `GetHint`, `Query` and the other requests: the wire words, defined once.
//!
//! A request is only a form: whatever it holds is checked by the operation
//! that takes it. As JSON it is the `params` of the method of its name, a
//! field that is not known is refused, and `null` is as good as absent.

use serde::{Deserialize, Serialize};

use crate::model::absent::{is_false, is_zero, null_as_default};
use crate::model::name::Name;
use crate::model::number;
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct GetHint {
    /// The component.
    pub component: Name,
    /// The key.
    pub key: Name,
    /// Where the caller is.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Context::is_empty"
    )]
    pub context: Context,
    /// How many more eligible variants to return, from 0 to 20.
    #[serde(
        default,
        deserialize_with = "number::or_zero",
        skip_serializing_if = "is_zero"
    )]
    pub alternatives: u32,
}

impl GetHint {
    /// Says where the caller is, unless the request does.
    pub(crate) fn locate(&mut self, here: &Context) {
        self.context.or(here);
    }

    /// Asks for a component's key.
    pub fn new(component: impl Into<Name>, key: impl Into<Name>) -> GetHint {
        GetHint {
            component: component.into(),
            key: key.into(),
            context: Context::new(),
            alternatives: 0,
        }
    }

    /// Says where the caller is.
    #[must_use]
    pub fn context(mut self, context: impl Into<Context>) -> GetHint {
        self.context = context.into();
        self
    }

    /// Asks for up to 20 more eligible variants.
    #[must_use]
    pub fn alternatives(mut self, most: u32) -> GetHint {
        self.alternatives = most;
        self
    }
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Query {
    /// Only hints of this component.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<Name>,
    /// Only hints with one of these keys.
    #[serde(
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub keys: Vec<Name>,
    /// Only hints with one of these tags, or with all of them.
    #[serde(
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub tags: Vec<Name>,
    /// Whether one tag is enough.
    #[serde(deserialize_with = "null_as_default")]
    pub tags_mode: TagsMode,
    /// Only hints in whose key, value, tags or reason this is found; up to 512 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regex: Option<String>,
    /// Where the caller is.
    #[serde(
        deserialize_with = "null_as_default",
        skip_serializing_if = "Context::is_empty"
    )]
    pub context: Context,
    /// The most hints to return, from 1 to 100; 10 when absent.
    #[serde(
        deserialize_with = "number::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub limit: Option<u32>,
    /// Whether to list, without their values, the hints that are out of scope.
    #[serde(deserialize_with = "null_as_default", skip_serializing_if = "is_false")]
    pub include_ineligible: bool,
}

/// Whether a hint needs one of the tags of a query or all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagsMode {
    /// One is enough.
    #[default]
    Any,
    /// Every one.
    All,
}

impl Query {
    /// Says where the caller is, unless the request does.
    pub(crate) fn locate(&mut self, here: &Context) {
        self.context.or(here);
    }

    /// Asks for everything.
    #[must_use]
    pub fn new() -> Query {
        Query::default()
    }

    /// Only hints of this component.
    #[must_use]
    pub fn component(mut self, component: impl Into<Name>) -> Query {
        self.component = Some(component.into());
        self
    }

    /// Adds a key that will do.
    #[must_use]
    pub fn key(mut self, key: impl Into<Name>) -> Query {
        self.keys.push(key.into());
        self
    }

    /// Adds a tag.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<Name>) -> Query {
        self.tags.push(tag.into());
        self
    }

    /// Asks for hints that have every tag.
    #[must_use]
    pub fn all_tags(mut self) -> Query {
        self.tags_mode = TagsMode::All;
        self
    }

    /// Only hints in whose key, value, tags or reason this is found.
    #[must_use]
    pub fn regex(mut self, regex: impl Into<String>) -> Query {
        self.regex = Some(regex.into());
        self
    }

    /// Says where the caller is.
    #[must_use]
    pub fn context(mut self, context: impl Into<Context>) -> Query {
        self.context = context.into();
        self
    }

    /// Gives the most hints to return.
    #[must_use]
    pub fn limit(mut self, most: u32) -> Query {
        self.limit = Some(most);
        self
    }

    /// Asks for those out of scope as well, without their values.
    #[must_use]
    pub fn include_ineligible(mut self) -> Query {
        self.include_ineligible = true;
        self
    }
}
