"""The functions of `nudge.tools`, handed over as they are to the frameworks themselves."""

import ast
import asyncio
import importlib
import inspect
import json
import os

import pytest

import nudge
from nudge import Nudge

FRAMEWORKS = [
    "agents",
    "google.adk",
    "langchain_core",
    "langgraph",
    "llama_index.core",
    "pydantic_ai",
    "smolagents",
]
INSTALL = "pip install -r tests/python/requirements-frameworks.txt"
DEV = {"branch": "dev"}
# What a model must learn about the arguments of two tools: their JSON types and which are optional.
SCHEMAS = {
    "nudge_get_hint": {"component": "string", "key": "string"},
    "nudge_set_hint": {
        "component": "string",
        "key": "string",
        "value": "string",
        "value_type": "string",
        "reason": "string?",
        "tags": "[string]?",
        "priority": "integer?",
        "confidence": "number?",
        "ttl": "string?",
        "cwd_glob": "[string]?",
        "repo": "[string]?",
        "branch": "[string]?",
        "os": "[string]?",
    },
}
REQUIRED = {"nudge_get_hint": ["component", "key"], "nudge_set_hint": ["component", "key", "value"]}


def framework(module):
    return pytest.importorskip(module, reason=f"`{module}` is not installed; {INSTALL}")


@pytest.mark.parametrize("module", FRAMEWORKS)
def test_every_framework_is_here(module):
    """Fail under CI where a laptop may skip; the other tests of frameworks only skip."""
    if os.environ.get("CI") == "true":
        importlib.import_module(module)
    else:
        framework(module)


@pytest.fixture
def store():
    store = Nudge()
    store.set_hint("api", "build", "make", meta={"reason": "it has a Makefile"})
    store.set_hint("api", "deploy", "make deploy", meta={"scope": {"branch": ["main"]}})
    return store


@pytest.fixture
def tools(store):
    return nudge.tools(store, DEV)


def json_types(schema):
    """The arguments of a JSON Schema in short: `[string]?` is a list of texts that may be null."""

    def short(part):
        if "anyOf" in part:
            (one,) = [short(each) for each in part["anyOf"] if each["type"] != "null"]
            return f"{one}?"
        return f"[{short(part['items'])}]" if part["type"] == "array" else part["type"]

    return {name: short(part) for name, part in schema["properties"].items()}


def check_schema(name, schema):
    assert json_types(schema) == SCHEMAS[name]
    assert schema["required"] == REQUIRED[name]


def check_descriptions(schema):
    for name, part in schema["properties"].items():
        assert part.get("description"), f"{name} has no description"


def check_found(answer):
    assert answer["hint"]["value"] == "make"
    assert answer["hint"]["meta"]["reason"] == "it has a Makefile"


def test_langchain_takes_them(tools):
    langchain = framework("langchain_core.tools")
    for function in tools:
        tool = langchain.tool(function)
        assert tool.name == function.__name__
        # LangChain leaves the arguments in the text unless it is told to read it.
        assert tool.description == inspect.getdoc(function)
        read = langchain.StructuredTool.from_function(function, parse_docstring=True)
        schema = read.tool_call_schema.model_json_schema()
        check_descriptions(schema)
        if tool.name in SCHEMAS:
            check_schema(tool.name, tool.tool_call_schema.model_json_schema())
            check_schema(tool.name, schema)


def test_langchain_calls_them(tools):
    langchain = framework("langchain_core.tools")
    get = langchain.tool(tools[0])
    check_found(get.invoke({"component": "api", "key": "build"}))
    check_found(asyncio.run(get.ainvoke({"component": "api", "key": "build"})))
    call = {"name": get.name, "args": {"component": "api", "key": "deploy"}, "id": "1"}
    message = get.invoke({**call, "type": "tool_call"})
    assert json.loads(message.content)["near_misses"][0]["condition"] == "branch"


def test_a_tool_node_of_langgraph_calls_them(tools, store):
    graph = framework("langgraph.graph")
    prebuilt = framework("langgraph.prebuilt")
    messages = framework("langchain_core.messages")
    builder = graph.StateGraph(graph.MessagesState)
    builder.add_node("tools", prebuilt.ToolNode(tools))
    builder.add_edge(graph.START, "tools")
    args = {"component": "api", "key": "test", "value": "make test", "branch": ["dev"]}
    asked = messages.AIMessage("", tool_calls=[{"name": "nudge_set_hint", "args": args, "id": "1"}])
    answer = builder.compile().invoke({"messages": [asked]})["messages"][-1]
    assert json.loads(answer.content)["created"] is True
    assert store.get_hint("api", "test", context=DEV)["hint"]["value"] == "make test"


def test_pydantic_ai_takes_them(tools):
    pydantic_ai = framework("pydantic_ai")
    for function in tools:
        tool = pydantic_ai.Tool(function)
        assert tool.name == function.__name__
        assert "Call this" in tool.description
        assert "Args:" not in tool.description
        check_descriptions(tool.function_schema.json_schema)
        if tool.name in SCHEMAS:
            check_schema(tool.name, tool.function_schema.json_schema)


def test_pydantic_ai_calls_them(tools, store):
    pydantic_ai = framework("pydantic_ai")
    messages = framework("pydantic_ai.messages")
    models = framework("pydantic_ai.models.function")
    script = [
        messages.ToolCallPart("nudge_get_hint", {"component": "api", "key": "build"}),
        messages.ToolCallPart("nudge_bump", {"component": "api", "key": "build"}),
        messages.ToolCallPart("nudge_set_hint", {"component": "", "key": "k", "value": "v"}),
        messages.TextPart("done"),
    ]
    steps = iter(script)

    def model(*_asked):
        return messages.ModelResponse(parts=[next(steps)])

    agent = pydantic_ai.Agent(models.FunctionModel(model), tools=tools)
    result = asyncio.run(agent.run("build it"))
    assert result.output == "done"
    returned = [
        part.content
        for message in result.all_messages()
        for part in message.parts
        if isinstance(part, messages.ToolReturnPart)
    ]
    check_found(returned[0])
    assert returned[1]["hint"]["use_count"] == 1
    assert returned[2]["error"]["data"]["reason"] == "E_INVALID"
    assert store.get_hint("api", "build")["hint"]["use_count"] == 1


def test_pydantic_ais_test_model_can_call_every_one(tools):
    pydantic_ai = framework("pydantic_ai")
    test = framework("pydantic_ai.models.test")
    agent = pydantic_ai.Agent(test.TestModel(), tools=tools)
    result = asyncio.run(agent.run("call everything"))
    assert {*json.loads(result.output)} == {tool.__name__ for tool in tools}


def test_google_adk_takes_them(tools):
    adk = framework("google.adk.tools")
    for function in tools:
        tool = adk.FunctionTool(function)
        assert tool.name == function.__name__
        declared = tool._get_declaration()
        assert declared.name == function.__name__
        # ADK hands the text over whole, the arguments in it.
        assert declared.description == inspect.getdoc(function)
        if tool.name in SCHEMAS:
            check_schema(tool.name, declared.parameters_json_schema)


def test_google_adk_calls_them(tools, store):
    agents = framework("google.adk.agents")
    runners = framework("google.adk.runners")
    llm = framework("google.adk.models")
    types = framework("google.genai.types")
    script = [
        types.Part.from_function_call(
            name="nudge_get_hint", args={"component": "api", "key": "build"}
        ),
        types.Part.from_function_call(name="nudge_bump", args={"component": "api", "key": "build"}),
        types.Part.from_text(text="done"),
    ]
    steps = iter(script)

    class Scripted(llm.BaseLlm):
        async def generate_content_async(self, *_request, **_options):
            yield llm.LlmResponse(content=types.Content(role="model", parts=[next(steps)]))

    async def run():
        agent = agents.LlmAgent(name="builder", model=Scripted(model="scripted"), tools=tools)
        runner = runners.InMemoryRunner(agent=agent, app_name="nudge")
        session = await runner.session_service.create_session(app_name="nudge", user_id="u")
        asked = types.Content(role="user", parts=[types.Part.from_text(text="build it")])
        return [
            event
            async for event in runner.run_async(
                user_id="u", session_id=session.id, new_message=asked
            )
        ]

    events = asyncio.run(run())
    answers = [answer.response for event in events for answer in event.get_function_responses()]
    check_found(answers[0])
    assert answers[1]["hint"]["use_count"] == 1
    assert events[-1].content.parts[0].text == "done"
    assert store.get_hint("api", "build")["hint"]["use_count"] == 1


def test_llama_index_takes_them(tools):
    llama = framework("llama_index.core.tools")
    for function in tools:
        tool = llama.FunctionTool.from_defaults(function)
        assert tool.metadata.name == function.__name__
        assert "Call this" in tool.metadata.description
        schema = tool.metadata.get_parameters_dict()
        check_descriptions(schema)
        if tool.metadata.name in SCHEMAS:
            check_schema(tool.metadata.name, schema)


def test_llama_index_calls_them(tools):
    llama = framework("llama_index.core.tools")
    get = llama.FunctionTool.from_defaults(tools[0])
    check_found(get.call(component="api", key="build").raw_output)
    check_found(asyncio.run(get.acall(component="api", key="build")).raw_output)


def test_the_openai_agents_sdk_takes_them(tools):
    agents = framework("agents")
    for function in tools:
        tool = agents.function_tool(function)
        assert tool.name == function.__name__
        assert "Call this" in tool.description
        assert "Args:" not in tool.description
        check_descriptions(tool.params_json_schema)
        if tool.name in SCHEMAS:
            # Its strict mode has a model write null for what it leaves out.
            assert json_types(tool.params_json_schema) == SCHEMAS[tool.name]
            assert tool.params_json_schema["required"] == list(SCHEMAS[tool.name])


def test_the_openai_agents_sdk_calls_them(tools, store):
    agents = framework("agents")
    responses = framework("openai.types.responses")

    def call(name, **given):
        given = {"type": "function_call", "call_id": name, "name": name, "arguments": given}
        given["arguments"] = json.dumps(given["arguments"])
        return responses.ResponseFunctionToolCall(**given)

    text = {"type": "output_text", "text": "done", "annotations": []}
    done = {"id": "1", "type": "message", "role": "assistant", "status": "completed"}
    script = [
        call("nudge_get_hint", component="api", key="build"),
        call("nudge_bump", component="api", key="build"),
        responses.ResponseOutputMessage(**done, content=[text]),
    ]
    steps = iter(script)

    class Scripted(agents.Model):
        async def get_response(self, *_asked, **_options):
            usage = agents.Usage()
            return agents.ModelResponse(output=[next(steps)], usage=usage, response_id=None)

        def stream_response(self, *_asked, **_options):
            raise NotImplementedError

    given = [agents.function_tool(function) for function in tools]
    agent = agents.Agent(name="builder", model=Scripted(), tools=given)
    quiet = agents.RunConfig(tracing_disabled=True)
    result = asyncio.run(agents.Runner.run(agent, "build it", run_config=quiet))
    assert result.final_output == "done"
    items = [item for item in result.new_items if isinstance(item, agents.ToolCallOutputItem)]
    # It hands the answer over as the text of the dict.
    answers = [ast.literal_eval(item.raw_item["output"]) for item in items]
    check_found(answers[0])
    assert answers[1]["hint"]["use_count"] == 1
    assert store.get_hint("api", "build")["hint"]["use_count"] == 1


def test_smolagents_takes_them(tools):
    smolagents = framework("smolagents")
    for function in tools:
        tool = smolagents.tool(function)
        assert tool.name == function.__name__
        assert "Call this" in tool.description
        assert tool.output_type == "object"
        check_descriptions({"properties": tool.inputs})
        if tool.name in SCHEMAS:
            needed = [name for name, part in tool.inputs.items() if not part.get("nullable")]
            assert [*tool.inputs] == [*SCHEMAS[tool.name]]
            assert [name for name in needed if name != "value_type"] == REQUIRED[tool.name]


def test_smolagents_calls_them(tools, store):
    smolagents = framework("smolagents")
    models = framework("smolagents.models")
    build = {"component": "api", "key": "build"}
    script = [
        ("nudge_get_hint", build),
        ("nudge_bump", build),
        ("final_answer", {"answer": "done"}),
    ]
    steps = iter(script)

    class Scripted(models.Model):
        def generate(self, *_asked, **_options):
            name, given = next(steps)
            function = models.ChatMessageToolCallFunction(name=name, arguments=given)
            call = models.ChatMessageToolCall(id=name, type="function", function=function)
            return models.ChatMessage(role="assistant", content=None, tool_calls=[call])

    class Coder(models.Model):
        def generate(self, *_asked, **_options):
            code = "found = nudge_get_hint('api', 'build')\nfinal_answer(found['hint']['value'])"
            return models.ChatMessage(role="assistant", content=f"<code>\n{code}\n</code>")

    given = [smolagents.tool(function) for function in tools]
    agent = smolagents.ToolCallingAgent(tools=given, model=Scripted(), verbosity_level=0)
    assert agent.run("build it") == "done"
    seen = [step.observations for step in agent.memory.steps if hasattr(step, "observations")]
    check_found(ast.literal_eval(seen[0]))
    assert store.get_hint("api", "build")["hint"]["use_count"] == 1
    coder = smolagents.CodeAgent(tools=given, model=Coder(), verbosity_level=0)
    assert coder.run("how is it built?") == "make"
