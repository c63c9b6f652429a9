"""Every public name is documented, the stub says what `help()` says, and the examples run."""

import ast
import doctest
import inspect
from pathlib import Path

import pytest

import nudge
from nudge import Context, Nudge, _nudge, prompt_block
from nudge.operations import Operations

STUB = Path(nudge.__file__).with_name("_nudge.pyi")
TABLE = [name for name in vars(Operations) if not name.startswith("_")]
# The rows of the core, which a store in this process has, come first.
IN_PROCESS = TABLE[: TABLE.index("hello")]
THINGS: dict[str, object] = {
    "prompt_block": prompt_block,
    **{kind.__name__: kind for kind in (Nudge, Context)},
    **{
        f"{kind.__name__}.{name}": getattr(kind, name)
        for kind in (Nudge, Context)
        for name in dir(kind)
        if not name.startswith("_")
    },
}


def documentation(name: str) -> str:
    return inspect.cleandoc(getattr(THINGS[name], "__doc__", "") or "")


def test_the_stub_says_what_help_says() -> None:
    tree = ast.parse(STUB.read_text("utf-8"))
    context = next(node for node in tree.body if getattr(node, "name", "") == "Context")
    assert isinstance(context, ast.ClassDef)
    assert ast.get_docstring(context) == documentation("Context")
    for node in context.body:
        if isinstance(node, ast.FunctionDef) and (said := ast.get_docstring(node)):
            assert said == documentation(f"Context.{node.name}")
    assert STUB.with_name("py.typed").is_file()


def test_every_public_name_is_documented() -> None:
    for name in nudge.__all__:
        assert inspect.getdoc(getattr(nudge, name)), name
    assert [name for name in THINGS if not documentation(name)] == []
    assert _nudge.Store.__doc__


EXAMPLES = [name for name in THINGS if ">>>" in documentation(name)]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_runs(name: str) -> None:
    names = {"store": nudge.Nudge(), **{each: getattr(nudge, each) for each in nudge.__all__}}
    example = doctest.DocTestParser().get_doctest(documentation(name), names, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(example).failed == 0


def test_every_operation_of_a_store_has_an_example() -> None:
    # What `nudge sync` alone asks for is nobody's to type.
    assert {f"Nudge.{name}" for name in IN_PROCESS if name != "merge"} <= {*EXAMPLES}
