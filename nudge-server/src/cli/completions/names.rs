//! The names of the store, for the shell of a person who is typing.

use std::time::Duration;

use nudge::Components;
use serde_json::json;

use crate::cli::start;
use crate::config::{Flags, Settings};
use crate::deadline::within;

/// How long a person does not notice that something is looked up.
const PATIENCE: Duration = Duration::from_millis(150);

/// The names of the components, or of the keys of one; none where no server
/// answers in time, and none is started.
pub(super) fn of(component: Option<&str>, port: Option<u16>) -> Vec<String> {
    let params = match component {
        Some(component) => json!({"component": component}),
        None => json!({}),
    };
    let listed = within(PATIENCE, move || {
        let settings = Settings::read(&Flags::default()).ok()?;
        let client = start::running(&Settings { port, ..settings }).ok()?;
        let listed = client.call_blocking("nudge.list_components", &params.to_string());
        serde_json::from_str::<Components>(listed.ok()?.get()).ok()
    });
    let listed = listed.flatten().into_iter();
    let listed = listed.flat_map(|listed| listed.components);
    if component.is_none() {
        return listed.map(|component| component.name.to_string()).collect();
    }
    let keys = listed.flat_map(|component| component.keys.unwrap_or_default());
    keys.map(|key| key.to_string()).collect()
}
