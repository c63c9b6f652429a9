//! The tools, as data: what a client is listed stands in `tools.json`. Those that are used most
//! come first, for some hosts show only so many; the last two are listed where the user has it
//! recorded what happens.

use std::sync::LazyLock;

use nudge::Operation;
use rmcp::model::Tool;

pub(super) static TOOLS: LazyLock<Vec<Tool>> =
    LazyLock::new(|| serde_json::from_str(include_str!("tools.json")).unwrap_or_default());

/// The operation that a tool calls; `None` for one that is not listed.
pub(super) fn operation(tool: &str) -> Option<Operation> {
    let method = as_method(tool);
    let is_listed = TOOLS.iter().any(|tool| as_method(&tool.name) == method);
    Operation::named(&method).filter(|_| is_listed)
}

/// Leaves out of a tool's name what its host puts before it.
pub(super) fn shorten(tool: &mut Tool) {
    if let Some(short) = tool.name.strip_prefix("nudge_") {
        tool.name = short.to_owned().into();
    }
}

/// The method that is meant by the name of a tool, whether or not there is one.
pub(super) fn as_method(tool: &str) -> String {
    let word = tool
        .strip_prefix("nudge_")
        .or_else(|| tool.strip_prefix("nudge."));
    format!("nudge.{}", word.unwrap_or(tool))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_goes_by_three_names() {
        for name in ["nudge_get_hint", "nudge.get_hint", "get_hint"] {
            assert_eq!(operation(name), Some(Operation::GetHint));
        }
        for name in [
            "nudge_stop",
            "nudge_on_event",
            "nudge.status",
            "nudge-get_hint",
            "nudge_nudge_bump",
            "",
        ] {
            assert_eq!(operation(name), None);
        }
    }
}
