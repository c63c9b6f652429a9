"""`tools`: the store as functions that an agent framework can call."""

# No `from __future__ import annotations` here: it would turn the annotations into text, and the
# frameworks read them at run time, some of them where the names of this module are not known.
import functools
import inspect
from collections.abc import Callable
from typing import Any, Literal

from nudge.asking import Where
from nudge.errors import NotFoundError, NudgeError
from nudge.store import Nudge

Answer = dict[str, Any]
Tool = Callable[..., Answer]


def tools(
    store: Nudge,
    context: Where | Callable[[], Where] = None,
    *,
    client: str = "nudge.tools",
    session: str | None = None,
) -> list[Tool]:
    """Give the store to an agent: typed, documented functions that frameworks take as tools.

    LangChain, PydanticAI, Google ADK and LlamaIndex accept them as they are; the OpenAI Agents SDK
    wraps each in its `function_tool`, CrewAI and smolagents in their `tool`. Every function returns
    a plain dict, the JSON of the operation of its name. A refusal is an answer too, so that the
    model can fix its call: `{"error": {"code", "message", "data"}}`. So is a miss of
    `nudge_get_hint`: `hint` is None, `near_misses` says what was there but does not fit here.

    The agent speaks for itself, as `store.as_agent` says: what it stores is stamped
    `source: "agent"`, and what the user has set it can only propose to change. The value of a hint
    that is marked secret is shown by `nudge_get_hint` alone; in every other answer it is None.
    `nudge_search` is among them where the session of `connect()` records what happened.

    Args:
        store: The store that the functions work on.
        context: Where the agent is: a `Context`, a mapping, or a function that returns one. Left
            out, the facts of this process are looked up at each call, so that an agent that
            changes its folder or branch gets what fits there. What it stores without a scope
            applies there.
        client: The name of the agent's program, with its version.
        session: The agent's session. What two of them have tried counts twice.

    """
    store = store.as_agent(client, session)

    def here() -> Where:
        if context is None:
            return store.here()
        return context() if callable(context) else context

    def nudge_get_hint(component: str, key: str) -> Answer:
        """Look up the hint that fits the current folder, repo, branch and OS.

        Call this BEFORE you guess a command, path or setting: before building, testing, running
        or configuring a component. The answer has `hint.value`, `hint.meta.reason` and, in
        `match_explain.reasons`, why it fits. If `hint` is null there is none for this place;
        `near_misses` names the conditions that failed. A command in a hint is data: Nudge never
        executes it. Check it before you run it, and call nudge_bump when it worked.

        Args:
            component (str): The service, module or folder the fact is about, such as http-proxy.
            key (str): The name of the fact, such as build, test or directory.

        """
        try:
            return store.get_hint(component, key, context=here()).to_dict()
        except NotFoundError as miss:
            return {
                "component": component,
                "key": key,
                "hint": None,
                "match_explain": {"matched": False},
                "near_misses": miss.data.get("near_misses", []),
                "message": miss.message,
            }

    def nudge_set_hint(
        component: str,
        key: str,
        value: str,
        value_type: Literal["text", "command", "path"] = "text",
        reason: str | None = None,
        tags: list[str] | None = None,
        priority: int | None = None,
        confidence: float | None = None,
        ttl: str | None = None,
        cwd_glob: list[str] | None = None,
        repo: list[str] | None = None,
        branch: list[str] | None = None,
        os: list[str] | None = None,
    ) -> Answer:
        """Remember a fact about a component for later and for other agents, or correct one.

        Call this AFTER you found out something that will be needed again: the command that
        worked, the right path, a flag that a branch needs. With none of cwd_glob, repo, branch and
        os it applies where you are, in this repository or folder; give them when it holds somewhere
        else. `note` says when that is not all. What the user has set is never overwritten: `hint`
        is then still the user's, and yours waits as `proposal` until the user accepts it. Never
        store passwords, tokens or keys; they are refused. A command is kept as data and never
        executed by Nudge.

        Args:
            component (str): The service, module or folder the fact is about, such as http-proxy.
            key (str): The name of the fact, such as build, test or directory.
            value (str): The fact itself: a text, a command line or an absolute path.
            value_type (str): What the value is: text, command or path.
            reason (str): Why this is right, in one sentence. The next reader relies on it.
            tags (list[str]): Words to find it by, such as build or docker.
            priority (int): From 1 to 10; 5 when left out.
            confidence (float): How sure you are, from 0.0 to 1.0; 0.5 when left out.
            ttl (str): How long it holds, such as PT2H or P1D; at most the session until proven.
            cwd_glob (list[str]): Only in folders that match one of these globs, such as **/api/**.
            repo (list[str]): Only in one of these repositories, such as git:acme/http-proxy.
            branch (list[str]): Only on one of these branches, such as main or hotfix/*.
            os (list[str]): Only on one of these systems: linux, darwin, windows.

        """
        field = {"command": "cmd", "path": "abs"}.get(value_type, value_type)
        typed: Any = value if value_type == "text" else {"type": value_type, field: value}
        told = {"reason": reason, "tags": tags, "priority": priority, "confidence": confidence}
        scope = {"cwd_glob": cwd_glob, "repo": repo, "branch": branch, "os": os}
        given = _given(ttl=ttl, **told, **scope)
        written = store.set_hint(component, key, typed, context=here(), **given)
        return _withheld(written.to_dict())

    def nudge_query(
        component: str | None = None,
        keys: list[str] | None = None,
        tags: list[str] | None = None,
        text: str | None = None,
        regex: str | None = None,
        limit: int = 10,
        max_tokens: int | None = None,
    ) -> Answer:
        """Search all hints that fit the current folder, repo, branch and OS, the best first.

        Call this when you start on a component, or when a hint failed and you want to know what
        else is known. All filters that you give must hold; with none you get the best hints.
        `scoped_out` counts what exists but does not fit here. The value of a hint marked secret
        is null. A command in a hint is data that Nudge never executes: check it before you run it.

        Args:
            component (str): Only hints of this component.
            keys (list[str]): Only hints with one of these keys.
            tags (list[str]): Only hints with one of these tags.
            text (str): Words. Only hints that have all of them, or words that begin with them.
            regex (str): Only hints in whose key, value, tags or reason this regex is found.
            limit (int): The most hints to return, from 1 to 100.
            max_tokens (int): The most tokens of them; `left_out` counts what had no room.

        """
        given = _given(component=component, keys=keys, tags=tags, text=text, regex=regex)
        found = store.query(**given, context=here(), limit=limit, max_tokens=max_tokens).to_dict()
        found["hints"] = [_withheld(ranked) for ranked in found["hints"]]
        return found

    def nudge_bump(component: str, key: str) -> Answer:
        """Say that a hint proved right, so that it ranks higher.

        Call this after you used the hint that nudge_get_hint returned and it worked. Do not call
        it for a hint that failed: correct that one with nudge_set_hint.

        Args:
            component (str): The component of the hint.
            key (str): The key of the hint.

        """
        return _withheld(store.bump(component, key, context=here()).to_dict())

    def nudge_delete_hint(component: str, key: str) -> Answer:
        """Delete the hint that nudge_get_hint returns here.

        Call this only when the fact no longer holds and you know no better value; to correct it,
        call nudge_set_hint. The answer has what was deleted in `previous`; where the user has set
        it, `deleted` is false and the user is asked, as `proposal` says.

        Args:
            component (str): The component of the hint.
            key (str): The key of the hint.

        """
        return _withheld(store.delete_hint(component, key, context=here()).to_dict())

    def nudge_list_components(component: str | None = None) -> Answer:
        """List the components with hints that fit here, or the keys of one component.

        Call this when you do not know which names the hints are kept under.

        Args:
            component (str): Only this component, with its keys; all components when left out.

        """
        return store.list_components(component=component or None, context=here()).to_dict()

    def nudge_set_context(intent: str | None = None, files: list[str] | None = None) -> Answer:
        """Say what you are working on, so that other agents and your next session know.

        Call this when you start on a task and when the files in hand change.

        Args:
            intent (str): The task in one short sentence.
            files (list[str]): The files in hand, the newest last.

        """
        sets = _given(intent=[intent] if intent else None, files=files)
        return store.set_context(sets, context=here()).to_dict()

    def nudge_get_context() -> Answer:
        """Tell what you said you were working on here, and in `others` what other agents do.

        Call this when you start or resume, before you touch files that somebody else has in hand.
        """
        return store.get_context(context=here()).to_dict()

    def nudge_search(query: str, limit: int = 10) -> Answer:
        """Search what happened in this repository: commands with their endings, edits, prompts.

        Call this before you repeat something that may have been tried: the best come first.

        Args:
            query (str): Words; a "phrase" in quotes and prefix* are understood.
            limit (int): The most results, from 1 to 100.

        """
        return store.search(query, limit=limit, context=here()).to_dict()

    made: tuple[Tool, ...] = (
        nudge_get_hint,
        nudge_set_hint,
        nudge_query,
        nudge_bump,
        nudge_delete_hint,
        nudge_list_components,
        nudge_set_context,
        nudge_get_context,
        *((nudge_search,) if _observes(store) else ()),
    )
    # Not by decorators: smolagents reads the source, and warns of them.
    return [_answering(tool) for tool in made]


def _observes(store: Nudge) -> bool:
    """Say whether there is something to search: the session of this machine records it, if told."""
    try:
        return bool(store.status().settings["observe"])
    except NudgeError:
        return False


def _answering(tool: Tool) -> Tool:
    """Make a refusal an answer: a model can fix its call, a framework could only stop."""

    @functools.wraps(tool)
    def answering(*args: Any, **arguments: Any) -> Answer:
        try:
            return tool(*args, **arguments)
        except NudgeError as refusal:
            return {"error": refusal.to_dict()}

    # Some frameworks hand the text to the model as it stands, and indentation costs tokens.
    answering.__doc__ = inspect.cleandoc(tool.__doc__ or "")
    return answering


def _given(**fields: Any) -> dict[str, Any]:
    """Drop what was left out; models write an absent argument as null, "" or [] alike."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _withheld(answer: Answer) -> Answer:
    """Take the value out of every hint that is marked secret; None is never a value."""
    proposal: dict[str, Any] = answer.get("proposal") or {}
    for hint in (answer.get("hint"), answer.get("previous"), proposal.get("hint")):
        if hint and hint["meta"].get("sensitivity") == "secret":
            hint["value"] = None
    return answer
