"""An answer is a dict of exactly the contract's JSON, whose fields are attributes too."""

import copy
import json
import pickle
from collections import UserDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from nudge import (
    Answer,
    Block,
    Bumped,
    Components,
    Deleted,
    Exported,
    Found,
    Hint,
    HintMatch,
    HintSet,
    Imported,
    MatchExplain,
    Nudge,
    Ranked,
    Stats,
    answers,
)

SECRET = "s3cr3t-of-mine"
DOCS = Path(__file__).parents[2] / "docs"


def filled() -> Nudge:
    store = Nudge()
    store.pin_clock("2025-11-04T10:00:00Z")
    meta = {"tags": ["build"], "reason": "why not", "scope": {"branch": ["dev"]}}
    store.set_hint("api", "build", {"type": "command", "cmd": "make"}, meta=meta)
    store.set_hint("api", "build", "make everywhere", meta={"scope": {}})
    store.set_hint("api", "test", "make test")
    store.bump("api", "test")
    return store


def match(store: Nudge) -> HintMatch:
    return store.get_hint("api", "build", context={"branch": "dev"}, alternatives=1)


ANSWERS: list[tuple[type[Answer], Callable[[Nudge], Answer]]] = [
    (HintSet, lambda store: store.set_hint("web", "build", "npm run build")),
    (HintMatch, match),
    (Hint, lambda store: match(store).hint),
    (MatchExplain, lambda store: match(store).match_explain),
    (Found, lambda store: store.query(include_ineligible=True)),
    (Ranked, lambda store: store.query().hints[0]),
    (Deleted, lambda store: store.delete_hint("api", "test")),
    (Deleted, lambda store: store.delete_hint("api", "build", all=True)),
    (Bumped, lambda store: store.bump("api", "test")),
    (Components, lambda store: store.list_components(component="api")),
    (Block, lambda store: store.prompt_block()),
    (Stats, lambda store: store.stats()),
    (Exported, lambda store: store.export()),
    (Imported, lambda store: store.import_(filled().export().payload)),
]
every_answer = pytest.mark.parametrize(("kind", "ask"), ANSWERS)


def plain(part: object) -> object:
    """A part without any answer in it."""
    if isinstance(part, Answer):
        return {name: plain(inner) for name, inner in part.items()}
    if isinstance(part, list):
        return [plain(inner) for inner in part]
    return part


@every_answer
def test_an_answer_is_a_mapping(kind: type[Answer], ask: Callable[[Nudge], Answer]) -> None:
    answer = ask(filled())
    assert type(answer) is kind
    assert isinstance(answer, Answer)
    assert isinstance(answer, Mapping)
    whole = answer.to_dict()
    assert type(whole) is dict
    assert list(answer) == list(answer.keys()) == list(whole)
    assert len(answer) == len(whole)
    assert plain(dict(answer)) == plain(dict(answer.items())) == whole
    assert plain(list(answer.values())) == list(whole.values())
    for name, part in whole.items():
        assert name in answer
        assert plain(answer[name]) == plain(answer.get(name)) == part
        assert plain(getattr(answer, name)) == part


@every_answer
def test_an_answer_is_all_plain_json(kind: type[Answer], ask: Callable[[Nudge], Answer]) -> None:
    del kind
    whole = ask(filled()).to_dict()
    assert json.loads(json.dumps(whole)) == whole


@every_answer
def test_what_is_not_there_is_missing_as_in_a_dict(
    kind: type[Answer], ask: Callable[[Nudge], Answer]
) -> None:
    del kind
    answer: Any = ask(filled())
    for name in ("nothing", "\ud800", 7, None, ("a",)):
        assert name not in answer
        assert answer.get(name) is None
        assert answer.get(name, 3) == 3
        with pytest.raises(KeyError):
            answer[name]
    assert not hasattr(answer, "nothing")


@every_answer
def test_an_answer_equals_any_mapping_that_holds_the_same(
    kind: type[Answer], ask: Callable[[Nudge], Answer]
) -> None:
    del kind
    answer = ask(filled())
    whole = answer.to_dict()
    for same in (whole, UserDict(whole), dict(answer), answer):
        assert answer == same
        assert same == answer
        assert not answer != same  # noqa: SIM202
    for other in ({}, {**whole, "more": 1}, None, 7, "api", list(whole.items())):
        assert answer != other
        assert other != answer
    with pytest.raises(TypeError, match="unhashable"):
        hash(answer)


@every_answer
def test_an_answer_goes_wherever_a_dict_goes(
    kind: type[Answer], ask: Callable[[Nudge], Answer]
) -> None:
    answer = ask(filled())
    whole = answer.to_dict()
    assert isinstance(answer, dict)
    assert json.loads(json.dumps(answer)) == whole
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(answer, protocol))
        assert (type(again), again) == (kind, answer)
    for made in (copy.copy(answer), copy.deepcopy(answer)):
        assert (type(made), made) == (kind, answer)
    deep = copy.deepcopy(answer)
    deep["more"] = 1
    assert deep != answer
    with pytest.raises(AttributeError, match=r"write answer\['component'\]"):
        deep.component = "web"  # type: ignore[attr-defined]


def test_a_checkpointer_of_langgraph_takes_an_answer() -> None:
    serde = pytest.importorskip("langgraph.checkpoint.serde.jsonplus").JsonPlusSerializer()
    answer = match(filled())
    assert serde.loads_typed(serde.dumps_typed({"found": answer}))["found"] == answer


def test_names_that_a_dict_has_itself_are_reached_by_brackets_only() -> None:
    classes = {name: kind for name, kind in vars(answers).items() if isinstance(kind, type)}
    hidden = {
        f"{name}.{field}"
        for name, kind in classes.items()
        if issubclass(kind, Answer)
        for field in table_fields(name)
        if hasattr(dict, field)
    }
    assert hidden == set()
    # A part that is no answer of its own has no attributes at all.
    entry = filled().list_components(component="api").components[0]
    assert (type(entry), entry["keys"]) == (dict, ["build", "test"])


def table_fields(answer: str) -> list[str]:
    """The fields of an answer as the documents have them."""
    found: list[str] = []
    for document, rows in (("operations.json", "operations"), ("openrpc.json", "methods")):
        for row in json.loads((DOCS / document).read_text("utf-8"))[rows]:
            named = row.get("answer") or row["result"]["name"]
            schema = row["result"] if "answer" in row else row["result"]["schema"]
            if named == answer:
                found += schema.get("properties", {})
    return found


def test_equal_calls_give_equal_answers() -> None:
    assert match(filled()) == match(filled())
    assert match(filled()).hint == match(filled())["hint"]
    assert match(filled()) != filled().get_hint("api", "test")


def test_an_answer_can_be_taken_apart_by_a_match_statement() -> None:
    match match(filled()):
        case {"hint": {"value": {"cmd": command}}, "match_explain": {"reasons": [reason]}}:
            assert (command, reason) == ("make", "branch=dev allowed")
        case other:
            pytest.fail(f"{other!r} does not match")


def test_the_parts_are_typed_attributes() -> None:
    found = match(filled())
    assert (found.component, found.key) == ("api", "build")
    assert found.value == found.hint.value == {"type": "command", "cmd": "make"}
    assert found.text == found.hint.text == "make"
    assert found.match_explain.matched
    assert found.match_explain.reasons == ["branch=dev allowed"]
    assert round(sum(found.match_explain.parts.values()), 4) == found.match_explain.score
    assert found.alternatives is not None
    assert [type(other) for other in found.alternatives] == [Ranked]
    assert found.alternatives[0].value == found.alternatives[0].text == "make everywhere"
    assert type(found.hint.meta) is dict
    assert found.hint.meta.get("scope") == {"branch": ["dev"]}
    assert found.hint.created_at == "2025-11-04T10:00:00.000Z"


def test_a_part_that_is_absent_is_none_as_an_attribute_and_missing_as_a_key() -> None:
    store = filled()
    found = store.get_hint("api", "test")
    assert found.alternatives is None
    assert "alternatives" not in found
    assert store.query().ineligible is None
    assert "ineligible" not in store.query()
    unused = store.get_hint("api", "build")
    assert unused.hint.last_used_at is None
    assert "last_used_at" not in unused.hint


def test_previous_is_a_hint_or_a_list_of_them() -> None:
    store = filled()
    one, several = store.delete_hint("api", "test"), store.delete_hint("api", "build", all=True)
    assert isinstance(one.previous, Hint)
    assert isinstance(several.previous, list)
    assert [type(hint) for hint in several.previous] == [Hint, Hint]


def test_an_answer_stays_as_it_was() -> None:
    store = filled()
    before = store.get_hint("api", "test")
    store.set_hint("api", "test", "make check")
    assert (before.value, before.hint.version) == ("make test", 1)
    store.close()
    assert before.match_explain.reasons == ["applies everywhere", "recently used (0s ago)"]


@every_answer
def test_repr_names_the_class_and_its_parts(
    kind: type[Answer], ask: Callable[[Nudge], Answer]
) -> None:
    answer = ask(filled())
    shown = repr(answer)
    assert shown.startswith(f"{kind.__name__}(")
    assert all(f"{name}=" in shown for name in answer)


def test_repr_shows_nothing_of_a_hint_that_is_marked_as_secret() -> None:
    store = Nudge()
    meta = {"sensitivity": "secret", "reason": f"it is {SECRET}", "tags": ["token"]}
    shown: list[Answer] = [store.set_hint("api", "token", SECRET, meta=meta)]
    found = store.get_hint("api", "token")
    shown += [found, found.hint, store.query(), store.query().hints[0], store.bump("api", "token")]
    shown += [store.export(include_secrets=True), store.delete_hint("api", "token")]
    assert found.value == SECRET
    for answer in shown:
        assert SECRET not in repr(answer)
        assert SECRET not in str(answer)
    assert "'make'" in repr(Nudge().set_hint("api", "build", "make"))
