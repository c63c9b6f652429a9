//! `Committed`: what a person would commit of a hint.

use schemars::JsonSchema;
use serde::Serialize;

use crate::hint::{Hint, HintMeta, HintValue};
use crate::model::scope::Scope;

/// A hint as a person would write it down for others: its value, and what people say of it.
/// Who set it, when, and how often it was used is left out.
///
/// # Examples
///
/// ```
/// use nudge::{Nudge, SetHint};
///
/// let set = Nudge::default().set_hint(SetHint::new("api", "build", "make").tags(["ci"]))?;
/// let json = serde_json::to_string(&set.hint.committed()).unwrap();
/// assert_eq!(json, r#"{"value":"make","meta":{"tags":["ci"]}}"#);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Committed<'a> {
    /// The fact.
    pub value: &'a HintValue,
    /// The meta that people set.
    #[serde(skip_serializing_if = "is_empty")]
    #[schemars(with = "Option<HintMeta>")]
    pub meta: HintMeta<Scope>,
}

impl Hint {
    /// What a person would commit of it; nothing of a secret.
    #[must_use]
    pub fn committed(&self) -> Option<Committed<'_>> {
        let meta = self.meta.clone().with_scope(self.scope().cloned());
        let meta = HintMeta {
            sensitivity: None,
            source: None,
            added_by: None,
            origin: None,
            ..meta
        };
        let value = &self.value;
        (!self.is_secret()).then_some(Committed { value, meta })
    }
}

fn is_empty(meta: &HintMeta<Scope>) -> bool {
    *meta == HintMeta::default()
}
