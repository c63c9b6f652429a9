//! What the tools take.

use serde_json::{Value, json};

use super::{strings, systems};

pub(super) fn set_hint() -> Value {
    json!({
        "type": "object",
        "properties": {
            "component": component(),
            "key": key(),
            "value": value(),
            "meta": {
                "type": "object",
                "description": "What is known about the fact. What is left out stays as it was.",
                "properties": {
                    "reason": {"type": "string", "description": "Why it is so; shown with the hint."},
                    "tags": strings("Such as `build` or `docker`; nudge_query finds hints by them."),
                    "priority": {"type": "integer", "minimum": 1, "maximum": 10, "description": "5 when absent."},
                    "confidence": {"type": "number", "minimum": 0, "maximum": 1, "description": "How sure you are; 0.5 when absent."},
                    "ttl": {"type": "string", "description": "`session`, or an ISO 8601 duration such as `PT2H` after which the hint is gone."},
                    "sensitivity": {"type": "string", "enum": ["normal", "secret"], "description": "`secret` stores what the secret guard would refuse, masked and left out of exports."},
                    "scope": scope("Where the hint applies; every condition must hold. `{}` is everywhere. Left out, a slot that holds one hint keeps that hint's scope."),
                    "source": {"type": "string", "enum": ["agent", "tool-output", "file-import"], "description": "`agent` when absent."},
                    "added_by": {"type": "string", "description": "Who added it; the name of this client when absent."}
                }
            },
            "if_match_version": {"type": "integer", "minimum": 0, "description": "Write only if the hint has this version; 0: only if there is none."}
        },
        "required": ["component", "key", "value"]
    })
}

fn value() -> Value {
    json!({
        "description": "The fact: plain text, or an object with a `type`; one of type `json` has any JSON value as its `data`.",
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "enum": ["command", "path", "template", "json"]},
                    "cmd": {"type": "string", "description": "Of a command: the command line."},
                    "shell": {
                        "type": "string", "enum": ["bash", "sh", "zsh", "fish", "powershell", "cmd"],
                        "description": "Of a command: the shell it is written for."
                    },
                    "abs": {"type": "string", "description": "Of a path: absolute, without `..`."},
                    "os": systems("Of a path: where it is meant."),
                    "format": {
                        "type": "string", "enum": ["mustache", "handlebars", "jinja", "interpolate"],
                        "description": "Of a template: its language."
                    },
                    "body": {"type": "string", "description": "Of a template: its text."},
                    "defaults": {
                        "type": "object", "additionalProperties": {"type": "string"},
                        "description": "Of a template: values for blanks left open."
                    }
                },
                "required": ["type"]
            }
        ]
    })
}

pub(super) fn get_hint() -> Value {
    json!({
        "type": "object",
        "properties": {
            "component": component(),
            "key": key(),
            "context": context("Where you are, if it is not the folder that this server runs in. What is left out is filled in."),
            "alternatives": {"type": "integer", "minimum": 0, "maximum": 20, "description": "How many more fitting hints of this key to return; 0 when absent."}
        },
        "required": ["component", "key"]
    })
}

pub(super) fn query() -> Value {
    json!({
        "type": "object",
        "properties": {
            "component": component(),
            "keys": strings("Only these keys."),
            "tags": strings("Only hints with one of these tags."),
            "tags_mode": {"type": "string", "enum": ["any", "all"], "description": "Whether one tag is enough (`any`, when absent) or all are needed."},
            "regex": {"type": "string", "description": "Only hints in whose key, value, tags or reason this is found."},
            "context": context("Where you are, if it is not the folder that this server runs in. What is left out is filled in."),
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "The most hints to return; 10 when absent."},
            "include_ineligible": {"type": "boolean", "description": "Also list, without their values, hints that do not apply here, and why."}
        }
    })
}

pub(super) fn delete_hint() -> Value {
    json!({
        "type": "object",
        "properties": {
            "component": component(),
            "key": key(),
            "scope": scope("Delete the variant with this very scope."),
            "context": context("Delete the variant that nudge_get_hint would choose there."),
            "all": {"type": "boolean", "description": "Delete every variant of the key."}
        },
        "required": ["component", "key"]
    })
}

pub(super) fn list_components() -> Value {
    json!({
        "type": "object",
        "properties": {
            "component": {"type": "string", "description": "Only this component, with its keys."},
            "context": context("Count only what applies there.")
        }
    })
}

pub(super) fn bump() -> Value {
    json!({
        "type": "object",
        "properties": {
            "component": component(),
            "key": key(),
            "delta": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "How many uses to add; 1 when absent."},
            "scope": scope("Bump the variant with this very scope."),
            "context": context("Bump the variant that nudge_get_hint chooses there.")
        },
        "required": ["component", "key"]
    })
}

pub(super) fn export() -> Value {
    json!({
        "type": "object",
        "properties": {
            "format": {"type": "string", "enum": ["json"], "description": "`json`, also when absent."},
            "component": {"type": "string", "description": "Only this component."},
            "tags": strings("Only hints with one of these tags."),
            "include_secrets": {"type": "boolean", "description": "Also write hints that are marked as secret."}
        }
    })
}

pub(super) fn import() -> Value {
    json!({
        "type": "object",
        "properties": {
            "payload": {
                "type": "object",
                "description": "What nudge_export gave as `payload`.",
                "properties": {
                    "schema_version": {"type": "string", "enum": ["1.0", "1.1"]},
                    "components": {"type": "object", "description": "Component, `hints`, key, then a hint or a list of them."}
                },
                "required": ["schema_version", "components"]
            },
            "mode": {"type": "string", "enum": ["merge", "replace"], "description": "`merge`, when absent: the newer one of two wins. `replace`: all that is there goes."},
            "dry_run": {"type": "boolean", "description": "Only say what would happen."}
        },
        "required": ["payload"]
    })
}

fn component() -> Value {
    json!({
        "type": "string", "minLength": 1,
        "description": "A service, module or folder by name, such as `http-proxy`."
    })
}

fn key() -> Value {
    json!({
        "type": "string", "minLength": 1,
        "description": "The name of the fact, such as `build`, `test`, `run`, `directory` or `env.FEATURE_X`."
    })
}

fn context(description: &str) -> Value {
    json!({
        "type": "object",
        "description": description,
        "properties": {
            "cwd": {"type": "string", "description": "The current folder, absolute."},
            "repo": {"type": "string", "description": "The remote, or `git:org/repo`."},
            "branch": {"type": "string"},
            "os": {"type": "string", "enum": ["linux", "darwin", "windows"]},
            "env": {
                "type": "object", "additionalProperties": {"type": "string"},
                "description": "Variables that are set, with their values."
            },
            "files_open": strings("Open files; among equals, hints for their folder come first.")
        }
    })
}

fn scope(description: &str) -> Value {
    json!({
        "type": "object",
        "description": description,
        "properties": {
            "cwd_glob": strings("Globs, one of which must match the current folder: `**/http-proxy*/**`."),
            "repo": strings("Repositories: a remote, or `git:org/repo`."),
            "branch": strings("Branches; globs such as `hotfix/*` are allowed."),
            "os": systems("Operating systems."),
            "env_required": strings("Variables that must be set."),
            "env_match": {
                "type": "object",
                "additionalProperties": {"type": "array", "items": {"type": "string"}},
                "description": "Variables and the values that are allowed."
            }
        }
    })
}
