// The TypeScript SDK, version 1, against the real server. It throws all tools away for
// one bad schema.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const { NUDGE_BIN, NUDGE_URL, NUDGE_RUNTIME_DIR } = process.env;

// Whoever waits this long waits for good.
setTimeout(() => assert.fail("no end after a minute"), 60_000).unref();

async function use(name, transport) {
  const client = new Client({ name: "typescript", version: "1" });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.equal(tools.length, 10);

  const slot = { component: `typescript-${name}`, key: "build" };
  const call = (tool, args) => client.callTool({ name: tool, arguments: args });
  const missing = await call("nudge_get_hint", slot);
  assert.equal(missing.structuredContent.hint, null);

  if (name === "stdio") {
    const uri = `nudge://hints/${slot.component}/build`;
    const told = new Promise((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, (note) => resolve(note.params.uri));
    });
    await client.subscribeResource({ uri });
    await call("nudge_set_hint", { ...slot, value: "make" });
    assert.equal(await told, uri);
  } else {
    await call("nudge_set_hint", { ...slot, value: "make" });
  }

  const found = await call("nudge_get_hint", slot);
  assert.equal(found.structuredContent.hint.value, "make");
  if (name === "stdio") {
    assert.equal(found.structuredContent.hint.meta.origin.client, "typescript/1");
  }
  await call("nudge_query", { component: slot.component });
  await call("nudge_bump", slot);
  await call("nudge_list_components", {});
  const { payload } = (await call("nudge_export", { component: slot.component })).structuredContent;
  assert.equal((await call("nudge_import", { payload })).structuredContent.skipped, 1);
  const refused = await call("nudge_set_hint", { ...slot, value: 7 });
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /^E_INVALID \(40001\): /);
  await assert.rejects(call("nudge_nope", {}), { code: -32602 });

  const completed = await client.complete({
    ref: { type: "ref/resource", uri: "nudge://components/{name}" },
    argument: { name: "name", value: slot.component },
  });
  assert.deepEqual(completed.completion.values, [slot.component]);
  await call("nudge_delete_hint", slot);
  await client.close();
}

await use(
  "stdio",
  new StdioClientTransport({ command: NUDGE_BIN, args: ["serve"], env: { ...process.env, NUDGE_RUNTIME_DIR } }),
);
await use("http", new StreamableHTTPClientTransport(new URL(NUDGE_URL)));
