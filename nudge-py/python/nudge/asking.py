"""How a method of a store becomes a request."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, TypeAlias, TypeVar, cast

from nudge._nudge import Context, Store
from nudge.answer import Answer
from nudge.types import ContextFacts, MetaLike, ScopeLike

Where: TypeAlias = Context | ContextFacts | None
_A = TypeVar("_A", bound=Answer)
_Fields: TypeAlias = Mapping[str, Any]
_KEYWORDS = {**MetaLike.__annotations__, **ScopeLike.__annotations__}


class Asking:
    """What the methods of a store are made of."""

    __slots__ = ("_store",)
    _store: Store

    def _ask(self, method: str, answer: type[_A], arguments: dict[str, Any]) -> _A:
        if "keywords" in arguments:
            _fold(f"Nudge.{method.removeprefix('nudge.')}", arguments)
        del arguments["self"]
        told = self._store.call(method, arguments)
        # What the core has a type for comes as its class already.
        return cast("_A", told) if isinstance(told, Answer) else answer(told)


def given(arguments: dict[str, Any]) -> dict[str, Any]:
    """Gives what was stated of a method's arguments; `None` is as good as left out."""
    stated = ((name, value) for name, value in arguments.items() if value is not None)
    return {name: value for name, value in stated if name != "self"}


def _fold(call: str, arguments: dict[str, Any]) -> None:
    """Puts the keywords that stand for a part of `meta`, or of its scope, where they belong."""
    keywords: dict[str, Any] = arguments.pop("keywords")
    for name in keywords:
        if name not in _KEYWORDS:
            near = get_close_matches(name, _KEYWORDS, 1)
            meant = f"; did you mean '{near[0]}'?" if near else ""
            raise TypeError(f"{call}() got an unexpected keyword argument '{name}'{meant}")

    def joined(outer: Any, name: str, shape: type) -> Any:
        stated = given({each: keywords.get(each) for each in shape.__annotations__})
        if not stated or not isinstance(outer, Mapping | None):
            return outer  # What is not a mapping is left to the core, which refuses it.
        known: _Fields = cast("_Fields", outer or {})
        for field in stated:
            if field in known:
                raise TypeError(f"{call}() got '{field}' twice: as a keyword and in '{name}'")
        return {**known, **stated}

    meta = joined(arguments["meta"], "meta", MetaLike)
    inner = cast("_Fields", meta if isinstance(meta, Mapping) else {})
    scope = joined(inner.get("scope"), "scope", ScopeLike)
    is_whole = scope is None or not isinstance(meta, Mapping | None)
    arguments["meta"] = meta if is_whole else {**inner, "scope": scope}
