"""The pages in `docs/frameworks` run as they stand, for scripted models; each one learns."""

import asyncio
import gc
import importlib
import json
import linecache
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PAGES = Path(__file__).parents[2] / "docs/frameworks"
MODULES = {
    "google-adk": "google.adk",
    "langgraph": "langgraph",
    "llama-index": "llama_index.core",
    "openai-agents": "agents",
    "pydantic-ai": "pydantic_ai",
    "smolagents": "smolagents",
}
RUN = {"command": "make test"}
# They warn of each other.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def loops() -> Iterator[None]:
    """Takes away the event loops that a framework leaves open, before another test meets them."""
    yield
    asyncio.set_event_loop(None)
    gc.collect()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "api/.git").mkdir(parents=True)
    (tmp_path / "api/.git/HEAD").write_text("ref: refs/heads/main\n")
    remote = '[remote "origin"]\n\turl = git@github.com:acme/api.git\n'
    (tmp_path / "api/.git/config").write_text(remote)
    (tmp_path / "api/Makefile").write_text("test:\n\t@echo passed\n")
    monkeypatch.chdir(tmp_path / "api")
    monkeypatch.setenv("HOME", str(tmp_path))


def block(name: str) -> str:
    return re.findall(r"```python\n(.*?)```", (PAGES / f"{name}.md").read_text("utf-8"), re.S)[0]


def play(name: str, model: Any) -> dict[str, Any]:
    """Run the block of a page, with a model; what it has defined."""
    code, file = block(name), f"<{name}>"
    # Some read the source of a tool.
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": "page", "model": model}
    exec(compile(code, file, "exec"), names)
    return names


def check_learned(names: dict[str, Any]) -> None:
    assert names["store"].get_hint("api", "test", context=names["here"]).text == "make test"


def pydantic_ai() -> Any:
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    steps = iter([ToolCallPart("run", RUN), TextPart("done")])
    return FunctionModel(lambda *_asked: ModelResponse(parts=[next(steps)]))


def openai_agents() -> Any:
    import agents
    from openai.types import responses

    call = {"type": "function_call", "call_id": "1", "name": "run", "arguments": json.dumps(RUN)}
    text = {"type": "output_text", "text": "done", "annotations": []}
    done = {"id": "1", "type": "message", "role": "assistant", "status": "completed"}
    script: list[Any] = [
        responses.ResponseFunctionToolCall(**call),
        responses.ResponseOutputMessage(**done, content=[text]),
    ]
    agents.set_tracing_disabled(True)

    class Scripted(agents.Model):
        async def get_response(self, *_asked: Any, **_options: Any) -> Any:
            usage = agents.Usage()
            return agents.ModelResponse(output=[script.pop(0)], usage=usage, response_id=None)

        def stream_response(self, *_asked: Any, **_options: Any) -> Any:
            raise NotImplementedError

    return Scripted()


def smolagents() -> Any:
    from smolagents import models

    script = [("run", RUN), ("final_answer", {"answer": "done"})]

    class Scripted(models.Model):
        def generate(self, *_asked: Any, **_options: Any) -> Any:
            name, given = script.pop(0)
            function = models.ChatMessageToolCallFunction(name=name, arguments=given)
            call = models.ChatMessageToolCall(id=name, type="function", function=function)
            return models.ChatMessage(role="assistant", content=None, tool_calls=[call])

    return Scripted()


def google_adk() -> Any:
    from google.adk import models
    from google.genai import types

    script = [types.Part.from_function_call(name="run", args=RUN), types.Part.from_text(text="ok")]

    class Scripted(models.BaseLlm):
        async def generate_content_async(self, *_request: Any, **_options: Any) -> Any:
            content = types.Content(role="model", parts=[script.pop(0)])
            yield models.LlmResponse(content=content)

    return Scripted(model="scripted")


def llama_index() -> Any:
    from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata

    script = [
        f"Thought: I run it.\nAction: run\nAction Input: {json.dumps(RUN)}",
        "Thought: I can answer without using any more tools.\nAnswer: done",
    ]

    class Scripted(CustomLLM):
        @property
        def metadata(self) -> LLMMetadata:
            return LLMMetadata()

        def complete(self, *_asked: Any, **_options: Any) -> Any:
            return CompletionResponse(text=script.pop(0))

        def stream_complete(self, *_asked: Any, **_options: Any) -> Any:
            text = script.pop(0)
            yield CompletionResponse(text=text, delta=text)

    return Scripted()


def langgraph() -> Any:
    from langchain_core.messages import AIMessage

    call = {"name": "run", "args": RUN, "id": "1"}
    script = [AIMessage("", tool_calls=[call]), AIMessage("done")]

    def model(_state: Any) -> Any:
        return {"messages": [script.pop(0)]}

    return model


async def ask_adk(names: dict[str, Any]) -> None:
    from google.genai import types

    runner = names["runner"]
    session = await runner.session_service.create_session(app_name="builder", user_id="u")
    asked = types.Content(role="user", parts=[types.Part.from_text(text="run the tests")])
    async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=asked):
        pass


async def ask_llama(names: dict[str, Any]) -> None:
    await names["agent"].run("run the tests")


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("name", MODULES)
def test_the_page_runs_and_what_it_ran_is_learned(name: str) -> None:
    if os.environ.get("CI") == "true":
        importlib.import_module(MODULES[name])
    else:
        pytest.importorskip(MODULES[name])
    names = play(name, globals()[name.replace("-", "_")]())
    asks = {"google-adk": ask_adk, "llama-index": ask_llama}
    if name in asks:
        asyncio.run(asks[name](names))
    check_learned(names)


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_a_page_has_at_most_fifteen_lines_of_code(page: Path) -> None:
    assert len([line for line in block(page.stem).splitlines() if line.strip()]) <= 15
