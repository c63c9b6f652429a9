//! `SetHint`: the request for a write, and the rule by which it merges.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::hint::{HintMeta, HintValue, Sensitivity, Source};
use crate::model::anchor::Anchor;
use crate::model::name::Name;
use crate::model::object;
use crate::model::rows::{setters, shows};
use crate::model::scope::{Os, Scope};
use crate::model::ttl::Ttl;
use crate::scope::context::Context;

/// Asks for a hint to be set: a new one, or a variant that is there already.
///
/// Of `meta`, what is given is set, what is left out stays, and `null` clears.
///
/// # Examples
///
/// ```
/// use nudge::{Command, Nudge, Os, SetHint};
///
/// let nudge = Nudge::default();
/// let set = nudge.set_hint(
///     SetHint::new("http-proxy", "build", Command::new("docker compose build router"))
///         .reason("custom router image")
///         .tags(["build", "docker"])
///         .priority(7)
///         .cwd_glob("**/http-proxy*")
///         .os(Os::Linux),
/// )?;
/// assert!(set.created);
/// assert_eq!(set.hint.version, 1);
/// # Ok::<(), nudge::Error>(())
/// ```
///
/// Without a scope, a correction lands where the writer sees the mistake:
///
/// ```
/// # use nudge::{Context, Nudge, SetHint};
/// # let nudge = Nudge::default();
/// let here = Context::new().repo("git:acme/api").branch("dev");
/// nudge.set_hint(SetHint::new("api", "build", "mkae").context(&here))?;
/// let set = nudge.set_hint(SetHint::new("api", "build", "make").context(&here))?;
/// assert!(!set.created);
/// assert_eq!(set.hint.scope().unwrap().repo.as_deref().unwrap(), ["git:acme/api"]);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SetHint {
    /// A service, module or folder by name, such as `http-proxy`.
    #[schemars(length(min = 1))]
    pub component: Name,
    /// The name of the fact, such as `build`, `test`, `run`, `directory` or `env.FEATURE_X`.
    #[schemars(length(min = 1))]
    pub key: Name,
    /// The fact: plain text, or an object with a `type`; one of type `json` has any JSON value
    /// as its `data`.
    pub value: HintValue,
    /// What is known about the fact. What is left out stays as it was.
    #[serde(default, deserialize_with = "object::or_default")]
    #[serde(skip_serializing_if = "MetaPatch::is_empty")]
    pub meta: MetaPatch,
    /// Where the writer is. What it sets without a scope applies there and nowhere else; with
    /// a scope that names neither a repository nor a folder, only there as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Write only if the hint has this version; 0: only if there is none. Without a scope it is
    /// compared with what a get from there returns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_match_version: Option<u64>,
    /// Move the variant with this very scope to `meta.scope`, with all that is known of it; for
    /// the user alone.
    #[serde(default, deserialize_with = "object::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_scope: Option<Scope>,
}

/// What a set says about a hint: what is left out stays as it was, and `null` clears it.
///
/// `Debug` shows no text that a caller wrote, so that no secret reaches a log.
///
/// # Examples
///
/// ```
/// use nudge::{MetaPatch, Patch};
///
/// let patch: MetaPatch = serde_json::from_str(r#"{"priority": 7, "reason": null}"#).unwrap();
/// assert_eq!(patch.priority, Patch::Set(7));
/// assert_eq!(patch.reason, Patch::Clear);
/// assert!(patch.tags.is_keep());
/// ```
#[derive(Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct MetaPatch {
    /// Why it is so; shown with the hint.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub reason: Patch<Arc<str>>,
    /// Such as `build` or `docker`; a query finds hints by them.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub tags: Patch<Vec<Name>>,
    /// 5 when absent.
    #[serde(deserialize_with = "patch_priority")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schemars(range(min = 1, max = 10))]
    pub priority: Patch<u8>,
    /// How sure you are; 0.5 when absent.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schemars(range(min = 0, max = 1))]
    pub confidence: Patch<f64>,
    /// Whether it comes first in all that agents are told unasked; for the user alone.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub pin: Patch<bool>,
    /// `session`, an ISO 8601 duration such as `PT2H` after which the hint is gone, or, of the
    /// user, `kept`.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schemars(with = "Patch<String>")]
    pub ttl: Patch<Ttl>,
    /// `secret` stores what the secret guard would refuse, masked and left out of exports.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub sensitivity: Patch<Sensitivity>,
    /// Where the hint applies; every condition must hold. `{}` is everywhere. Left out, it is
    /// where the writer is.
    #[serde(deserialize_with = "patch_object")]
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub scope: Patch<Scope>,
    /// Who it comes from, if the user says so; else as the caller is.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub source: Patch<Source>,
    /// Who added it; an agent's name when absent.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    #[schemars(with = "Patch<Name>")]
    pub added_by: Patch<Arc<str>>,
    /// What the value rests on in the project's files, up to 8, such as
    /// `package.json#scripts.test`. A hook that sees a command work sets them.
    #[serde(skip_serializing_if = "Patch::is_keep")]
    pub anchors: Patch<Arc<[Anchor]>>,
}

impl MetaPatch {
    /// Whether nothing is to change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == MetaPatch::default()
    }

    /// The patch that makes any meta this one.
    pub(crate) fn to(meta: &HintMeta) -> MetaPatch {
        fn set<T>(value: Option<T>) -> Patch<T> {
            value.map_or(Patch::Clear, Patch::Set)
        }
        MetaPatch {
            reason: set(meta.reason.as_deref().map(Arc::from)),
            tags: Patch::Set(meta.tags.to_vec()),
            priority: set(meta.priority),
            confidence: set(meta.confidence),
            pin: set(meta.pin.then_some(true)),
            ttl: set(meta.ttl.clone()),
            sensitivity: set(meta.sensitivity),
            scope: set(meta.scope.as_ref().map(|matcher| Scope::clone(matcher))),
            source: set(meta.source),
            added_by: set(meta.added_by.as_deref().map(Arc::from)),
            anchors: Patch::Set(Arc::from(&*meta.anchors)),
        }
    }
}

shows! { MetaPatch: priority confidence sensitivity source }

/// What a write does to one field.
// It has a byte of its own for which one it is: where that would hide in the last byte of a
// name, the compiler compares the whole word, and memory checkers of C programs report the
// bytes of it that nobody wrote. For the same reason the texts and anchors in it are `Arc`s:
// whether a `Box` is empty, or a name short, may be asked before whether it is there.
#[repr(u8)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, JsonSchema)]
#[schemars(with = "Option<T>", inline, description = "")]
pub enum Patch<T> {
    /// Leaves it as it is; in JSON, the field is absent.
    #[default]
    Keep,
    /// Takes it away; in JSON, `null`.
    Clear,
    /// Sets it.
    Set(T),
}

impl<T> Patch<T> {
    /// Whether the field stays as it is.
    #[must_use]
    pub fn is_keep(&self) -> bool {
        matches!(self, Patch::Keep)
    }

    /// The field after the write, given what it was before.
    pub(crate) fn onto(self, before: impl FnOnce() -> Option<T>) -> Option<T> {
        match self {
            Patch::Keep => before(),
            Patch::Clear => None,
            Patch::Set(value) => Some(value),
        }
    }

    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Patch::Keep => Patch::Keep,
            Patch::Clear => Patch::Clear,
            Patch::Set(value) => Patch::Set(change(value)),
        }
    }
}

/// Reads a priority. One that a byte cannot hold is as far out of range as 255.
fn patch_priority<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Patch<u8>, D::Error> {
    let given = Option::<i64>::deserialize(deserializer)?;
    let priority = given.map(|given| u8::try_from(given).unwrap_or(u8::MAX));
    Ok(priority.map_or(Patch::Clear, Patch::Set))
}

fn patch_object<'de, T, D>(deserializer: D) -> Result<Patch<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(object::optional(deserializer)?.map_or(Patch::Clear, Patch::Set))
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Patch::Keep | Patch::Clear => serializer.serialize_none(),
            Patch::Set(value) => value.serialize(serializer),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Patch<T>, D::Error> {
        let given = Option::<T>::deserialize(deserializer)?;
        Ok(given.map_or(Patch::Clear, Patch::Set))
    }
}

impl SetHint {
    /// Asks for `value` under a component and a key.
    pub fn new(
        component: impl Into<Name>,
        key: impl Into<Name>,
        value: impl Into<HintValue>,
    ) -> SetHint {
        SetHint {
            component: component.into(),
            key: key.into(),
            value: value.into(),
            meta: MetaPatch::default(),
            context: None,
            if_match_version: None,
            from_scope: None,
        }
    }

    /// The scope so far, to add to.
    fn scoped(&mut self) -> Scope {
        match std::mem::take(&mut self.meta.scope) {
            Patch::Set(scope) => scope,
            Patch::Keep | Patch::Clear => Scope::new(),
        }
    }
}

setters! { SetHint:
    /// Says why the hint is right.
    reason(reason: impl Into<Arc<str>>) |it| it.meta.reason = Patch::Set(reason.into());
    /// Gives the tags, in place of those that were there.
    tags(tags: impl IntoIterator<Item = impl Into<Name>>) |it|
        it.meta.tags = Patch::Set(tags.into_iter().map(Into::into).collect());
    /// Gives the priority, from 1 to 10.
    priority(priority: u8) |it| it.meta.priority = Patch::Set(priority);
    /// Gives the confidence, from 0.0 to 1.0.
    confidence(confidence: f64) |it| it.meta.confidence = Patch::Set(confidence);
    /// Says how long the hint lives, such as `"PT2H".parse()?`.
    ttl(ttl: Ttl) |it| it.meta.ttl = Patch::Set(ttl);
    /// Marks the value as a secret, which lets it past the guard.
    secret() |it| it.meta.sensitivity = Patch::Set(Sensitivity::Secret);
    /// Says who the hint comes from.
    source(source: Source) |it| it.meta.source = Patch::Set(source);
    /// Says who added the hint.
    added_by(who: impl Into<Arc<str>>) |it| it.meta.added_by = Patch::Set(who.into());
    /// Gives the whole scope.
    scope(scope: Scope) |it| it.meta.scope = Patch::Set(scope);
    /// Moves the variant with this very scope to the one that is given.
    from_scope(scope: Scope) |it| it.from_scope = Some(scope);
    /// Says that the hint applies everywhere.
    everywhere() |it| it.meta.scope = Patch::Set(Scope::new());
    /// Adds a glob for the cwd to the scope.
    cwd_glob(glob: impl Into<String>) |it| it.meta.scope = Patch::Set(it.scoped().cwd_glob(glob));
    /// Adds a repository to the scope.
    repo(repo: impl Into<String>) |it| it.meta.scope = Patch::Set(it.scoped().repo(repo));
    /// Adds a branch, or a glob of branches, to the scope.
    branch(branch: impl Into<String>) |it| it.meta.scope = Patch::Set(it.scoped().branch(branch));
    /// Adds a system to the scope.
    os(os: Os) |it| it.meta.scope = Patch::Set(it.scoped().os(os));
    /// Says where the writer is.
    context(context: impl Into<Context>) |it| it.context = Some(context.into());
    /// Asks for the write only if the variant has this version; 0 if it is not there.
    if_match_version(version: u64) |it| it.if_match_version = Some(version);
}
