"""Writes what the Python package takes from `docs/operations.json`.

Run `python nudge-py/generate` when that changes; with `--check` it only says what is stale.

It writes `answer_classes.rs`, the marked parts of `types.py` and of the stub, the names in
`__init__.py` and `keywords.rs`, and the signatures in `operations.rs`. The docstrings of methods
are written by hand in Rust, with their examples, and the stub takes them from there.
"""

import re
import sys
import textwrap
from pathlib import Path
from typing import Any

from shapes import types
from table import (
    CLASSES,
    HERE,
    OPERATIONS,
    PACKAGE,
    SCHEMAS,
    SOURCE,
    WIDTH,
    about,
    between,
    fields,
    given_as,
    named,
    type_of,
)

QUOTE = '"'
# Attributes that `answers.rs` has by hand.
BY_HAND = {
    "Hint": {"fail_count": "int", "text": "str"},
    "HintMatch": {"value": "Value", "text": "str"},
    "Ranked": {"value": "Value", "text": "str"},
    "Reaction": {"did": "list[dict[str, str]]"},
}
# Arguments whose type the schema says too little of.
ARGUMENTS = {
    "context": "Context | ContextFacts",
    "payload": "Payload | Mapping[str, Any]",
    "value": "Value | PathLike[str]",
}


def answers() -> dict[str, dict[str, Any]]:
    """The classes of answers by their names."""
    parts = {name: SCHEMAS[name] for name in CLASSES}
    return parts | {operation["answer"]: operation["result"] for operation in OPERATIONS}


def own_part(part: dict[str, Any]) -> str:
    """How Rust makes a part that is an answer itself; nothing for all others."""
    if any(named(one) in CLASSES for one in part.get("anyOf", [])):
        return "one_or_list"
    return "part" if named(part.get("items", part)) in (*CLASSES, "HintValue") else ""


def answer_classes() -> str:
    """The classes of answers in Rust."""
    text = f"//! The classes of answers, made by `generate` from `{SOURCE}`.\n\n"
    text += "use std::sync::Arc;\n\nuse pyo3::prelude::*;\n\n"
    text += "use crate::answer::{Answer, Described, Parts, View};\n"
    text += "use crate::answers::answers;\nuse crate::described;\n\nanswers! {\n"
    for name, schema in answers().items():
        core = "Arc<nudge::Hint>" if name == "Hint" else f"nudge::{name}"
        text += f"    /// {schema['description']}\n    {name}({core}) {{\n"
        for field, part, _ in fields(schema):
            if field not in BY_HAND.get(name, {}):
                text += f"        /// {about(part, field)}\n        {field},\n"
        own = [f"{field}: {how}," for field, part, _ in fields(schema) if (how := own_part(part))]
        text += f"    }}\n    own {{ {' '.join(own)} }}\n\n".replace("{  }", "{}")
    return text.rstrip("\n") + "\n}\n"


def docstring(lines: list[str], indent: str) -> str:
    """A docstring as it stands in a stub."""
    if len(lines) == 1:
        return f'{indent}"""{lines[0]}"""\n'
    rest = textwrap.indent("\n".join(lines[1:]), indent)
    return f'{indent}"""{lines[0]}\n{rest}\n{indent}"""\n'


def rust_docs(source: str) -> dict[str, list[str]]:
    """The docs of the functions of a file by their names; a later one of a name stands."""
    found = r"((?:^ *///.*\n)+)(?:^ *(?:#\[.*|\w+ = .*|\)\])\n)*^ *(?:fn )?(\w+)[(<]"
    docs = re.findall(found, source, re.MULTILINE)
    return {name: re.findall(r"/// ?(.*)", lines) for lines, name in docs}


def stub_answers() -> str:
    """The classes of answers in the stub."""
    docs = rust_docs((HERE / "src/answers.rs").read_text("utf-8"))
    text = ""
    for name, schema in answers().items():
        text += f'@final\nclass {name}(Answer):\n    """{schema["description"]}"""\n'
        by_hand = BY_HAND.get(name, {})
        members = {field: (kind, docs[field]) for field, kind in by_hand.items()}
        for field, part, required in fields(schema):
            kind = type_of(part, False, classes=True) + ("" if required else " | None")
            members.setdefault(field, (kind, [about(part, field)]))
        for field, (kind, lines) in members.items():
            text += f"\n    @property\n    def {field}(self) -> {kind}:\n"
            text += docstring(lines, " " * 8)
        text += "\n"
    return text.rstrip("\n") + "\n\n"


def argument(field: tuple[str, dict[str, Any], bool]) -> str:
    """An argument in the stub. A dict has its shape, so that a typo in a key is found."""
    name, part, required = field
    kind = ARGUMENTS.get(name) or given_as(name, part).removesuffix(" | None")
    return f"{name}: {kind}" if required else f"{name}: {kind} | None = None"


def split(operation: dict[str, Any], placed: list[str]) -> tuple[list[Any], list[Any]]:
    """The arguments that have a place, and those by name: the required ones first."""
    every = list(fields(operation["params"]))
    if any(name == "meta" for name, _, _ in every):
        # What is in it, and in the scope in that, is a keyword too.
        every += [*fields(SCHEMAS["MetaPatch"]), *fields(SCHEMAS["Scope"])]
    by_name = [one for one in every if one[0] not in placed]
    return [one for one in every if one[0] in placed], sorted(by_name, key=lambda one: not one[2])


def method_name(operation: dict[str, Any]) -> str:
    """What Python calls an operation."""
    name = operation["name"].removeprefix("nudge.")
    return "import_" if name == "import" else name


def text_signature(operation: dict[str, Any], placed: list[str]) -> str:
    """The signature that `help` shows."""
    first, by_name = split(operation, placed)
    every = [*first, ("*", {}, True), *by_name] if by_name else first
    words = [name if required else f"{name}=None" for name, _, required in every]
    return f"({', '.join(['$self', *words])})"


def method(name: str, words: list[str], answer: str) -> str:
    """The first line of a method, or its first lines."""
    line = f"    def {name}({', '.join(words)}) -> {answer}:"
    if len(line) > WIDTH:
        inner = f"        {', '.join(words)}"
        if len(inner) > WIDTH:
            inner = "        " + ",\n        ".join(words) + ","
        line = f"    def {name}(\n{inner}\n    ) -> {answer}:"
    return line


def stub_methods(placed: dict[str, list[str]]) -> str:
    """The operations in the stub."""
    docs: dict[str, list[str]] = {}
    for file in ("operations.rs", "store.rs"):
        docs |= rust_docs((HERE / "src" / file).read_text("utf-8"))
    text = ""
    for operation in OPERATIONS:
        name = method_name(operation)
        first, by_name = split(operation, placed[name])
        words = [
            "self",
            *map(argument, first),
            *(["*"] if by_name else []),
            *map(argument, by_name),
        ]
        answer = operation["answer"]
        if name == "get_hint":
            text += (
                "    @overload\n"
                + method(name, [*words, "default: _T"], f"{answer} | _T")
                + " ...\n"
            )
            text += "    @overload\n"
        text += f"{method(name, words, answer)}\n{docstring(docs[name], ' ' * 8)}\n"
    return text.rstrip("\n") + "\n"


def operations() -> tuple[str, dict[str, list[str]]]:
    """`operations.rs` with its signatures, and which arguments of a method have a place."""
    rows = (HERE / "src/operations.rs").read_text("utf-8")
    placed = {"get_hint": ["component", "key"]}
    for operation in OPERATIONS:
        name = method_name(operation)
        if found := re.search(rf'(\n    {name}\(([\w, ]*)\) .*\n        )".*"', rows):
            placed[name] = re.findall(r"\w+", found[2])
            signature = text_signature(operation, placed[name])
            rows = rows.replace(found[0], f'{found[1]}"{signature}"')
    return rows, placed


def keywords() -> str:
    """`keywords.rs` with the names of what is in `meta` and in a scope."""
    text = (HERE / "src/keywords.rs").read_text("utf-8")
    for word, shape in (("META", "MetaPatch"), ("SCOPE", "Scope")):
        names = lines(SCHEMAS[shape]["order"], QUOTE)
        text = re.sub(rf"(?<=const {word}: &\[&str\] = &\[\n)[^]]*", names, text)
    return text


def lines(names: list[str], quote: str = "") -> str:
    """Names, a line each."""
    return "".join(f"    {quote}{name}{quote},\n" for name in names)


def stub(placed: dict[str, list[str]], classes: list[str], shapes: list[str]) -> str:
    """The stub, which imports what it uses of the shapes."""
    text = (PACKAGE / "_nudge.pyi").read_text("utf-8")
    text = between(text, "names", "")
    text = between(text, "operations", stub_methods(placed))
    text = between(text, "answers", stub_answers())
    used = sorted({*shapes, "Limits", "StrPath", "Weights"} & {*re.findall(r"\w+", text)})
    names = f"from nudge.types import (\n{lines(used)})\n\n"
    names += f"__all__ = [\n{lines([*classes, 'prompt_block'], QUOTE)}]\n"
    return between(text, "names", names)


def module(classes: list[str]) -> str:
    """`__init__.py`, which offers what the compiled code has."""
    text = (PACKAGE / "__init__.py").read_text("utf-8")
    public = sorted({*re.findall(r'^    "(\w+)",$', text, re.MULTILINE), *classes})
    compiled = lines([*classes, "__version__", "prompt_block"])
    text = re.sub(r"(?<=_nudge import \(\n)[^)]*", compiled, text)
    return re.sub(r"(?<=__all__ = \[\n)[^]]*", lines(public, QUOTE), text)


def generated() -> dict[Path, str]:
    """Every file that is made or has a part that is, as it should be."""
    rows, placed = operations()
    shapes, names = types()
    classes = sorted([*answers(), "Answer", "Context", "Nudge"])
    return {
        PACKAGE / "types.py": shapes,
        PACKAGE / "_nudge.pyi": stub(placed, classes, names),
        PACKAGE / "__init__.py": module(classes),
        HERE / "src/answer_classes.rs": answer_classes(),
        HERE / "src/operations.rs": rows,
        HERE / "src/keywords.rs": keywords(),
    }


if __name__ == "__main__":
    stale = {path: text for path, text in generated().items() if path.read_text("utf-8") != text}
    if sys.argv[1:] == ["--check"]:
        told = [f"{path.name} is stale: run `python nudge-py/generate`" for path in stale]
        sys.exit("\n".join(told) or None)
    for path, text in stale.items():
        path.write_text(text, "utf-8")
