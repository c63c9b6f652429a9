"""The shapes of the contract's JSON, for type checkers.

What a caller gives has `Like` at its end where it may be looser than what comes back: a lone
string for a list of strings, `None` for "take it away".
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import timedelta
from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict

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
    """The current folder, absolute."""
    root: StrPath | None
    """The root of the worktree that the folder is in."""
    repo: str | Sequence[str] | AbstractSet[str] | None
    """The remote, or `git:org/repo`."""
    branch: str | None
    os: Os | None
    env: Mapping[str, str | None] | None
    """Variables that are set, with their values."""
    files_open: Sequence[StrPath] | AbstractSet[StrPath] | None
    """Open files; among equals, hints for their folder come first."""


class _Anchor(TypedDict):
    at: str
    """The file, from the root of the worktree, and after `#` the name in it, such as `package.json#scripts.test`; up to 256 bytes."""


_AnchorWords = TypedDict("_AnchorWords", {"is": Literal["absent"] | None}, total=False)


class Anchor(_Anchor, _AnchorWords, total=False):
    """Something in a project's files that a hint rests on: a file, or a name that a file declares."""

    slice: str | None
    """A hash of what stood there when the hint last worked."""


class Scope(TypedDict, total=False):
    """The conditions under which a hint applies; all that are stated must hold. A lone string stands for a list of one; an answer has lists."""

    cwd_glob: list[str]
    """Globs, one of which must match the current folder: `**/http-proxy*/**`; `./web/**` is below the worktree's root."""
    repo: list[str]
    """Repositories: a remote, or `git:org/repo`."""
    branch: list[str]
    """Branches; globs such as `hotfix/*` are allowed."""
    os: list[Os]
    """Operating systems."""
    env_required: list[str]
    """Variables that must be set."""
    env_match: dict[str, list[str]]
    """Variables and the values that are allowed."""


class ScopeLike(TypedDict, total=False):
    """A scope as it may be given."""

    cwd_glob: Sequence[str] | AbstractSet[str] | str | None
    """Globs, one of which must match the current folder: `**/http-proxy*/**`; `./web/**` is below the worktree's root."""
    repo: Sequence[str] | AbstractSet[str] | str | None
    """Repositories: a remote, or `git:org/repo`."""
    branch: Sequence[str] | AbstractSet[str] | str | None
    """Branches; globs such as `hotfix/*` are allowed."""
    os: Sequence[Os] | AbstractSet[Os] | Os | None
    """Operating systems."""
    env_required: Sequence[str] | AbstractSet[str] | str | None
    """Variables that must be set."""
    env_match: Mapping[str, Sequence[str] | AbstractSet[str] | str] | None
    """Variables and the values that are allowed."""


class MetaLike(TypedDict, total=False):
    """What a set says about a hint: what is left out stays as it was, and `None` clears it."""

    reason: str | None
    """Why it is so; shown with the hint."""
    tags: str | Sequence[str] | AbstractSet[str] | None
    """Such as `build` or `docker`; a query finds hints by them."""
    priority: int | None
    """5 when absent."""
    confidence: float | None
    """How sure you are; 0.5 when absent."""
    pin: bool | None
    """Whether it comes first in all that agents are told unasked; for the user alone."""
    ttl: str | timedelta | None
    """`session`, or an ISO 8601 duration such as `PT2H` after which the hint is gone."""
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


class _CommandValue(TypedDict):
    type: Literal["command"]
    cmd: str
    """The command line."""


class CommandValue(_CommandValue, total=False):
    """A command line. It is data; nothing is executed."""

    shell: Shell
    """The shell it is written for."""


class _PathValue(TypedDict):
    type: Literal["path"]
    abs: str
    """Absolute, without `..`."""


class PathValue(_PathValue, total=False):
    """A path."""

    os: list[Os]
    """Where it is meant; narrows the hint's scope."""


class _TemplateValue(TypedDict):
    type: Literal["template"]
    format: TemplateFormat
    """Its language."""
    body: str
    """Its text."""


class TemplateValue(_TemplateValue, total=False):
    """A template. It is data; nothing is filled in."""

    defaults: dict[str, str]
    """Values for blanks that a caller leaves open."""


class JsonValue(TypedDict):
    """Any JSON value."""

    data: Any
    """The value."""
    type: Literal["json"]


Value: TypeAlias = str | CommandValue | PathValue | TemplateValue | JsonValue


class _Replaced(TypedDict):
    via: str
    """How the call came in."""


class Replaced(_Replaced, total=False):
    """Who had set a value that another origin changed."""

    client: str
    """The program that called, with its version."""


class _Origin(TypedDict):
    via: str
    """How the call came in, such as `mcp`, `cli` or `http`; up to 32 bytes."""


class Origin(_Origin, total=False):
    """Who set the value of a hint: by which way, by which program, where and when. No request can claim it."""

    client: str
    """The program that called, with its version, such as `codex/0.166`; up to 128 bytes."""
    session: str
    """The agent session that it was in, as its host calls it; up to 128 bytes."""
    repo: str
    """The repository that it was in; up to 256 bytes."""
    branch: str
    """The branch that it was on, for what a hook saw work; up to 256 bytes."""
    root: str
    """The root of the clone that it was in, for what a hook saw work; up to 256 bytes."""
    at: str
    """When the value was set; the store fills it in."""
    proven: bool
    """Whether somebody else saw the value work: the user, or a hook of another agent session."""
    replaced: Replaced
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
    """Who the hint comes from."""
    added_by: str
    """Who added it, in free form."""
    anchors: list[Anchor]
    """What the value rests on in the project's files; up to 8."""
    origin: Origin
    """Who set the value, and whose it replaced; absent where no surface says so."""


class _StoredHint(TypedDict):
    value: Value
    """The fact: text, or an object with a `type`. A command is data; check it before you run it."""
    meta: Meta
    """What is known about it: reason, tags, priority, scope, origin and more."""
    version: int
    """One more with every accepted set; for `if_match_version`."""
    created_at: str
    """When this variant was first set."""
    updated_at: str
    """When it was last set; its time to live counts from here."""
    lifetime: Lifetime
    """`kept` until somebody deletes it, as long as the `session`, or `until` it expires."""
    use_count: int
    """How often it was bumped since its value last changed."""


class StoredHint(_StoredHint, total=False):
    """One stored fact: a value, what is known about it, and its history."""

    expires_at: str
    """When it expires; absent when it does not."""
    last_used_at: str
    """When it was last bumped; absent when it never was."""
    fail_count: int
    """How often it failed since its value last changed; absent when it never did."""
    first_failed_at: str
    """When it failed for the first time."""
    last_failed_at: str
    """When it last failed."""
    claimed_uses: int
    """How many of its uses an agent told of and nobody saw."""
    claimed_failures: int
    """How many of its failures an agent told of and nobody saw."""


class Parts(TypedDict):
    """The five terms of a score, each already weighted: they add up to it."""

    frecency: float
    priority: float
    confidence: float
    specificity: float
    recency: float


class _OwnProposal(TypedDict):
    id: int
    """Its number."""


class OwnProposal(_OwnProposal, total=False):
    """What a client has proposed itself, beside the hint that stands."""

    value: Value
    """The value as it would be; absent where it proposes to delete the hint."""


class _NearMiss(TypedDict):
    scope: Scope
    """The scope of the variant that was not returned."""
    condition: Condition
    """The condition that failed, such as `branch`."""
    expected: list[str]
    """What the condition asks for."""
    actual: str | None
    """What the context has; null when it does not say."""


class NearMiss(_NearMiss, total=False):
    """A condition that kept a hint from being returned. The value is withheld."""

    fix: str
    """What would make it hold."""


class Ineligible(TypedDict):
    """A hint that is out of scope, without its value."""

    component: str
    """The component."""
    key: str
    """The key."""
    near_misses: list[NearMiss]
    """The conditions that fail."""


class _ComponentEntry(TypedDict):
    name: str
    """Its name."""
    hint_count: int
    """How many hints it has, every variant counted."""


class ComponentEntry(_ComponentEntry, total=False):
    """One component of a store."""

    keys: list[str]
    """Its keys, sorted, when it was asked for by name."""


class _Committed(TypedDict):
    value: Value
    """The fact."""


class Committed(_Committed, total=False):
    """A hint as a person would write it down for others: its value, and what people say of it. Who set it, when, and how often it was used is left out."""

    meta: Meta
    """The meta that people set."""


class Slots(TypedDict):
    """The hints of a component."""

    hints: dict[str, StoredHint | Committed | list[StoredHint | Committed]]
    """By key, one hint or a list of them."""


class _Offer(TypedDict):
    component: str
    """The component."""
    key: str
    """The key."""
    hint: StoredHint
    """The hint as it would be."""
    why: str
    """Why it is only proposed."""


class Offer(_Offer, total=False):
    """A proposal as a payload has it: without the number that it has in one store."""

    client: str
    """The client that proposes it."""
    delete: bool
    """Whether it is to be deleted."""


class WorkItem(TypedDict):
    """Something that is being worked on."""

    set: str
    """The name of its set."""
    item: str
    """What it is."""


class _WorkingSet(TypedDict):
    at: str
    """When it last changed."""
    items: list[WorkItem]
    """The items, the oldest first."""


class WorkingSet(_WorkingSet, total=False):
    """What one agent session, or the user, is working on in a repository: all items with their sets, the oldest first."""

    repo: str
    """The repository, where one is known."""
    session: str
    """The agent session; none is the user's own."""
    client: str
    """The program that spoke last."""
    ended: bool
    """Whether the session has ended since."""
    told: bool
    """Whether the next session was told of it since."""


class _Payload(TypedDict):
    schema_version: Literal["1.0"] | Literal["1.1"]
    """`1.1` when a slot has several hints."""
    components: dict[str, Slots]
    """The components by name."""


class Payload(_Payload, total=False):
    """The hints of a store at one moment, as an export gives them."""

    created_at: str
    """When the session began; absent in a seed."""
    session_id: str
    """The session; absent in a seed."""
    proposals: list[Offer]
    """The hints that wait to be accepted, in an export of everything."""
    context_sets: dict[str, list[str]]
    """What is being worked on by the names of the sets, in an export of everything."""
    work: list[WorkingSet]
    """What each agent session works on in a repository, in an export of everything."""


class Problem(TypedDict):
    """Why one hint of a payload, or one proposal or context set, was not taken over."""

    component: str
    """Its component; `context_sets` for a set."""
    key: str
    """Its key."""
    reason: str
    """The kind of error, such as `E_SECRET_REJECTED`."""
    detail: str
    """One word for the case within its kind."""
    message: str
    """The error in words."""


class _OthersWork(TypedDict):
    at: str
    """When it last changed."""
    sets: dict[str, list[str]]
    """The items of each set, the newest last."""


class OthersWork(_OthersWork, total=False):
    """What somebody else works on."""

    repo: str
    """The repository."""
    client: str
    """The program that said so; absent for one that gave no name."""
    ended: bool
    """Whether the session has ended, in the middle of this."""
    gone: dict[str, int]
    """How many files no longer exist; they are not listed."""


class TagCount(TypedDict):
    """On how many hints a tag is."""

    tag: str
    """The tag, in lower case."""
    hints: int
    """How many hints have it."""


# End of shapes.


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
