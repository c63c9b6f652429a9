//! `Config` and `Limits`: how a store is set up.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::error::{Error, ErrorKind};
use crate::model::object;
use crate::model::ttl::Ttl;

/// How a store is set up; what is left out has its default.
///
/// # Examples
///
/// ```
/// use nudge::{Config, Limits, Nudge};
///
/// let config = Config {
///     limits: Limits { hints: 1_000_000, ..Limits::default() },
///     session_id: Some("s-1".into()),
///     ..Config::default()
/// };
/// assert_eq!(Nudge::new(config).session_id(), "s-1");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// How much the store may hold.
    #[serde(deserialize_with = "object::or_default")]
    pub limits: Limits,
    /// Whether the secret guard is on; it is by default.
    pub secret_guard: bool,
    /// The time to live of a hint that states none; by default `kept`, as far as its author
    /// may say so.
    pub default_ttl: Ttl,
    /// Whether hints may outlive the session, because somebody stores them; not by default.
    pub keep: bool,
    /// Whether this is a container, in which a repository without a remote may be anybody's.
    pub in_container: bool,
    /// How hints are scored.
    #[serde(deserialize_with = "object::or_default")]
    pub weights: Weights,
    /// What exports call this session; made up when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            limits: Limits::default(),
            secret_guard: true,
            default_ttl: Ttl::KEPT,
            keep: false,
            in_container: false,
            weights: Weights::default(),
            session_id: None,
        }
    }
}

/// How much a store may hold. Expired hints do not count, and what was learned is counted apart.
///
/// # Examples
///
/// ```
/// use nudge::{Config, ErrorKind, Limits, Nudge, SetHint};
///
/// let limits = Limits { hints: 1, ..Limits::default() };
/// let nudge = Nudge::new(Config { limits, ..Config::default() });
/// nudge.set_hint(SetHint::new("api", "build", "make"))?;
/// let error = nudge.set_hint(SetHint::new("api", "test", "make test")).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Quota);
/// assert_eq!(error.data().limit.as_deref(), Some("hints"));
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Components of one repository; 500. What names no repository counts as one more.
    pub components: usize,
    /// Hints of one component in one repository, every variant counted; 200.
    pub hints_per_component: usize,
    /// Hints in all, every variant counted and what was learned left out; 5,000.
    pub hints: usize,
    /// Bytes of one value as JSON; 8 KiB.
    pub value_bytes: usize,
    /// Bytes of memory, compiled scopes counted; 64 MiB, and 4 KiB for each of `hints` where that
    /// is more.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            components: 500,
            hints_per_component: 200,
            hints: 5_000,
            value_bytes: 8 * 1024,
            bytes: BYTES,
        }
    }
}

/// What an import may compile in a full store, in bytes.
const PLENTY: usize = 8 * 1024 * 1024;

/// The usual limit in bytes, and what it grows by with the hints that are allowed.
const BYTES: usize = 64 * 1024 * 1024;
const BYTES_A_HINT: usize = 4 * 1024;

impl Limits {
    /// What an import may compile where so many bytes are stored: what is free, and a little
    /// more, because it may take the place of what is there.
    pub(crate) fn room(&self, stored: usize) -> usize {
        self.all_bytes()
            .saturating_sub(stored)
            .saturating_add(PLENTY)
    }

    /// The refusal where there is none.
    pub(crate) fn no_room(&self) -> Error {
        let words = "the scopes of this import take more memory than there is; import less at once";
        exceeded("bytes", self.all_bytes(), words.to_owned())
    }

    /// The limit in bytes: who raises only how many hints there may be means them to fit.
    pub(crate) fn all_bytes(&self) -> usize {
        match self.bytes {
            BYTES => BYTES.max(self.hints.saturating_mul(BYTES_A_HINT)),
            bytes => bytes,
        }
    }

    /// Checks the size of a value as JSON.
    pub(crate) fn check_value(&self, bytes: usize) -> Result<(), Error> {
        if bytes <= self.value_bytes {
            return Ok(());
        }
        let max = self.value_bytes;
        let words = format!(
            "value has {bytes} bytes as JSON, more than {max}; store where to find it instead"
        );
        Err(exceeded("value_bytes", max, words))
    }
}

/// Checks that there may be so many of something.
pub(crate) fn check_limit(
    (limit, max): (&'static str, usize),
    count: usize,
    is_user: bool,
) -> Result<(), Error> {
    // A tenth of everything is the user's alone.
    let max = if is_user { max } else { max - max / 10 };
    if count <= max {
        return Ok(());
    }
    let words = format!(
        "the store is full: `{limit}` is {max}; delete what is not needed or raise the limit"
    );
    Err(exceeded(limit, max, words))
}

pub(crate) fn exceeded(limit: &'static str, max: usize, message: String) -> Error {
    Error::of(ErrorKind::Quota, limit, message)
        .and(|data| (data.limit, data.max) = (Some(limit.into()), Some(max)))
}

/// How much each term of the score weighs, and how fast use and age fade.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    /// Of how often and how lately a hint was used.
    pub frecency: f64,
    /// Of `meta.priority`.
    pub priority: f64,
    /// Of `meta.confidence`.
    pub confidence: f64,
    /// Of how many conditions the scope states.
    pub specificity: f64,
    /// Of how lately a hint was set.
    pub recency: f64,
    /// How many uses bring frecency half of the way to its best.
    pub half_uses: f64,
    /// After how long use and age count half, in seconds.
    pub half_life_seconds: f64,
}

impl Default for Weights {
    fn default() -> Weights {
        // 0.30 + 0.20 + 0.20 + 0.20 + 0.10. The weights are the specification's;
        // they add up to one so that a score is a fraction of the best possible hint.
        Weights {
            frecency: 0.30,
            priority: 0.20,
            confidence: 0.20,
            specificity: 0.20,
            recency: 0.10,
            half_uses: 3.0,
            half_life_seconds: Duration::from_hours(24).as_secs_f64(),
        }
    }
}
