"""What `nudge.tools` gives an agent, seen without any framework."""

import inspect
import json
import re
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import nudge
from nudge import Context, Nudge

NAMES = [
    "nudge_get_hint",
    "nudge_set_hint",
    "nudge_query",
    "nudge_bump",
    "nudge_delete_hint",
    "nudge_list_components",
    "nudge_set_context",
    "nudge_get_context",
]
DEV = {"branch": "dev", "os": "linux"}
MAIN = {"branch": "main", "os": "linux"}
# In two parts, so that no scanner takes this file for a leak.
TOKEN = "ghp" + "_16C7e42F292c6912E7710c838347Ae178B4a"


def by_name(store, context=DEV, **who):
    return {tool.__name__: tool for tool in nudge.tools(store, context, **who)}


@pytest.fixture
def store():
    store = Nudge(session_id="s-1")
    store.pin_clock("2025-11-04T10:00:00Z")
    return store


@pytest.fixture
def call(store):
    return by_name(store)


def test_the_functions_have_the_names_that_mcp_has(store):
    assert [tool.__name__ for tool in nudge.tools(store)] == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_argument_is_typed_and_described(call, name):
    tool = call[name]
    hints = typing.get_type_hints(tool)
    described = dict(re.findall(r"^    (\w+) \(.+?\): (.+)$", inspect.getdoc(tool) or "", re.M))
    parameters = inspect.signature(tool).parameters
    assert list(described) == list(parameters)
    assert {*parameters, "return"} == {*hints}


@pytest.mark.parametrize("name", NAMES)
def test_every_description_says_when_to_call(call, name):
    assert "Call this" in inspect.getdoc(call[name])


@pytest.mark.parametrize("name", ["nudge_get_hint", "nudge_set_hint", "nudge_query"])
def test_what_shows_a_command_says_that_nudge_never_executes_it(call, name):
    assert re.search(r"never\s+execute", inspect.getdoc(call[name]))


def test_a_get_answers_with_the_contracts_json(store, call):
    store.set_hint("api", "build", "make", meta={"reason": "the only way"})
    answer = call["nudge_get_hint"]("api", "build")
    assert answer == store.get_hint("api", "build", context=DEV).to_dict()
    assert answer["hint"]["meta"]["reason"] == "the only way"


def test_a_miss_is_an_answer_that_names_what_failed(store, call):
    store.set_hint("api", "build", "make", meta={"scope": {"branch": ["main"]}})
    answer = call["nudge_get_hint"]("api", "build")
    assert answer["hint"] is None
    assert answer["match_explain"] == {"matched": False}
    assert [miss["condition"] for miss in answer["near_misses"]] == ["branch"]
    assert "make" not in json.dumps(answer)


def test_a_miss_of_an_unknown_component_has_no_near_misses(call):
    answer = call["nudge_get_hint"]("nope", "build")
    assert answer["hint"] is None
    assert answer["near_misses"] == []
    assert "nope" in answer["message"]


def test_a_refusal_is_an_answer_and_changes_nothing(store, call):
    before = store.export().to_dict()
    answer = call["nudge_set_hint"]("api", "token", TOKEN)
    assert answer["error"]["code"] == 40002
    assert answer["error"]["data"]["reason"] == "E_SECRET_REJECTED"
    assert TOKEN not in json.dumps(answer)
    assert store.export().to_dict() == before


def test_an_agent_cannot_claim_to_be_the_user(store, call):
    assert "source" not in inspect.signature(call["nudge_set_hint"]).parameters
    store.set_hint("api", "build", "mkae")
    answer = call["nudge_set_hint"]("api", "build", "make")
    assert answer["hint"]["value"] == "mkae"
    assert answer["proposal"]["hint"]["meta"]["source"] == "agent"


def test_everything_that_is_given_reaches_the_hint(call):
    answer = call["nudge_set_hint"](
        "api",
        "build",
        "make all",
        value_type="command",
        reason="the Makefile builds all of it",
        tags=["build"],
        priority=7,
        confidence=0.0,
        ttl="PT2H",
        cwd_glob=["**/api/**"],
        repo=["git:acme/api"],
        branch=["dev", "hotfix/*"],
        os=["linux"],
    )
    assert answer["hint"]["value"] == {"type": "command", "cmd": "make all"}
    assert answer["hint"]["meta"] == {
        "reason": "the Makefile builds all of it",
        "tags": ["build"],
        "priority": 7,
        "confidence": 0.0,
        "ttl": "PT2H",
        "scope": {
            "cwd_glob": ["**/api/**"],
            "repo": ["git:acme/api"],
            "branch": ["dev", "hotfix/*"],
            "os": ["linux"],
        },
        "source": "agent",
        "added_by": "nudge.tools",
        "origin": {
            "via": "library",
            "client": "nudge.tools",
            "at": "2025-11-04T10:00:00.000Z",
        },
    }


def test_what_an_agent_stores_without_a_scope_applies_where_it_is(store):
    here = {"cwd": "/work/api/src", "root": "/work/api", "repo": "git:acme/api"}
    call = by_name(store, here, client="my-bot/1", session="s-1")
    answer = call["nudge_set_hint"]("api", "build", "make")
    assert answer["hint"]["meta"]["scope"] == {"repo": ["git:acme/api"]}
    origin = answer["hint"]["meta"]["origin"]
    assert (origin["client"], origin["session"]) == ("my-bot/1", "s-1")
    assert by_name(store, MAIN)["nudge_get_hint"]("api", "build")["hint"] is None
    assert call["nudge_delete_hint"]("api", "build")["deleted"] is True


def test_an_empty_argument_counts_as_left_out(store, call):
    store.set_hint("api", "build", "mkae", meta={"reason": "it works", "tags": ["build"]})
    answer = call["nudge_set_hint"]("api", "build", "make", reason="", tags=[], branch=[], ttl="")
    assert answer["created"] is False
    assert answer["hint"]["meta"]["reason"] == "it works"
    assert answer["hint"]["meta"]["tags"] == ["build"]
    found = call["nudge_query"](component="", keys=[], tags=[], regex="")
    assert found["total"] == 1


def test_a_path_is_checked_as_a_path(call):
    good = call["nudge_set_hint"]("api", "directory", "/work/api", value_type="path")
    assert good["hint"]["value"] == {"type": "path", "abs": "/work/api"}
    bad = call["nudge_set_hint"]("api", "directory", "work/../api", value_type="path")
    assert bad["error"]["data"]["reason"] == "E_INVALID"


def test_an_unknown_type_of_value_is_refused(call):
    answer = call["nudge_set_hint"]("api", "build", "make", value_type="script")
    assert answer["error"]["data"]["reason"] == "E_INVALID"


def test_a_query_answers_with_the_contracts_json(store, call):
    store.set_hint("api", "build", "make", meta={"tags": ["build"]})
    store.set_hint("api", "test", "make test")
    store.set_hint("api", "deploy", "make deploy", meta={"scope": {"branch": ["main"]}})
    answer = call["nudge_query"](component="api", regex="make", limit=1)
    assert answer == store.query(component="api", regex="make", limit=1, context=DEV).to_dict()
    assert (answer["total"], answer["scoped_out"]) == (2, 1)


def test_a_secret_is_shown_by_get_alone(store, call):
    store.set_hint("api", "token", TOKEN, meta={"sensitivity": "secret"})
    (found,) = call["nudge_query"]()["hints"]
    assert found["hint"]["value"] is None
    assert found["hint"]["meta"]["sensitivity"] == "secret"
    assert call["nudge_get_hint"]("api", "token")["hint"]["value"] == TOKEN
    assert TOKEN not in json.dumps(call["nudge_bump"]("api", "token"))
    assert TOKEN not in json.dumps(call["nudge_delete_hint"]("api", "token"))


def test_bump_and_delete_mean_the_hint_that_get_returns_here(store, call):
    for branch in ("dev", "main"):
        store.set_hint("api", "build", f"make {branch}", meta={"scope": {"branch": [branch]}})
    assert call["nudge_bump"]("api", "build")["hint"]["use_count"] == 1
    deleted = call["nudge_delete_hint"]("api", "build")
    assert (deleted["deleted"], deleted["previous"]["value"]) == (False, "make dev")
    assert store.accept(deleted["proposal"]["id"]).hint.value == "make dev"
    assert call["nudge_delete_hint"]("api", "build")["error"]["code"] == 40401
    assert store.get_hint("api", "build", context=MAIN)["hint"]["use_count"] == 0


def test_only_what_fits_here_is_listed(store, call):
    store.set_hint("api", "build", "make")
    store.set_hint("api", "deploy", "make deploy", meta={"scope": {"branch": ["main"]}})
    store.set_hint("web", "deploy", "npm run deploy", meta={"scope": {"branch": ["main"]}})
    assert call["nudge_list_components"]() == {"components": [{"name": "api", "hint_count": 1}]}
    assert call["nudge_list_components"]("api")["components"][0]["keys"] == ["build"]


@pytest.mark.parametrize("context", [DEV, Context(**DEV), lambda: DEV, lambda: Context(**DEV)])
def test_a_context_is_a_mapping_or_a_context_or_gives_one(store, context):
    store.set_hint("api", "build", "make", meta={"scope": {"branch": ["dev"]}})
    assert by_name(store, context)["nudge_get_hint"]("api", "build")["hint"]["value"] == "make"


def test_a_context_that_is_a_function_is_asked_at_each_call(store):
    store.set_hint("api", "build", "make", meta={"scope": {"branch": ["dev"]}})
    branches = iter(["main", "dev"])
    get = by_name(store, lambda: {"branch": next(branches)})["nudge_get_hint"]
    assert get("api", "build")["hint"] is None
    assert get("api", "build")["hint"]["value"] == "make"


def test_without_a_context_the_agent_is_where_its_process_is(store, tmp_path, monkeypatch):
    for branch in ("dev", "main"):
        git = tmp_path / branch / ".git"
        git.mkdir(parents=True)
        (git / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
        (git / "config").write_text("[core]\n\tbare = false\n")
    store.set_hint("api", "build", "make", meta={"scope": {"branch": ["dev"]}})
    get = by_name(store, None)["nudge_get_hint"]
    monkeypatch.chdir(tmp_path / "main")
    assert get("api", "build")["hint"] is None
    monkeypatch.chdir(tmp_path / "dev")
    assert get("api", "build")["hint"]["value"] == "make"


def test_the_functions_of_two_stores_do_not_meet(store):
    other = Nudge()
    by_name(store)["nudge_set_hint"]("api", "build", "make")
    assert by_name(other)["nudge_get_hint"]("api", "build")["hint"] is None


def test_every_answer_is_plain_json(call):
    answers = [
        call["nudge_set_hint"]("api", "build", "make", value_type="command", tags=["build"]),
        call["nudge_get_hint"]("api", "build"),
        call["nudge_query"](),
        call["nudge_bump"]("api", "build"),
        call["nudge_list_components"](),
        call["nudge_delete_hint"]("api", "build"),
        call["nudge_get_hint"]("api", "build"),
        call["nudge_bump"]("api", "build"),
    ]
    assert json.loads(json.dumps(answers)) == answers


def test_importing_nudge_loads_no_framework():
    program = (
        "import sys, nudge; nudge.tools(nudge.Nudge());"
        "sys.exit({'langgraph', 'langchain_core', 'pydantic'} & set(sys.modules) and 1 or 0)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_agent_loop_prints_what_its_file_says():
    examples = Path(__file__).parents[2] / "examples" / "python"
    ran = subprocess.run(
        [sys.executable, examples / "agent_loop.py"], capture_output=True, text=True, check=False
    )
    assert (ran.stderr, ran.returncode) == ("", 0)
    assert ran.stdout == (examples / "agent_loop.out").read_text()
