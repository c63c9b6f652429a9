//! `DeleteHint` and `Bump`: the requests that mean one variant of a slot.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::absent::{is_false, nullable};
use crate::model::error::Error;
use crate::model::fix::Fix;
use crate::model::name::Name;
use crate::model::number;
use crate::model::object;
use crate::model::rows::setters;
use crate::model::scope::Scope;
use crate::scope::context::Context;

/// Which variant of a slot a [`DeleteHint`] or a [`Bump`] means.
///
/// With neither a scope nor a context, the only one; that there are several
/// is then an error.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Which {
    Only,
    Scope(Scope),
    Context(Context),
    All,
}

impl Which {
    pub(crate) fn new(
        scope: Option<Scope>,
        context: Option<Context>,
        all: bool,
    ) -> Result<Which, Error> {
        match (scope, context, all) {
            (None, None, false) => Ok(Which::Only),
            (Some(scope), None, false) => Ok(Which::Scope(scope)),
            (None, Some(context), false) => Ok(Which::Context(context)),
            (None, _, true) => Ok(Which::All),
            _ => {
                let words = "several ways to choose a variant are given";
                Err(Error::invalid("scope", "exclusive", words).fix(Fix::ChooseOnce))
            }
        }
    }
}

/// Asks for a hint to be deleted.
///
/// # Examples
///
/// ```
/// use nudge::{DeleteHint, Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make"))?;
/// let deleted = nudge.delete_hint(DeleteHint::new("api", "build"))?;
/// assert_eq!(deleted.previous[0].value.as_str(), Some("make"));
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DeleteHint {
    /// A service, module or folder by name, such as `http-proxy`.
    #[schemars(length(min = 1))]
    pub component: Name,
    /// The name of the fact, such as `build`, `test`, `run`, `directory` or `env.FEATURE_X`.
    #[schemars(length(min = 1))]
    pub key: Name,
    /// Delete the variant with this very scope.
    #[serde(default, deserialize_with = "object::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Delete the variant that a get would choose there; with `all` every one of that place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Delete every variant of the key, in the place of the context if there is one.
    #[serde(default, deserialize_with = "nullable")]
    #[serde(skip_serializing_if = "is_false")]
    pub all: bool,
    /// Reach what applies in other places too, or in all of them.
    #[serde(default, deserialize_with = "nullable")]
    #[serde(skip_serializing_if = "is_false")]
    pub everywhere: bool,
}

impl DeleteHint {
    /// Asks for the only variant of a slot to go.
    pub fn new(component: impl Into<Name>, key: impl Into<Name>) -> DeleteHint {
        DeleteHint {
            component: component.into(),
            key: key.into(),
            scope: None,
            context: None,
            all: false,
            everywhere: false,
        }
    }
}

setters! { DeleteHint:
    /// Means the variant with this scope.
    scope(scope: Scope) |it| it.scope = Some(scope);
    /// Means the variant that a get would choose there.
    context(context: impl Into<Context>) |it| it.context = Some(context.into());
    /// Means every variant of the slot, in the place of the context if there is one.
    all() |it| it.all = true;
}

/// What came of using a hint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It worked.
    #[default]
    Ok,
    /// It did not.
    Fail,
}

/// Tells what came of using a hint: it is reinforced when it proved useful, and
/// trusted less when it failed.
///
/// # Examples
///
/// ```
/// use nudge::{Bump, Nudge, Outcome, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make"))?;
/// assert_eq!(nudge.bump(Bump::new("api", "build"))?.hint.use_count, 1);
///
/// let failed = nudge.bump(Bump::new("api", "build").outcome(Outcome::Fail))?.hint;
/// assert_eq!((failed.use_count, failed.fail_count), (1, 1));
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Bump {
    /// A service, module or folder by name, such as `http-proxy`.
    #[schemars(length(min = 1))]
    pub component: Name,
    /// The name of the fact, such as `build`, `test`, `run`, `directory` or `env.FEATURE_X`.
    #[schemars(length(min = 1))]
    pub key: Name,
    /// How many uses to add; 1 when absent.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(default, deserialize_with = "number::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<u32>,
    /// Whether it worked; `fail` makes it rank lower.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Bump the variant with this very scope.
    #[serde(default, deserialize_with = "object::optional")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Bump the variant that a get would choose there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
}

impl Bump {
    /// Asks for one more use of the only variant of a slot.
    pub fn new(component: impl Into<Name>, key: impl Into<Name>) -> Bump {
        Bump {
            component: component.into(),
            key: key.into(),
            delta: None,
            outcome: None,
            scope: None,
            context: None,
        }
    }
}

setters! { Bump:
    /// Says whether it worked.
    outcome(outcome: Outcome) |it| it.outcome = Some(outcome);
    /// Adds this many uses.
    delta(delta: u32) |it| it.delta = Some(delta);
    /// Means the variant with this scope.
    scope(scope: Scope) |it| it.scope = Some(scope);
    /// Means the variant that a get would choose there.
    context(context: impl Into<Context>) |it| it.context = Some(context.into());
}
