//! The requests and answers about what is being worked on.

use std::collections::BTreeMap;
use std::fmt;

use chrono::{DateTime, Utc};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::model::absent::{is_false, nullable};
use crate::model::list;
use crate::model::name::Name;
use crate::model::rows::{from, setters};
use crate::model::time::{self, Time};
use crate::scope::context::Context;

/// Says what is being worked on.
///
/// # Examples
///
/// ```
/// use nudge::{ContextMode, Nudge, SetContext};
///
/// let nudge = Nudge::default();
/// nudge.set_context(SetContext::new("files", ["src/proxy.rs"]))?;
/// let more = SetContext::new("files", ["src/main.rs"]).mode(ContextMode::Merge);
/// let now = nudge.set_context(more)?;
/// assert_eq!(now.sets["files"], ["src/proxy.rs", "src/main.rs"]);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SetContext {
    /// The items of each set by its name: `files`, `endpoints`, `ports`, `intent`, or a name of your own.
    /// The newest item comes last; an empty list takes the set away.
    pub sets: BTreeMap<Name, Vec<ContextItem>>,
    /// What becomes of the items that a named set has: they go (`replace`, when absent) or
    /// stay (`merge`).
    #[serde(default, deserialize_with = "nullable")]
    pub mode: ContextMode,
    /// Where: the sets are those of its repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
}

/// One thing that is being worked on: a text. JSON may give a number, such as a port.
///
/// `Debug` does not show it, so that no secret reaches a log.
#[derive(Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline, description = "")]
pub struct ContextItem(#[schemars(schema_with = "text_or_number")] pub(crate) String);

/// What becomes of the items that a set has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContextMode {
    /// They go. Sets that are not named stay as they are.
    #[default]
    Replace,
    /// They stay, beside the new ones.
    Merge,
}

/// Asks what is being worked on.
///
/// # Examples
///
/// ```
/// use nudge::{GetContext, Nudge, SetContext};
///
/// let nudge = Nudge::default();
/// nudge.set_context(SetContext::new("ports", ["8080"]))?;
/// assert_eq!(nudge.get_context(GetContext::default())?.sets["ports"], ["8080"]);
///
/// let error = nudge.get_context(GetContext::default().name("prots")).unwrap_err();
/// assert_eq!(error.to_string(), "there is no context set `prots`; did you mean `ports`?");
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct GetContext {
    /// Only this set, such as `files`; all when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// Where: the sets are those of its repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
}

setters! { GetContext:
    /// Asks from here.
    context(context: impl Into<Context>) |it| it.context = Some(context.into());
    /// Means one set.
    name(name: impl Into<Name>) |it| it.name = Some(name.into());
}

/// What is being worked on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ContextSets {
    /// The items of each set, the newest last.
    pub sets: BTreeMap<Name, Vec<String>>,
    /// What had to go to make room, the oldest first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dropped: BTreeMap<Name, Vec<String>>,
    /// For a new set whose name is like one that is known, that one: perhaps it was meant.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub nearest: BTreeMap<Name, Name>,
    /// How many files no longer exist; they are not listed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gone: BTreeMap<Name, usize>,
    /// What others work on in the same repository, the newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OthersWork>,
}

/// What somebody else works on.
///
/// # Examples
///
/// ```
/// use nudge::{Caller, Context, GetContext, Nudge, SetContext};
///
/// let nudge = Nudge::default();
/// let here = Context::new().repo("git:acme/api");
/// let codex = Caller::agent("codex/0.166").session("s1").here(&here);
/// nudge.ask(&codex, SetContext::new("intent", ["retry uploads"]))?;
///
/// let claude = Caller::agent("claude-code/2.1").session("s2").here(&here);
/// let now = nudge.ask(&claude, GetContext::default())?;
/// assert!(now.sets.is_empty());
/// assert_eq!(now.others[0].client.as_ref().unwrap(), "codex/0.166");
/// assert_eq!(now.others[0].sets["intent"], ["retry uploads"]);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OthersWork {
    /// The repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<Name>,
    /// The program that said so; absent for one that gave no name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Name>,
    /// When it last changed.
    #[serde(with = "time")]
    #[schemars(with = "Time")]
    pub at: DateTime<Utc>,
    /// Whether the session has ended, in the middle of this.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ended: bool,
    /// The items of each set, the newest last.
    pub sets: BTreeMap<Name, Vec<String>>,
    /// How many files no longer exist; they are not listed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gone: BTreeMap<Name, usize>,
    /// Whether the user typed it.
    #[serde(skip)]
    pub(crate) is_users: bool,
}

from! { ContextItem:
    text: String => ContextItem(text);
}

fn text_or_number(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"type": "string"}, {"type": "integer", "format": "int64"}]})
}

impl<'de> Deserialize<'de> for ContextItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ContextItem, D::Error> {
        deserializer.deserialize_any(ItemVisitor).map(ContextItem)
    }
}

struct ItemVisitor;

impl<'de> Visitor<'de> for ItemVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an integer")
    }

    fn visit_str<E>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_i64<E>(self, number: i64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_u64<E>(self, number: u64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<String, A::Error> {
        list::refused(items, &self)
    }
}

impl fmt::Debug for ContextItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContextItem(<{} bytes>)", self.0.len())
    }
}

impl SetContext {
    /// Gives a set these items instead of those that it has.
    pub fn new<I, S>(name: impl Into<Name>, items: I) -> SetContext
    where
        I: IntoIterator<Item = S>,
        S: Into<String>,
    {
        let items = items.into_iter().map(|item| ContextItem(item.into()));
        SetContext {
            sets: BTreeMap::from([(name.into(), items.collect())]),
            mode: ContextMode::Replace,
            context: None,
        }
    }
}

setters! { SetContext:
    /// Means the sets of this place.
    context(context: impl Into<Context>) |it| it.context = Some(context.into());
    /// Says what becomes of the items that are there.
    mode(mode: ContextMode) |it| it.mode = mode;
}
