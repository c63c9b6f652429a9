"""`NudgeStore`: a Nudge store as the long-term memory of a LangGraph graph.

Needs the extra `nudge-hints[langgraph]`; `import nudge` alone never loads LangGraph.
"""

from __future__ import annotations

import contextlib
import re
from datetime import datetime
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any, NamedTuple

from nudge.errors import ConflictError, NotFoundError

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        InvalidNamespaceError,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
    )
except ImportError as _missing:
    raise ImportError(
        "`nudge.langgraph` needs langgraph; install it with `pip install 'nudge-hints[langgraph]'`"
    ) from _missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from nudge.store import Nudge
    from nudge.types import JsonValue, MetaLike

Namespace = tuple[str, ...]
Json = dict[str, Any] | list[Any] | str | float | None

# The most hints that one query returns; a larger namespace is read in pieces of this size.
_MOST = 100
_WORD = re.compile(r"[^\W_]+")


class NudgeStore(BaseStore):
    """A LangGraph store whose items are hints, shared with every other user of the Nudge store.

    A namespace is a component, its labels joined by dots: `("users", "ann")` is `users.ann`. A
    value is kept as a hint of type `json`. A hint that was set elsewhere with another type of value
    is read as `{"value": …}`. Only hints that apply everywhere are items: LangGraph states no
    context, so a scoped hint is neither seen nor touched.

    - **The graph is an agent** by the name of `client`: its items say so, and what the user has set
      in the same slot stays. A put or delete of that waits as a proposal until the user accepts it.
    - **Refusals** of Nudge are raised as they are, as a `NudgeError`: the secret guard, a limit, a
      name that is too long. Of a batch, the puts before the refused one stand.
    - **TTL**, in minutes, starts anew with every put, and with every read that asks for it, which
      is LangGraph's default. Nudge counts a hint's life from its last set, so such a read sets the
      same value again: `updated_at` and the hint's version move. Only items with a TTL are
      affected. `ttl={"refresh_on_read": False}` makes reads only read. Without a TTL an item
      ends with the session of a shared store, or by the store's `default_ttl` if that is sooner.
    - **Search** gives the best first by Nudge's score, which is the newest first until something
      is bumped. There are no vectors, and `index` has no effect. A `query` is taken as words: an
      item is found when its key or value contains one of them, whole and without regard to case.
      Its `score` is the share of the words that it contains, and the highest comes first.

    Batches mean what they mean in `InMemoryStore`: reads see the state before the puts, and the
    last put of a key wins. The async methods do the same work at once: nothing here waits.

    Args:
        store: The store that holds the hints.
        ttl: LangGraph's TTL settings, of which `default_ttl` and `refresh_on_read` apply. Expired
            items are never returned, swept or not.
        client: The name of the graph's program, with its version.

    """

    supports_ttl = True

    def __init__(
        self, store: Nudge, *, ttl: TTLConfig | None = None, client: str = "langgraph"
    ) -> None:
        self._nudge = store.as_agent(client)
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run the reads in order, then the puts."""
        results: list[Result] = []
        puts: dict[tuple[str, str], PutOp] = {}
        for op in ops:
            result: Result = None
            if isinstance(op, GetOp):
                result = self._get(op)
            elif isinstance(op, SearchOp):
                result = self._search(op)
            elif isinstance(op, ListNamespacesOp):
                result = self._list_namespaces(op)
            else:
                puts[_component(op.namespace), op.key] = op
            results.append(result)
        for (component, key), op in puts.items():
            self._put(component, key, op)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do as `batch` does, at once: the store is in memory and nothing has to be waited for."""
        return self.batch(ops)

    def _get(self, op: GetOp) -> Item | None:
        component = _component(op.namespace)
        found = self._nudge.get_hint(component, op.key, default=None)
        if found is None:
            return None
        hint = found["hint"]
        if op.refresh_ttl:
            self._refresh(component, op.key, hint)
        return Item(namespace=op.namespace, key=op.key, **_content(hint))

    def _put(self, component: str, key: str, op: PutOp) -> None:
        if op.value is None:
            with contextlib.suppress(NotFoundError):
                self._nudge.delete_hint(component, key, scope={})
            return
        value: JsonValue = {"type": "json", "data": dict(op.value)}
        ttl = None if op.ttl is None else _duration(op.ttl)
        # The empty scope says "everywhere" out loud: items have no other.
        meta: MetaLike = {"scope": {}, "ttl": ttl}
        self._nudge.set_hint(component, key, value, meta=meta)

    def _refresh(self, component: str, key: str, hint: Mapping[str, Any]) -> None:
        """Let a hint's time to live start anew by setting what it holds already."""
        if hint["meta"].get("ttl", "session") == "session":
            return
        # A conflict says that somebody else has just set it, and with that refreshed it, or has
        # taken it away; either is as it should be.
        version = hint["version"]
        with contextlib.suppress(ConflictError):
            self._nudge.set_hint(
                component, key, hint["value"], meta={"scope": {}}, if_match_version=version
            )

    def _search(self, op: SearchOp) -> list[SearchItem]:
        prefix = tuple(op.namespace_prefix)
        words = set(_words(op.query or ""))
        hits = [
            hit
            for namespace in self._namespaces()
            if namespace[: len(prefix)] == prefix
            for hit in self._hits(namespace, words)
            if _equals(hit.content["value"], op.filter or {})
        ]
        hits.sort(
            key=lambda hit: (hit.share or 0, hit.rank, hit.content["updated_at"]), reverse=True
        )
        page = hits[op.offset : op.offset + op.limit]
        if op.refresh_ttl:
            for hit in page:
                self._refresh(_component(hit.namespace), hit.key, hit.hint)
        return [SearchItem(hit.namespace, hit.key, score=hit.share, **hit.content) for hit in page]

    def _hits(self, namespace: Namespace, words: set[str]) -> Iterator[_Hit]:
        """Give the items of a namespace in the order of their keys; with words, those that fit."""
        component = _component(namespace)
        listed = self._nudge.list_components(component=component, context={})["components"]
        keys = [key for entry in listed for key in entry["keys"]]
        for start in range(0, len(keys), _MOST):
            some = keys[start : start + _MOST]
            found = self._nudge.query(component=component, keys=some, limit=_MOST)["hints"]
            for ranked in sorted(found, key=lambda ranked: ranked["key"]):
                content = _content(ranked["hint"])
                held = words & {*_words(ranked["key"]), *_words(content["value"])}
                share = len(held) / len(words) if words else None
                if share != 0:
                    yield _Hit(
                        namespace, ranked["key"], ranked["hint"], content, share, ranked["score"]
                    )

    def _list_namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        matching = {
            namespace[: op.max_depth]
            for namespace in self._namespaces()
            if all(_fits(namespace, condition) for condition in conditions)
        }
        return sorted(matching)[op.offset : op.offset + op.limit]

    def _namespaces(self) -> Iterator[Namespace]:
        """Give every namespace that holds an item; `a..b` is a component and no namespace."""
        for entry in self._nudge.list_components(context={})["components"]:
            namespace = tuple(entry["name"].split("."))
            if all(namespace):
                yield namespace


class _Hit(NamedTuple):
    """An item that a search found, with what it is ordered by."""

    namespace: Namespace
    key: str
    hint: Mapping[str, Any]
    content: dict[str, Any]
    share: float | None
    rank: float


def _component(namespace: Namespace) -> str:
    # `BaseStore.get` and its like check labels, but whoever calls `batch` gets past them, and
    # `("a.b",)` would then read what belongs to `("a", "b")`.
    if not namespace or not all(map(_is_label, namespace)):
        raise InvalidNamespaceError(
            f"namespace `{namespace}` is not a name; give labels that are not empty and hold no `.`"
        )
    return ".".join(namespace)


def _is_label(label: Any) -> bool:
    return isinstance(label, str) and label != "" and "." not in label


def _content(hint: Mapping[str, Any]) -> dict[str, Any]:
    """Give what an item takes from a hint."""
    value: str | Mapping[str, Any] = hint["value"]
    data: Json = {"value": value}
    if not isinstance(value, str) and value["type"] == "json":
        data = value["data"]
    return {
        "value": data if isinstance(data, dict) else {"value": data},
        "created_at": _time(hint["created_at"]),
        "updated_at": _time(hint["updated_at"]),
    }


def _time(text: str) -> datetime:
    # Python 3.10 does not read the `Z`.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _duration(minutes: float) -> str:
    """Write minutes as Nudge wants them; what is not a lasting time, Nudge refuses."""
    return f"PT{minutes * 60:.3f}S"


def _words(value: Json) -> Iterator[str]:
    """Give every word in a value: of its texts and numbers, and of the names of its fields."""
    if isinstance(value, dict):
        for pair in value.items():
            yield from _words(list(pair))
    elif isinstance(value, list):
        for part in value:
            yield from _words(part)
    elif value is not None:
        yield from _WORD.findall(str(value).casefold())


def _fits(namespace: Namespace, condition: MatchCondition) -> bool:
    path = condition.path
    if len(namespace) < len(path):
        return False
    if condition.match_type == "prefix":
        labels = namespace[: len(path)]
    elif condition.match_type == "suffix":
        labels = namespace[len(namespace) - len(path) :]
    else:
        raise ValueError(f"match type `{condition.match_type}` is neither `prefix` nor `suffix`")
    return all(wanted in ("*", label) for wanted, label in zip(path, labels, strict=True))


def _equals(value: Json, wanted: Json | tuple[Any, ...]) -> bool:
    """Say whether a value is what a filter wants; an object in a filter names only some fields."""
    if isinstance(wanted, dict):
        if any(name.startswith("$") for name in wanted):
            return all(_compares(value, name, other) for name, other in wanted.items())
        return isinstance(value, dict) and all(
            _equals(value.get(name), part) for name, part in wanted.items()
        )
    if isinstance(wanted, list | tuple):
        return (
            isinstance(value, list)
            and len(value) == len(wanted)
            and all(map(_equals, value, wanted))
        )
    return value == wanted


_ORDERS = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}


def _compares(value: Json, operator: str, other: Json) -> bool:
    if operator == "$eq":
        return value == other
    if operator == "$ne":
        return value != other
    if operator not in _ORDERS:
        known = "`, `".join(("$eq", "$ne", *_ORDERS))
        raise ValueError(f"filter operator `{operator}` is not known; use one of `{known}`")
    # What cannot be compared, such as a field that the item does not have, does not match.
    if not isinstance(value, str | int | float) or not isinstance(other, str | int | float):
        return False
    holds = _ORDERS[operator]
    try:
        return bool(holds(float(value), float(other)))
    except ValueError:
        # Two texts that are not numbers compare as texts, which puts dates in order.
        return isinstance(value, str) and isinstance(other, str) and holds(value, other)
