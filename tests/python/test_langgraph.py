"""`NudgeStore` beside LangGraph's own `InMemoryStore`, and inside a graph."""

import asyncio
import importlib
import subprocess
import sys
from typing import TypedDict

import pytest

from nudge import Nudge

WHY = "langgraph is not installed; pip install -r tests/python/requirements-frameworks.txt"
base = pytest.importorskip("langgraph.store.base", reason=WHY)
memory = pytest.importorskip("langgraph.store.memory", reason=WHY)
NudgeStore = importlib.import_module("nudge.langgraph").NudgeStore

ANN, BOB, DOCS = ("users", "ann"), ("users", "bob"), ("docs",)

FILLED = [
    ("put", (ANN, "food", {"likes": "pizza", "score": 4, "at": {"city": "Rome", "zip": "00100"}})),
    ("put", (ANN, "music", {"likes": "jazz", "score": 9, "tags": ["a", "b"]})),
    ("put", (BOB, "food", {"likes": "ramen", "score": 7.5, "at": {"city": "Kyoto"}})),
    ("put", (DOCS, "guide", {"likes": None, "score": 0, "done": True})),
    ("put", (("docs", "old", "v1"), "guide", {"score": 1})),
    ("put", (("docs", "new", "v1"), "guide", {"score": 2})),
]


def search(*prefix, **options):
    return ("search", (prefix,), options)


def spaces(**options):
    return ("list_namespaces", (), options)


# What is done, by the sentence that it shows. Every step is a method, its arguments and its
# options; an operation of a batch is a tuple that starts with its name.
SCENARIOS = {
    "what was put is got": [*FILLED, ("get", (ANN, "food")), ("get", (BOB, "food"))],
    "a missing item is none": [("get", (ANN, "food"))],
    "a key may hold dots and spaces": [
        ("put", (ANN, "a.b c/é", {"x": 1})),
        ("get", (ANN, "a.b c/é")),
    ],
    "a second put replaces the whole value": [
        ("put", (ANN, "food", {"likes": "pizza", "score": 1})),
        ("put", (ANN, "food", {"likes": "ramen"})),
        ("get", (ANN, "food")),
    ],
    "an empty value is a value": [("put", (ANN, "food", {})), ("get", (ANN, "food"))],
    "every kind of JSON comes back": [
        ("put", (ANN, "x", {"n": None, "t": True, "i": -3, "f": 0.5, "s": "é\n", "l": [1, [2]]})),
        ("get", (ANN, "x")),
    ],
    "a deleted item is gone": [*FILLED, ("delete", (ANN, "food")), ("get", (ANN, "food"))],
    "deleting what is not there is no error": [("delete", (ANN, "food"))],
    "a namespace does not reach into another": [
        ("put", (("a", "b"), "k", {"x": 1})),
        ("get", (("a",), "k")),
        ("get", (("a", "b", "c"), "k")),
        search("a", "b"),
        search("b"),
    ],
    "a label is whole": [("put", (("user",), "k", {"x": 1})), search("us"), search("user")],
    "a search goes through everything below": [*FILLED, search(), search("users"), search("docs")],
    "pages add up to the whole": [*FILLED, *[search(limit=9, offset=at) for at in (0, 6, 99)]],
    "no more than the limit is returned": [*FILLED, ("count", ((), {"limit": 4, "offset": 3}))],
    "a filter wants equal fields": [*FILLED, search("users", filter={"likes": "jazz"})],
    "a filter wants all of its fields": [
        *FILLED,
        search(filter={"likes": "pizza", "score": 4}),
        search(filter={"likes": "pizza", "score": 5}),
    ],
    "a filter on a missing field finds nothing": [*FILLED, search(filter={"nope": 1})],
    "a filter for none finds what is none or missing": [*FILLED, search(filter={"likes": None})],
    "a filter looks into objects": [
        *FILLED,
        search(filter={"at": {"city": "Rome"}}),
        search(filter={"at": {"city": {"$ne": "Rome"}}}),
    ],
    "a list is equal when every part is": [
        *FILLED,
        search(filter={"tags": ["a", "b"]}),
        search(filter={"tags": ["a"]}),
    ],
    "the operators compare numbers": [
        *FILLED,
        *[
            search(filter={"score": {operator: 4}})
            for operator in ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")
        ],
        search(filter={"score": {"$gte": 1, "$lt": 7.5}}),
    ],
    "an unknown operator is an error": [*FILLED, search(filter={"score": {"$in": [4]}})],
    "namespaces are listed in order": [*FILLED, spaces()],
    "namespaces are cut at a depth": [*FILLED, spaces(max_depth=1), spaces(max_depth=2)],
    "namespaces are found by prefix and suffix": [
        *FILLED,
        spaces(prefix=("docs",)),
        spaces(suffix=("v1",)),
        spaces(prefix=("docs", "*"), suffix=("v1",)),
        spaces(prefix=("*", "ann")),
        spaces(suffix=("a", "b", "c", "d")),
    ],
    "namespaces come in pages": [*FILLED, spaces(limit=2), spaces(limit=2, offset=4)],
    "the reads of a batch see the state before its puts": [
        ("put", (ANN, "food", {"likes": "pizza"})),
        (
            "batch",
            (
                [
                    ("PutOp", ANN, "food", {"likes": "ramen"}),
                    ("GetOp", ANN, "food"),
                    ("SearchOp", ("users",)),
                    ("PutOp", BOB, "food", {"likes": "soup"}),
                    ("ListNamespacesOp",),
                ],
            ),
        ),
        ("get", (ANN, "food")),
        ("get", (BOB, "food")),
    ],
    "the last put of a key wins": [
        ("batch", ([("PutOp", ANN, "k", {"x": 1}), ("PutOp", ANN, "k", {"x": 2})],)),
        ("get", (ANN, "k")),
        ("batch", ([("PutOp", ANN, "k", {"x": 3}), ("PutOp", ANN, "k", None)],)),
        ("get", (ANN, "k")),
    ],
    "a label with a dot is refused": [("put", (("a.b",), "k", {"x": 1})), ("get", (("a.b",), "k"))],
    "an empty label is refused": [("put", (("a", ""), "k", {"x": 1}))],
    "the empty namespace takes no item": [("put", ((), "k", {"x": 1}))],
    "LangGraph's own namespace is refused": [("put", (("langgraph",), "k", {"x": 1}))],
}


@pytest.fixture
def store():
    return NudgeStore(Nudge())


def plain(result):
    """Take away the times and the order of items, in which the stores may differ."""
    if isinstance(result, list):
        parts = [plain(part) for part in result]
        return sorted(parts, key=repr) if all(map(is_item, result)) else parts
    if is_item(result):
        return (result.namespace, result.key, result.value, getattr(result, "score", None))
    return result


def is_item(result):
    return isinstance(result, base.Item)


async def play(scenario, store, is_async):
    async def run(method, args, options=None):
        if method == "count":
            return len(await run("search", args[:1], args[1]))
        if method == "batch":
            args = ([getattr(base, name)(*fields) for name, *fields in args[0]],)
        bound = getattr(store, f"a{method}" if is_async else method)
        result = bound(*args, **(options or {}))
        return await result if is_async else result

    results = []
    for step in scenario:
        try:
            results.append(plain(await run(*step)))
        except ValueError as error:
            # LangGraph's own errors are of this kind; which of the two words it does not matter.
            results.append(type(error).__name__)
    return results


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_it_does_what_the_store_of_langgraph_does(store, name, is_async):
    theirs = memory.InMemoryStore()
    expected = asyncio.run(play(SCENARIOS[name], theirs, is_async))
    assert asyncio.run(play(SCENARIOS[name], store, is_async)) == expected


def test_a_graph_remembers_between_runs(store):
    graphs = importlib.import_module("langgraph.graph")
    runtimes = importlib.import_module("langgraph.runtime")

    class State(TypedDict):
        user: str
        says: str
        known: list[str]

    def recall(state: State, runtime: runtimes.Runtime) -> dict:
        found = runtime.store.search(("memories", state["user"]))
        return {"known": sorted(item.value["text"] for item in found)}

    async def remember(state: State, runtime: runtimes.Runtime) -> dict:
        await runtime.store.aput(
            ("memories", state["user"]), state["says"], {"text": state["says"]}
        )
        return {}

    builder = graphs.StateGraph(State)
    builder.add_sequence([recall, remember])
    builder.add_edge(graphs.START, "recall")
    graph = builder.compile(store=store)

    def run(user, says):
        return asyncio.run(graph.ainvoke({"user": user, "says": says, "known": []}))["known"]

    assert run("ann", "likes jazz") == []
    assert run("ann", "likes pizza") == ["likes jazz"]
    assert run("bob", "likes ramen") == []
    assert run("ann", "bye") == ["likes jazz", "likes pizza"]


def test_without_langgraph_the_import_says_what_to_install():
    program = (
        "import sys; sys.modules['langgraph'] = None\n"
        "try:\n    import nudge.langgraph\n"
        "except ImportError as error:\n    print(error)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "pip install 'nudge-hints[langgraph]'" in ran.stdout
