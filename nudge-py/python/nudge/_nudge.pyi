"""Nudge as compiled code; import `nudge` instead."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, final

from nudge.types import Os, StrPath

__all__ = ["Context", "Store", "text_of"]

__version__: Final[str]
_KINDS: Final[list[tuple[int, str]]]

@final
class Store:
    def __new__(cls, config: dict[str, Any]) -> Store: ...
    @staticmethod
    def connect(options: dict[str, Any]) -> Store: ...
    def call(self, name: str, params: dict[str, Any]) -> dict[str, Any]: ...
    def get(self, component: object, key: object, context: object, alternatives: object) -> Any: ...
    def sweep(self) -> int: ...
    def pin_clock(self, at: str | None) -> None: ...
    def here(self, facts: dict[str, Any]) -> Context: ...
    def session_id(self) -> str: ...
    def is_shared(self) -> bool: ...
    def speaking_as(self, caller: dict[str, Any]) -> Store: ...
    def close(self) -> None: ...
    def check(self) -> None: ...
    def counts(self) -> tuple[int, int]: ...

@final
class Context:
    """The facts that a caller states about where it is.

    Each fact is brought into its normal form once, so a context that is made
    once and used for every call is quicker than a dict each time. Nothing is
    inferred; `Context.here()` does that. What is left out is not known, and a
    hint whose scope asks for it does not apply. It is a value: it can be
    compared, hashed, copied and pickled.

    Raises `InvalidError`, and `TypeError` for a fact with an unknown name.

        >>> here = Context(cwd="/work/http-proxy", branch="dev")
        >>> store.query(context=here).total
        0
    """

    def __new__(
        cls,
        *,
        cwd: StrPath | None = None,
        root: StrPath | None = None,
        repo: str | Sequence[str] | AbstractSet[str] | None = None,
        branch: str | None = None,
        os: Os | None = None,
        env: Mapping[str, str | None] | None = None,
        files_open: Sequence[StrPath] | AbstractSet[StrPath] | None = None,
    ) -> Context: ...
    @staticmethod
    def here(
        *,
        cwd: StrPath | None = None,
        root: StrPath | None = None,
        repo: str | Sequence[str] | AbstractSet[str] | None = None,
        branch: str | None = None,
        os: Os | None = None,
        env: Mapping[str, str | None] | None = None,
        files_open: Sequence[StrPath] | AbstractSet[StrPath] | None = None,
    ) -> Context:
        """Gathers the facts of this process: its cwd, and the root, repository, branch and os there.

        What is given stays as it is. Of the environment nothing is read;
        `Nudge.here()` reads the names that scopes mention. Git is read from its
        files; no program is started. Raises `InvalidError`.

            >>> here = Context.here(branch="dev")
        """

    def to_dict(self) -> dict[str, Any]:
        """Gives the facts as a dict, the JSON of the contract, each in its normal form.

        >>> Context(cwd="/work/./api/").to_dict()
        {'cwd': '/work/api'}
        """

    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...

def text_of(value: object) -> str: ...
