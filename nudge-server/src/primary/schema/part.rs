//! The parts that occur in several schemas, for readers that follow references.

use nudge::ErrorKind;
use serde_json::{Value, json};

use super::{Reader, described, gives, meta, or_null, place, reference, strings, value};

/// Each part by its name.
pub(crate) fn parts() -> [(&'static str, Value); 13] {
    [
        ("Change", change()),
        ("Context", context()),
        ("ErrorData", error_data()),
        ("Hint", hint()),
        ("MatchExplain", match_explain()),
        (
            "Meta",
            described(meta::known(), "What is known about a hint."),
        ),
        ("MetaPatch", meta_patch()),
        ("NearMiss", near_miss()),
        ("Origin", origin()),
        ("Payload", payload()),
        (
            "Ranked",
            described(
                gives::one_ranked(Reader::Program),
                "One of several hints, with its score.",
            ),
        ),
        ("Scope", scope()),
        ("Value", value::text_or_kind()),
    ]
}

fn context() -> Value {
    let words = "The facts that a caller states about where it is.";
    described(place::facts(Reader::Program), words)
}

fn scope() -> Value {
    let words = "The conditions under which a hint applies; all that are stated must hold. \
                 A lone string stands for a list of one; an answer has lists.";
    described(place::conditions(Reader::Program), words)
}

fn meta_patch() -> Value {
    let words =
        "What a set says about a hint: what is left out stays as it was, and `null` clears it.";
    described(meta::patch_fields(Reader::Program), words)
}

fn hint() -> Value {
    json!({
        "type": "object",
        "description": "A hint as it is stored.",
        "properties": {
            "value": reference("Value"),
            "meta": reference("Meta"),
            "version": {"type": "integer", "minimum": 1, "description": "One more with every accepted set; for `if_match_version`."},
            "created_at": time(),
            "updated_at": time(),
            "last_used_at": described(time(), "When it was last bumped; absent when it never was."),
            "use_count": {"type": "integer", "minimum": 0},
            "fail_count": {"type": "integer", "minimum": 1, "description": "How often it failed; absent when it never did."},
            "first_failed_at": time(),
            "last_failed_at": time()
        },
        "required": ["value", "meta", "version", "created_at", "updated_at", "use_count"]
    })
}

fn origin() -> Value {
    json!({
        "type": "object",
        "description": "Who set the value, as the door says; no params can claim it.",
        "properties": {
            "via": {"type": "string", "description": "By which way the call came: `mcp`, `http`, `cli` …"},
            "client": {"type": "string", "description": "What the program calls itself."},
            "repo": {"type": "string", "description": "The repository that it was in."},
            "at": time(),
            "replaced": {
                "type": "object",
                "description": "Whose value this one took the place of.",
                "properties": {"via": {"type": "string"}, "client": {"type": "string"}},
                "required": ["via"]
            }
        },
        "required": ["via"]
    })
}

fn match_explain() -> Value {
    let term = json!({"type": "number"});
    json!({
        "type": "object",
        "description": "Why a hint was returned.",
        "properties": {
            "matched": {"type": "boolean"},
            "score": {"type": "number", "minimum": 0, "description": "From 0 to 1 with the usual weights; four decimals."},
            "reasons": strings("Why, in words."),
            "parts": {
                "type": "object",
                "description": "The terms that add up to the score.",
                "properties": {
                    "frecency": term, "priority": term, "confidence": term, "specificity": term, "recency": term
                },
                "required": ["frecency", "priority", "confidence", "specificity", "recency"]
            }
        },
        "required": ["matched", "score", "reasons", "parts"]
    })
}

fn near_miss() -> Value {
    json!({
        "type": "object",
        "description": "A condition that kept a hint from being returned. The value is withheld.",
        "properties": {
            "scope": reference("Scope"),
            "condition": {
                "type": "string",
                "enum": ["cwd_glob", "repo", "branch", "os", "env_required", "env_match"]
            },
            "expected": strings("What the condition asks for."),
            "actual": or_null(json!({"type": "string", "description": "What the context has; null when it does not say."})),
            "fix": {"type": "string", "description": "What would make it hold."}
        },
        "required": ["scope", "condition", "expected", "actual"]
    })
}

fn payload() -> Value {
    json!({
        "type": "object",
        "description": "The hints of a store at one moment.",
        "properties": {
            "schema_version": {"type": "string", "enum": ["1.0", "1.1"], "description": "1.1 when a slot has several hints."},
            "created_at": time(),
            "session_id": {"type": "string"},
            "components": {
                "type": "object",
                "description": "The components by name, each with `hints`: by key, one hint or a list of them.",
                "additionalProperties": {
                    "type": "object",
                    "properties": {
                        "hints": {
                            "type": "object",
                            "additionalProperties": {
                                "anyOf": [reference("Hint"), {"type": "array", "items": reference("Hint"), "minItems": 2}]
                            }
                        }
                    },
                    "required": ["hints"]
                }
            }
        },
        "required": ["schema_version", "created_at", "session_id", "components"]
    })
}

fn change() -> Value {
    json!({
        "type": "object",
        "description": "One step in the life of the store, as `GET /events` tells it. The value of a secret is `***`.",
        "properties": {
            "seq": {"type": "integer", "minimum": 1, "description": "One more with every change of the store; the id of the event."},
            "at": time(),
            "what": {"type": "string", "enum": ["set", "bump", "fail", "delete", "expire", "clear", "context", "propose", "dismiss"]},
            "component": {"type": "string", "description": "Absent when no hint is meant."},
            "key": {"type": "string", "description": "Absent when no hint is meant."},
            "scope": reference("Scope"),
            "before": {"type": "integer", "description": "The version before; 0 when the hint was not there."},
            "after": {"type": "integer", "description": "The version after; 0 when the hint is gone."},
            "value_changed": {"type": "boolean", "description": "Whether a set gave a hint that was there another value."},
            "hint": reference("Hint"),
            "by": reference("Origin"),
            "context": {
                "type": "array", "description": "All that is being worked on after, the oldest first, each with its set; absent unless that changed.",
                "items": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}
            },
            "proposal": {"type": "integer", "description": "The number of the proposal, where one came or went."},
            "why": {"type": "string", "description": "Why a hint was proposed."}
        },
        "required": ["seq", "at", "what", "before", "after"]
    })
}

fn error_data() -> Value {
    let reasons: Vec<&str> = ErrorKind::ALL.iter().map(|kind| kind.reason()).collect();
    json!({
        "type": "object",
        "description": "What a program may want to know about an error of Nudge's; only what applies is there.",
        "properties": {
            "reason": {"type": "string", "enum": reasons, "description": "The name of the code."},
            "detail": {"type": "string", "description": "One word for the case within its kind, such as `expired`."},
            "field": {"type": "string", "description": "The field at fault, such as `meta.priority`."},
            "rule": {"type": "string", "description": "The rule of the secret guard that was tripped."},
            "pattern": {"type": "string", "description": "The glob at fault."},
            "near_misses": {"type": "array", "items": reference("NearMiss")},
            "current_version": {"type": "integer", "description": "The version that the hint has; 0 when there is none."},
            "scopes": {"type": "array", "items": reference("Scope"), "description": "Among which a call must choose."},
            "limit": {"type": "string", "description": "The limit that was reached."},
            "max": {"type": "integer", "description": "The value of that limit."}
        },
        "required": ["reason"]
    })
}

fn time() -> Value {
    json!({"type": "string", "format": "date-time"})
}
