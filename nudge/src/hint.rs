//! `Hint`, `HintValue`, `HintMeta`: the data model.

pub(crate) mod committed;
pub(crate) mod lifetime;
pub(crate) mod mark;
pub(crate) mod meta;
pub(crate) mod origin;
pub(crate) mod proposal;
pub(crate) mod stamp;
pub(crate) mod told;
pub(crate) mod track_record;
pub(crate) mod value;
pub(crate) mod with_secrets;
pub(crate) mod working_set;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::meta::{HintMeta, Sensitivity, Source};
use crate::hint::lifetime::Lifetime;
use crate::hint::stamp::Stamp;
use crate::model::absent::is_zero;
use crate::model::near_miss::NearMiss;
use crate::model::scope::{Os, Scope};
use crate::model::time::Time;
use crate::model::{object, time};
use crate::scope::context::Facts;
use crate::scope::near_miss::failed_conditions;

/// One stored fact: a value, what is known about it, and its history.
///
/// A store hands hints out behind an `Arc`, so that reading one copies
/// nothing; a later write makes a new hint and leaves yours as it was.
///
/// The value of one that is marked as secret is written as `***`; who is to have it
/// writes [`WithSecrets`].
///
/// [`WithSecrets`]: crate::WithSecrets
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
// Written and read by `with_secrets.rs`, with what is derived here.
#[serde(remote = "Self")]
pub struct Hint {
    /// The fact: text, or an object with a `type`. A command is data; check it before you run it.
    #[serde(deserialize_with = "value::lenient")]
    pub value: HintValue,
    /// What is known about it: reason, tags, priority, scope, origin and more.
    #[serde(default, deserialize_with = "object::or_default")]
    pub meta: HintMeta,
    /// One more with every accepted set; for `if_match_version`.
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub version: u64,
    /// When this variant was first set.
    #[serde(with = "time", default)]
    #[schemars(with = "Time")]
    pub created_at: DateTime<Utc>,
    /// When it was last set; its time to live counts from here.
    #[serde(with = "time", default)]
    #[schemars(with = "Time")]
    pub updated_at: DateTime<Utc>,
    /// `kept` until somebody deletes it, as long as the `session`, or `until` it expires.
    #[serde(default)]
    pub lifetime: Lifetime,
    /// When it expires; absent when it does not.
    #[serde(with = "time::maybe", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Time>")]
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was last bumped; absent when it never was.
    #[serde(with = "time::maybe", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Time>")]
    pub last_used_at: Option<DateTime<Utc>>,
    /// How often it was bumped since its value last changed.
    #[serde(default)]
    pub use_count: u64,
    /// How often it failed since its value last changed; absent when it never did.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(range(min = 1))]
    pub fail_count: u64,
    /// When it failed for the first time.
    #[serde(with = "time::maybe", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Time>")]
    pub first_failed_at: Option<DateTime<Utc>>,
    /// When it last failed.
    #[serde(with = "time::maybe", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Time>")]
    pub last_failed_at: Option<DateTime<Utc>>,
    /// How many of its uses an agent told of and nobody saw.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub claimed_uses: u64,
    /// How many of its failures an agent told of and nobody saw.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub claimed_failures: u64,
    /// What decides between machines; absent before the first merge. No answer shows it.
    #[serde(skip)]
    #[schemars(skip)]
    pub stamp: Option<Box<Stamp>>,
}

impl Hint {
    /// A hint that is set for the first time.
    pub(crate) fn new(value: HintValue, meta: HintMeta, now: DateTime<Utc>) -> Hint {
        Hint {
            value,
            meta,
            version: 1,
            created_at: now,
            updated_at: now,
            lifetime: Lifetime::default(),
            expires_at: None,
            last_used_at: None,
            use_count: 0,
            fail_count: 0,
            first_failed_at: None,
            last_failed_at: None,
            claimed_uses: 0,
            claimed_failures: 0,
            stamp: None,
        }
    }

    /// Whether the hint is dead at `now`.
    #[must_use]
    pub fn is_expired(&self, now: DateTime<Utc>) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// Where the hint applies; everywhere when absent.
    #[must_use]
    pub fn scope(&self) -> Option<&Scope> {
        self.meta.scope.as_deref().map(|matcher| &**matcher)
    }

    /// The repositories that its scope names, if it names any.
    pub(crate) fn repos(&self) -> Option<&[String]> {
        self.scope()?.repo.as_deref()
    }

    /// Whether the scope matches the facts; a hint without one applies everywhere.
    #[must_use]
    pub fn applies(&self, facts: &Facts) -> bool {
        let matcher = self.meta.scope.as_ref();
        matcher.is_none_or(|matcher| matcher.matches(facts))
    }

    /// The conditions that keep the hint from applying there.
    pub(crate) fn failed_conditions(&self, facts: &Facts) -> Vec<NearMiss> {
        let matcher = self.meta.scope.as_deref();
        matcher.map_or_else(Vec::new, |matcher| {
            failed_conditions(matcher, self.is_secret(), facts)
        })
    }

    /// What it has somebody type, if that is one line that anybody may see.
    pub(crate) fn command_text(&self) -> Option<&str> {
        let text: &str = match &self.value {
            HintValue::Text(text) => text,
            HintValue::Command(command) => &command.cmd,
            _ => return None,
        };
        (!self.is_secret() && !text.contains('\n')).then_some(text)
    }

    /// Whether it may rest on something in its project's files.
    pub(crate) fn may_rest(&self) -> bool {
        let names = |text: &str| text.contains([' ', '/']);
        !self.meta.anchors.is_empty() || self.command_text().is_some_and(names)
    }

    /// Whether the value is marked as a secret, to be masked and left out.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        self.meta.sensitivity == Some(Sensitivity::Secret)
    }
}

/// The fact: plain text, or an object with a `type`. Nothing of it is ever executed.
///
/// # Examples
///
/// ```
/// use nudge::{Command, HintValue, Shell};
///
/// let value = HintValue::from(Command::new("make all").shell(Shell::Bash));
/// let json = serde_json::to_string(&value).unwrap();
/// assert_eq!(json, r#"{"type":"command","shell":"bash","cmd":"make all"}"#);
///
/// assert_eq!(serde_json::to_string(&HintValue::from("make")).unwrap(), r#""make""#);
/// ```
///
/// `Debug` shows the kind and the size of a value and never its text, so that
/// no secret reaches a log that way.
#[derive(Clone, PartialEq, JsonSchema)]
#[schemars(with = "value::Written<'static>")]
pub enum HintValue {
    /// Plain text.
    Text(Box<str>),
    /// A command line, to be checked before anybody runs it.
    Command(Command),
    /// An absolute path.
    Path(Box<PathValue>),
    /// A text with blanks to fill in.
    Template(Box<Template>),
    /// Any JSON value.
    Json(Box<Value>),
}

/// A command line as data.
#[derive(Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, inline)]
pub struct Command {
    /// The shell it is written for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shell: Option<Shell>,
    /// The command line.
    pub cmd: Box<str>,
}

/// An absolute path, POSIX, with a Windows drive, or UNC.
///
/// # Examples
///
/// ```
/// use nudge::{Context, GetHint, Nudge, Os, PathValue, SetHint};
///
/// let nudge = Nudge::default();
/// let path = PathValue::new("/Users/dev/api").os([Os::Darwin]);
/// nudge.set_hint(SetHint::new("api", "directory", path))?;
/// let linux = Context::new().os(Os::Linux);
/// assert!(nudge.get_hint(GetHint::new("api", "directory").context(linux)).is_err());
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, inline)]
pub struct PathValue {
    /// Where it is meant; narrows the hint's scope.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub os: Vec<Os>,
    /// Absolute, without `..`.
    pub abs: Box<str>,
}

/// A text with blanks to fill in; Nudge stores it and never fills it in.
#[derive(Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, inline)]
pub struct Template {
    /// Its language.
    pub format: TemplateFormat,
    /// Its text.
    pub body: Box<str>,
    /// Values for blanks that a caller leaves open.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(default)]
    pub defaults: BTreeMap<String, String>,
}

/// A shell that a command is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is the name of the shell")]
pub enum Shell {
    Bash,
    Sh,
    Zsh,
    Fish,
    Powershell,
    Cmd,
}

/// A template language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "each is the name of the language")]
pub enum TemplateFormat {
    Mustache,
    Handlebars,
    Jinja,
    Interpolate,
}
