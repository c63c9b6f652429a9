//! `SessionSettings`: what all processes of a session have in common.

use nudge::{Config, Limits, Ttl};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a session is set up with, whichever process is PRIMARY. It is named as in the
/// file; one that is read takes what it does not know for nothing, and what is missing for
/// its default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SessionSettings {
    /// The most components of one repository.
    pub max_components: usize,
    /// The most hints of one component in one repository.
    pub max_hints_per_component: usize,
    /// The most hints in all; learned ones are counted apart.
    pub max_hints: usize,
    /// The most bytes of one value as JSON.
    pub max_value_bytes: usize,
    /// The most bytes of memory that hints take.
    pub max_bytes: usize,
    /// Whether what looks like a credential is refused.
    pub secret_guard: bool,
    /// The time to live of a hint that states none; `kept` as far as its author may say so.
    #[schemars(with = "String")]
    pub default_ttl: Ttl,
    /// The session ends after this much idle time; `session` is never.
    #[schemars(with = "String")]
    pub linger: Ttl,
    /// Whether what is set from now on may outlive the session.
    pub keep: bool,
    /// Whether what hooks tell is recorded, to be searched.
    pub observe: bool,
}

impl Default for SessionSettings {
    fn default() -> SessionSettings {
        let usual = Config::default();
        SessionSettings {
            max_components: usual.limits.components,
            max_hints_per_component: usual.limits.hints_per_component,
            max_hints: usual.limits.hints,
            max_value_bytes: usual.limits.value_bytes,
            max_bytes: usual.limits.bytes,
            secret_guard: usual.secret_guard,
            default_ttl: usual.default_ttl,
            linger: "P4D".parse().unwrap_or(Ttl::SESSION),
            keep: true,
            observe: false,
        }
    }
}

impl SessionSettings {
    /// How the store is set up.
    #[must_use]
    pub fn config(&self) -> Config {
        Config {
            limits: Limits {
                components: self.max_components,
                hints_per_component: self.max_hints_per_component,
                hints: self.max_hints,
                value_bytes: self.max_value_bytes,
                bytes: self.max_bytes,
            },
            secret_guard: self.secret_guard,
            default_ttl: self.default_ttl.clone(),
            keep: self.keep,
            ..Config::default()
        }
    }

    /// The stricter of the two, setting by setting.
    #[must_use]
    pub fn tightened_by(&self, other: &SessionSettings) -> SessionSettings {
        SessionSettings {
            max_components: self.max_components.min(other.max_components),
            max_hints_per_component: self
                .max_hints_per_component
                .min(other.max_hints_per_component),
            max_hints: self.max_hints.min(other.max_hints),
            max_value_bytes: self.max_value_bytes.min(other.max_value_bytes),
            max_bytes: self.max_bytes.min(other.max_bytes),
            secret_guard: self.secret_guard || other.secret_guard,
            default_ttl: shorter(&self.default_ttl, &other.default_ttl),
            linger: shorter(&self.linger, &other.linger),
            keep: self.keep && other.keep,
            observe: self.observe && other.observe,
        }
    }
}

/// The shorter of two; what has no end is longer than anything, and what is kept longest.
fn shorter(one: &Ttl, other: &Ttl) -> Ttl {
    let length = |ttl: &Ttl| (*ttl == Ttl::KEPT, ttl.duration().is_none(), ttl.duration());
    let is_other = length(other) < length(one);
    if is_other { other } else { one }.clone()
}
