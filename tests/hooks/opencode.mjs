// A host that loads Nudge's plugin as OpenCode does, fires its hooks, and prints
// what came of them.
import { pathToFileURL } from "node:url";

const { Nudge } = await import(pathToFileURL(process.argv[2]));
const hooks = await Nudge({ directory: process.cwd(), worktree: process.cwd(), project: {} });
const came = {};

const turn = async () => {
  const output = { system: ["You are an agent."] };
  await hooks["experimental.chat.system.transform"]({ sessionID: "s1", model: {} }, output);
  return output.system;
};
came.first = await turn();
came.second = await turn();
await hooks.event({ event: { type: "session.compacted", properties: { sessionID: "s1" } } });
came.compacted = await turn();
await hooks.event({ event: { type: "session.idle", properties: {} } });
await hooks.event({});

const run = async (tool, command, exit) => {
  const args = { command };
  await hooks["tool.execute.before"]({ tool, sessionID: "s1", callID: command }, { args });
  const output = { title: command, output: "printed", metadata: { exit } };
  await hooks["tool.execute.after"]({ tool, sessionID: "s1", callID: command, args }, output);
  return output.output;
};
came.ran = await run("bash", "make", 0);
came.read = await run("read", "Makefile", undefined);
// Some tools have no output object, and some hosts other fields.
await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s1", callID: "x", args: { command: "x" } }, undefined);
await hooks["tool.execute.after"]({ tool: "bash" }, {});
await hooks["tool.execute.before"]({}, {});
await hooks["experimental.chat.system.transform"]({}, {});
await hooks.event({ event: { type: "session.deleted", properties: { info: { id: "s1" } } } });
console.log(JSON.stringify(came));
