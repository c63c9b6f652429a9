"""The store as an object of Python: its life, its signatures, what it refuses to be."""

import copy
import inspect
import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import nudge
from nudge import Context, InvalidError, Nudge, prompt_block

OPERATIONS: dict[str, Callable[[Nudge], object]] = {
    "set_hint": lambda store: store.set_hint("api", "build", "make"),
    "get_hint": lambda store: store.get_hint("api", "build"),
    "get_hint by dict": lambda store: store.get_hint("api", "build", context={}),
    "query": lambda store: store.query(),
    "delete_hint": lambda store: store.delete_hint("api", "build"),
    "list_components": lambda store: store.list_components(),
    "bump": lambda store: store.bump("api", "build"),
    "export": lambda store: store.export(),
    "import_": lambda store: store.import_({"schema_version": "1.0", "components": {}}),
    "set_context": lambda store: store.set_context({"ports": [1]}),
    "get_context": lambda store: store.get_context(),
    "propose": lambda store: store.propose("api", "build", "make", why="it worked"),
    "list_proposals": lambda store: store.list_proposals(),
    "accept": lambda store: store.accept(1),
    "reject": lambda store: store.reject(1),
    "on_event": lambda store: store.on_event("session_start"),
    "stats": lambda store: store.stats(),
    "store.prompt_block": lambda store: store.prompt_block(),
    "sweep": lambda store: store.sweep(),
    "pin_clock": lambda store: store.pin_clock(None),
    "here": lambda store: store.here(),
    "session_id": lambda store: store.session_id,
    "prompt_block": prompt_block,
    "with": lambda store: store.__enter__(),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_closed_store_says_so(operation: str) -> None:
    store = Nudge()
    store.close()
    with pytest.raises(InvalidError, match="closed") as raised:
        OPERATIONS[operation](store)
    assert raised.value.data == {"reason": "E_INVALID", "detail": "closed"}


def test_a_store_closes_at_the_end_of_its_block() -> None:
    with Nudge() as store:
        store.set_hint("api", "build", "make")
        store.close()
        store.close()
    assert repr(store) == "Nudge(closed)"
    with pytest.raises(ZeroDivisionError), Nudge() as store:
        raise ZeroDivisionError
    with pytest.raises(InvalidError):
        store.sweep()


def test_the_session_has_a_name() -> None:
    assert Nudge(session_id="s-1").session_id == "s-1"
    assert Nudge(session_id="s-1").export().payload["session_id"] == "s-1"
    assert Nudge().session_id != Nudge().session_id


def test_a_store_shows_how_much_is_in_it() -> None:
    store = Nudge(session_id="it's")
    assert (len(store), bool(store)) == (0, True)
    assert repr(store) == """Nudge(session_id="it's", components=0, hints=0)"""
    store.set_hint("api", "build", "make")
    store.set_hint("api", "build", "ninja", branch="dev")
    store.set_hint("web", "build", "npm run build")
    assert len(store) == len(store.as_agent("my-bot/1")) == 3
    assert repr(store) == """Nudge(session_id="it's", components=2, hints=3)"""
    store.close()
    assert repr(store) == "Nudge(closed)"
    with pytest.raises(InvalidError, match="closed"):
        len(store)


def test_a_store_is_neither_pickled_nor_copied() -> None:
    for refused in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="export"):
            refused(Nudge())


def test_what_was_exported_can_be_imported() -> None:
    store = Nudge(session_id="s-1")
    store.pin_clock("2025-11-04T10:00:00Z")
    store.set_hint("api", "build", "make", meta={"tags": ["build"], "scope": {"os": ["linux"]}})
    store.set_hint("api", "token", "s3cr3t", meta={"sensitivity": "secret"})
    exported = store.export(include_secrets=True)
    other = Nudge(session_id="s-1")
    other.pin_clock("2025-11-04T10:00:00Z")
    assert other.import_(json.loads(json.dumps(exported.payload))).imported == 2
    assert other.export(include_secrets=True) == exported
    assert store.export().secrets_left_out == 1


def test_a_hint_ends_with_the_clock() -> None:
    store = Nudge()
    store.pin_clock("2025-11-04T10:00:00Z")
    store.set_hint("api", "build", "make", meta={"ttl": "PT2H"})
    store.pin_clock("2025-11-04T12:00:00Z")
    assert store.query().total == 0
    assert store.sweep() == 1
    assert store.sweep() == 0
    store.pin_clock(None)
    assert store.set_hint("api", "build", "make").hint.updated_at >= "2025-11-04T12:00:00.000Z"


def test_a_prompt_block_is_text_within_its_budget() -> None:
    store = Nudge()
    assert prompt_block(store) == ""
    store.set_hint("api", "build", "make", meta={"scope": {"branch": ["dev"]}})
    assert prompt_block(store) == ""
    for context in (Context(branch="dev"), {"branch": "dev"}):
        assert prompt_block(store, context).endswith("- [user] api/build: make\n")
        assert prompt_block(store, context=context, budget=1000) == prompt_block(store, context)
    for odd in ({"budget": 0}, {"budget": "x"}, {"context": 3}):
        with pytest.raises(InvalidError):
            prompt_block(store, **odd)


def test_a_prompt_brings_what_speaks_of_it_to_the_front() -> None:
    store = Nudge()
    store.set_hint("api", "build", "make")
    store.set_hint("web", "deploy", "make ship")
    block = store.prompt_block(prompt="deploy it, please", max_tokens=300)
    assert [entry["key"] for entry in block.entries or []] == ["deploy", "build"]
    assert prompt_block(store, prompt="deploy it, please").splitlines()[1].endswith("make ship")


FACTS = "*, cwd=None, root=None, repo=None, branch=None, os=None, env=None, files_open=None"
SIGNATURES = {Context: f"({FACTS})", Context.here: f"({FACTS})"}


@pytest.mark.parametrize(("callable_", "signature"), SIGNATURES.items())
def test_a_signature_can_be_read(callable_: Callable[..., object], signature: str) -> None:
    assert str(inspect.signature(callable_)) == signature


def test_too_many_arguments_are_a_mistake_of_the_language() -> None:
    store: object = Nudge()
    for method in ("get_hint", "query", "sweep"):
        with pytest.raises(TypeError):
            getattr(store, method)("a", "b", "c", "d")


def test_there_is_one_version() -> None:
    manifest = Path(__file__).parents[2] / "Cargo.toml"
    assert f'version = "{nudge.__version__}"' in manifest.read_text(encoding="utf-8")


def test_the_quickstart_prints_what_every_quickstart_prints(
    capsys: pytest.CaptureFixture[str],
) -> None:
    examples = Path(__file__).parents[2] / "examples"
    source = (examples / "python/quickstart.py").read_text(encoding="utf-8")
    exec(compile(source, "quickstart.py", "exec"), {})
    expected = (examples / "quickstart.out").read_text(encoding="utf-8")
    assert capsys.readouterr().out == expected
