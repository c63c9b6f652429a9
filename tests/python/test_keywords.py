"""What Python users write instead of a dict, a list or a `try`: the same request each time."""

from collections import UserDict
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from nudge import Context, InvalidError, NotFoundError, Nudge

# Keywords, and the `meta` that says the same.
SAME: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"reason": "why", "priority": 7}, {"reason": "why", "priority": 7}),
    ({"branch": "dev"}, {"scope": {"branch": ["dev"]}}),
    ({"scope": {"branch": "dev"}, "os": "linux"}, {"scope": {"branch": "dev", "os": "linux"}}),
    ({"scope": {"os": "linux"}, "branch": "b"}, {"scope": {"branch": "b", "os": "linux"}}),
    ({"meta": {"scope": {"os": "linux"}}, "tags": "a"}, {"scope": {"os": "linux"}, "tags": ["a"]}),
    ({"meta": {"scope": {}}, "branch": "b"}, {"scope": {"branch": "b"}}),
    ({"meta": UserDict(tags=["a"]), "reason": "why"}, {"tags": ["a"], "reason": "why"}),
    ({"meta": {"tags": ["a"]}, "tags": None, "branch": None}, {"tags": ["a"]}),
    ({"meta": None, "reason": "why"}, {"reason": "why"}),
    ({"meta": {"scope": None}, "branch": "dev"}, {"scope": {"branch": "dev"}}),
    ({"env_match": {"A": {"1", "2"}}}, {"scope": {"env_match": {"A": ["1", "2"]}}}),
    ({"tags": "build"}, {"tags": ["build"]}),
    ({"tags": {"b", "a"}}, {"tags": ["a", "b"]}),
    ({"meta": {"tags": frozenset({"b", "a"})}}, {"tags": ["a", "b"]}),
    ({"meta": {"tags": "build"}}, {"tags": ["build"]}),
    ({"branch": {"main", "dev"}}, {"scope": {"branch": ["dev", "main"]}}),
    ({"cwd_glob": Path("/work/api")}, {"scope": {"cwd_glob": ["/work/api"]}}),
    ({"ttl": timedelta(hours=2)}, {"ttl": "PT2H"}),
    ({"ttl": timedelta(days=7)}, {"ttl": "P7D"}),
    ({"ttl": timedelta(minutes=90)}, {"ttl": "PT90M"}),
    ({"ttl": timedelta(days=1, seconds=1)}, {"ttl": "PT86401S"}),
    ({"meta": {"ttl": timedelta(seconds=1.5)}}, {"ttl": "PT1.5S"}),
]  # fmt: skip
BOTH: list[dict[str, Any]] = [
    {"tags": ["a"], "meta": {"tags": ["b"]}},
    {"tags": ["a"], "meta": {"tags": None}},
    {"scope": {}, "meta": {"scope": {}}},
    {"branch": "dev", "meta": {"scope": {"branch": "main"}}},
    {"branch": "dev", "scope": {"branch": "main"}},
]


def pinned() -> Nudge:
    store = Nudge(session_id="s-1")
    store.pin_clock("2025-11-04T10:00:00Z")
    return store


@pytest.mark.parametrize(("keywords", "meta"), SAME, ids=[str(row[0]) for row in SAME])
def test_keywords_make_the_request_that_meta_makes(
    keywords: dict[str, Any], meta: dict[str, Any]
) -> None:
    short, long = pinned(), pinned()
    assert short.set_hint("api", "build", "make", **keywords) == long.set_hint(
        "api", "build", "make", meta=meta
    )
    assert short.export() == long.export()
    proposed = short.propose("api", "test", "make", why="x", **keywords)
    assert proposed == long.propose("api", "test", "make", why="x", meta=meta)


@pytest.mark.parametrize("given", BOTH, ids=str)
def test_what_is_given_twice_is_named(given: dict[str, Any]) -> None:
    name, store = next(iter(given)), Nudge()
    before = str(given)
    with pytest.raises(TypeError, match=rf"Nudge.set_hint\(\) got '{name}' twice"):
        store.set_hint("api", "build", "make", **given)
    with pytest.raises(TypeError, match=rf"Nudge.propose\(\) got '{name}' twice"):
        store.propose("api", "build", "make", why="x", **given)
    assert (len(store), str(given)) == (0, before)


def test_the_dict_of_the_caller_stays_as_it_was() -> None:
    scope = {"os": "linux"}
    meta: Any = {"scope": scope}
    Nudge().set_hint("api", "build", "make", meta=meta, branch="dev", tags="a")
    assert meta == {"scope": {"os": "linux"}}


def test_a_keyword_of_the_wrong_type_is_refused_where_it_stands() -> None:
    odd: list[tuple[dict[str, Any], str]] = [
        ({"priority": "x"}, "meta.priority"),
        ({"branch": 1}, "meta.scope.branch"),
        ({"scope": {"barnch": "dev"}}, "meta.scope.barnch"),
        ({"meta": 3, "tags": "a"}, "meta"),
        ({"scope": 3, "branch": "dev"}, "meta.scope"),
        ({"tags": {1, "a"}}, "meta.tags[0]"),
        ({"ttl": timedelta()}, "meta.ttl"),
        ({"ttl": timedelta(seconds=-1)}, "meta.ttl"),
        ({"reason": timedelta(1)}, "meta.reason"),
        ({"reason": Path}, "meta.reason"),
    ]
    for given, field in odd:
        with pytest.raises(InvalidError) as raised:
            Nudge().set_hint("api", "build", "make", **given)
        assert raised.value.data["field"].startswith(field.removesuffix("[0]")), given


def test_a_lone_tag_and_a_set_of_tags_find_hints() -> None:
    store = Nudge()
    store.set_hint("api", "build", "make", tags="build")
    for tags in ("build", {"build"}, frozenset({"build"}), ("build",), ["build"]):
        assert store.query(tags=tags).total == 1
        assert store.export(tags=tags).payload["components"]
    assert store.query(keys={"build", "test"}).total == 1


def test_a_path_is_its_text() -> None:
    here = Context(cwd=Path("/work/api"), root=Path("/work"), files_open=[Path("/work/api/a.py")])
    assert here == Context(cwd="/work/api", root="/work", files_open=["/work/api/a.py"])
    store = Nudge(default_ttl=timedelta(hours=1))
    assert store.set_hint("api", "folder", Path("/work/api")).hint.value == "/work/api"
    typed: Any = {"type": "path", "abs": Path("/work/api")}
    assert store.set_hint("api", "home", typed).hint.value == {"type": "path", "abs": "/work/api"}
    assert store.get_hint("api", "home", context={"cwd": Path("/work/api")}).text == "/work/api"
    assert store.get_hint("api", "home").hint.expires_at is not None


def test_what_is_kept_as_it_is_must_be_json() -> None:
    for odd in (Path("/work"), {"a"}, timedelta(1), {"tags": {"a"}}, {"ttl": timedelta(1)}):
        with pytest.raises(InvalidError, match="is not JSON"):
            Nudge().set_hint("api", "build", {"type": "json", "data": odd})
    lone = {"type": "json", "data": {"tags": "a", "t": (1,)}}
    assert Nudge().set_hint("api", "build", lone).hint.value["data"]["tags"] == "a"


MISSES: list[tuple[str, Callable[[Nudge], object]]] = [
    ("no slot", lambda store: store.get_hint("api", "test", default=None)),
    ("out of scope", lambda store: store.get_hint("api", "build", default=None)),
    ("by a mapping", lambda store: store.get_hint("api", "build", context={}, default=None)),
    ("with more", lambda store: store.get_hint("api", "no", alternatives=1, default=None)),
]


@pytest.mark.parametrize(("case", "get"), MISSES, ids=[row[0] for row in MISSES])
def test_a_miss_gives_the_default(case: str, get: Callable[[Nudge], object]) -> None:
    del case
    store = Nudge()
    store.set_hint("api", "build", "make", branch="dev")
    assert get(store) is None


def test_a_default_is_for_a_miss_alone() -> None:
    store = Nudge()
    store.set_hint("api", "build", "make")
    assert store.get_hint("api", "build", default=None).value == "make"
    marker = object()
    assert store.get_hint("api", "test", default=marker) is marker
    with pytest.raises(NotFoundError):
        store.get_hint("api", "test")
    with pytest.raises(InvalidError):
        store.get_hint("api", "", default=None)
    with pytest.raises(TypeError):
        store.get_hint("api", default=None)  # type: ignore[call-overload]
    store.close()
    with pytest.raises(InvalidError, match="closed"):
        store.get_hint("api", "test", default=None)
