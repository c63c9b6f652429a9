//! What can be asked about many hints by their names.

use nudge::{Caller, Context, DeleteHint, DeletedHints, Error, Moved, Name, Scope};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Primary;

/// Asks for hints to be deleted in every slot whose names fit.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteHints {
    /// The component; `*` in it is any text, `?` any character.
    component: Name,
    /// The key, in the same way.
    key: Name,
    /// Delete the variants with this very scope.
    #[serde(default)]
    scope: Option<Scope>,
    /// Delete the variants that a get would choose there.
    #[serde(default)]
    context: Option<Context>,
    /// Delete every variant; false when absent.
    #[serde(default)]
    all: Option<bool>,
    /// Whether only to say what would be deleted; false when absent.
    #[serde(default)]
    dry_run: Option<bool>,
}

/// Asks for a component, or one of its keys, to have another name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Mv {
    /// The component.
    component: Name,
    /// Its key, if only that is meant.
    #[serde(default)]
    key: Option<Name>,
    /// The new name of what is meant.
    to: Name,
    /// Whether only to say what would be moved; false when absent.
    #[serde(default)]
    dry_run: Option<bool>,
}

impl DeleteHints {
    pub(super) fn locate(&mut self, here: &Context) {
        if self.scope.is_none() && self.all != Some(true) {
            self.context.get_or_insert_with(|| here.clone());
        }
    }
}

impl Primary {
    /// Deletes in every slot whose names fit.
    pub(super) fn delete_hints(
        &self,
        by: &Caller<'_>,
        asked: DeleteHints,
    ) -> Result<DeletedHints, Error> {
        let mut delete = DeleteHint::new(asked.component, asked.key);
        (delete.scope, delete.context) = (asked.scope, asked.context);
        delete.all = asked.all.unwrap_or_default();
        let is_dry = asked.dry_run.unwrap_or_default();
        self.nudge.delete_matching(by, &delete, is_dry)
    }

    /// Gives a component, or one of its keys, another name.
    pub(super) fn mv(&self, by: &Caller<'_>, asked: &Mv) -> Result<Moved, Error> {
        let is_dry = asked.dry_run.unwrap_or_default();
        let from = (&asked.component, asked.key.as_ref());
        self.nudge.rename(by, from, &asked.to, is_dry)
    }
}
