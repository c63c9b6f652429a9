"""`types.py`: the shapes that operations refer to."""

from keyword import iskeyword
from typing import Any

from table import (
    CLASSES,
    NAMES,
    OPERATIONS,
    PACKAGE,
    PLAIN,
    SCHEMAS,
    WIDTH,
    answered,
    between,
    fields,
    given_as,
    literals,
    named,
    said,
    type_of,
)

# An enum that has no name in the schemas, by the field that has it.
ENUMS = {("NearMiss", "condition"): "Condition"}


def alias(name: str, union: str) -> str:
    """A name for a type, broken into lines as the formatter does it."""
    line = f"{name}: TypeAlias = {union}"
    if len(line) <= WIDTH:
        return line
    words = union if len(union) + 4 <= WIDTH else union.replace(" | ", "\n    | ")
    return f"{name}: TypeAlias = (\n    {words}\n)"


def typed_dict(name: str, schema: dict[str, Any], given: bool, field_types: dict[str, str]) -> str:
    """A dict with fields, of which some may be absent."""
    text = ""
    required = [field for field, _, required in fields(schema) if required]
    for field, part, _ in fields(schema):
        kind = given_as(field, part) if given else type_of(part, False)
        kind = field_types.get(field) or kind
        if required and field not in required:
            kind = f"NotRequired[{kind}]"
        # What is a word of Python's own cannot be written as a field.
        if not iskeyword(field):
            text += f"    {field}: {kind}\n"
            text += said(part)
    words = [(field, part) for field, part, _ in fields(schema) if iskeyword(field)]
    base, before = "TypedDict", ""
    if words:
        kinds = ", ".join(f'"{field}": {type_of(part, given)}' for field, part in words)
        base = f"_{name}Words"
        before = f'{base} = TypedDict("{base}", {{{kinds}}}, total=False)\n\n\n'
    total = "" if required else ", total=False"
    return f'{before}class {name}({base}{total}):\n    """{schema["description"]}"""\n\n{text}'


class Types:
    """The shapes that operations refer to, each after those that it refers to itself."""

    def __init__(self) -> None:
        self.aliases: list[str] = []
        self.written: dict[str, str] = {}
        self.seen: set[str] = set()

    def reach(self, schema: Any) -> None:
        """Write all that a schema refers to."""
        if isinstance(schema, list):
            for one in schema:
                self.reach(one)
        elif isinstance(schema, dict):
            if name := named(schema):
                self.add(name)
            for key, one in schema.items():
                if key != "description":
                    self.reach(one)

    def add(self, name: str) -> None:
        """Write one shape."""
        schema = SCHEMAS[name]
        if name in self.seen or name in PLAIN:
            return
        self.seen.add(name)
        self.reach([schema.get("properties"), schema.get("anyOf")])
        if name in CLASSES:
            return
        python = NAMES.get(name, name)
        if "enum" in schema:
            self.aliases.append(alias(python, literals(schema["enum"])))
        elif "anyOf" in schema:
            self.union(python, schema)
        elif name == "Scope":
            plain = {key: answered(part) for key, part in schema["properties"].items()}
            self.written[name] = typed_dict(name, {**schema, "properties": plain}, False, {})
            like = {**schema, "description": "A scope as it may be given."}
            self.written["ScopeLike"] = typed_dict("ScopeLike", like, True, {})
        else:
            own = {field: word for (shape, field), word in ENUMS.items() if shape == name}
            for field, word in own.items():
                self.aliases.append(alias(word, literals(schema["properties"][field]["enum"])))
            # What a caller gives says so by refusing what it does not know.
            given = schema.get("additionalProperties") is False
            self.written[python] = typed_dict(python, schema, given, own)

    def union(self, python: str, schema: dict[str, Any]) -> None:
        """Write each kind of a value, and then what is one of them."""
        kinds: list[str] = []
        for one in schema["anyOf"]:
            if one.get("type") != "object":
                kinds.insert(0, type_of(one, False))
                continue
            kind = one["properties"]["type"]["const"].capitalize() + python
            parts = {key: answered(part) for key, part in one["properties"].items()}
            self.written[kind] = typed_dict(kind, {**one, "properties": parts}, False, {})
            kinds.append(kind)
        self.written[python] = alias(python, " | ".join(kinds)) + "\n"


def types() -> tuple[str, list[str]]:
    """`types.py`, and the names that it defines."""
    made = Types()
    for operation in OPERATIONS:
        made.reach([operation["params"], operation["result"]])
    names = [line.partition(":")[0] for line in made.aliases] + list(made.written)
    shapes = "\n".join(made.aliases) + "\n\n\n" + "\n\n".join(made.written.values()) + "\n\n"
    text = (PACKAGE / "types.py").read_text("utf-8")
    return between(text, "shapes", shapes), names
