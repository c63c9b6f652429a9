"""One store, and several who call."""

import pytest

from nudge import ForbiddenError, InvalidError, Nudge


def test_an_agent_speaks_for_itself() -> None:
    store = Nudge()
    store.set_hint("api", "build", "make")
    agent = store.as_agent("my-bot/1", "s-1")
    made = agent.set_hint("api", "build", "ninja")
    assert (made.hint.value, made.proposal.client) == ("make", "my-bot/1")
    own = {"id": made.proposal.id, "value": "ninja"}
    # Both ways of a get: by plain names, and by a mapping that has to be read.
    assert agent.get_hint("api", "build").proposal == own
    assert agent.get_hint("api", "build", context={}).proposal == own
    assert store.get_hint("api", "build").proposal is None
    with pytest.raises(ForbiddenError):
        agent.accept(made.proposal.id)
    set_by_it = agent.set_hint("api", "test", "make test").hint.meta
    assert (set_by_it["source"], set_by_it["origin"]["session"]) == ("agent", "s-1")


@pytest.mark.parametrize(
    ("actor", "source"),
    [("user", "user"), ("agent", "agent"), ("hook", "tool-output"), ("program", "agent")],
)
def test_a_source_follows_from_who_calls(actor: str, source: str) -> None:
    caller = Nudge().as_agent("my-bot").as_caller(actor)  # type: ignore[arg-type]
    assert caller.set_hint("api", "build", "make").hint.meta["source"] == source


def test_closing_one_does_not_close_the_other() -> None:
    store = Nudge(session_id="s-1")
    with store.as_agent("my-bot") as agent:
        store.close()
        assert agent.session_id == "s-1"
        assert agent.set_hint("api", "build", "make").created
        other = agent.as_caller("user")
    assert other.get_hint("api", "build").value == "make"
    with pytest.raises(InvalidError, match="closed"):
        agent.get_hint("api", "build")
    with pytest.raises(InvalidError, match="closed"):
        agent.as_caller("user")


def test_whoever_nobody_can_be_is_refused() -> None:
    with pytest.raises(InvalidError) as refused:
        Nudge().as_caller("boss")  # type: ignore[arg-type]
    assert refused.value.data["field"] == "actor"
    with pytest.raises(InvalidError) as refused:
        Nudge().as_agent(7)  # type: ignore[arg-type]
    assert refused.value.data["field"] == "client"
