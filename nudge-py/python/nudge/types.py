"""The shapes of the contract's JSON, for type checkers.

What a caller gives has `Like` at its end where it may be looser than what comes back: a lone
string for a list of strings, `None` for "take it away".
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired

StrPath: TypeAlias = str | PathLike[str]

# Generated from docs/operations.json: shapes.
Os: TypeAlias = Literal["darwin"] | Literal["linux"] | Literal["windows"]
Sensitivity: TypeAlias = Literal["secret"] | Literal["normal"]
Source: TypeAlias = (
    Literal["user"] | Literal["agent"] | Literal["tool-output"] | Literal["file-import"]
)
Shell: TypeAlias = (
    Literal["bash"]
    | Literal["sh"]
    | Literal["zsh"]
    | Literal["fish"]
    | Literal["powershell"]
    | Literal["cmd"]
)
TemplateFormat: TypeAlias = (
    Literal["mustache"] | Literal["handlebars"] | Literal["jinja"] | Literal["interpolate"]
)
Lifetime: TypeAlias = Literal["kept"] | Literal["session"] | Literal["until"]
TagsMode: TypeAlias = Literal["any"] | Literal["all"]
Condition: TypeAlias = (
    Literal["cwd_glob"]
    | Literal["repo"]
    | Literal["branch"]
    | Literal["os"]
    | Literal["env_required"]
    | Literal["env_match"]
)
Outcome: TypeAlias = Literal["ok"] | Literal["fail"]
ImportMode: TypeAlias = Literal["merge"] | Literal["replace"]
ContextMode: TypeAlias = Literal["replace"] | Literal["merge"]


class ContextFacts(TypedDict, total=False):
    """The facts that a caller states about where it is."""

    cwd: StrPath | None
    root: StrPath | None
    """The root of the worktree that the folder is in."""
    repo: str | Sequence[str] | AbstractSet[str] | None
    branch: str | None
    os: Os | None
    env: Mapping[str, str | None] | None
    """Variables that are set, with their values."""
    files_open: Sequence[StrPath] | AbstractSet[StrPath] | None
    """Open files; among equals, hints for their folder come first."""


class Scope(TypedDict, total=False):
    """The conditions under which a hint applies; all that are stated must hold. A lone string stands for a list of one; an answer has lists."""

    cwd_glob: list[str]
    """Globs, one of which must match the current folder: `**/http-proxy*/**`; `./web/**` is below the worktree's root."""
    repo: list[str]
    branch: list[str]
    """Branches; globs such as `hotfix/*` are allowed."""
    os: list[Os]
    env_required: list[str]
    env_match: dict[str, list[str]]
    """Variables and the values that are allowed."""


class ScopeLike(TypedDict, total=False):
    """A scope as it may be given."""

    cwd_glob: Sequence[str] | AbstractSet[str] | str | None
    """Globs, one of which must match the current folder: `**/http-proxy*/**`; `./web/**` is below the worktree's root."""
    repo: Sequence[str] | AbstractSet[str] | str | None
    branch: Sequence[str] | AbstractSet[str] | str | None
    """Branches; globs such as `hotfix/*` are allowed."""
    os: Sequence[Os] | AbstractSet[Os] | Os | None
    env_required: Sequence[str] | AbstractSet[str] | str | None
    env_match: Mapping[str, Sequence[str] | AbstractSet[str] | str] | None
    """Variables and the values that are allowed."""


_AnchorWords = TypedDict("_AnchorWords", {"is": Literal["absent"] | None}, total=False)


class Anchor(_AnchorWords):
    """Something in a project's files that a hint rests on: a file, or a name that a file declares."""

    at: str
    """The file, from the root of the worktree, and after `#` the name in it, such as `package.json#scripts.test`; up to 256 bytes."""
    slice: NotRequired[str | None]
    """A hash of what stood there when the hint last worked."""


class MetaLike(TypedDict, total=False):
    """What a set says about a hint: what is left out stays as it was, and `None` clears it."""

    reason: str | None
    """Why it is so; shown with the hint."""
    tags: str | Sequence[str] | AbstractSet[str] | None
    """Such as `build` or `docker`; a query finds hints by them."""
    priority: int | None
    confidence: float | None
    """How sure you are; 0.5 when absent."""
    pin: bool | None
    """Whether it comes first in all that agents are told unasked; for the user alone."""
    ttl: str | timedelta | None
    """`session`, an ISO 8601 duration such as `PT2H` after which the hint is gone, or, of the user, `kept`."""
    sensitivity: Sensitivity | None
    """`secret` stores what the secret guard would refuse, masked and left out of exports."""
    scope: ScopeLike | None
    """Where the hint applies; every condition must hold. `{}` is everywhere. Left out, it is where the writer is."""
    source: Source | None
    """Who it comes from, if the user says so; else as the caller is."""
    added_by: str | None
    """Who added it; an agent's name when absent."""
    anchors: Sequence[Anchor] | None
    """What the value rests on in the project's files, up to 8, such as `package.json#scripts.test`. A hook that sees a command work sets them."""


class CommandValue(TypedDict):
    """A command line. It is data; nothing is executed."""

    type: Literal["command"]
    shell: NotRequired[Shell]
    """The shell it is written for."""
    cmd: str


class PathValue(TypedDict):
    """A path."""

    type: Literal["path"]
    os: NotRequired[list[Os]]
    """Where it is meant; narrows the hint's scope."""
    abs: str


class TemplateValue(TypedDict):
    """A template. It is data; nothing is filled in."""

    type: Literal["template"]
    format: TemplateFormat
    body: str
    defaults: NotRequired[dict[str, str]]
    """Values for blanks that a caller leaves open."""


class JsonValue(TypedDict):
    """Any JSON value."""

    data: Any
    type: Literal["json"]


Value: TypeAlias = str | CommandValue | PathValue | TemplateValue | JsonValue


class Replaced(TypedDict):
    """Who had set a value that another origin changed."""

    via: str
    client: NotRequired[str]
    """The program that called, with its version."""


class Origin(TypedDict):
    """Who set the value of a hint: by which way, by which program, where and when. No request can claim it."""

    via: str
    """How the call came in, such as `mcp`, `cli` or `http`; up to 32 bytes."""
    client: NotRequired[str]
    """The program that called, with its version, such as `codex/0.166`; up to 128 bytes."""
    session: NotRequired[str]
    """The agent session that it was in, as its host calls it; up to 128 bytes."""
    repo: NotRequired[str]
    """The repository that it was in; up to 256 bytes."""
    branch: NotRequired[str]
    """The branch that it was on, for what a hook saw work; up to 256 bytes."""
    root: NotRequired[str]
    """The root of the clone that it was in, for what a hook saw work; up to 256 bytes."""
    at: NotRequired[str]
    """When the value was set; the store fills it in."""
    proven: NotRequired[bool]
    """Whether somebody else saw the value work: the user, or a hook of another agent session."""
    replaced: NotRequired[Replaced]
    """Who set the value that stood there before, if that was another; the store fills it in."""


class Meta(TypedDict, total=False):
    """What is known about a hint."""

    reason: str
    """Why the hint is right, up to 1 KiB."""
    tags: list[str]
    """Up to 16 words of up to 64 bytes, in the order given; matched without regard to case."""
    priority: int
    """From 1 to 10; 5 when absent."""
    confidence: float
    """From 0.0 to 1.0; 0.5 when absent."""
    pin: bool
    """Whether it comes first in all that agents are told unasked, which only the user decides."""
    ttl: str
    """How long the hint is to live, as it was stated."""
    sensitivity: Sensitivity
    """Whether the value is a secret; normal when absent."""
    scope: Scope
    """Where the hint applies; everywhere when absent."""
    source: Source
    added_by: str
    """Who added it, in free form."""
    anchors: list[Anchor]
    """What the value rests on in the project's files; up to 8."""
    origin: Origin
    """Who set the value, and whose it replaced; absent where no surface says so."""


class Parts(TypedDict):
    """The five terms of a score, each already weighted: they add up to it."""

    frecency: float
    priority: float
    confidence: float
    specificity: float
    recency: float


class OwnProposal(TypedDict):
    """What a client has proposed itself, beside the hint that stands."""

    id: int
    value: NotRequired[Value]
    """The value as it would be; absent where it proposes to delete the hint."""


class NearMiss(TypedDict):
    """A condition that kept a hint from being returned. The value is withheld."""

    scope: Scope
    """The scope of the variant that was not returned."""
    condition: Condition
    """The condition that failed, such as `branch`."""
    expected: list[str]
    actual: str | None
    """What the context has; null when it does not say."""
    fix: NotRequired[str]


class Ineligible(TypedDict):
    """A hint that is out of scope, without its value."""

    component: str
    key: str
    near_misses: list[NearMiss]


class ComponentEntry(TypedDict):
    """One component of a store."""

    name: str
    hint_count: int
    """How many hints it has, every variant counted."""
    keys: NotRequired[list[str]]
    """Its keys, sorted, when it was asked for by name."""


class Problem(TypedDict):
    """Why one hint of a payload, or one proposal or context set, was not taken over."""

    component: str
    """Its component; `context_sets` for a set."""
    key: str
    reason: str
    """The kind of error, such as `E_SECRET_REJECTED`."""
    detail: str
    """One word for the case within its kind."""
    message: str


class OthersWork(TypedDict):
    """What somebody else works on."""

    repo: NotRequired[str]
    client: NotRequired[str]
    """The program that said so; absent for one that gave no name."""
    at: str
    ended: NotRequired[bool]
    """Whether the session has ended, in the middle of this."""
    sets: dict[str, list[str]]
    """The items of each set, the newest last."""
    gone: NotRequired[dict[str, int]]
    """How many files no longer exist; they are not listed."""


class BlockEntry(TypedDict):
    """A line of a block."""

    component: str
    key: str
    tokens: int
    """How many tokens its line takes, one counted for every three bytes."""


class TagCount(TypedDict):
    """On how many hints a tag is."""

    tag: str
    hints: int


# End of shapes.


class Keywords(MetaLike, ScopeLike, total=False):
    """What stands for a part of `meta`, or of its scope, and saves a dict."""


class Limits(TypedDict, total=False):
    """How much a store may hold; expired hints do not count."""

    components: int
    hints_per_component: int
    hints: int
    value_bytes: int
    bytes: int


class Weights(TypedDict, total=False):
    """How hints are scored."""

    frecency: float
    priority: float
    confidence: float
    specificity: float
    recency: float
    half_uses: float
    half_life_seconds: float
