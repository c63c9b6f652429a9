//! `Fix`: how to fix a refused call.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

/// How to fix a call that was refused. The message ends with it in the words of JSON; a
/// surface with other words, such as flags, says it in its own.
///
/// # Examples
///
/// ```
/// use nudge::{DeleteHint, Fix, Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make"))?;
/// nudge.set_hint(SetHint::new("api", "build", "make dev").branch("dev"))?;
/// let error = nudge.delete_hint(DeleteHint::new("api", "build")).unwrap_err();
/// assert_eq!(error.data().fix, Some(Fix::ChooseVariant));
/// assert_eq!(error.problem(), "`api/build` has 2 variants");
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fix {
    /// Say which variant is meant, by its scope or from a context.
    ChooseVariant,
    /// Look which scopes there are.
    ShowScopes,
    /// Choose in one way.
    ChooseOnce,
    /// Name the scope of what is the same in every project.
    NameScope,
    /// Say that every project is meant.
    SayEverywhere,
    /// Store it as a secret.
    StoreSecret,
    /// Export without secrets.
    LeaveOutSecrets,
    /// Look which proposals wait.
    ListProposals,
    /// Write a duration.
    WriteDuration,
}

impl Fix {
    /// How a message ends that says so.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Fix::ChooseVariant => "; give its `scope`, or a `context` to choose as a get would",
            Fix::ShowScopes => "; a query with `include_ineligible` shows the scopes there are",
            Fix::ChooseOnce => "; give one of `scope`, `context` and `all`",
            Fix::NameScope => "; give its `scope` if it is meant",
            Fix::SayEverywhere => "; give `everywhere` if it is meant",
            Fix::StoreSecret => ", or set meta.sensitivity to `secret` to keep it all the same",
            Fix::LeaveOutSecrets => "; export without `include_secrets`",
            Fix::ListProposals => "; list the proposals to see which do",
            Fix::WriteDuration => "; write `kept`, `session` or a duration such as `PT2H`, `P7D`",
        }
    }

    /// Reads what another version wrote, which may know more.
    pub(super) fn if_known<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Fix>, D::Error> {
        let read = serde_json::Value::deserialize(from)?;
        Ok(serde_json::from_value(read).ok())
    }
}
