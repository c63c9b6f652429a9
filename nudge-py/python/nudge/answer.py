"""`Answer`: what every answer of a store has in common, which is to be a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast


class Answer(dict[str, Any]):
    """An answer of the store: a dict of exactly the contract's JSON.

    What is in it is an attribute too, `None` when it is absent; a name that `dict` has itself,
    such as `keys`, is reached by `[]` only. It can be dumped, pickled and copied as any dict.
    """

    if not TYPE_CHECKING:
        # A type checker reads what the classes in `answers.py` say.
        def __getattr__(self, name: str) -> Any:
            try:
                return self[name]
            except KeyError:
                if name in type(self).__annotations__:
                    return None
            raise AttributeError(f"a {type(self).__name__} has no `{name}`", name=name, obj=self)

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"write answer[{name!r}]; attributes are for reading", name=name)

    def to_dict(self) -> dict[str, Any]:
        """Gives the whole answer as plain dicts and lists; `json.dumps` needs no such step."""
        plain: dict[str, Any] = _plain(self)
        return plain

    def __repr__(self) -> str:
        """The parts, without the value and the meta of a hint that is marked as secret."""
        meta: object = self.get("meta")
        is_secret = isinstance(meta, dict) and "secret" in cast("dict[str, Any]", meta).values()
        hidden = {"payload", *(("value", "meta") if is_secret else ())}
        parts = (f"{name}={'...' if name in hidden else repr(self[name])}" for name in self)
        return f"{type(self).__name__}({', '.join(parts)})"


def _plain(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _plain(inner) for name, inner in cast("dict[str, Any]", part).items()}
    return [_plain(inner) for inner in cast("Any", part)] if isinstance(part, list) else part
