//! What the methods take and give that are about the server and not about a hint.

use serde_json::{Value, json};

use super::place::context;
use super::{Reader, strings};

pub(super) fn block_wanted(reader: Reader) -> Value {
    reader.params(json!({
        "type": "object",
        "properties": {
            "context": context(reader, "Where the caller is."),
            "budget": {"type": "integer", "minimum": 1, "maximum": 100_000, "description": "The most tokens that the text may take, one counted for every three bytes; 400 when absent."}
        }
    }))
}

pub(super) fn block() -> Value {
    json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "Empty when nothing applies."},
            "shown": {"type": "integer", "description": "How many hints it shows."},
            "left_out": {"type": "integer", "description": "How many more apply."}
        },
        "required": ["text", "shown", "left_out"]
    })
}

pub(super) fn reaction() -> Value {
    let named = |description: &str| json!({"type": "string", "description": description});
    json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "What the agent should be told; absent when nothing."},
            "did": {
                "type": "array",
                "description": "What was done besides, each with the component and the key of a hint.",
                "items": {
                    "type": "object",
                    "properties": {
                        "bumped": named("It worked."), "failed": named("It failed."),
                        "proposed": named("It waits to be accepted."), "offered": named("The agent is told of it.")
                    }
                }
            }
        }
    })
}

/// How a member introduces itself. The server ignores what a later version may add.
pub(super) fn introduction(reader: Reader) -> Value {
    reader.params(json!({
        "type": "object",
        "properties": {
            "pid": {"type": "integer", "minimum": 0, "description": "The process that joins the session."},
            "client": {"type": "string", "description": "The client that it serves, by name and version."},
            "cwd": {"type": "string", "description": "The folder where that client is."}
        }
    }))
}

pub(super) fn hello() -> Value {
    json!({
        "type": "object",
        "properties": {
            "product": product(),
            "version": {"type": "string", "description": "The version of the server."},
            "protocol": protocol(),
            "session_id": {"type": "string"},
            "role": {"type": "string"},
            "env_names": strings("The variables that live scopes mention; a caller may state these in its context.")
        },
        "required": ["product", "version", "protocol", "session_id", "role", "env_names"]
    })
}

pub(super) fn status() -> Value {
    let count = json!({"type": "integer", "minimum": 0});
    json!({
        "type": "object",
        "properties": {
            "product": product(),
            "version": {"type": "string", "description": "The version of the server."},
            "protocol": protocol(),
            "role": {"type": "string"},
            "pid": {"type": "integer"},
            "port": {"type": "integer", "description": "Where it listens on 127.0.0.1; 0 when it does not."},
            "url": {"type": "string"},
            "started": {"type": "string", "format": "date-time"},
            "session_id": {"type": "string"},
            "members": {
                "type": "array",
                "description": "The processes that share the session.",
                "items": {
                    "type": "object",
                    "properties": {
                        "pid": {"type": "integer"},
                        "role": {"type": "string", "enum": ["primary", "proxy"]},
                        "client": {"type": "string", "description": "The client that it serves, by name and version; absent when it serves none."},
                        "context": {"type": "object", "description": "Where that client is now: cwd, repo, branch and os, as a context has them."}
                    },
                    "required": ["pid", "role"]
                }
            },
            "stats": {
                "type": "object",
                "properties": {
                    "components": count, "slots": count, "hints": count, "uses": count, "used_hints": count,
                    "top_tags": {
                        "type": "array",
                        "description": "The ten tags on most hints.",
                        "items": {
                            "type": "object",
                            "properties": {"tag": {"type": "string"}, "hints": count},
                            "required": ["tag", "hints"]
                        }
                    }
                },
                "required": ["components", "slots", "hints", "uses", "used_hints", "top_tags"]
            },
            "limits": {
                "type": "object",
                "properties": {
                    "components": count, "hints_per_component": count, "hints": count, "value_bytes": count
                },
                "required": ["components", "hints_per_component", "hints", "value_bytes"]
            },
            "last_change": {"type": "integer", "minimum": 0, "description": "The number of the latest change; `GET /events` goes on from there."}
        },
        "required": [
            "product", "version", "protocol", "role", "pid", "port", "url", "started", "session_id", "members", "stats",
            "limits", "last_change"
        ]
    })
}

pub(super) fn stopped() -> Value {
    json!({
        "type": "object",
        "properties": {"stopped": {"type": "boolean"}},
        "required": ["stopped"]
    })
}

pub(super) fn document() -> Value {
    json!({"type": "object", "description": "An OpenRPC document."})
}

fn product() -> Value {
    json!({"type": "string", "description": "Always `nudge`; another product may sit on the port."})
}

fn protocol() -> Value {
    json!({"type": "string", "description": "The version of what processes say to each other; the first number must agree."})
}
