// A model that four kinds of API lead to: it runs the commands it was started
// with, one a turn, and is done. Prints its port; writes every request to a file.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

const [log, ...commands] = process.argv.slice(2);

const sse = (name, data) => `${name ? `event: ${name}\n` : ""}data: ${JSON.stringify(data)}\n\n`;
const typed = (data) => sse(data.type, data);
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

// Each API: how many commands have run, whether one may, and the answer.
const apis = [
  {
    path: /\/messages/,
    ran: (asked) => asked.messages.flatMap((it) => it.content).filter((it) => it.type === "tool_result").length,
    runs: (asked) => asked.tools?.some((tool) => tool.name === "Bash"),
    answer: (asked, command, n) => {
      const message = { id: "m", type: "message", role: "assistant", model: asked.model, content: [] };
      const call = { type: "tool_use", id: `call_${n}`, name: "Bash", input: {} };
      const input = JSON.stringify({ command, description: "Runs a step" });
      const [block, delta, reason] = command
        ? [call, { type: "input_json_delta", partial_json: input }, "tool_use"]
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
    ran: (asked) => asked.input.filter((it) => it.type === "function_call_output").length,
    runs: (asked) => asked.tools?.some((tool) => tool.name === "exec_command"),
    answer: (_, command, n) => {
      const call = { type: "function_call", call_id: `call_${n}`, name: "exec_command" };
      const item = command
        ? { ...call, id: `f${n}`, arguments: JSON.stringify({ cmd: command }) }
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
    ran: (asked) => asked.contents.flatMap((it) => it.parts).filter((part) => part.functionResponse).length,
    runs: (asked) => JSON.stringify(asked.tools ?? []).includes("run_shell_command"),
    answer: (_, command) => {
      const args = { command, description: "Runs a step" };
      const part = command ? { functionCall: { name: "run_shell_command", args } } : { text: "Done." };
      return [sse("", { candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }] })];
    },
    whole: (parts) => parts[0].replace(/^data: /, ""),
  },
  {
    path: /\/chat\/completions/,
    ran: (asked) => asked.messages.filter((it) => it.role === "tool").length,
    runs: (asked) => asked.tools?.some((tool) => tool.function?.name === "bash"),
    answer: (asked, command, n) => {
      const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: asked.model };
      const call = { name: "bash", arguments: JSON.stringify({ command, description: "Runs a step" }) };
      const delta = command
        ? { role: "assistant", tool_calls: [{ index: 0, id: `call_${n}`, type: "function", function: call }] }
        : { role: "assistant", content: "Done." };
      const reason = command ? "tool_calls" : "stop";
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
  request.on("end", () => {
    const text = Buffer.concat(parts).toString();
    const api = apis.find(({ path }) => path.test(request.url) && !request.url.includes("count_tokens"));
    if (!api || !text) return response.end('{"input_tokens": 1, "totalTokens": 1}');
    appendFileSync(log, `${text}\n`);
    const asked = JSON.parse(text);
    const n = api.ran(asked);
    const answer = api.answer(asked, api.runs(asked) ? commands[n] : undefined, n);
    if (api.whole && !request.url.includes("stream")) {
      response.setHeader("content-type", "application/json");
      return response.end(api.whole(answer));
    }
    response.setHeader("content-type", "text/event-stream");
    response.end(answer.join(""));
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
