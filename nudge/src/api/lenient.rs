//! Reading what another version of a hook may say in another way.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::model::os::Os;
use crate::scope::context::Context;

/// A field that counts as absent where it is not what is expected.
pub(super) fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let given = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(given).ok())
}

/// Reads each fact on its own, so that one that cannot be read is the only one
/// that is missing.
pub(super) fn lenient_context<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Context, D::Error> {
    let given = Value::deserialize(deserializer)?;
    let text = |name: &str| given.get(name).and_then(Value::as_str).into_iter();
    let mut context = text("cwd").fold(Context::new(), Context::cwd);
    context = text("root").fold(context, Context::root);
    context = text("branch").fold(context, Context::branch);
    let os = given.get("os").and_then(|os| Os::deserialize(os).ok());
    context = os.into_iter().fold(context, Context::os);
    let repos = given.get("repo").and_then(Value::as_array).into_iter();
    let repos = repos.flatten().filter_map(Value::as_str);
    context = repos.chain(text("repo")).fold(context, Context::repo);
    let env = given.get("env").and_then(Value::as_object);
    let env = env.into_iter().flatten();
    Ok(env.fold(context, |context, (name, value)| match value {
        Value::Null => context.env(name, None),
        Value::String(value) => context.env(name, &**value),
        _ => context,
    }))
}
