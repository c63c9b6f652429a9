// Nudge for OpenCode: the hooks that `nudge install` writes, and the server beside them.
import { Nudge } from "./nudge.js";

export const NudgeWithServer = async (input) => ({
  ...(await Nudge(input)),
  // What the user has written down goes first.
  config: async (config) => {
    config.mcp = { nudge: ENTRY, ...config.mcp };
  },
});
