"""The exceptions: a class for each kind of the core's table, with what the contract says."""

import copy
import pickle
from collections.abc import Callable

import pytest

import nudge
from nudge import (
    ConflictError,
    InternalError,
    InvalidError,
    NotFoundError,
    Nudge,
    NudgeError,
    QuotaError,
    ScopeInvalidError,
    SecretRejectedError,
    UnavailableError,
    _nudge,
)

# Joined, so that no scanner takes it for a leaked one.
SECRET = "ghp_" + "x7Kq2LmZ9RtB4vNcW8sHfJ3pYdG6uEa1oiTQ"

RAISED: list[tuple[type[NudgeError], Callable[[Nudge], object], str]] = [
    (NotFoundError, lambda store: store.get_hint("web", "build"), "no_slot"),
    (InvalidError, lambda store: store.query(limit=0), "range"),
    (SecretRejectedError, lambda store: store.set_hint("api", "token", SECRET), ""),
    (
        ScopeInvalidError,
        lambda store: store.set_hint("api", "x", "y", meta={"scope": {"cwd_glob": ["../x"]}}),
        "",
    ),
    (ConflictError, lambda store: store.set_hint("api", "build", "x", if_match_version=9), ""),
    (QuotaError, lambda store: store.set_hint("api", "test", "make test"), "hints"),
]


def test_every_kind_of_the_core_has_a_class_of_its_own() -> None:
    kinds = {kind.code: kind for kind in NudgeError.__subclasses__()}
    assert sorted(kinds) == sorted(code for code, _ in _nudge._KINDS)
    for code, reason in _nudge._KINDS:
        made = NudgeError.from_dict({"code": code, "message": "m", "data": {"reason": reason}})
        assert type(made) is kinds[code]
        assert (made.code, made.reason, type(made).reason) == (code, reason, reason)
        assert getattr(nudge, type(made).__name__) is type(made)


def test_a_kind_that_is_not_known_here_is_a_nudge_error() -> None:
    made = NudgeError.from_dict({"code": 49999, "message": "m", "data": {"reason": "E_NEW"}})
    assert type(made) is NudgeError
    assert (made.code, made.reason) == (49999, "E_NEW")


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        (NotFoundError, LookupError),
        (InvalidError, ValueError),
        (SecretRejectedError, ValueError),
        (ScopeInvalidError, ValueError),
        (UnavailableError, ConnectionError),
        (ConflictError, Exception),
        (QuotaError, Exception),
        (InternalError, Exception),
    ],
)
def test_a_class_is_also_what_python_calls_such_a_thing(
    kind: type[NudgeError], other: type[Exception]
) -> None:
    assert issubclass(kind, NudgeError)
    assert issubclass(kind, other)


@pytest.mark.parametrize(("kind", "call", "detail"), RAISED)
def test_the_exception_of_a_refusal_has_all_that_the_contract_names(
    kind: type[NudgeError], call: Callable[[Nudge], object], detail: str
) -> None:
    store = Nudge(limits={"hints": 1})
    store.set_hint("api", "build", "make")
    with pytest.raises(kind) as raised:
        call(store)
    error = raised.value
    assert type(error) is kind
    assert error.to_dict() == {"code": error.code, "message": error.message, "data": error.data}
    assert error.data["reason"] == error.reason == kind.reason
    assert error.detail == error.data.get("detail")
    assert not detail or error.detail == detail
    assert str(error) == error.message
    assert error.args == (error.message,)


def test_the_data_says_what_to_do() -> None:
    store = Nudge(limits={"hints": 1})
    store.set_hint("api", "build", "make", meta={"scope": {"branch": ["dev"]}})
    with pytest.raises(NotFoundError) as miss:
        store.get_hint("api", "build", context={"branch": "main"})
    near = {
        "condition": "branch",
        "expected": ["dev"],
        "actual": "main",
        "scope": {"branch": ["dev"]},
    }
    assert miss.value.data["near_misses"] == [near]
    with pytest.raises(ConflictError) as conflict:
        store.set_hint("api", "build", "x", context={"branch": "dev"}, if_match_version=9)
    assert conflict.value.data["current_version"] == 1
    with pytest.raises(QuotaError) as full:
        store.set_hint("api", "test", "x")
    assert (full.value.data["limit"], full.value.data["max"]) == ("hints", 1)


def test_a_refused_secret_is_not_repeated() -> None:
    with pytest.raises(SecretRejectedError) as raised:
        Nudge().set_hint("api", "token", SECRET)
    assert raised.value.data["field"] == "value"
    assert SECRET not in str(raised.value.to_dict())
    assert SECRET not in repr(raised.value)


def test_an_exception_can_be_pickled_and_copied() -> None:
    with pytest.raises(NotFoundError) as raised:
        Nudge().get_hint("api", "build")
    for other in (pickle.loads(pickle.dumps(raised.value)), copy.deepcopy(raised.value)):
        assert type(other) is NotFoundError
        assert other.to_dict() == raised.value.to_dict()
        assert str(other) == str(raised.value)
