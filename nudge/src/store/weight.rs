//! What a hint takes of a store's memory, about.

use serde_json::Value;

use crate::hint::{Hint, HintValue};
use crate::model::anchor::Anchor;

/// What a hint takes beside its own bytes: its place in the slots, among tags and times.
const AROUND: usize = 256;

/// What an entry of a map takes beside its name and value.
const ENTRY: usize = 64;

impl Hint {
    /// The bytes that it takes. Its text stands in the index as well, and a scope that it shares
    /// with others counts for each of them.
    pub(crate) fn bytes(&self) -> usize {
        let meta = &self.meta;
        let tags: usize = meta.tags.iter().map(|tag| tag.len()).sum();
        let reason = meta.reason.as_ref().map_or(0, |reason| reason.len());
        let scope = meta.scope.as_ref().map_or(0, |scope| scope.bytes());
        let anchor = |anchor: &Anchor| size_of::<Anchor>() + anchor.at.len();
        let anchors: usize = meta.anchors.iter().map(anchor).sum();
        size_of::<Hint>()
            + AROUND
            + 2 * (value_bytes(&self.value) + reason + tags)
            + scope
            + anchors
    }
}

fn value_bytes(value: &HintValue) -> usize {
    match value {
        HintValue::Text(text) => text.len(),
        HintValue::Command(command) => command.cmd.len(),
        HintValue::Path(path) => path.abs.len(),
        HintValue::Template(template) => {
            let defaults = template.defaults.iter();
            let defaults = defaults.map(|(name, value)| ENTRY + name.len() + value.len());
            template.body.len() + defaults.sum::<usize>()
        }
        HintValue::Json(data) => json_bytes(data),
    }
}

/// What a JSON value takes: `[0,0]` is five letters and three values.
fn json_bytes(data: &Value) -> usize {
    size_of::<Value>()
        + match data {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(json_bytes).sum(),
            Value::Object(fields) => {
                let fields = fields.iter();
                fields
                    .map(|(name, value)| ENTRY + name.len() + json_bytes(value))
                    .sum()
            }
            _ => 0,
        }
}
