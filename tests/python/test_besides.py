"""What a store keeps beside its hints: what is being worked on, proposals, failures."""

import pytest

from nudge import (
    ConflictError,
    Context,
    InvalidError,
    NotFoundError,
    Nudge,
    SecretRejectedError,
    tools,
)


def test_a_program_does_not_overwrite_the_user() -> None:
    store = Nudge()
    store.set_hint("api", "build", "make")
    made = store.set_hint("api", "build", "cmake", meta={"source": "agent"})
    assert made.hint.value == "make"
    assert made.proposal is not None
    assert made.proposal.hint.value == "cmake"
    waiting = store.list_proposals().proposals
    assert [(it.id, it.stands) for it in waiting] == [(made.proposal.id, "make")]
    accepted = store.accept(made.proposal.id)
    assert (accepted.hint.value, accepted.hint.meta["source"]) == ("cmake", "user")
    assert accepted.proposal is None
    with pytest.raises(NotFoundError, match="no proposal 1 waits"):
        store.reject(1)


def test_the_tools_of_an_agent_propose_where_the_user_has_spoken() -> None:
    store = Nudge()
    store.set_hint("api", "build", "make")
    call = {tool.__name__: tool for tool in tools(store)}
    answer = call["nudge_set_hint"]("api", "build", "cmake")
    assert answer["hint"]["value"] == "make"
    assert answer["proposal"]["hint"]["value"] == "cmake"


def test_a_proposal_is_never_served() -> None:
    store = Nudge()
    command = {"type": "command", "cmd": "make test"}
    proposed = store.propose("api", "test", command, why="it worked")
    assert proposed.proposal.why == "it worked"
    with pytest.raises(NotFoundError):
        store.get_hint("api", "test")
    assert store.reject(1) == proposed
    store.set_hint("api", "test", "make test")
    with pytest.raises(ConflictError):
        store.propose("api", "test", "make test", why="it worked")


def test_a_secret_that_is_proposed_is_not_shown() -> None:
    proposed = Nudge().propose(
        "api", "test", "swordfish", why="it worked", meta={"sensitivity": "secret"}
    )
    assert proposed.proposal.hint.value == "swordfish"
    assert "swordfish" not in repr(proposed)


def test_what_is_being_worked_on_is_told() -> None:
    store = Nudge()
    store.set_context({"ports": [8080], "files": ["/nonexistent/a.rs"]})
    assert store.set_context({"ports": ["9090"]}, mode="merge").sets["ports"] == ["8080", "9090"]
    known = store.get_context()
    assert known.to_dict() == {"sets": {"ports": ["8080", "9090"]}, "gone": {"files": 1}}
    assert store.get_context("ports").gone is None
    with pytest.raises(NotFoundError, match="did you mean `ports`"):
        store.get_context("prots")
    with pytest.raises(SecretRejectedError):
        store.set_context({"endpoints": ["https://me:" + "hunter22secret@example.com/"]})


def test_a_failure_is_counted() -> None:
    store = Nudge()
    store.set_hint("api", "build", "make")
    hint = store.bump("api", "build", outcome="fail", delta=2).hint
    assert (hint.use_count, hint.fail_count) == (0, 2)
    assert hint.first_failed_at == hint.last_failed_at is not None
    assert store.get_hint("api", "build").hint.fail_count == 2


def test_what_an_agent_does_is_counted_and_learned_from() -> None:
    store = Nudge()
    store.set_hint("api", "build", "make")
    for here in (Context(cwd="/work/api"), {"cwd": "/work/api"}):
        done = store.on_event("after_command", command="make", exit_code=0, context=here)
        assert (done.text, done.did) == (None, [{"bumped": "api/build"}])
    nothing = store.on_event("lunch")
    assert (nothing.text, nothing.did, nothing.to_dict()) == (None, [], {})
    there = Context(cwd="/work/api", root="/work/api", repo="git:acme/api", branch="main")
    done = store.on_event("after_command", command="uv run pytest", ok=True, context=there)
    assert done.did == [{"learned": "api/test"}]
    with pytest.raises(InvalidError, match="event"):
        store.on_event(None)  # type: ignore[arg-type]
