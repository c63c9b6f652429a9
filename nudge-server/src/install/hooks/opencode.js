// Nudge's plugin for OpenCode, written by `nudge install --hooks opencode`.
// It tells `nudge hook` what happens, and passes on what it says. It waits for an
// answer no longer than a moment, and throws only to hold a command back.
import { spawn } from "node:child_process";

const NUDGE = "nudge";
const PATIENCE = 300;

// What `nudge hook` says to an event: an empty object if it says nothing in time.
function told(event) {
  return new Promise((resolve) => {
    try {
      const hook = spawn(NUDGE, ["hook", "opencode"], { stdio: ["pipe", "pipe", "ignore"] });
      const parts = [];
      const done = (said) => {
        clearTimeout(timer);
        resolve(said);
      };
      const timer = setTimeout(() => {
        hook.kill("SIGKILL");
        done({});
      }, PATIENCE);
      hook.on("error", () => done({}));
      hook.stdin.on("error", () => {});
      hook.stdout.on("data", (part) => parts.push(part));
      hook.on("close", () => {
        try {
          done(JSON.parse(Buffer.concat(parts).toString()) ?? {});
        } catch {
          done({});
        }
      });
      hook.stdin.end(JSON.stringify(event));
    } catch {
      resolve({});
    }
  });
}

// What a session has been told so far, in the order of its start.
const MOST = 64;
function remember(sessions, id, text) {
  sessions.delete(id);
  sessions.set(id, text);
  if (sessions.size > MOST) sessions.delete(sessions.keys().next().value);
}

export const Nudge = async ({ directory }) => {
  const primed = new Map();
  const warned = new Map();

  const start = async (session, reason) => {
    const { text } = await told({ event: "session_start", session, reason, cwd: directory });
    remember(primed, session, text);
  };

  return {
    // A session's first turn asks what fits here, and each turn is shown that.
    "experimental.chat.system.transform": async (input, output) => {
      const session = input?.sessionID;
      if (!session || !Array.isArray(output?.system)) return;
      if (!primed.has(session)) await start(session, "startup");
      const text = primed.get(session);
      if (text) output.system.push(text);
    },

    event: async ({ event } = {}) => {
      const session = event?.properties?.sessionID ?? event?.properties?.info?.id;
      if (!session) return;
      if (event.type === "session.compacted") await start(session, "compact");
      if (event.type === "session.deleted") {
        primed.delete(session);
        await told({ event: "session_end", session, cwd: directory });
      }
    },

    // There is no place for words before a command, so they wait for its output.
    "tool.execute.before": async (input, output) => {
      if (input?.tool !== "bash" || typeof output?.args?.command !== "string") return;
      const { text, deny } = await told({
        event: "before_command",
        session: input.sessionID,
        call: input.callID,
        tool: "bash",
        cwd: directory,
        workdir: output.args.workdir,
        command: output.args.command,
      });
      if (deny) throw new Error(deny);
      if (text) remember(warned, input.callID, text);
    },

    "tool.execute.after": async (input, output) => {
      const file = input?.args?.filePath;
      if (["edit", "write"].includes(input?.tool) && typeof file === "string" && output) {
        const event = { event: "after_command", session: input.sessionID, tool: input.tool, cwd: directory, file };
        await told(event);
        return;
      }
      const command = input?.args?.command;
      if (input?.tool !== "bash" || typeof command !== "string" || !output) return;
      const { text } = await told({
        event: "after_command",
        session: input.sessionID,
        call: input.callID,
        tool: "bash",
        cwd: directory,
        workdir: input.args.workdir,
        command,
        exit: output.metadata?.exit,
        output: typeof output.output === "string" ? output.output.slice(-4096) : undefined,
      });
      const before = warned.get(input.callID);
      warned.delete(input.callID);
      const words = [before, text].filter(Boolean);
      if (words.length && typeof output.output === "string") {
        output.output = [output.output, ...words].join("\n\n");
      }
    },
  };
};
