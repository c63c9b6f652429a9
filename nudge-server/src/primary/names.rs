//! What can be asked about many hints by their names.

use nudge::{Caller, Context, DeleteHint, DeletedHints, Error, ErrorKind, Moved, Name, Scope};
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
    pub(super) scope: Option<Scope>,
    /// Delete the variants that apply in the place of it.
    #[serde(default)]
    pub(super) context: Option<Context>,
    /// Delete every variant; false when absent.
    #[serde(default)]
    all: Option<bool>,
    /// Whether to reach other places too; false when absent.
    #[serde(default)]
    everywhere: Option<bool>,
    /// Whether only to say what would be deleted; false when absent.
    #[serde(default)]
    dry_run: Option<bool>,
}

/// Asks for a component, one of its keys, or a repository to have another name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Mv {
    /// The component.
    #[serde(default)]
    component: Option<Name>,
    /// Its key, if only that is meant.
    #[serde(default)]
    key: Option<Name>,
    /// A repository, in the stead of a component: all that is for it is for `to` from now on.
    /// Without its host it is meant on any, and stays on its own if `to` has none either.
    #[serde(default)]
    repo: Option<String>,
    /// The new name of what is meant.
    to: Name,
    /// Move what applies in the place of it; everything when absent.
    #[serde(default)]
    pub(super) context: Option<Context>,
    /// Whether to reach other places too; false when absent.
    #[serde(default)]
    everywhere: Option<bool>,
    /// Whether only to say what would be moved; false when absent.
    #[serde(default)]
    dry_run: Option<bool>,
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
        delete.everywhere = asked.everywhere.unwrap_or_default();
        let is_dry = asked.dry_run.unwrap_or_default();
        self.nudge.delete_matching(by, &delete, is_dry)
    }

    /// Gives a component, one of its keys, or a repository another name.
    pub(super) fn mv(&self, by: &Caller<'_>, asked: &Mv) -> Result<Moved, Error> {
        let is_dry = asked.dry_run.unwrap_or_default();
        let context = asked.context.as_ref();
        let here = context.filter(|_| asked.everywhere != Some(true));
        let from = (asked.component.as_ref(), asked.key.as_ref(), &asked.repo);
        match from {
            (Some(name), key, None) => self.nudge.rename(by, (name, key), &asked.to, here, is_dry),
            (None, None, Some(repo)) => {
                let moved = self.nudge.rename_repo(by, (repo, &asked.to), is_dry)?;
                for (old, new) in moved.repos.iter().filter(|_| !is_dry) {
                    self.roots.rename(old, new);
                    self.rename_runs(old, new);
                }
                Ok(moved)
            }
            _ => {
                let words = "give either a `component`, with its `key` or without, or a `repo`";
                Err(Error::new(ErrorKind::Invalid, words))
            }
        }
    }
}
