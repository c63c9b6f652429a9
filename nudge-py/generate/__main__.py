"""Writes what the Python package takes from `docs/operations.json` and `docs/openrpc.json`.

Run `python nudge-py/generate` when those change; with `--check` it only says what is stale.

It writes `answers.py`, `operations.py`, the marked part of `types.py` and the names in
`__init__.py`. The examples of methods are written by hand in `operations.py`, and stay.
"""

import re
import sys
import textwrap
from pathlib import Path
from typing import Any

from shapes import types
from table import (
    CLASSES,
    OF_SERVER,
    OPERATIONS,
    PACKAGE,
    SCHEMAS,
    SOURCE,
    WIDTH,
    fields,
    given_as,
    said,
    type_of,
)

# What an attribute gives beside the fields, or in the place of one that may be absent.
BY_HAND = {
    "Hint": [
        ("text", "str", 'text_of(self["value"])', "The text a person means by the value."),
        ("fail_count", "int", 'self.get("fail_count", 0)', "How often it failed since then."),
    ],
    "HintMatch": [
        ("value", "Value", 'self["hint"]["value"]', "The value of the hint."),
        ("text", "str", 'text_of(self["hint"]["value"])', "The text that is meant by it."),
    ],
    "Reaction": [("did", "list[dict[str, str]]", 'self.get("did", [])', "What was done besides.")],
}
BY_HAND["Ranked"] = BY_HAND["HintMatch"]
# Arguments whose type the schema says too little of.
ARGUMENTS = {
    "context": "Where",
    "value": "Value | PathLike[str]",
}
# Which arguments have a place, besides those that are required; and the one that has none.
PLACED, BY_NAME = {"get_context": ["name"], "prompt_block": ["context"]}, {"why"}
ERRORS = {"E_UNAVAILABLE": "", "E_INTERNAL": ""}
GET = """        try:
            found: answers.HintMatch = self._store.get(component, key, context, alternatives)
        except NotFoundError:
            if default is ...:
                raise
            return default
        return found
"""


def answers() -> dict[str, dict[str, Any]]:
    """The classes of answers by their names; those that only a server gives are the last."""
    parts = {name: SCHEMAS[name] for name in CLASSES}
    every = parts | {operation["answer"]: operation["result"] for operation in OPERATIONS}
    server = {row["answer"]: row["result"] for row in OF_SERVER if row["answer"] != "Answer"}
    return every | server


def own_answers() -> set[str]:
    """Those that a store gives in any process."""
    return {*CLASSES, *(operation["answer"] for operation in OPERATIONS)}


def answers_module() -> str:
    """`answers.py`."""
    own, text = own_answers(), ""
    for name, schema in answers().items():
        text += f'\n\nclass {name}(Answer):\n    """{schema["description"]}"""\n'
        by_hand = BY_HAND.get(name, [])
        skipped = {*dir(dict), *(field for field, *_ in by_hand)}
        body = ""
        for field, part, required in fields(schema):
            if field not in skipped:
                kind = type_of(part, False, classes=name in own)
                kind += "" if required or kind.endswith("None") else " | None"
                body += f"    {field}: {kind}\n"
                body += said(part) if name in own else ""
        for field, kind, code, words in by_hand:
            body += f"\n    @property\n    def {field}(self) -> {kind}:\n"
            body += f'        """{words}"""\n        given: {kind} = {code}\n        return given\n'
        text += f"\n{body.lstrip(chr(10))}" if body else ""
    known = "\n\nCLASSES = {kind.__name__: kind for kind in Answer.__subclasses__()}\n"
    return head("The classes of answers; what they have in common is in `answer.py`.", text + known)


def head(words: str, text: str) -> str:
    """A module with what it imports of the others."""
    used = {*re.findall(r"(?<!answers\.)\b\w+", text)}
    shapes = sorted({*types()[1], "Keywords", "StrPath"} & used)
    imports = {
        "nudge": ["answers"] if "(Asking)" in text else [],
        "nudge._nudge": ["text_of"] if "text_of(" in text else [],
        "nudge.answer": ["Answer"] if "Answer" in text else [],
        "nudge.asking": ["Asking", "Where"] if "(Asking)" in text else [],
        "nudge.errors": ["NotFoundError"] if "except NotFoundError" in text else [],
    }
    made = f'"""{words}\n\nMade by `python nudge-py/generate` from `{SOURCE}`.\n"""\n\n'
    is_store = "(Asking)" in text
    more = ", Literal, TypeVar, overload" if is_store else ""
    made += "from __future__ import annotations\n\n"
    made += f"from typing import TYPE_CHECKING, Any{more}\n\n"
    made += "".join(from_import(module, given) for module, given in imports.items() if given)
    made += "\nif TYPE_CHECKING:\n"
    if is_store:
        made += "    from collections.abc import Mapping, Sequence\n"
        made += "    from collections.abc import Set as AbstractSet\n"
        made += "    from os import PathLike\n\n    from typing_extensions import Unpack\n\n"
    made += textwrap.indent(from_import("nudge.types", sorted(shapes)), "    ")
    if not is_store:
        return made + text
    return f'{made}\n_T = TypeVar("_T")\n{text}'


def from_import(module: str, names: list[str]) -> str:
    """An import, broken into lines as the formatter does it."""
    line = f"from {module} import {', '.join(names)}\n"
    return line if len(line) <= WIDTH - 3 else f"from {module} import (\n{lines(names)})\n"


def argument(field: tuple[str, dict[str, Any], bool]) -> str:
    """An argument. A dict has its shape, so that a typo in a key is found."""
    name, part, required = field
    kind = ARGUMENTS.get(name) or given_as(name, part).removesuffix(" | None")
    kind = "str" if kind.count("Literal") > 4 else kind
    none = "" if kind == "Where" else " | None"
    return f"{name}: {kind}" if required else f"{name}: {kind}{none} = None"


def split(operation: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """The arguments that have a place, and those by name: the required ones first."""
    every = list(fields(operation["params"]))
    extra = PLACED.get(method_name(operation), [])
    placed = [one for one in every if (one[2] and one[0] not in BY_NAME) or one[0] in extra]
    by_name = [one for one in every if one not in placed]
    return placed, sorted(by_name, key=lambda one: not one[2])


def method_name(operation: dict[str, Any]) -> str:
    """What Python calls an operation."""
    name = operation["name"].rpartition(".")[2]
    return "import_" if name == "import" else name


def method(name: str, words: list[str], answer: str) -> str:
    """The first line of a method, or its first lines."""
    line = f"    def {name}({', '.join(words)}) -> {answer}:"
    if len(line) > WIDTH:
        inner = f"        {', '.join(words)}"
        if len(inner) > WIDTH:
            inner = "        " + ",\n        ".join(words) + ","
        line = f"    def {name}(\n{inner}\n    ) -> {answer}:"
    return line


def docstring(operation: dict[str, Any], example: str) -> str:
    """What the table says, what is raised, and the example that stands there."""
    if operation in OF_SERVER:
        return f'        """{operation["summary"]}"""\n'
    told = [operation["summary"], operation["description"]]
    if raised := ", ".join(
        f"`{error_class(one)}`" for one in operation["errors"] if error_class(one)
    ):
        told.append(f"Raises {raised}.")
    text = "\n\n".join(
        textwrap.fill(part, WIDTH - 8) if index else part for index, part in enumerate(told) if part
    )
    text += f"\n\n{textwrap.indent(textwrap.dedent(example), '    ').rstrip()}" if example else ""
    return textwrap.indent(f'"""{text}\n"""\n', " " * 8)


def error_class(reason: str) -> str:
    """The exception of a reason; nothing for what anything may raise."""
    words = reason.removeprefix("E_").title().replace("_", "")
    return ERRORS.get(reason, f"{words}Error")


def operations_module() -> str:
    """`operations.py`."""
    before = (PACKAGE / "operations.py").read_text("utf-8")
    found = re.findall(
        r"    def (\w+)\((?:(?!\n    def )[\s\S])*?\n( +>>>[\s\S]*?)\n *\"\"\"", before
    )
    examples = dict(found)
    text = "\n\nclass Operations(Asking):\n"
    text += '    """What a store can be asked for."""\n\n    __slots__ = ()\n'
    for operation in [*OPERATIONS, *OF_SERVER]:
        if operation is OF_SERVER[0]:
            text += "\n    # What follows is for a store from `connect()`.\n"
        name, answer = method_name(operation), f"answers.{operation['answer']}"
        answer = answer.replace("answers.Answer", "Answer")
        placed, by_name = split(operation)
        words = ["self", *map(argument, placed)]
        words += ["*", *map(argument, by_name)] if by_name else []
        if any(one[0] == "meta" for one in by_name):
            # What is in it, and in the scope in that, is a keyword too.
            words.append("**keywords: Unpack[Keywords]")
        body = f'        return self._ask("{operation["name"]}", {answer}, locals())\n'
        if name == "get_hint":
            text += f"\n    @overload\n{method(name, words, answer)} ..."
            text += (
                f"\n    @overload\n{method(name, [*words, 'default: _T'], f'{answer} | _T')} ..."
            )
            words, body, answer = [*words, "default: Any = ..."], GET, "Any"
        text += f"\n{method(name, words, answer)}\n"
        text += docstring(operation, examples.get(name, "")) + body
    return head("What a store can be asked for.", text)


def lines(names: list[str], quote: str = "") -> str:
    """Names, a line each."""
    return "".join(f"    {quote}{name}{quote},\n" for name in sorted(names))


def module() -> str:
    """`__init__.py`, which offers what there is."""
    text = (PACKAGE / "__init__.py").read_text("utf-8")
    classes = sorted(own_answers())
    by_hand = {*re.findall(r"^    (\w+Error),$", text, re.MULTILINE)}
    by_hand |= {"Answer", "Context", "Nudge", "__version__", "connect", "prompt_block", "tools"}
    text = re.sub(r"(?<=answers import \(\n)[^)]*", lines(classes), text)
    return re.sub(r"(?<=__all__ = \[\n)[^]]*", lines([*by_hand, *classes], '"'), text)


def generated() -> dict[Path, str]:
    """Every file that is made or has a part that is, as it should be."""
    return {
        PACKAGE / "types.py": types()[0],
        PACKAGE / "answers.py": answers_module(),
        PACKAGE / "operations.py": operations_module(),
        PACKAGE / "__init__.py": module(),
    }


if __name__ == "__main__":
    stale = {path: text for path, text in generated().items() if path.read_text("utf-8") != text}
    if sys.argv[1:] == ["--check"]:
        told = [f"{path.name} is stale: run `python nudge-py/generate`" for path in stale]
        sys.exit("\n".join(told) or None)
    for path, text in stale.items():
        path.write_text(text, "utf-8")
