//! `HintMeta`: what is known about a hint.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hint::Hint;
use crate::hint::origin::Origin;
use crate::model::anchor::Anchor;
use crate::model::name::Name;
use crate::model::object;
use crate::model::scope::Scope;
use crate::model::ttl::Ttl;
use crate::scope::matcher::ScopeMatcher;

/// What is known about a hint.
///
/// `S` is how the scope is held: compiled in a stored hint, as it was written
/// in a payload that is still to be checked.
///
/// `Debug` shows no text that a caller wrote, so that no secret reaches a log.
#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, bound(deserialize = "S: Deserialize<'de>"))]
#[schemars(rename = "HintMeta", bound = "")]
pub struct HintMeta<S = Arc<ScopeMatcher>> {
    /// Why the hint is right, up to 1 KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Box<str>>,
    /// Up to 16 words of up to 64 bytes, in the order given; matched without regard to case.
    #[serde(skip_serializing_if = "<[Name]>::is_empty")]
    pub tags: Arc<[Name]>,
    /// From 1 to 10; 5 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10))]
    pub priority: Option<u8>,
    /// From 0.0 to 1.0; 0.5 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1))]
    pub confidence: Option<f64>,
    /// Whether it comes first in all that agents are told unasked, which only the user decides.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pin: bool,
    /// How long the hint is to live, as it was stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub ttl: Option<Ttl>,
    /// Whether the value is a secret; normal when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Sensitivity>,
    /// Where the hint applies; everywhere when absent.
    #[serde(deserialize_with = "object::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Scope>")]
    pub scope: Option<S>,
    /// Who the hint comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Who added it, in free form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added_by: Option<Name>,
    /// What the value rests on in the project's files; up to 8.
    #[serde(skip_serializing_if = "<[Anchor]>::is_empty")]
    pub anchors: Box<[Anchor]>,
    /// Who set the value, and whose it replaced; absent where no surface says so.
    #[serde(deserialize_with = "object::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Box<Origin>>,
}

impl<S> Default for HintMeta<S> {
    fn default() -> Self {
        HintMeta {
            reason: None,
            tags: Arc::default(),
            priority: None,
            confidence: None,
            pin: false,
            ttl: None,
            sensitivity: None,
            scope: None,
            source: None,
            added_by: None,
            anchors: Box::default(),
            origin: None,
        }
    }
}

impl<S> fmt::Debug for HintMeta<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HintMeta")
            .field("priority", &self.priority)
            .field("confidence", &self.confidence)
            .field("ttl", &self.ttl)
            .field("sensitivity", &self.sensitivity)
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

impl<S> HintMeta<S> {
    /// The same with another scope.
    pub(crate) fn with_scope<T>(self, scope: Option<T>) -> HintMeta<T> {
        HintMeta {
            reason: self.reason,
            tags: self.tags,
            priority: self.priority,
            confidence: self.confidence,
            ttl: self.ttl,
            pin: self.pin,
            sensitivity: self.sensitivity,
            scope,
            source: self.source,
            added_by: self.added_by,
            anchors: self.anchors,
            origin: self.origin,
        }
    }
}

/// Whether a value may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sensitivity {
    /// Stored past the guard; masked wherever people look, left out of exports.
    Secret,
    /// May be shown.
    Normal,
}

/// Who a hint comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A person, or a program on its own account.
    User,
    /// A coding agent.
    Agent,
    /// The output of a tool.
    ToolOutput,
    /// An imported file.
    FileImport,
}

/// A tag as it is looked up: tags are matched without regard to case.
pub(crate) fn folded(tag: &Name) -> Name {
    if is_folded(tag) {
        return tag.clone();
    }
    Name::from(tag.to_lowercase())
}

/// Whether a tag is surely in lower case already.
fn is_folded(tag: &str) -> bool {
    let mut bytes = tag.bytes();
    bytes.all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase())
}

/// Whether a hint has a tag, which is given in lower case.
pub(crate) fn has_tag(hint: &Hint, wanted: &Name) -> bool {
    let mut tags = hint.meta.tags.iter();
    tags.any(|tag| tag == wanted || (!is_folded(tag) && folded(tag) == *wanted))
}
