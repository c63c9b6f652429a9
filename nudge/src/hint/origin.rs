//! `Origin`: who set the value of a hint, as the surface that took it says.

use std::fmt;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::hint::{Hint, HintValue};
use crate::model::absent::is_false;
use crate::model::name::{Name, check_text};
use crate::model::rows::setters;
use crate::model::time;
use crate::model::time::{Age, Time};
use crate::secret;
use crate::secret::finds_secret;

/// The longest name of a way in, of a client and of a repository, in bytes.
const MAX_VIA_BYTES: usize = 32;
const MAX_CLIENT_BYTES: usize = 128;
const MAX_REPO_BYTES: usize = 256;

/// Who set the value of a hint: by which way, by which program, where and when. No
/// request can claim it.
///
/// It follows from the [`Caller`](crate::Caller), which stands beside the request:
/// no JSON that a caller sends can claim it. What a program sets by the library
/// has no origin.
///
/// It goes with the value. A bump, or a set that leaves the value as it is,
/// leaves the origin as well.
///
/// # Examples
///
/// ```
/// use nudge::{Caller, GetHint, Nudge, SetHint, Via};
///
/// let nudge = Nudge::default();
/// let script = Caller::user().via(Via::Http);
/// let terminal = Caller::user().via(Via::Cli).client("nudge/0.1.0");
/// nudge.ask(&script, SetHint::new("api", "build", "make"))?;
/// nudge.ask(&terminal, SetHint::new("api", "build", "make all"))?;
///
/// let found = nudge.get_hint(GetHint::new("api", "build"))?;
/// let origin = found.hint.meta.origin.as_ref().unwrap();
/// assert_eq!(origin.client.as_deref(), Some("nudge/0.1.0"));
/// assert_eq!(origin.replaced.as_ref().unwrap().via, "http");
/// assert_eq!(
///     found.match_explain.reasons()[1],
///     "value changed by nudge/0.1.0 over cli; a caller over http had set it"
/// );
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Origin {
    /// How the call came in, such as `mcp`, `cli` or `http`; up to 32 bytes.
    #[serde(alias = "door")] // as version 0.1 wrote it
    pub via: Name,
    /// The program that called, with its version, such as `codex/0.166`; up to 128 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Name>,
    /// The agent session that it was in, as its host calls it; up to 128 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Name>,
    /// The repository that it was in; up to 256 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<Name>,
    /// The branch that it was on, for what a hook saw work; up to 256 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<Name>,
    /// The root of the clone that it was in, for what a hook saw work; up to 256 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<Name>,
    /// When the value was set; the store fills it in.
    #[serde(with = "time::maybe", default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Time>")]
    pub at: Option<DateTime<Utc>>,
    /// Whether somebody else saw the value work: the user, or a hook of another agent session.
    #[serde(default, skip_serializing_if = "is_false")]
    pub proven: bool,
    /// Who set the value that stood there before, if that was another; the
    /// store fills it in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Box<Replaced>>,
}

/// Who had set a value that another origin changed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Replaced {
    /// How the call came in.
    #[serde(alias = "door")] // as version 0.1 wrote it
    pub via: Name,
    /// The program that called, with its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Name>,
}

impl Origin {
    /// The way of what nobody set: a project's own files declare it, which stand for the client.
    pub(crate) const FOUND: &'static str = "found";

    /// The way of what the project's own file of hints says, and the user trusts.
    pub(crate) const PROJECT: &'static str = "project";

    /// Says by which way a call came.
    pub fn new(via: impl Into<Name>) -> Origin {
        Origin {
            via: via.into(),
            ..Origin::default()
        }
    }

    /// The origin of a value that is set now.
    pub(crate) fn stamped(self, now: DateTime<Utc>) -> Origin {
        Origin {
            at: Some(now),
            proven: false,
            replaced: None,
            ..self
        }
    }

    /// What of it can be stored. A part that is too long, would trouble a
    /// terminal or looks like a credential is left out: how a client calls
    /// itself must not spoil its writes.
    pub(crate) fn fitting(mut self, config: &Config) -> Option<Origin> {
        let fits = |text: &str, most: usize| {
            let is_secret = config.secret_guard && finds_secret(text);
            check_text(text, "meta.origin", most).is_ok() && !is_secret
        };
        let fits_client = |client: &Name| fits(client, MAX_CLIENT_BYTES);
        self.client = self.client.filter(fits_client);
        self.session = self.session.filter(fits_client);
        let fits_place = |place: &Name| fits(place, MAX_REPO_BYTES);
        self.repo = self.repo.filter(fits_place);
        self.branch = self.branch.filter(fits_place);
        self.root = self.root.filter(fits_place);
        self.replaced = self
            .replaced
            .filter(|replaced| fits(&replaced.via, MAX_VIA_BYTES));
        if let Some(replaced) = &mut self.replaced {
            replaced.client = replaced.client.take().filter(fits_client);
        }
        fits(&self.via, MAX_VIA_BYTES).then_some(self)
    }

    /// Who set the value, where, and how long ago: `codex/0.166 over mcp in
    /// git:acme/api, 3m ago`.
    #[must_use]
    pub fn describe(&self, now: DateTime<Utc>) -> String {
        let who = who(&self.via, self.client.as_ref());
        let place = self.repo.as_ref().map(|repo| format!(" in {repo}"));
        let age = self.at.map(|at| format!(", {} ago", Age::of(at, now)));
        [who, place.unwrap_or_default(), age.unwrap_or_default()].concat()
    }
}

setters! { Origin:
    /// Says which program called, with its version.
    client(client: impl Into<Name>) |it| it.client = Some(client.into());
    /// Says in which repository it was.
    repo(repo: impl Into<Name>) |it| it.repo = Some(repo.into());
}

/// The origin of `value` once it stands where `before` stood, if it was set by
/// `given`.
///
/// Who writes twice does not wipe out who was there before: an origin that
/// changes its own value again goes on replacing the same one.
pub(crate) fn origin_of(
    value: &HintValue,
    given: Option<Box<Origin>>,
    before: Option<&Hint>,
) -> Option<Box<Origin>> {
    let Some(before) = before else {
        return given;
    };
    let known = before.meta.origin.as_ref();
    if before.value == *value {
        return known.cloned().or(given);
    }
    let mut given = given?;
    if let Some(known) = known {
        let is_same = known.via == given.via && known.client == given.client;
        given.replaced = if is_same {
            known.replaced.clone()
        } else {
            Some(Box::new(Replaced {
                via: known.via.clone(),
                client: known.client.clone(),
            }))
        };
    }
    Some(given)
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Origin")
            .field("via", &secret::shown(&self.via))
            .field("client", &self.client.as_deref().map(secret::shown))
            .field("repo", &self.repo.as_deref().map(secret::shown))
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Replaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replaced")
            .field("via", &secret::shown(&self.via))
            .field("client", &self.client.as_deref().map(secret::shown))
            .finish()
    }
}

/// A program and what it came by.
pub(crate) fn who(via: &Name, client: Option<&Name>) -> String {
    if via == Origin::PROJECT {
        return "the project's own file".to_owned();
    }
    let client = client.map_or("a caller", Name::as_str);
    [client, " over ", via].concat()
}
