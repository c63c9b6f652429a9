//! `Lifetime`: how long a hint lives, and what decides that.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::hint::Hint;
use crate::model::ttl::Ttl;

/// How long a hint lives.
///
/// It follows from the stated [`Ttl`] and from whose hint it is: what the user says is kept;
/// what others say ends with the session until somebody else has seen it work. A store in
/// a program keeps nothing unless [`Config::keep`] says that something outlives it.
///
/// # Examples
///
/// ```
/// use nudge::{Caller, Config, Lifetime, Nudge, SetHint};
///
/// let nudge = Nudge::new(Config { keep: true, ..Config::default() });
/// let build = nudge.set_hint(SetHint::new("api", "build", "make"))?;
/// assert_eq!(build.hint.lifetime, Lifetime::Kept);
/// let agent = Caller::agent("codex/0.166");
/// let test = nudge.ask(&agent, SetHint::new("api", "test", "make test"))?;
/// assert_eq!(test.hint.lifetime, Lifetime::Session);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lifetime {
    /// Until somebody deletes it.
    Kept,
    /// As long as the session, and not beyond `expires_at` where it has one.
    #[default]
    Session,
    /// Until `expires_at`, whatever becomes of sessions and processes.
    Until,
}

impl Hint {
    /// Decides how long the hint lives that was set now.
    pub(crate) fn settle_lifetime(&mut self, config: &Config) {
        let stated = self.meta.ttl.as_ref();
        // Only the user decides that something is kept.
        let stated = stated.filter(|ttl| **ttl != Ttl::KEPT || self.is_users());
        let ttl = stated.unwrap_or(&config.default_ttl);
        let expires_at = ttl.end(self.updated_at);
        self.lifetime = match expires_at {
            _ if *ttl == Ttl::SESSION || !self.may_outlive_session(config) => Lifetime::Session,
            Some(_) => Lifetime::Until,
            None => Lifetime::Kept,
        };
        self.expires_at = expires_at;
    }

    /// Lets it expire at a time that is known from elsewhere.
    pub(crate) fn end_by(&mut self, end: Option<DateTime<Utc>>) {
        self.expires_at = end.or(self.expires_at);
        if end.is_some() && self.lifetime == Lifetime::Kept {
            self.lifetime = Lifetime::Until;
        }
    }

    /// Notes that somebody else than its author saw it work, so that it may be kept.
    pub(crate) fn prove(&mut self, config: &Config) {
        if let Some(origin) = &mut self.meta.origin {
            origin.proven = true;
        }
        if self.lifetime == Lifetime::Session {
            self.settle_lifetime(config);
        }
    }

    fn may_outlive_session(&self, config: &Config) -> bool {
        let repos = self.repos();
        let is_remote = |repos: &[String]| repos.iter().all(|repo| is_remote(repo));
        // `file:///workspace` is every container's.
        let is_anybodys = config.in_container && repos.is_some_and(|repos| !is_remote(repos));
        let is_trusted = if self.is_learned() {
            repos.is_some_and(is_remote)
        } else {
            self.is_users() || self.is_proven()
        };
        config.keep && is_trusted && !is_anybodys && !self.is_secret()
    }
}

/// Whether a repository has a remote, so that others know it by the same name.
pub(crate) fn is_remote(repo: &str) -> bool {
    !repo.starts_with("file:")
}
