"""The shapes of the contract's JSON, for type checkers.

What a caller gives has `Like` at its end where it may be looser than what comes back: a lone
string for a list of strings, `None` for "take it away".
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict

# Each word is a literal of its own: one of several is no union at run time, and stubtest minds.
Os: TypeAlias = Literal["darwin"] | Literal["linux"] | Literal["windows"]
Shell: TypeAlias = (
    Literal["bash"]
    | Literal["sh"]
    | Literal["zsh"]
    | Literal["fish"]
    | Literal["powershell"]
    | Literal["cmd"]
)
Sensitivity: TypeAlias = Literal["secret"] | Literal["normal"]
Source: TypeAlias = (
    Literal["user"] | Literal["agent"] | Literal["tool-output"] | Literal["file-import"]
)
Condition: TypeAlias = (
    Literal["cwd_glob"]
    | Literal["repo"]
    | Literal["branch"]
    | Literal["os"]
    | Literal["env_required"]
    | Literal["env_match"]
)


class _Command(TypedDict):
    type: Literal["command"]
    cmd: str


class CommandValue(_Command, total=False):
    """A command line as data, to be checked before anybody runs it."""

    shell: Shell


class _Path(TypedDict):
    type: Literal["path"]
    abs: str


class PathValue(_Path, total=False):
    """An absolute path; `os` narrows the scope of its hint."""

    os: list[Os]


class _Template(TypedDict):
    type: Literal["template"]
    format: Literal["mustache", "handlebars", "jinja", "interpolate"]
    body: str


class TemplateValue(_Template, total=False):
    """A text with blanks to fill in; Nudge never fills it in."""

    defaults: dict[str, str]


class JsonValue(TypedDict):
    """Any JSON value, up to 64 deep."""

    type: Literal["json"]
    data: Any


Value: TypeAlias = str | CommandValue | PathValue | TemplateValue | JsonValue


class Scope(TypedDict, total=False):
    """Where a hint applies; every condition that is stated must hold."""

    cwd_glob: list[str]
    repo: list[str]
    branch: list[str]
    os: list[Os]
    env_required: list[str]
    env_match: dict[str, list[str]]


class ScopeLike(TypedDict, total=False):
    """A scope as it may be given."""

    cwd_glob: str | Sequence[str]
    repo: str | Sequence[str]
    branch: str | Sequence[str]
    os: Os | Sequence[Os]
    env_required: str | Sequence[str]
    env_match: Mapping[str, str | Sequence[str]]


class _Replaced(TypedDict):
    via: str


class Replaced(_Replaced, total=False):
    """Who had set a value that another origin changed."""

    client: str


class _Origin(TypedDict):
    via: str


class Origin(_Origin, total=False):
    """Who set the value of a hint; a server stamps it, and no caller can give it."""

    client: str
    repo: str
    at: str
    replaced: Replaced


class Meta(TypedDict, total=False):
    """What is known about a hint."""

    reason: str
    tags: list[str]
    priority: int
    confidence: float
    ttl: str
    sensitivity: Sensitivity
    scope: Scope
    source: Source
    added_by: str
    origin: Origin


class MetaLike(TypedDict, total=False):
    """What a set changes: what is given is set, what is left out stays, `None` clears."""

    reason: str | None
    tags: Sequence[str] | None
    priority: int | None
    confidence: float | None
    ttl: str | None
    sensitivity: Sensitivity | None
    scope: ScopeLike | None
    source: Source | None
    added_by: str | None


class ContextFacts(TypedDict, total=False):
    """The facts that a caller states about where it is."""

    cwd: str
    repo: str | Sequence[str]
    branch: str
    os: Os
    env: Mapping[str, str | None]
    files_open: Sequence[str]


class Limits(TypedDict, total=False):
    """How much a store may hold; expired hints do not count."""

    components: int
    hints_per_component: int
    hints: int
    value_bytes: int


class Weights(TypedDict, total=False):
    """How hints are scored."""

    frecency: float
    priority: float
    confidence: float
    specificity: float
    recency: float
    half_uses: float
    half_life_seconds: float


class Parts(TypedDict):
    """The terms that add up to a score."""

    frecency: float
    priority: float
    confidence: float
    specificity: float
    recency: float


class _NearMiss(TypedDict):
    scope: Scope
    condition: Condition
    expected: list[str]
    actual: str | None


class NearMiss(_NearMiss, total=False):
    """A condition that kept a hint from being returned, and its fix where there is one."""

    fix: str


class Ineligible(TypedDict):
    """A hint that is out of scope, without its value."""

    component: str
    key: str
    near_misses: list[NearMiss]


class _ComponentEntry(TypedDict):
    name: str
    hint_count: int


class ComponentEntry(_ComponentEntry, total=False):
    """One component of a store; `keys` when it was asked for by name."""

    keys: list[str]


class Problem(TypedDict):
    """Why one hint of a payload was not taken over."""

    component: str
    key: str
    reason: str
    detail: str
    message: str


class _StoredHint(TypedDict):
    value: Value
    meta: Meta
    version: int
    created_at: str
    updated_at: str
    use_count: int


class StoredHint(_StoredHint, total=False):
    """A hint as a payload has it."""

    last_used_at: str
    fail_count: int
    first_failed_at: str
    last_failed_at: str


class Slots(TypedDict):
    """The hints of a component by key; a list where a key has several variants."""

    hints: dict[str, StoredHint | list[StoredHint]]


class Payload(TypedDict):
    """What an export gives and an import takes."""

    schema_version: str
    created_at: str
    session_id: str
    components: dict[str, Slots]
