// A model that four kinds of API lead to: it takes the steps it was started with,
// one a turn, and is done. A step is a command for the shell, or `@` with the name of
// a tool and its arguments as JSON. Before one that starts with `?` it makes the file
// `LOG.held`, and waits until somebody takes that away. Who is asked to be its helper
// is done at once; it goes on when there was one, or none came in time.
// Prints its port; writes every request to LOG, those to a helper to `LOG.helper`, what
// its tools told it to `LOG.results`, and `LOG.done` when it is done.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";

const [log, ...steps] = process.argv.slice(2);
const HELPER = "be my helper";

const sse = (name, data) => `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;
const typed = (data) => sse(data.type, data);
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** What to call for a step: a shell, with a command, or the tool whose name ends so. */
function call(step, tools, shell, input) {
  const [, name, args] = /^@(\S+) (.*)$/.exec(step) ?? [];
  if (!name) return { name: shell, args: input(step) };
  // One host has its tools below the name of the server.
  const all = tools.flatMap((it) => it.tools?.map((tool) => ({ ...tool, namespace: it.name })) ?? it.functionDeclarations ?? [it]);
  const named = all.map((it) => ({ ...it, ...it.function })).filter((it) => it.name?.replaceAll("-", "_").endsWith(name));
  const tool = named.find((it) => it.name === name) ?? named[0];
  return { name: tool?.name ?? name, namespace: tool?.namespace, args: JSON.parse(args) };
}
const described = (command) => ({ command, description: "Runs a step" });

// Each API: what its tools told, whether one may be called, and the answer.
const apis = [
  {
    path: /\/messages/,
    results: (asked) => asked.messages.flatMap((it) => it.content).filter((it) => it.type === "tool_result"),
    runs: (asked) => asked.tools?.some((tool) => tool.name === "Bash"),
    answer: (asked, step, n) => {
      const message = { id: "m", type: "message", role: "assistant", model: asked.model, content: [] };
      const called = step && call(step, asked.tools, "Bash", described);
      const [block, delta, reason] = step
        ? [{ type: "tool_use", id: `call_${n}`, name: called.name, input: {} },
          { type: "input_json_delta", partial_json: JSON.stringify(called.args) }, "tool_use"]
        : [{ type: "text", text: "" }, { type: "text_delta", text: "Done." }, "end_turn"];
      const counts = { input_tokens: 1, output_tokens: 1 };
      return [
        { type: "message_start", message: { ...message, stop_reason: null, usage: counts } },
        { type: "content_block_start", index: 0, content_block: block },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: counts },
        { type: "message_stop" },
      ].map(typed);
    },
  },
  {
    path: /\/responses/,
    results: (asked) => asked.input.filter((it) => it.type === "function_call_output"),
    runs: (asked) => asked.tools?.some((tool) => tool.name === "exec_command"),
    answer: (asked, step, n) => {
      const { args, ...called } = step ? call(step, asked.tools, "exec_command", (cmd) => ({ cmd })) : {};
      const item = step
        ? { type: "function_call", call_id: `call_${n}`, ...called, id: `f${n}`, arguments: JSON.stringify(args) }
        : { type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: "Done." }] };
      const counts = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      return [
        { type: "response.created", response: { id: "r" } },
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: { id: "r", status: "completed", output: [item], usage: counts } },
      ].map(typed);
    },
  },
  {
    path: /enerateContent/,
    results: (asked) => asked.contents.flatMap((it) => it.parts).filter((part) => part.functionResponse),
    runs: (asked) => JSON.stringify(asked.tools ?? []).includes("run_shell_command"),
    answer: (asked, step) => {
      const { name, args } = step ? call(step, asked.tools, "run_shell_command", described) : {};
      const part = step ? { functionCall: { name, args } } : { text: "Done." };
      return [sse("", { candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }] })];
    },
    whole: (parts) => parts[0].replace(/^data: /, ""),
  },
  {
    path: /\/chat\/completions/,
    results: (asked) => asked.messages.filter((it) => it.role === "tool"),
    runs: (asked) => asked.tools?.some((tool) => tool.function?.name === "bash"),
    answer: (asked, step, n) => {
      const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: asked.model };
      const { name, args } = step ? call(step, asked.tools, "bash", described) : {};
      const called = { name, arguments: JSON.stringify(args) };
      const delta = step
        ? { role: "assistant", tool_calls: [{ index: 0, id: `call_${n}`, type: "function", function: called }] }
        : { role: "assistant", content: "Done." };
      const reason = step ? "tool_calls" : "stop";
      return [
        sse("", { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] }),
        sse("", { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }], usage }),
        "data: [DONE]\n\n",
      ];
    },
  },
];

const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", async () => {
    const text = Buffer.concat(parts).toString();
    const api = apis.find(({ path }) => path.test(request.url) && !request.url.includes("count_tokens"));
    if (!api || !text) return response.end('{"input_tokens": 1, "totalTokens": 1}');
    appendFileSync(log, `${text}\n`);
    const asked = JSON.parse(text);
    const results = api.results(asked);
    // What somebody asked before may be told when a session starts.
    const isHelper = text.replace(/Asked last, [^\\]*/g, "").includes(HELPER) && !results.length;
    if (isHelper) appendFileSync(`${log}.helper`, `${text}\n`);
    let step;
    if (api.runs(asked) && !isHelper) {
      step = steps[results.length];
      const awaits = steps[results.length - 1]?.includes(HELPER);
      for (let tries = 0; awaits && tries < 100 && !existsSync(`${log}.helper`); tries++) await setTimeout(100);
      writeFileSync(`${log}.results`, results.map((it) => `${JSON.stringify(it)}\n`).join(""));
      if (step?.startsWith("?")) {
        writeFileSync(`${log}.held`, "held\n");
        while (existsSync(`${log}.held`)) await setTimeout(10);
        step = step.slice(1);
      }
      if (!step) writeFileSync(`${log}.done`, "done\n");
    }
    const answer = api.answer(asked, step, results.length);
    if (api.whole && !request.url.includes("stream")) {
      response.setHeader("content-type", "application/json");
      return response.end(api.whole(answer));
    }
    response.setHeader("content-type", "text/event-stream");
    response.end(answer.join(""));
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
