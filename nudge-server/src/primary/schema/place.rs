//! Where a hint applies, and where a caller is.

use serde_json::{Value, json};

use super::{Reader, or_null, strings, system};

pub(super) fn scope(reader: Reader, description: &str) -> Value {
    reader.part("Scope", description, || conditions(reader))
}

pub(super) fn conditions(reader: Reader) -> Value {
    let allowed = reader.or_lone(
        json!({"type": "array", "items": {"type": "string"}}),
        json!({"type": "string"}),
    );
    reader.params(json!({
        "type": "object",
        "properties": {
            "cwd_glob": reader.list("Globs, one of which must match the current folder: `**/http-proxy*/**`."),
            "repo": reader.list("Repositories: a remote, or `git:org/repo`."),
            "branch": reader.list("Branches; globs such as `hotfix/*` are allowed."),
            "os": reader.system_list("Operating systems."),
            "env_required": reader.list("Variables that must be set."),
            "env_match": {
                "type": "object",
                "additionalProperties": allowed,
                "description": "Variables and the values that are allowed."
            }
        }
    }))
}

pub(super) fn context(reader: Reader, description: &str) -> Value {
    reader.part("Context", description, || facts(reader))
}

pub(super) fn facts(reader: Reader) -> Value {
    let (repo, variable) = match reader {
        Reader::Model => (json!({"type": "string"}), json!({"type": "string"})),
        Reader::Program => {
            let list = json!({"type": "array", "items": {"type": "string"}});
            let repo = json!({"anyOf": [{"type": "string"}, list]});
            // That a variable is `null` says that it is not set.
            (repo, or_null(json!({"type": "string"})))
        }
    };
    reader.params(json!({
        "type": "object",
        "properties": {
            "cwd": {"type": "string", "description": "The current folder, absolute."},
            "repo": super::described(repo, "The remote, or `git:org/repo`."),
            "branch": {"type": "string"},
            "os": system(),
            "env": {
                "type": "object", "additionalProperties": variable,
                "description": "Variables that are set, with their values."
            },
            "files_open": strings("Open files; among equals, hints for their folder come first.")
        }
    }))
}
