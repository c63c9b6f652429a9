"""What Python can give and JSON cannot is refused by name, and never with a crash."""

import enum
import re
import types
from collections import OrderedDict, UserDict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest

from nudge import Context, InvalidError, Nudge, connect, prompt_block

LONE = "\ud800"


def cyclic_dict() -> dict[str, Any]:
    inside: dict[str, Any] = {}
    inside["self"] = inside
    return inside


def cyclic_list() -> list[Any]:
    inside: list[Any] = []
    inside.append(inside)
    return inside


def nested(depth: int) -> list[Any]:
    inside: list[Any] = []
    for _ in range(depth - 1):
        inside = [inside]
    return inside


class Endless(Mapping[str, Any]):
    """A mapping that contains itself."""

    def __getitem__(self, key: str) -> Any:
        return self

    def __iter__(self) -> Iterator[str]:
        return iter(["again"])

    def __len__(self) -> int:
        return 1


class NoPairs(UserDict[str, Any]):
    """A mapping whose items are not pairs."""

    def items(self) -> Any:
        return [1, 2]


# What stands where a value is stored as it is, and why that is refused.
NO_JSON: list[tuple[str, Callable[[], object], str]] = [
    ("NaN", lambda: float("nan"), "finite"),
    ("infinity", lambda: float("inf"), "finite"),
    ("minus infinity", lambda: float("-inf"), "finite"),
    ("a lone surrogate", lambda: LONE, "surrogate"),
    ("a lone surrogate in a key", lambda: {LONE: 1}, "surrogate"),
    ("65 bits", lambda: 2**64, "too large"),
    ("64 bits and a sign", lambda: -(2**63) - 1, "too large"),
    ("5000 digits", lambda: 10**5000, "too large"),
    ("a number as a key", lambda: {1: 2}, "not a string"),
    ("None as a key", lambda: {None: 2}, "not a string"),
    ("a dict in itself", cyclic_dict, "contains itself"),
    ("a list in itself", cyclic_list, "contains itself"),
    ("a mapping in itself", Endless, "contains itself"),
    ("a list 100,000 deep", lambda: nested(100_000), "nested too deep"),
    ("bytes", lambda: b"make", "`bytes`"),
    ("a bytearray", lambda: bytearray(b"make"), "`bytearray`"),
    ("a set", lambda: {"make"}, "`set`"),
    ("an object", object, "`object`"),
    ("a function", lambda: len, "`builtin_function_or_method`"),
    ("a complex number", lambda: 1j, "`complex`"),
    ("a class", lambda: int, "`type`"),
    ("an iterator", lambda: iter([1]), "`list_iterator`"),
    ("a mapping without pairs", lambda: NoPairs(a=1), "not pairs"),
    ("a context", Context, "`Context`"),
    ("a store", Nudge, "`Nudge`"),
]


@pytest.mark.parametrize(
    ("make", "words"), [row[1:] for row in NO_JSON], ids=[r[0] for r in NO_JSON]
)
def test_what_is_no_json_is_refused_where_it_stands(make: Callable[[], object], words: str) -> None:
    store, before = Nudge(), Nudge().export().payload["components"]
    with pytest.raises(InvalidError, match=words) as raised:
        store.set_hint("api", "build", {"type": "json", "data": make()})
    assert raised.value.code == 40001
    assert raised.value.data["field"].startswith("value")
    with pytest.raises(InvalidError) as raised:
        store.set_hint("api", "build", {"type": "json", "data": [0, {"a": make()}]})
    assert raised.value.data["field"].startswith("value")
    assert store.export().payload["components"] == before


def test_the_place_is_named_to_the_item() -> None:
    with pytest.raises(InvalidError) as raised:
        Nudge().set_hint("api", "build", {"type": "json", "data": {"a": [1, {"b": b""}]}})
    assert raised.value.data["field"] == "value.data.a[1].b"


# Every argument of every method, with a value of no type that it takes.
ODD = [3.5, True, b"x", {"x"}, object(), [[]], {"x": object()}, float("nan"), LONE, 10**5000]
ARGUMENTS: dict[str, dict[str, Any]] = {
    "set_hint": {
        "component": "api", "key": "build", "value": "make", "meta": {}, "if_match_version": 0,
    },
    "get_hint": {"component": "api", "key": "build", "context": {}, "alternatives": 1},
    "query": {
        "component": "api", "keys": ["build"], "tags": ["a"], "tags_mode": "any", "regex": "x",
        "context": {}, "limit": 1, "include_ineligible": True,
    },
    "delete_hint": {"component": "api", "key": "build", "scope": {}, "context": {}, "all": False},
    "list_components": {"component": "api", "context": {}},
    "bump": {"component": "api", "key": "build", "delta": 1, "scope": {}, "context": {}},
    "export": {"format": "json", "component": "api", "tags": [], "include_secrets": True},
    "import_": {"payload": {}, "mode": "merge", "dry_run": True},
    "here": {
        "cwd": "/", "root": "/", "repo": "git:a/b", "branch": "dev", "os": "linux", "env": {},
        "files_open": [],
    },
}  # fmt: skip
NEEDED = ("component", "key", "value")
EVERY = [(method, name) for method, given in ARGUMENTS.items() for name in given]


@pytest.mark.parametrize(("method", "name"), EVERY)
def test_an_argument_of_the_wrong_type_is_refused_by_its_name(method: str, name: str) -> None:
    call = getattr(Nudge(), method)
    taken = (bool,) if isinstance(ARGUMENTS[method][name], bool) else ()
    if isinstance(ARGUMENTS[method][name], list) or name == "repo":
        taken = (set,)
    for odd in ODD:
        if isinstance(odd, taken):
            continue
        given: dict[str, Any] = {each: "x" for each in NEEDED if each in ARGUMENTS[method]}
        if "payload" in ARGUMENTS[method]:
            given["payload"] = {"schema_version": "1.0", "components": {}}
        given[name] = odd
        with pytest.raises(InvalidError) as raised:
            call(**given)
        assert raised.value.data["field"].split(".")[0].split("[")[0] == name


@pytest.mark.parametrize("method", ARGUMENTS)
def test_an_unknown_argument_is_refused(method: str) -> None:
    name = next(iter(ARGUMENTS[method]))
    words = f"{method}() got an unexpected keyword argument '{name}x'"
    given = {each: "x" for each in (*NEEDED, "payload") if each in ARGUMENTS[method]}
    with pytest.raises(TypeError, match=re.escape(words)):
        getattr(Nudge(), method)(**given, **{f"{name}x": 1})


@pytest.mark.parametrize("method", [m for m in ARGUMENTS if "key" in ARGUMENTS[m]])
def test_a_missing_argument_is_named(method: str) -> None:
    with pytest.raises(TypeError, match=rf"{method}\(\) missing .*'key'"):
        getattr(Nudge(), method)("api")


UNKNOWN: list[tuple[str, Callable[..., object], str]] = [
    ("Nudge.__init__", Nudge, "limit"),
    ("Context", Context, "barnch"),
    ("Context.here", Context.here, "barnch"),
    ("Nudge.here", Nudge().here, "barnch"),
    ("Nudge.propose", partial(Nudge().propose, "a", "b", "c", why="d"), "reasn"),
    ("prompt_block", lambda **odd: prompt_block(Nudge(), **odd), "buget"),
    ("connect", connect, "client_name"),
]


@pytest.mark.parametrize(("name", "call", "unknown"), UNKNOWN, ids=[r[0] for r in UNKNOWN])
def test_every_call_refuses_what_it_does_not_know(
    name: str, call: Callable[..., object], unknown: str
) -> None:
    words = f"{name.removeprefix('Nudge.')}() got an unexpected keyword argument '{unknown}'"
    with pytest.raises(TypeError, match=re.escape(words)):
        call(**{unknown: 1})


NO_SET_UP: list[dict[str, Any]] = [
    {"limits": 3},
    {"limits": {"hints": -1}},
    {"secret_guard": 1},
    {"default_ttl": "P1Y"},
    {"weights": {"recency": "x"}},
    {"session_id": 1},
    {"session_id": LONE},
    {"limits": {"hint": 1}},
]


@pytest.mark.parametrize("odd", NO_SET_UP)
def test_a_store_is_refused_by_the_argument_at_fault(odd: dict[str, Any]) -> None:
    with pytest.raises(InvalidError) as raised:
        Nudge(**odd)
    assert raised.value.data["field"].split(".")[0] == next(iter(odd))


NO_FACTS: list[dict[str, Any]] = [
    {"cwd": 1},
    {"repo": [1]},
    {"branch": b"dev"},
    {"os": "beos"},
    {"env": ["PATH"]},
    {"files_open": "x"},
    {"cwd": LONE},
]


@pytest.mark.parametrize("odd", NO_FACTS)
def test_a_context_is_refused_by_the_fact_at_fault(odd: dict[str, Any]) -> None:
    for make in (Context, Context.here, Nudge().here):
        with pytest.raises(InvalidError) as raised:
            make(**odd)
        assert raised.value.data["field"].split("[")[0] == next(iter(odd))


def test_a_time_is_a_text_or_none() -> None:
    for odd in (1, b"", "noon", "2025-11-04", LONE):
        with pytest.raises(InvalidError):
            Nudge().pin_clock(odd)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'at'"):
        Nudge().pin_clock()  # type: ignore[call-arg]


def test_none_is_as_good_as_absent() -> None:
    store = Nudge(limits=None, weights=None, session_id=None)
    store.set_hint("api", "build", "make", meta=None, if_match_version=None)
    assert store.get_hint("api", "build", context=None, alternatives=None).value == "make"
    assert store.query(**dict.fromkeys(ARGUMENTS["query"])).total == 1
    assert store.bump("api", "build", delta=None, scope=None, context=None).hint.use_count == 1
    payload = store.export(**dict.fromkeys(ARGUMENTS["export"])).payload
    assert store.import_(payload, mode=None, dry_run=None).imported == 0
    assert store.delete_hint("api", "build", scope=None, context=None, all=None).deleted
    assert Context(cwd=None, env=None) == Context()


class Word(str):
    """A string with more to it."""


class Number(enum.IntEnum):
    """A number with a name."""

    SEVEN = 7


def test_whatever_means_the_same_is_taken() -> None:
    class Odds(float):
        pass

    store = Nudge()
    meta = UserDict(
        {"tags": ("build", Word("docker")), "priority": Number.SEVEN, "confidence": Odds(0.5)}
    )
    scope = types.MappingProxyType({"branch": ["dev"]})
    value = OrderedDict(type="command", cmd=Word("make"))
    store.set_hint(Word("api"), "build", value, meta={**meta, "scope": scope})
    found = store.get_hint("api", Word("build"), context=UserDict(branch="dev"))
    assert found.value == {"type": "command", "cmd": "make"}
    assert found.hint.meta["tags"] == ["build", "docker"]
    assert found.hint.meta["priority"] == 7


def test_a_dict_and_any_other_mapping_are_read_alike() -> None:
    """A dict is read straight into a request, another mapping goes by JSON."""
    meta: dict[str, Any] = {
        "reason": "why", "tags": ["a", "é\"\\"], "priority": 7, "confidence": 0.25,
        "ttl": "PT2H", "scope": {"branch": "dev", "os": ["linux"], "env_match": {"A": ["1"]}},
    }  # fmt: skip
    data = {"n": [None, True, 0, -1, 1.5, 1e300, "x\n\x7f\0"], "deep": {"er": []}}
    exports: list[object] = []
    for kind in (dict, UserDict):
        store = Nudge(session_id="s-1")
        store.pin_clock("2025-11-04T10:00:00Z")
        value = kind(type="json", data=kind(data))
        store.set_hint("api", "build", value, meta=kind(meta, scope=kind(meta["scope"])))
        exports.append(store.export().to_dict())
    assert exports[0] == exports[1]


def test_large_numbers_arrive_as_they_are() -> None:
    store = Nudge()
    for number in (2**63 - 1, -(2**63), 2**64 - 1):
        store.set_hint("api", "port", {"type": "json", "data": number})
        assert store.get_hint("api", "port").value == {"type": "json", "data": number}


def test_a_dict_that_changes_while_it_is_read_does_no_harm() -> None:
    class Meddler(Mapping[str, Any]):
        def __getitem__(self, key: str) -> Any:
            raise KeyError(key)

        def __iter__(self) -> Iterator[str]:
            outer.update({f"{i}": i for i in range(100)})
            return iter(())

        def __len__(self) -> int:
            return 0

    outer: dict[str, Any] = {"a": Meddler(), "b": 1}
    store = Nudge()
    store.set_hint("api", "build", {"type": "json", "data": outer})
    assert store.get_hint("api", "build").value == {"type": "json", "data": {"a": {}, "b": 1}}


def test_what_a_mapping_of_the_callers_raises_reaches_the_caller() -> None:
    class Broken(Endless):
        def __iter__(self) -> Iterator[str]:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Nudge().set_hint("api", "build", {"type": "json", "data": Broken()})


def test_a_refusal_shows_no_secret() -> None:
    # Joined, so that no scanner takes it for a leaked one.
    secret = "ghp_" + "x7Kq2LmZ9RtB4vNcW8sHfJ3pYdG6uEa1oiTQ"
    for refused in (b"", object(), float("nan")):
        with pytest.raises(InvalidError) as raised:
            Nudge().set_hint("api", "build", {"type": "json", "data": {secret: refused}})
        assert secret not in str(raised.value.to_dict())
