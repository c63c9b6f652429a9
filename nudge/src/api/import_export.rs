//! `ListComponents`, `Export`, `Import`: the requests about a store as a whole.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::payload::Payload;
use crate::model::absent::{is_false, nullable};
use crate::model::name::Name;
use crate::model::rows::setters;
use crate::scope::context::Context;

/// Asks which components there are.
///
/// # Examples
///
/// ```
/// use nudge::{ListComponents, Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make"))?;
/// let listed = nudge.list_components(ListComponents::new())?;
/// assert_eq!(listed.components[0].name, "api");
///
/// let one = nudge.list_components(ListComponents::of("api"))?;
/// assert_eq!(one.components[0].keys.as_deref().unwrap(), ["build"]);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ListComponents {
    /// Only this component, with its keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<Name>,
    /// Count only what applies there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
}

impl ListComponents {
    /// Asks for all components.
    #[must_use]
    pub fn new() -> ListComponents {
        ListComponents::default()
    }

    /// Asks for one component and its keys.
    pub fn of(component: impl Into<Name>) -> ListComponents {
        ListComponents {
            component: Some(component.into()),
            context: None,
        }
    }
}

setters! { ListComponents:
    /// Counts only what is eligible there.
    context(context: impl Into<Context>) |it| it.context = Some(context.into());
}

/// Asks for the store, or a part of it, as a payload.
///
/// # Examples
///
/// ```
/// use nudge::{Export, Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make"))?;
/// let json = serde_json::to_value(nudge.export(Export::new())?).unwrap();
/// assert_eq!(json["payload"]["components"]["api"]["hints"]["build"]["value"], "make");
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Export {
    /// `json`, also when absent.
    #[serde(deserialize_with = "nullable")]
    pub format: Format,
    /// Only this component.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<Name>,
    /// Only hints with one of these tags.
    #[serde(deserialize_with = "nullable")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Name>,
    /// Also write hints that are marked as secret.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_false")]
    pub include_secrets: bool,
    /// Only what is of its repository, outside of one of its folder, and what names neither;
    /// for a program that is not known to be anywhere, without it only the latter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Only what a person would commit: values, and the meta that people set. Never a secret.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "is_false")]
    pub seed: bool,
}

/// The format of an export.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// JSON.
    #[default]
    Json,
}

impl Export {
    /// Asks for everything but secrets.
    #[must_use]
    pub fn new() -> Export {
        Export::default()
    }
}

setters! { Export:
    /// Only this component.
    component(component: impl Into<Name>) |it| it.component = Some(component.into());
    /// Adds a tag that will do.
    tag(tag: impl Into<Name>) |it| it.tags.push(tag.into());
    /// Only what is of the place of a context, and what names none.
    context(context: impl Into<Context>) |it| it.context = Some(context.into());
    /// Includes hints that are marked as secret; [`WithSecrets`] writes their values.
    ///
    /// [`WithSecrets`]: crate::WithSecrets
    include_secrets() |it| it.include_secrets = true;
    /// Leaves out all that a person would not commit.
    seed() |it| it.seed = true;
}

/// Asks for the hints of a payload to be taken over.
///
/// # Examples
///
/// ```
/// use nudge::{Import, Nudge};
///
/// let nudge = Nudge::default();
/// let seed = r#"{"schema_version": "1.0",
///                "components": {"api": {"hints": {"build": {"value": "make"}}}}}"#;
/// assert_eq!(nudge.import(Import::new(seed))?.imported, 1);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Import {
    /// What an export gave as `payload`.
    #[schemars(schema_with = "Payload::schema")]
    pub payload: Payload,
    /// `merge`, when absent: the newer one of two wins. `replace`: all that is there goes.
    #[serde(default, deserialize_with = "nullable")]
    pub mode: ImportMode,
    /// Only say what would happen.
    #[serde(default, deserialize_with = "nullable")]
    #[serde(skip_serializing_if = "is_false")]
    pub dry_run: bool,
}

/// What an import does with what is there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ImportMode {
    /// Hints join what is there; the newer one of two wins.
    #[default]
    Merge,
    /// The payload takes the place of the store, if all of it is good.
    Replace,
}

impl Import {
    /// Asks for a payload to be merged into the store.
    pub fn new(payload: impl Into<Payload>) -> Import {
        Import {
            payload: payload.into(),
            mode: ImportMode::Merge,
            dry_run: false,
        }
    }
}

setters! { Import:
    /// Lets the payload take the place of what is there.
    replace() |it| it.mode = ImportMode::Replace;
    /// Asks only what would happen.
    dry_run() |it| it.dry_run = true;
}
