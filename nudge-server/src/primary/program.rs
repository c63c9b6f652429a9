//! Which program a server is, so that one that was replaced meanwhile is known.

use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::wire::identity::VERSION;

/// A program as it was when a process of it started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Program {
    /// Its file.
    path: String,
    /// When that was written.
    modified: String,
}

impl Program {
    /// The program of this process, as it is now.
    pub(crate) fn this() -> Option<Program> {
        let path = std::env::current_exe().ok()?;
        let modified = path.metadata().and_then(|seen| seen.modified()).ok()?;
        Some(Program::of(path.to_str()?, modified))
    }

    fn of(path: &str, modified: SystemTime) -> Program {
        let modified = DateTime::<Utc>::from(modified);
        Program {
            path: path.to_owned(),
            modified: modified.to_rfc3339_opts(SecondsFormat::Micros, true),
        }
    }
}

/// Whether a server is older than this program: of another version, or from a file that was
/// replaced since.
pub(crate) fn is_older(version: &str, theirs: Option<&Program>) -> bool {
    let ours = Program::this();
    let is_replaced = |theirs: &Program, ours: Program| {
        theirs.path == ours.path && theirs.modified < ours.modified
    };
    is_lower(version, VERSION)
        || theirs
            .zip(ours)
            .is_some_and(|(theirs, ours)| is_replaced(theirs, ours))
}

fn is_lower(one: &str, other: &str) -> bool {
    let numbers = |version: &str| -> Vec<u64> {
        let parts = version.split(['.', '-', '+']);
        parts.map_while(|part| part.parse().ok()).collect()
    };
    numbers(one) < numbers(other)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_server_is_older_by_its_version_or_by_its_file() {
        let ours = Program::this().unwrap();
        assert!(!is_older(VERSION, None) && !is_older(VERSION, Some(&ours)));
        assert!(is_older("0.0.1", Some(&ours)) && !is_older("99.0.0", Some(&ours)));
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1);
        assert!(is_older(VERSION, Some(&Program::of(&ours.path, long_ago))));
        assert!(!is_older(
            VERSION,
            Some(&Program::of("/elsewhere", long_ago))
        ));
    }
}
