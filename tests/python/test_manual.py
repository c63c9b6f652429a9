"""The stub is the Python manual: it says what `help()` says, and its examples run."""

import ast
import doctest
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import nudge
from nudge import _nudge

STUB = Path(nudge.__file__).with_name("_nudge.pyi")
SOURCE = Path(__file__).parents[2] / "nudge-py/python/nudge/_nudge.pyi"


def entries(stub: str) -> Iterator[tuple[str, str]]:
    """Every name of the stub that has a docstring, with that."""
    tree = ast.parse(stub)
    for outer in tree.body:
        for node in (outer, *getattr(outer, "body", ())):
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and (
                said := ast.get_docstring(node)
            ):
                name = node.name if node is outer else f"{outer.name}.{node.name}"  # type: ignore[attr-defined]
                yield name, said


def documentation(name: str) -> str:
    thing: object = _nudge
    for part in name.split("."):
        thing = getattr(thing, part)
    return inspect.cleandoc(thing.__doc__ or "")


def test_the_stub_says_what_help_says() -> None:
    said = dict(entries(SOURCE.read_text(encoding="utf-8")))
    assert {"Nudge", "Nudge.get_hint", "Context.here", "Hint.value", "prompt_block"} <= set(said)
    for name, docstring in said.items():
        assert docstring == documentation(name), f"the stub says something else of {name}"


def public(thing: object) -> list[str]:
    return [name for name in vars(thing) if not name.startswith("_")]


def test_every_public_name_is_documented() -> None:
    names = [name for name, _ in entries(SOURCE.read_text(encoding="utf-8"))]
    for name in _nudge.__all__:
        assert name in names
        if inspect.isclass(getattr(_nudge, name)):
            for member in public(getattr(_nudge, name)):
                assert documentation(f"{name}.{member}"), f"{name}.{member} has no docstring"


EXAMPLES = [
    name for name, _ in entries(SOURCE.read_text(encoding="utf-8")) if ">>>" in documentation(name)
]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_runs(name: str) -> None:
    names = {"store": nudge.Nudge(), **{each: getattr(nudge, each) for each in nudge.__all__}}
    example = doctest.DocTestParser().get_doctest(documentation(name), names, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(example).failed == 0


def test_every_operation_has_an_example() -> None:
    operations = [f"Nudge.{name}" for name in public(_nudge.Nudge) if name != "session_id"]
    assert set(operations) - {"Nudge.close"} <= set(EXAMPLES)


def test_the_stub_is_installed_with_the_module() -> None:
    assert STUB.is_file()
    assert STUB.with_name("py.typed").is_file()
