//! `NearMiss`: a condition that kept a hint from being returned.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::scope::{CONDITIONS, Scope};

/// A condition that kept a hint from being returned. The value is withheld.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct NearMiss {
    /// The scope of the variant that was not returned.
    pub scope: Scope,
    /// The condition that failed, such as `branch`.
    #[schemars(extend("enum" = CONDITIONS))]
    pub condition: Cow<'static, str>,
    /// What the condition asks for.
    pub expected: Vec<String>,
    /// What the context has; null when it does not say.
    #[serde(default)]
    pub actual: Option<String>,
    /// What would make it hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl NearMiss {
    /// The condition, what it asks for, and what there is.
    pub(crate) fn describe(&self) -> String {
        let expected = self.expected.join("` or `");
        let actual = match &self.actual {
            Some(actual) => format!("is `{actual}`"),
            None => "is not known".to_owned(),
        };
        format!("{} must match `{expected}`, but {actual}", self.condition)
    }
}
