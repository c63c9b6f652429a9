"""The official Python client against the real server."""

import asyncio
import json
import os

from mcp import Client, MCPError, StdioServerParameters

BINARY = os.environ["NUDGE_BIN"]
URL = os.environ["NUDGE_URL"]
RUNTIME_DIR = os.environ["NUDGE_RUNTIME_DIR"]


def stdio() -> StdioServerParameters:
    # The client passes on six variables and what it is told to.
    return StdioServerParameters(
        command=BINARY, args=["serve"], env={"NUDGE_RUNTIME_DIR": RUNTIME_DIR}
    )


async def use(client: Client, component: str, infers: bool) -> None:
    """Does what an agent does in a session, and looks at what it is told."""
    tools = (await client.list_tools()).tools
    assert len(tools) == 10, tools
    assert not any(tool.output_schema for tool in tools)

    slot = {"component": component, "key": "build"}
    missing = await client.call_tool("nudge_get_hint", slot)
    assert not missing.is_error
    assert missing.structured_content["hint"] is None

    hint = slot | {"value": {"type": "command", "cmd": "make"}, "meta": {"tags": ["build"]}}
    written = await client.call_tool("nudge_set_hint", hint | {"full": True})
    assert not written.is_error, written
    meta = written.structured_content["hint"]["meta"]
    assert meta["source"] == "agent", meta

    for full in (False, True):
        read = await client.call_tool("nudge_get_hint", slot | {"full": full})
        assert read.structured_content["hint"]["value"]["cmd"] == "make"
        assert ("context_used" in read.structured_content) == (infers and full)
        assert json.loads(read.content[0].text) == read.structured_content

    for tool, arguments in (
        ("nudge_query", {"component": component, "tags": ["build"]}),
        ("nudge_bump", slot),
        ("nudge_list_components", {"component": component}),
        ("nudge_export", {"component": component}),
    ):
        answer = await client.call_tool(tool, arguments)
        assert not answer.is_error, (tool, answer)
        assert answer.structured_content, (tool, answer)

    refused = await client.call_tool("nudge_set_hint", slot | {"value": 7})
    assert refused.is_error
    assert refused.content[0].text.startswith("E_INVALID (40001): "), refused
    assert refused.structured_content is None

    assert await refusal_of(client, "nudge_nope") == -32602

    listed = await client.list_resources()
    assert str(listed.resources[0].uri) == "nudge://components"
    found = await client.read_resource(f"nudge://hints/{component}/build")
    assert json.loads(found.contents[0].text)["hint"]["value"]["cmd"] == "make"
    prompt = await client.get_prompt("nudge")
    assert "nudge_get_hint" in prompt.messages[0].content.text

    deleted = await client.call_tool("nudge_delete_hint", slot)
    assert deleted.structured_content["deleted"]


async def refusal_of(client: Client, tool: str) -> int | None:
    """The code with which a call is refused by the protocol, if it is."""
    try:
        await client.call_tool(tool, {})
    except MCPError as error:
        return error.code
    return None


async def main() -> None:
    for mode, revision in (("auto", "2026-07-28"), ("legacy", "2025-11-25")):
        for name, server in (("stdio", stdio()), ("http", URL)):
            async with Client(server, mode=mode) as client:
                assert client.protocol_version == revision, client.protocol_version
                await use(client, f"python-{mode}-{name}", infers=name == "stdio")


asyncio.run(asyncio.wait_for(main(), 60))
