"""The table of operations, its schemas, and the Python types that they mean."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1]
PACKAGE = HERE / "python/nudge"
SOURCE = "docs/operations.json"
TEXT = (HERE.parent / SOURCE).read_text("utf-8")
TABLE: dict[str, Any] = json.loads(TEXT.replace("`null`", "`None`"))
SCHEMAS: dict[str, Any] = TABLE["components"]["schemas"]
OPERATIONS: list[dict[str, Any]] = TABLE["operations"]
WIDTH = 100
# What answers of the server are called here, whose names the core has for others.
SERVER_NAMES = {"Found": "FoundObservations"}


def of_server(row: dict[str, Any]) -> dict[str, Any]:
    """A method of the server as the table has those of a store."""
    params = {one["name"]: one["schema"] for one in row["params"]}
    required = [one["name"] for one in row["params"] if one.get("required")]
    name, result = row["result"]["name"], dict(row["result"]["schema"])
    # What is the user's alone is refused to a program that has joined the session.
    is_forbidden = "E_FORBIDDEN" in str(row["errors"])
    result["order"] = [*result.get("properties", {})]
    return {
        "name": row["name"],
        "summary": row["summary"],
        "description": "",
        "errors": [],
        "answer": "Answer" if is_forbidden else SERVER_NAMES.get(name, name),
        "params": {"order": [*params], "properties": params, "required": required},
        "result": result,
    }


DOCUMENT = (HERE.parent / "docs/openrpc.json").read_text("utf-8").replace("`null`", "`None`")
OF_SERVER = [
    of_server(row)
    for row in json.loads(DOCUMENT)["methods"]
    if row["name"] not in {operation["name"] for operation in OPERATIONS}
]

# What Python calls a shape that the core calls something else.
NAMES = {
    "Context": "ContextFacts",
    "HintMeta": "Meta",
    "HintValue": "Value",
    "MetaPatch": "MetaLike",
}
# Schemas that need no name in Python. One word alone is not a type alias for stubtest.
PLAIN = {
    "Time": "str",
    "Did": "dict[str, str]",
    "Snapshot": "dict[str, Any]",
    "Format": 'Literal["json"]',
    "Absent": 'Literal["absent"]',
}
# Parts of answers that are answers themselves; all others are plain dicts.
CLASSES = ["Hint", "MatchExplain", "Ranked", "Proposal"]
# Where a path is due, a `Path` will do.
PATHS = {"cwd", "root", "files_open", "file"}
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def named(schema: dict[str, Any]) -> str:
    """The name of the schema that is referred to, or nothing."""
    return schema.get("$ref", "").rpartition("/")[2]


def literals(words: list[str]) -> str:
    """A type of some words.

    Each is a literal of its own: one of several words is not a union at run time, which stubtest
    reports.
    """
    return " | ".join(f'Literal["{word}"]' for word in words)


def type_of(schema: dict[str, Any], given: bool, classes: bool = False) -> str:
    """The Python type, of what a caller gives or of what comes back."""
    name = named(schema)
    if name in CLASSES and classes:
        return name
    if name == "Scope" and given:
        return "ScopeLike"
    if name in PLAIN:
        return PLAIN[name]
    if name and (name not in SCHEMAS or name in CLASSES):
        return f"{'Mapping' if given else 'dict'}[str, Any]"
    if name:
        return NAMES.get(name, name)
    if "const" in schema or "enum" in schema:
        return literals(schema.get("enum") or [schema["const"]])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(one, given, classes) for one in schema["anyOf"]))
    match schema.get("type"):
        case "array":
            item = type_of(schema["items"], given, classes)
            if not given:
                return f"list[{item}]"
            # A set will do where the order of words says nothing.
            is_words = schema["items"].get("type") == "string" or named(schema["items"]) == "Os"
            return f"Sequence[{item}]" + (f" | AbstractSet[{item}]" if is_words else "")
        case "object":
            values = schema.get("additionalProperties")
            inner = type_of(values, given, classes) if isinstance(values, dict) else "Any"
            return f"{'Mapping' if given else 'dict'}[str, {inner}]"
        case kind:
            return SCALARS.get(kind or "", "Any")


def given_as(name: str, schema: dict[str, Any]) -> str:
    """The Python type of what a caller gives by this name."""
    kind = type_of(schema, True)
    if name in PATHS:
        return re.sub(r"\bstr\b", "StrPath", kind)
    if name == "ttl":
        return kind.replace("str", "str | timedelta")
    return f"str | {kind}" if name == "tags" else kind


def answered(schema: dict[str, Any]) -> dict[str, Any]:
    """What comes back of what may be given: no `null`, and a list where a lone one would do."""
    if "anyOf" not in schema:
        values = schema.get("additionalProperties")
        inner = {"additionalProperties": answered(values)} if isinstance(values, dict) else {}
        return {**schema, **inner}
    lists = [one for one in schema["anyOf"] if one.get("type") == "array"]
    kept = lists or [one for one in schema["anyOf"] if one.get("type") != "null"]
    about = {key: schema[key] for key in ("description",) if key in schema}
    return {**answered(kept[0]), **about} if len(kept) == 1 else {**about, "anyOf": kept}


def about(schema: dict[str, Any]) -> str:
    """What the table says about something."""
    referred = SCHEMAS.get(named(schema), {}).get("description")
    return schema.get("description") or referred or ""


def said(schema: dict[str, Any]) -> str:
    """What is worth a docstring: not what says no more than the name."""
    words = about(schema)
    return f'    """{words}"""\n' if words.count(" ") > 4 else ""


def fields(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """The fields in their order, and whether each is always there."""
    for name in schema.get("order", []):
        yield name, schema["properties"][name], name in schema.get("required", [])


def between(text: str, what: str, made: str) -> str:
    """Puts what was made between its marks."""
    start, end = f"# Generated from {SOURCE}: {what}.\n", f"# End of {what}.\n"
    before, found, rest = text.partition(start)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ValueError(f"the marks of {what} are missing")
    indent = before.rpartition("\n")[2]
    return f"{before}{start}{made}{indent}{end}{after}"
