//! The plugin that a host loads: a program of its own that runs `nudge hook`.

use super::Found;
use crate::install::format::Flaw;

const PLUGIN: &str = include_str!("opencode.js");

/// How it starts, by which it is known again.
const MARK: &str = "// Nudge's plugin for OpenCode";

const NAMES: &str = "const NUDGE = ";

pub(super) fn text(program: &str) -> String {
    let named = serde_json::Value::from(program).to_string();
    PLUGIN.replace("\"nudge\";", &format!("{named};"))
}

/// What a file is that has our name: ours, or somebody else's.
pub(super) fn found(text: &str) -> Result<Vec<Found>, Flaw> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let names = text.lines().find_map(|line| line.strip_prefix(NAMES));
    let program =
        names.and_then(|named| serde_json::from_str::<String>(named.trim_end_matches(';')).ok());
    match program.filter(|_| text.starts_with(MARK)) {
        Some(program) => Ok(vec![Found {
            event: String::new(),
            place: [0, 0],
            matcher: None,
            is_current: text == self::text(&program),
            program,
        }]),
        None => Err(Flaw {
            line: 1,
            column: 1,
            words: "it is not the plugin of Nudge, and has its name".to_owned(),
        }),
    }
}
