#!/usr/bin/env node
// Starts the `nudge` of the package for this system, which npm has put beside this one.
const { spawn } = require("node:child_process");

const system = `${process.platform}-${process.arch}`;
const name = process.platform === "win32" ? "nudge.exe" : "nudge";

let binary;
try {
  binary = require.resolve(`@nudge-hints/${system}/${name}`);
} catch {
  console.error(`nudge: @nudge-hints/${system} is not installed.`);
  console.error("Either npm was told to leave out optional dependencies (--omit=optional), or there is no package for");
  console.error("this system; then build it from source: cargo install --locked --git REPOSITORY nudge-hints-server");
  process.exit(2);
}

const words = process.argv.slice(2);
if (words[0] === "install" && binary.includes("_npx")) {
  console.error("nudge: this is a copy in npm's cache; `npm install --global nudge-hints` gives you one that lasts");
}
const child = spawn(binary, words, { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`nudge: ${binary} does not start: ${error.message}`);
  process.exit(2);
});
child.on("exit", (status, signal) => {
  if (!signal) process.exit(status);
  // As it ended, so does this.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
