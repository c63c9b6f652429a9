"""The functions of `nudge.tools`, handed over to CrewAI; `make crewai` installs it and runs this.

It is not among the other frameworks because it brings 800 MB of databases with it, and because it
asks for other versions of what those need.
"""

import ast
import importlib
import json
import re
from pathlib import Path

import pytest

import nudge
from nudge import Nudge

# It warns of itself.
pytestmark = pytest.mark.filterwarnings("ignore")
BUILD = {"component": "api", "key": "build"}


@pytest.fixture
def crewai(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CREWAI_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    return importlib.import_module("crewai")


@pytest.fixture
def store():
    store = Nudge()
    store.set_hint("api", "build", "make", reason="it has a Makefile")
    return store


@pytest.fixture
def tools(crewai, store):
    return [crewai.tools.tool(function) for function in nudge.tools(store, {"branch": "dev"})]


def test_crewai_takes_them(tools):
    assert tools[1].name == "nudge_set_hint"
    # CrewAI hands the text over whole, the arguments in it.
    assert "Call this AFTER" in tools[1].description
    schema = tools[1].args_schema.model_json_schema()
    assert schema["required"] == ["component", "key", "value"]
    assert schema["properties"]["tags"]["anyOf"][0] == {
        "type": "array",
        "items": {"type": "string"},
    }
    assert tools[0].run(**BUILD)["hint"]["value"] == "make"


def test_crewai_calls_them(crewai, tools, store):
    heard = []

    class Scripted(crewai.BaseLLM):
        def call(self, messages, *_asked, **_options):
            heard.append(messages[:])
            if len(heard) > 2:
                return "Thought: it is built\nFinal Answer: done"
            name = ("nudge_get_hint", "nudge_bump")[len(heard) - 1]
            return f"Thought: ask\nAction: {name}\nAction Input: {json.dumps(BUILD)}\n"

        def supports_function_calling(self):
            return False

    model = Scripted(model="scripted")
    agent = crewai.Agent(role="r", goal="g", backstory="b", llm=model, tools=tools)
    task = crewai.Task(description="build it", expected_output="done", agent=agent)
    assert crewai.Crew(agents=[agent], tasks=[task]).kickoff().raw == "done"
    (seen,) = [text for text in map(observed, heard[1]) if text]
    assert ast.literal_eval(seen)["hint"]["value"] == "make"
    assert store.get_hint("api", "build").hint.use_count == 1


def observed(message):
    """What a tool has answered, in a message to the model."""
    lines = message["content"].splitlines()
    return next((line[13:] for line in lines if line.startswith("Observation: {")), None)


def test_the_page_runs_and_what_it_ran_is_learned(crewai, tmp_path, monkeypatch):
    (tmp_path / "api/.git").mkdir(parents=True)
    (tmp_path / "api/.git/HEAD").write_text("ref: refs/heads/main\n")
    remote = '[remote "origin"]\n\turl = git@github.com:acme/api.git\n'
    (tmp_path / "api/.git/config").write_text(remote)
    (tmp_path / "api/Makefile").write_text("test:\n\t@echo passed\n")
    monkeypatch.chdir(tmp_path / "api")
    script = [
        'Thought: run\nAction: run\nAction Input: {"command": "make test"}\n',
        "Thought: it ended\nFinal Answer: done",
    ]

    class Scripted(crewai.BaseLLM):
        def call(self, *_asked, **_options):
            return script.pop(0)

        def supports_function_calling(self):
            return False

    page = Path(__file__).parents[2] / "docs/frameworks/crewai.md"
    code = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.S)[0]
    names = {"__name__": "page", "model": Scripted(model="scripted")}
    exec(compile(code, str(page), "exec"), names)
    assert names["store"].get_hint("api", "test", context=names["here"]).text == "make test"
