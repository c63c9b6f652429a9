"""What is Nudge's own in `NudgeStore`: items are hints, with their order, lives and refusals."""

import importlib

import pytest

from nudge import InvalidError, Nudge, QuotaError, SecretRejectedError

WHY = "langgraph is not installed; pip install -r tests/python/requirements-frameworks.txt"
base = pytest.importorskip("langgraph.store.base", reason=WHY)
NudgeStore = importlib.import_module("nudge.langgraph").NudgeStore

ANN, BOB = ("users", "ann"), ("users", "bob")
# In two parts, so that no scanner takes this file for a leak.
TOKEN = "ghp" + "_16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def nudge_store():
    nudge = Nudge(session_id="s-1")
    nudge.pin_clock("2025-11-04T10:00:00Z")
    return nudge


@pytest.fixture
def store(nudge_store):
    return NudgeStore(nudge_store)


def test_a_batch_cannot_reach_another_namespace_through_a_dot(store):
    store.put(("a", "b"), "k", {"x": 1})
    for op in (base.GetOp(("a.b",), "k"), base.PutOp(("a.b",), "k", None)):
        with pytest.raises(base.InvalidNamespaceError, match=r"a\.b"):
            store.batch([op])
    assert store.get(("a", "b"), "k").value == {"x": 1}


def test_an_item_is_a_hint(store, nudge_store):
    store.put(ANN, "food", {"likes": "pizza"})
    hint = nudge_store.get_hint("users.ann", "food")["hint"]
    assert hint["value"] == {"type": "json", "data": {"likes": "pizza"}}
    assert hint["meta"]["source"] == "agent"


def test_what_the_user_has_set_waits_for_the_user(store, nudge_store):
    nudge_store.set_hint("users.ann", "food", "pizza", meta={"ttl": "PT2H"})
    assert store.get(ANN, "food").value == {"value": "pizza"}
    assert nudge_store.list_proposals().proposals == []
    store.put(ANN, "food", {"likes": "ramen"})
    assert store.get(ANN, "food").value == {"value": "pizza"}
    (proposal,) = nudge_store.list_proposals().proposals
    assert proposal.client == "langgraph"
    nudge_store.accept(proposal.id)
    assert store.get(ANN, "food").value == {"likes": "ramen"}


def test_an_item_has_the_times_of_its_hint(store, nudge_store):
    store.put(ANN, "food", {"likes": "pizza"})
    nudge_store.pin_clock("2025-11-04T11:30:00.250Z")
    store.put(ANN, "food", {"likes": "ramen"})
    item = store.get(ANN, "food")
    assert item.created_at.isoformat() == "2025-11-04T10:00:00+00:00"
    assert item.updated_at.isoformat() == "2025-11-04T11:30:00.250000+00:00"


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("make", {"value": "make"}),
        ({"type": "command", "cmd": "make"}, {"value": {"type": "command", "cmd": "make"}}),
        ({"type": "json", "data": [1, 2]}, {"value": [1, 2]}),
        ({"type": "json", "data": {"a": 1}}, {"a": 1}),
    ],
)
def test_a_hint_that_was_set_elsewhere_is_an_item(store, nudge_store, value, read):
    nudge_store.set_hint("api", "build", value)
    assert store.get(("api",), "build").value == read
    assert [item.value for item in store.search(("api",))] == [read]


def test_a_hint_with_a_scope_is_neither_seen_nor_touched(store, nudge_store):
    nudge_store.set_hint("api", "build", "make", meta={"scope": {"branch": ["dev"]}})
    assert store.get(("api",), "build") is None
    assert store.search(()) == []
    assert store.list_namespaces() == []
    store.put(("api",), "build", {"cmd": "ninja"})
    store.delete(("api",), "build")
    dev = {"branch": "dev"}
    assert nudge_store.get_hint("api", "build", context=dev)["hint"]["value"] == "make"


def test_a_component_that_is_no_namespace_is_not_listed(store, nudge_store):
    nudge_store.set_hint("a..b", "k", "x")
    assert store.list_namespaces() == []
    assert store.search(()) == []


def test_a_namespace_is_listed_while_it_holds_something(store):
    store.put(ANN, "food", {"x": 1})
    store.delete(ANN, "food")
    assert store.get(BOB, "food") is None
    assert store.list_namespaces() == []


def test_the_newest_comes_first(store, nudge_store):
    for minute in range(3):
        nudge_store.pin_clock(f"2025-11-04T10:0{minute}:00Z")
        store.put(ANN, f"k{minute}", {"x": minute})
    assert [item.key for item in store.search(ANN)] == ["k2", "k1", "k0"]


def test_what_was_bumped_comes_before_what_is_newer(store, nudge_store):
    store.put(ANN, "old", {"x": 1})
    nudge_store.pin_clock("2025-11-04T10:05:00Z")
    store.put(ANN, "new", {"x": 2})
    nudge_store.bump("users.ann", "old")
    assert [item.key for item in store.search(ANN)] == ["old", "new"]


def test_a_search_goes_past_what_one_query_returns():
    nudge = Nudge(limits={"hints_per_component": 1000})
    store = NudgeStore(nudge)
    for number in range(250):
        store.put(ANN, f"k{number:03}", {"n": number})
    found = store.search((), limit=1000)
    assert sorted(item.value["n"] for item in found) == list(range(250))
    assert len(store.search((), filter={"n": {"$gte": 240}}, limit=1000)) == 10


def test_a_query_is_taken_as_words(store, nudge_store):
    store.put(ANN, "food", {"text": "Likes Pizza with olives", "at": {"city": "Rome"}})
    store.put(ANN, "music", {"text": "likes jazz"})
    store.put(BOB, "party", {"text": "art"})
    nudge_store.bump("users.ann", "music")
    found = store.search((), query="likes pizza?")
    assert [(item.key, item.score) for item in found] == [("food", 1.0), ("music", 0.5)]
    assert [item.key for item in store.search((), query="ROME")] == ["food"]
    assert [item.key for item in store.search((), query="city")] == ["food"]
    assert [item.key for item in store.search((), query="Party")] == ["party"]
    assert store.search((), query="par") == []
    assert store.search(BOB, query="jazz") == []
    assert len(store.search((), query="?!")) == 3


def test_a_filter_that_cannot_compare_does_not_match(store):
    store.put(ANN, "a", {"on": "2025-11-04"})
    store.put(ANN, "b", {"on": "2025-10-01"})
    store.put(ANN, "c", {"on": [1]})
    store.put(ANN, "d", {})
    found = store.search(ANN, filter={"on": {"$gt": "2025-11-01"}})
    assert [item.key for item in found] == ["a"]


def test_an_item_expires_when_its_minutes_have_passed(store, nudge_store):
    store.put(ANN, "food", {"x": 1}, ttl=1.5)
    nudge_store.pin_clock("2025-11-04T10:01:29.999Z")
    assert store.get(ANN, "food", refresh_ttl=False).value == {"x": 1}
    nudge_store.pin_clock("2025-11-04T10:01:30Z")
    assert store.get(ANN, "food") is None
    assert store.search(()) == []
    assert store.list_namespaces() == []


@pytest.mark.parametrize("read", ["get", "search"])
def test_a_read_that_refreshes_lets_the_time_start_anew(store, nudge_store, read):
    store.put(ANN, "food", {"x": 1}, ttl=10)
    nudge_store.pin_clock("2025-11-04T10:09:00Z")
    if read == "get":
        store.get(ANN, "food")
    else:
        store.search(("users",))
    nudge_store.pin_clock("2025-11-04T10:18:59Z")
    assert store.get(ANN, "food", refresh_ttl=False).value == {"x": 1}
    nudge_store.pin_clock("2025-11-04T10:19:00Z")
    assert store.get(ANN, "food", refresh_ttl=False) is None


def test_a_refresh_does_not_undo_what_somebody_else_has_just_set(nudge_store):
    class Raced:
        """A store in which every read is followed at once by somebody else's write."""

        def as_agent(self, client):
            self.agent = nudge_store.as_agent(client)
            return self

        def __getattr__(self, name):
            return getattr(self.agent, name)

        def get_hint(self, *names, **default):
            found = self.agent.get_hint(*names, **default)
            nudge_store.set_hint(*names, "theirs")
            return found

    store = NudgeStore(Raced())
    store.put(ANN, "food", {"x": "ours"}, ttl=10)
    assert store.get(ANN, "food").value == {"x": "ours"}
    assert nudge_store.get_hint("users.ann", "food")["hint"]["value"] == "theirs"


def test_a_search_refreshes_only_what_it_returns(store, nudge_store):
    store.put(ANN, "a", {"x": 1}, ttl=10)
    store.put(ANN, "b", {"x": 2}, ttl=10)
    nudge_store.pin_clock("2025-11-04T10:09:00Z")
    assert [item.key for item in store.search(ANN, limit=1)] == ["a"]
    nudge_store.pin_clock("2025-11-04T10:11:00Z")
    assert [item.key for item in store.search(ANN)] == ["a"]


def test_a_read_changes_nothing_where_nothing_expires(store, nudge_store):
    store.put(ANN, "food", {"x": 1})
    nudge_store.pin_clock("2025-11-04T11:00:00Z")
    before = nudge_store.export().to_dict()["payload"]["components"]
    store.get(ANN, "food")
    store.search(())
    assert nudge_store.export().to_dict()["payload"]["components"] == before


def test_the_ttl_settings_of_langgraph_apply(nudge_store):
    store = NudgeStore(nudge_store, ttl={"default_ttl": 10, "refresh_on_read": False})
    store.put(ANN, "food", {"x": 1})
    store.put(ANN, "music", {"x": 2}, ttl=None)
    nudge_store.pin_clock("2025-11-04T10:09:00Z")
    store.get(ANN, "food")
    nudge_store.pin_clock("2025-11-04T10:10:00Z")
    assert [item.key for item in store.search(())] == ["music"]


def test_without_a_ttl_the_default_of_the_nudge_store_applies():
    nudge = Nudge(default_ttl="PT1H")
    nudge.pin_clock("2025-11-04T10:00:00Z")
    store = NudgeStore(nudge)
    store.put(ANN, "food", {"x": 1})
    nudge.pin_clock("2025-11-04T11:00:00Z")
    assert store.get(ANN, "food") is None


@pytest.mark.parametrize("minutes", [0, -1, float("nan"), float("inf"), 1e9])
def test_a_ttl_that_is_no_time_to_live_is_refused(store, minutes):
    with pytest.raises(InvalidError) as refused:
        store.put(ANN, "food", {"x": 1}, ttl=minutes)
    assert refused.value.data["field"] == "meta.ttl"
    assert store.get(ANN, "food") is None


def test_a_secret_is_refused_and_not_repeated(store):
    with pytest.raises(SecretRejectedError) as refused:
        store.put(ANN, "food", {"deep": [{"token": TOKEN}]})
    assert TOKEN not in str(refused.value)
    assert store.get(ANN, "food") is None


def test_names_and_values_that_nudge_cannot_keep_are_refused(store):
    with pytest.raises(InvalidError):
        store.put(("x" * 100, "y" * 28), "k", {})
    with pytest.raises(InvalidError):
        store.put(ANN, "k" * 129, {})
    with pytest.raises(InvalidError):
        store.put(ANN, "k", {"x": object()})
    with pytest.raises(QuotaError):
        store.put(ANN, "k", {"x": "y" * 9000})


def test_the_puts_before_a_refused_one_stand():
    store = NudgeStore(Nudge(limits={"hints": 2}))
    puts = [base.PutOp(ANN, f"k{number}", {"n": number}) for number in range(3)]
    with pytest.raises(QuotaError):
        store.batch(puts)
    assert {item.key for item in store.search(())} == {"k0", "k1"}
