"""The classes of answers; what they have in common is in `answer.py`.

Made by `python nudge-py/generate` from `docs/operations.json`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nudge._nudge import text_of
from nudge.answer import Answer

if TYPE_CHECKING:
    from nudge.types import (
        BlockEntry,
        ComponentEntry,
        Ineligible,
        Lifetime,
        Meta,
        OthersWork,
        OwnProposal,
        Parts,
        Problem,
        TagCount,
        Value,
    )


class Hint(Answer):
    """One stored fact: a value, what is known about it, and its history."""

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
    expires_at: str | None
    """When it expires; absent when it does not."""
    last_used_at: str | None
    """When it was last bumped; absent when it never was."""
    use_count: int
    """How often it was bumped since its value last changed."""
    first_failed_at: str | None
    """When it failed for the first time."""
    last_failed_at: str | None
    claimed_uses: int | None
    """How many of its uses an agent told of and nobody saw."""
    claimed_failures: int | None
    """How many of its failures an agent told of and nobody saw."""

    @property
    def text(self) -> str:
        """The text a person means by the value."""
        given: str = text_of(self["value"])
        return given

    @property
    def fail_count(self) -> int:
        """How often it failed since then."""
        given: int = self.get("fail_count", 0)
        return given


class MatchExplain(Answer):
    """Why a hint was returned: its score, its terms, and the reasons in words."""

    matched: bool
    score: float
    """From 0 to 1 with the usual weights; four decimals."""
    reasons: list[str]
    parts: Parts
    """The terms that add up to the score."""


class Ranked(Answer):
    """One of several hints, with its score."""

    component: str
    key: str
    hint: Hint
    score: float
    """From 0 to 1, with four decimals."""
    match_explain: MatchExplain

    @property
    def value(self) -> Value:
        """The value of the hint."""
        given: Value = self["hint"]["value"]
        return given

    @property
    def text(self) -> str:
        """The text that is meant by it."""
        given: str = text_of(self["hint"]["value"])
        return given


class Proposal(Answer):
    """A hint that waits for somebody to accept it."""

    id: int
    """By which it is accepted or rejected: `nudge accept ID`."""
    component: str
    key: str
    hint: Hint
    """The hint as it would be."""
    why: str
    client: str | None
    stands: str | None
    """The value that stands where it would, in a listing; never that of a secret."""
    delete: bool | None
    """Whether it is to be deleted."""
    proposed_at: str
    """When it was proposed; it ends after 30 days."""


class HintSet(Answer):
    """What a set did."""

    component: str
    key: str
    hint: Hint
    """The hint as it is now."""
    created: bool
    variants: int
    """How many hints with different scopes the key holds."""
    replaced: Value | None
    """The value that stood there, where it was another; never that of a secret."""
    proposal: Proposal | None
    """Present when nothing was overwritten, because the user has set this hint or others saw it work: yours waits until the user accepts it, and `hint` is what still stands."""
    note: str | None
    """What the writer may not expect: that another hint stays elsewhere, or that a get from there does not return this one."""


class HintMatch(Answer):
    """The hint that fits best, and why."""

    component: str
    key: str
    hint: Hint
    match_explain: MatchExplain
    alternatives: list[Ranked] | None
    """The next ones, if they were asked for."""
    proposal: OwnProposal | None
    """What the caller has proposed to the user in its place."""

    @property
    def value(self) -> Value:
        """The value of the hint."""
        given: Value = self["hint"]["value"]
        return given

    @property
    def text(self) -> str:
        """The text that is meant by it."""
        given: str = text_of(self["hint"]["value"])
        return given


class Found(Answer):
    """What a query found."""

    hints: list[Ranked]
    """The best ones, up to the limit."""
    total: int
    """How many apply here and fit the filters."""
    scoped_out: int
    """How many fit the filters but do not apply here."""
    ineligible: list[Ineligible] | None
    """Those, up to the limit and without their values, if they were asked for."""
    left_out: int | None
    """How many within the limit `max_tokens` left out; absent when none."""
    nearest: list[str] | None
    """Up to three names that exist, the most alike first, where the component or every key that was asked for does not."""


class Deleted(Answer):
    """What a delete took away."""

    component: str
    key: str
    deleted: bool
    """Whether they are gone; not where it is only proposed. A delete that finds nothing is an error."""
    previous: Hint | list[Hint]
    """The hint that was there, or a list of them when several went."""
    remaining: int
    """How many other hints the key holds."""
    proposal: Proposal | None
    """Present when nothing was deleted, because the user has set this hint: the user is asked to delete it."""


class Components(Answer):
    """The components of a store."""

    components: list[ComponentEntry]
    """One entry for each, sorted by name."""


class Bumped(Answer):
    """The hint after a bump."""

    component: str
    key: str
    hint: Hint
    """The hint as it is now."""
    counted: int
    """By how much it was counted; 0 where it was not: nobody but the user counts twice in ten minutes."""
    use_count: int
    """How often it was used, this time included."""


class Exported(Answer):
    """An export."""

    payload: dict[str, Any]
    """The hints, ready to be written or imported."""
    secrets_left_out: int
    """How many hints and proposals were left out because they are marked as secret."""


class Imported(Answer):
    """What an import did, or would do."""

    imported: int
    """How many hints were taken over."""
    skipped: int
    """How many were not: bad, expired, equal to or older than what is there."""
    problems: list[Problem]
    """What is wrong with the first 20 bad ones, proposals and context sets included."""


class Merged(Answer):
    """What came of a merge."""

    taken: int
    """How many hints are here now as the other machine has them."""
    deleted: int
    """How many are gone because the other machine no longer keeps them."""
    refused: int | None
    """How many of the other machine's were refused; absent when none."""
    problems: list[Problem] | None
    """Why the first 20 of them were."""
    left_out: int | None
    """How many hints here look like credentials and go nowhere; absent when none."""
    files: dict[str, dict[str, Any]] | None
    """All that is kept here and what is remembered of what is not, by repository; under the empty name what names none or several. Absent where it was asked to be brief."""


class ContextSets(Answer):
    """What is being worked on."""

    sets: dict[str, list[str]]
    """The items of each set, the newest last."""
    dropped: dict[str, list[str]] | None
    """What had to go to make room, the oldest first."""
    nearest: dict[str, str] | None
    """For a new set whose name is like one that is known, that one: perhaps it was meant."""
    gone: dict[str, int] | None
    """How many files no longer exist; they are not listed."""
    others: list[OthersWork] | None
    """What others work on in the same repository, the newest first."""


class Proposed(Answer):
    """A proposal that waits now."""

    proposal: Proposal


class Proposals(Answer):
    """The proposals that wait."""

    proposals: list[Proposal]
    """Each of them, the oldest first."""


class Block(Answer):
    """A block of text for a prompt."""

    text: str
    """The text, empty when nothing applies; its last line says how many hints were left out, if any."""
    shown: int
    left_out: int
    entries: list[BlockEntry] | None
    """The lines and what each costs, the best first; only for a `prompt`."""


class Reaction(Answer):
    """What follows from an event; mostly nothing."""

    text: str | None
    """What the agent should be told; absent when nothing."""
    hold_back: bool | None
    """Whether the host is to hold the command back this once, and give the text as the reason."""

    @property
    def did(self) -> list[dict[str, str]]:
        """What was done besides."""
        given: list[dict[str, str]] = self.get("did", [])
        return given


class Stats(Answer):
    """How much a store holds and what is used most."""

    components: int
    slots: int
    """How many slots, which are pairs of a component and a key."""
    hints: int
    """How many hints, every variant counted."""
    uses: int
    """How often hints were used, all together."""
    used_hints: int
    """How many hints were used at least once."""
    top_tags: list[TagCount]
    """The ten tags on most hints."""


class Greeting(Answer):
    """Who the server is, and which variables a caller may want to state."""

    env_names: list[str]
    product: str
    protocol: str
    role: str
    session_id: str
    version: str


class ServerStatus(Answer):
    """How the server is doing."""

    ending: int | None
    here: int | None
    holds_secrets: bool
    last_change: int
    limits: dict[str, Any]
    members: list[dict[str, Any]]
    pid: int
    port: int
    product: str
    program: dict[str, Any] | None
    proposals: int
    protocol: str
    receipts: dict[str, Any]
    role: str
    session_began: str
    session_id: str
    settings: dict[str, Any]
    started: str
    stats: dict[str, Any]
    sync: dict[str, Any] | None
    url: str
    version: str
    warnings: list[str] | None


class Why(Answer):
    """Every variant of a hint."""

    applies: list[dict[str, Any]]
    away: list[dict[str, Any]]
    last_told: dict[str, Any] | None
    pitfalls: list[dict[str, Any]]
    told: int


class FoundObservations(Answer):
    """What was found: of a search the best first, of a log the latest."""

    observations: list[dict[str, Any]]


class Observations(Answer):
    """Observations, in the order in which they were asked for."""

    observations: list[dict[str, Any]]


class Timeline(Answer):
    """What happened around an observation, in the order of time."""

    after: list[dict[str, Any]]
    anchor: dict[str, Any] | None
    before: list[dict[str, Any]]


class Scored(Answer):
    """What happened lately, the highest score first."""

    observations: list[dict[str, Any]]


class Trace(Answer):
    """A session of an agent in a repository."""

    ended_at: int | None
    left_out: int | None
    project: str
    prompts: list[dict[str, Any]]
    session_id: str
    started_at: int


class History(Answer):
    """The sessions that changed a file, the latest first."""

    file_path: str
    sessions: list[dict[str, Any]]


class Fixes(Answer):
    """What helped against an error, what did so most often first."""

    fixes: list[dict[str, Any]]
    seen: int


class PageAddress(Answer):
    """Where the page is, and what it must show."""

    key: str
    port: int


CLASSES = {kind.__name__: kind for kind in Answer.__subclasses__()}
