"""What a store can be asked for.

Made by `python nudge-py/generate` from `docs/operations.json`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from nudge import answers
from nudge.answer import Answer
from nudge.asking import Asking, Where
from nudge.errors import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from os import PathLike

    from typing_extensions import Unpack

    from nudge.types import (
        ContextMode,
        ImportMode,
        Keywords,
        MetaLike,
        Outcome,
        ScopeLike,
        StrPath,
        TagsMode,
        Value,
    )

_T = TypeVar("_T")


class Operations(Asking):
    """What a store can be asked for."""

    __slots__ = ()

    def set_hint(
        self,
        component: str,
        key: str,
        value: Value | PathLike[str],
        *,
        meta: MetaLike | None = None,
        context: Where = None,
        if_match_version: int | None = None,
        from_scope: ScopeLike | None = None,
        **keywords: Unpack[Keywords],
    ) -> answers.HintSet:
        """Sets a hint: a new one, or a variant that is there already.

        With `meta.scope`, the variant with that very scope is written, or a new one. Without it,
        what a get from `context` returns, as far as it applies in that place only; else a variant
        for the place. What the user has set, others only propose to change. A set that changes the
        value starts counting its uses from zero.

        Raises `InvalidError`, `SecretRejectedError`, `ScopeInvalidError`, `ForbiddenError`,
        `NotFoundError`, `ConflictError`, `QuotaError`.

            >>> store.set_hint("api", "build", "make", tags="build", priority=7).created
            True
            >>> store.set_hint("api", "build", "make all").hint.version
            2
        """
        return self._ask("nudge.set_hint", answers.HintSet, locals())

    @overload
    def get_hint(
        self, component: str, key: str, *, context: Where = None, alternatives: int | None = None
    ) -> answers.HintMatch: ...
    @overload
    def get_hint(
        self,
        component: str,
        key: str,
        *,
        context: Where = None,
        alternatives: int | None = None,
        default: _T,
    ) -> answers.HintMatch | _T: ...
    def get_hint(
        self,
        component: str,
        key: str,
        *,
        context: Where = None,
        alternatives: int | None = None,
        default: Any = ...,
    ) -> Any:
        """Gives the hint of a slot that fits best, and why.

        The user's word goes first, and what is said for a place before the rest; then a variant
        whose conditions contain another's; of the user's the newest, of others' the one with the
        best score. A miss is `E_NOT_FOUND`, whose `near_misses` say which condition failed and what
        would fix it.

        Raises `InvalidError`, `NotFoundError`.

            >>> _ = store.set_hint("api", "build", "make", branch="dev")
            >>> found = store.get_hint("api", "build", context=Context(branch="dev"))
            >>> found.value, found.match_explain.reasons
            ('make', ['branch=dev allowed'])
            >>> store.get_hint("api", "test", default=None) is None
            True
        """
        try:
            found: answers.HintMatch = self._store.get(component, key, context, alternatives)
        except NotFoundError:
            if default is ...:
                raise
            return default
        return found

    def query(
        self,
        *,
        component: str | None = None,
        keys: Sequence[str] | AbstractSet[str] | None = None,
        tags: str | Sequence[str] | AbstractSet[str] | None = None,
        tags_mode: TagsMode | None = None,
        regex: str | None = None,
        text: str | None = None,
        context: Where = None,
        limit: int | None = None,
        max_tokens: int | None = None,
        include_ineligible: bool | None = None,
        anywhere: bool | None = None,
    ) -> answers.Found:
        """Searches the hints that apply, best first.

        The filters combine by AND; within `keys` and `tags` one is enough. `text` is words, at most
        32 in 512 bytes: each must occur, whatever its case, whole or as the start of a word. A hint
        with whole words goes before one where they only start a word, and a word that stands whole
        in few of the hits weighs more than one that does in many; then the score decides. In a
        component or key that does not exist, `*` is any text and `?` any character; an unknown one
        gives an empty list, and `nearest`.

        Raises `InvalidError`, `ForbiddenError`.

            >>> _ = store.set_hint("api", "build", "make", tags=["build"])
            >>> [hint.value for hint in store.query(tags=["build"]).hints]
            ['make']
        """
        return self._ask("nudge.query", answers.Found, locals())

    def delete_hint(
        self,
        component: str,
        key: str,
        *,
        scope: ScopeLike | None = None,
        context: Where = None,
        all: bool | None = None,
        everywhere: bool | None = None,
    ) -> answers.Deleted:
        """Deletes a variant of a slot, or all of them.

        `scope`, `context` or `all` say which; with none of them, the only one. Several are then
        `E_INVALID` with `detail` `ambiguous`. From a place, one that applies everywhere is reached
        by its scope only: `E_INVALID` with `detail` `everywhere`. Others than the user only propose
        to delete what the user has set.

        Raises `InvalidError`, `ScopeInvalidError`, `ForbiddenError`, `NotFoundError`, `QuotaError`.

            >>> _ = store.set_hint("api", "build", "make")
            >>> store.delete_hint("api", "build").previous.value
            'make'
        """
        return self._ask("nudge.delete_hint", answers.Deleted, locals())

    def list_components(
        self, *, component: str | None = None, context: Where = None
    ) -> answers.Components:
        """Lists the components, sorted; of one that is named, its keys too.

        Only live hints count, and with a context only those that apply there. `api*` names every
        component that begins so.

        Raises `InvalidError`.

            >>> _ = store.set_hint("api", "build", "make")
            >>> store.list_components(component="api").components
            [{'name': 'api', 'hint_count': 1, 'keys': ['build']}]
        """
        return self._ask("nudge.list_components", answers.Components, locals())

    def bump(
        self,
        component: str,
        key: str,
        *,
        delta: int | None = None,
        outcome: Outcome | None = None,
        scope: ScopeLike | None = None,
        context: Where = None,
    ) -> answers.Bumped:
        """Says that a hint proved useful, so that it ranks higher.

        Neither the version nor the time to live changes. `scope` or `context` say which variant is
        meant. An agent session counts once in ten minutes.

        Raises `InvalidError`, `ScopeInvalidError`, `NotFoundError`.

            >>> _ = store.set_hint("api", "build", "make")
            >>> store.bump("api", "build").hint.use_count
            1
        """
        return self._ask("nudge.bump", answers.Bumped, locals())

    def export(
        self,
        *,
        format: Literal["json"] | None = None,
        component: str | None = None,
        tags: str | Sequence[str] | AbstractSet[str] | None = None,
        include_secrets: bool | None = None,
        context: Where = None,
        seed: bool | None = None,
    ) -> answers.Exported:
        """Gives the store, or a part of it, as one payload.

        Everything is sorted: equal stores give equal bytes. Hints marked as secret are left out
        unless asked for, and counted. `api*` names every component that begins so. Without
        `component` and `tags` it has the proposals and the context sets as well.

        Raises `InvalidError`, `ForbiddenError`.

            >>> _ = store.set_hint("api", "build", "make")
            >>> store.export().payload["components"]["api"]["hints"]["build"]["value"]
            'make'
        """
        return self._ask("nudge.export", answers.Exported, locals())

    def import_(
        self,
        payload: Mapping[str, Any],
        *,
        mode: ImportMode | None = None,
        dry_run: bool | None = None,
    ) -> answers.Imported:
        """Loads the hints of a payload.

        `merge` passes over what is bad and lists the first 20 problems; `replace` is refused if
        anything is bad. Every hint passes the guard, the checks and the limits as if it were set.
        Proposals get new numbers, and context sets join those that are there; `replace` swaps those
        that the payload has. Neither is counted.

        Raises `InvalidError`, `SecretRejectedError`, `ScopeInvalidError`, `ForbiddenError`,
        `ConflictError`, `QuotaError`.

            >>> _ = store.set_hint("api", "build", "make")
            >>> Nudge().import_(store.export().payload).imported
            1
        """
        return self._ask("nudge.import", answers.Imported, locals())

    def merge(
        self, machine: str, *, payload: Mapping[str, Any] | None = None, brief: bool | None = None
    ) -> answers.Merged:
        """Merges what another machine keeps with what this one does.

        Of each hint the higher stamp counts, then the machine, then the bytes; never a clock. So
        the order of merges says nothing, and one that says nothing new changes nothing. From the
        first one on, what is changed here takes a stamp above all that it has seen. What looks like
        a credential is neither taken nor given, whatever the settings are. `nudge sync` calls it.

        Raises `InvalidError`, `ForbiddenError`.
        """
        return self._ask("nudge.merge", answers.Merged, locals())

    def set_context(
        self,
        sets: Mapping[str, Sequence[str | int]],
        *,
        mode: ContextMode | None = None,
        context: Where = None,
    ) -> answers.ContextSets:
        """Says what is being worked on, in named sets.

        They belong to the caller's agent session, or to the user, in the repository of `context`. A
        set has 10 items at most, `intent` and `last_command` have one, and all have 50: the newest
        stay, and `dropped` says what went. Sets that are not named stay as they are.

        Raises `InvalidError`, `SecretRejectedError`.

            >>> store.set_context({"files": ["src/proxy.rs"], "ports": [8080]}).sets
            {'files': ['src/proxy.rs'], 'ports': ['8080']}
        """
        return self._ask("nudge.set_context", answers.ContextSets, locals())

    def get_context(self, name: str | None = None, *, context: Where = None) -> answers.ContextSets:
        """Tells what is being worked on in the repository of `context`: the caller's own in `sets`, then that of `others`.

        Files that no longer exist on this machine are counted in `gone` and not listed.

        Raises `InvalidError`, `NotFoundError`.

            >>> _ = store.set_context({"ports": [8080]})
            >>> store.get_context().sets
            {'ports': ['8080']}
        """
        return self._ask("nudge.get_context", answers.ContextSets, locals())

    def propose(
        self,
        component: str,
        key: str,
        value: Value | PathLike[str],
        *,
        why: str,
        meta: MetaLike | None = None,
        **keywords: Unpack[Keywords],
    ) -> answers.Proposed:
        """Proposes a hint: it is never served until it is accepted.

        10 of one client may wait, and its oldest go; 100 in all. What waits already waits once;
        what is set already is `E_CONFLICT`.

        Raises `InvalidError`, `SecretRejectedError`, `ScopeInvalidError`, `ForbiddenError`,
        `ConflictError`, `QuotaError`.

            >>> proposed = store.propose("api", "test", "make test JOBS=1", why="it failed without")
            >>> proposed.proposal.id, store.query().total
            (1, 0)
        """
        return self._ask("nudge.propose", answers.Proposed, locals())

    def list_proposals(self) -> answers.Proposals:
        """Lists the hints that wait to be accepted.

        A set of a program that would overwrite what the user has set waits here as well. Others
        than the user see their own.

        Raises `InvalidError`.

            >>> _ = store.propose("api", "test", "make test", why="it worked")
            >>> [proposal.hint.value for proposal in store.list_proposals().proposals]
            ['make test']
        """
        return self._ask("nudge.list_proposals", answers.Proposals, locals())

    def accept(self, id: int) -> answers.HintSet:
        """Sets the hint of a proposal, as the user's own.

        Only the user may: who proposes does not decide.

        Raises `InvalidError`, `ForbiddenError`, `NotFoundError`, `ConflictError`, `QuotaError`.

            >>> _ = store.propose("api", "test", "make test", why="it worked")
            >>> store.accept(1).hint.meta["source"]
            'user'
        """
        return self._ask("nudge.accept", answers.HintSet, locals())

    def reject(self, id: int) -> answers.Proposed:
        """Drops a proposal.

        Only the user may: who proposes does not decide.

        Raises `InvalidError`, `ForbiddenError`, `NotFoundError`.

            >>> _ = store.propose("api", "test", "make test", why="it worked")
            >>> store.reject(1).proposal.why
            'it worked'
        """
        return self._ask("nudge.reject", answers.Proposed, locals())

    def prompt_block(
        self,
        context: Where = None,
        *,
        budget: int | None = None,
        prompt: str | None = None,
        max_tokens: int | None = None,
    ) -> answers.Block:
        """Writes the hints that apply as text for a prompt, within a budget.

        One hint a slot, the one that a get would choose, in the order of names, but for how to set
        up and install, which comes first: the same hints give the same bytes, and prompt caches
        survive. Secrets are never shown.

        Raises `InvalidError`.

            >>> _ = store.set_hint("api", "build", "make")
            >>> store.prompt_block(budget=100).shown
            1
        """
        return self._ask("nudge.prompt_block", answers.Block, locals())

    def on_event(
        self,
        event: str,
        *,
        host: str | None = None,
        session: str | None = None,
        reason: str | None = None,
        call: str | None = None,
        command: str | None = None,
        prompt: str | None = None,
        file: StrPath | None = None,
        ok: bool | None = None,
        exit_code: int | None = None,
        output: str | None = None,
        duration_ms: int | None = None,
        size: int | None = None,
        budget: int | None = None,
        remind_after: int | None = None,
        programs: Mapping[str, str] | None = None,
        hold_back: str | None = None,
        context: Where = None,
    ) -> answers.Reaction:
        """Takes an event of a host's hook, and says what the agent should be told.

        A command that succeeds is learned, and bumps the hint that holds it; one that could not run
        counts a failure. Mostly nothing is said. `nudge hook` calls it.

        Raises `InvalidError`, `ForbiddenError`.

            >>> _ = store.set_hint("api", "build", "make")
            >>> here = Context(cwd="/work/api")
            >>> store.on_event("before_command", command="ninja", context=here).text
            'Nudge: [user] api/build here is "make"'
            >>> store.on_event("after_command", command="make", exit_code=0, context=here).did
            [{'bumped': 'api/build'}]
        """
        return self._ask("nudge.on_event", answers.Reaction, locals())

    def stats(self) -> answers.Stats:
        """Counts what the store holds, and says which tags are on most hints.

        Only live hints count.

        Raises `InvalidError`.

            >>> _ = store.set_hint("api", "build", "make", meta={"tags": ["build"]})
            >>> stats = store.stats()
            >>> stats.hints, stats.top_tags
            (1, [{'tag': 'build', 'hints': 1}])
        """
        return self._ask("nudge.stats", answers.Stats, locals())

    # What follows is for a store from `connect()`.

    def hello(
        self, *, client: str | None = None, cwd: StrPath | None = None, pid: int | None = None
    ) -> answers.Greeting:
        """Says who the server is, and which variables its scopes mention."""
        return self._ask("nudge.hello", answers.Greeting, locals())

    def status(self, *, context: Where = None) -> answers.ServerStatus:
        """Says how the server is doing."""
        return self._ask("nudge.status", answers.ServerStatus, locals())

    def stop(self, *, purge: bool | None = None) -> Answer:
        """Ends the server and its session."""
        return self._ask("nudge.stop", Answer, locals())

    def restart(self, *, settings: Mapping[str, Any] | None = None) -> Answer:
        """Ends the server, but not its session, with which the next one goes on."""
        return self._ask("nudge.restart", Answer, locals())

    def restore(self) -> Answer:
        """Merges the hints of the session that ended last into this one."""
        return self._ask("nudge.restore", Answer, locals())

    def delete_hints(
        self,
        component: str,
        key: str,
        *,
        all: bool | None = None,
        context: Where = None,
        dry_run: bool | None = None,
        everywhere: bool | None = None,
        scope: ScopeLike | None = None,
    ) -> Answer:
        """Deletes in every slot whose names fit, all at once."""
        return self._ask("nudge.delete_hints", Answer, locals())

    def mv(
        self,
        to: str,
        *,
        component: str | None = None,
        context: Where = None,
        dry_run: bool | None = None,
        everywhere: bool | None = None,
        key: str | None = None,
        repo: str | None = None,
    ) -> Answer:
        """Gives a component, or one of its keys, another name; or a repository."""
        return self._ask("nudge.mv", Answer, locals())

    def undo(self) -> Answer:
        """Takes back the last write by which the user deleted or overwrote hints, all of it at once."""
        return self._ask("nudge.undo", Answer, locals())

    def keep(
        self,
        component: str,
        key: str,
        *,
        context: Where = None,
        dry_run: bool | None = None,
        layer: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Has a hint be there in the next session, as the user's own."""
        return self._ask("nudge.keep", Answer, locals())

    def kept(self, *, context: Where = None) -> Answer:
        """Lists the hints that outlive the session where the caller is."""
        return self._ask("nudge.kept", Answer, locals())

    def trust(
        self,
        *,
        component: str | None = None,
        context: Where = None,
        dry_run: bool | None = None,
        hashes: Sequence[str] | AbstractSet[str] | None = None,
        key: str | None = None,
    ) -> Answer:
        """Trusts hints of the project's file, which are then the project's word."""
        return self._ask("nudge.trust", Answer, locals())

    def untrust(self) -> Answer:
        """Trusts hints of the project's file no more."""
        return self._ask("nudge.untrust", Answer, locals())

    def why(self, component: str, key: str, *, context: Where = None) -> answers.Why:
        """Tells every variant of a hint, and what is known of each."""
        return self._ask("nudge.why", answers.Why, locals())

    def search(
        self,
        query: str,
        *,
        context: Where = None,
        limit: int | None = None,
        obs_type: str | None = None,
        offset: int | None = None,
        project: str | None = None,
    ) -> answers.FoundObservations:
        """Searches what happened in this repository: commands, edits, prompts."""
        return self._ask("nudge.search", answers.FoundObservations, locals())

    def get_observations(
        self, ids: Sequence[int], *, context: Where = None
    ) -> answers.Observations:
        """Gives observations by their numbers."""
        return self._ask("nudge.get_observations", answers.Observations, locals())

    def timeline(
        self,
        anchor: int,
        *,
        after: int | None = None,
        before: int | None = None,
        context: Where = None,
    ) -> answers.Timeline:
        """Tells what happened before and after an observation, in its session."""
        return self._ask("nudge.timeline", answers.Timeline, locals())

    def recent_context(
        self, *, context: Where = None, limit: int | None = None, project: str | None = None
    ) -> answers.Scored:
        """Tells what happened lately in this repository, what matters most first."""
        return self._ask("nudge.recent_context", answers.Scored, locals())

    def log(
        self,
        *,
        after_id: int | None = None,
        context: Where = None,
        limit: int | None = None,
        session_id: str | None = None,
    ) -> answers.FoundObservations:
        """Tells what happened last in this repository, the latest first."""
        return self._ask("nudge.log", answers.FoundObservations, locals())

    def session_trace(
        self,
        session_id: str,
        *,
        after: int | None = None,
        before: int | None = None,
        context: Where = None,
    ) -> answers.Trace:
        """Tells a session of an agent: each prompt, and what followed."""
        return self._ask("nudge.session_trace", answers.Trace, locals())

    def file_history(
        self,
        file_path: str,
        *,
        after: int | None = None,
        before: int | None = None,
        context: Where = None,
        limit: int | None = None,
    ) -> answers.History:
        """Tells which sessions changed a file, and what the user had asked for."""
        return self._ask("nudge.file_history", answers.History, locals())

    def fix(self, text: str, *, context: Where = None) -> answers.Fixes:
        """Tells what helped against an error in this repository."""
        return self._ask("nudge.fix", answers.Fixes, locals())

    def pitfalls(self, *, context: Where = None, forget: str | None = None) -> Answer:
        """Lists the commands that could not run in this repository and have not ended well since."""
        return self._ask("nudge.pitfalls", Answer, locals())

    def week(
        self,
        *,
        days: Sequence[int] | None = None,
        lines: int | None = None,
        repo: str | None = None,
    ) -> Answer:
        """Tells what agents were told and heeded, what was learned, what broke and what waits."""
        return self._ask("nudge.week", Answer, locals())

    def observe(self, *, context: Where = None, on: bool | None = None) -> Answer:
        """Says whether observations are recorded in this repository, and changes that."""
        return self._ask("nudge.observe", Answer, locals())

    def purge(
        self,
        *,
        before: int | None = None,
        context: Where = None,
        dry_run: bool | None = None,
        here: bool | None = None,
        ids: Sequence[int] | None = None,
        repo: str | None = None,
    ) -> Answer:
        """Deletes observations."""
        return self._ask("nudge.purge", Answer, locals())

    def learn_past(
        self,
        events: Sequence[Mapping[str, Any]],
        *,
        context: Where = None,
        dry_run: bool | None = None,
    ) -> Answer:
        """Learns from what happened before, in the repository of the context."""
        return self._ask("nudge.learn_past", Answer, locals())

    def page(self) -> answers.PageAddress:
        """Says where the page for people is, and the key that it shows."""
        return self._ask("nudge.page", answers.PageAddress, locals())

    def applying(self, *, context: Where = None) -> Answer:
        """Tells which hints apply in a place: all that a query from there would find, by name."""
        return self._ask("nudge.applying", Answer, locals())
