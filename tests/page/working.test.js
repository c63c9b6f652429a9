// What is being worked on, and what failed.

import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { Stage, close } from "./stage.js";

after(close);

test("the footer says what is being worked on, and follows it", async (t) => {
  const stage = await Stage.start(t);
  const { page } = stage;
  const [working, line] = [page.locator("#working"), page.locator("#working-line")];
  assert.equal(await working.isVisible(), false);
  const [one, other] = ["a.rs", "b.rs"].map((name) => join(stage.folder, name));
  for (const file of [one, other]) await writeFile(file, "");
  await stage.nudge("context", "files", one, other, join(stage.folder, "gone.rs"));
  await line.getByText("files a.rs, b.rs (1 gone)", { exact: true }).waitFor();
  assert.match(await page.locator(".event").first().innerText(), /working on\s+files a\.rs, b\.rs, gone\.rs[^]*nudge\/.* over cli/);
  await stage.nudge("context", "ports", "8080");
  await line.getByText("files a.rs, b.rs (1 gone) · ports 8080", { exact: true }).waitFor();

  await page.locator("#working summary").click();
  assert.deepEqual(await page.locator("#working dd").allInnerTexts(), [one, other, "8080"]);
  assert.deepEqual(await page.locator("#working dt").allInnerTexts(), ["files (1 gone)", "ports"]);
  await page.reload();
  await stage.isLive();
  assert.equal(await line.innerText(), "files a.rs, b.rs (1 gone) · ports 8080");
  await stage.nudge("context", "--clear");
  await working.waitFor({ state: "hidden" });
  await page.locator(".event").first().getByText("no files, ports", { exact: true }).waitFor();
});

test("the footer says who works on what, and in which repository", async (t) => {
  const event = { host: "codex", session: "s-1", context: { cwd: "/work/web", repo: "git:acme/web" } };
  const stage = await Stage.start(t, {
    async prepare(it) {
      await it.call("nudge.set_context", { sets: { ports: ["8080"] } });
      await it.call("nudge.on_event", { ...event, event: "after_command", command: "npm test", exit_code: 1 });
    },
  });
  const line = stage.page.locator("#working-line");
  await line.getByText("ports 8080 | codex in web: last_command `npm test` failed", { exact: true }).waitFor();
  await stage.call("nudge.on_event", { ...event, event: "session_end" });
  await line.getByText("ports 8080 | left by codex in web: last_command `npm test` failed", { exact: true }).waitFor();
});

test("a file that goes is found out without an event", async (t) => {
  const stage = await Stage.start(t, {
    clock: true,
    async prepare(it) {
      await writeFile(join(it.folder, "a.rs"), "");
      await it.nudge("context", "files", join(it.folder, "a.rs"));
    },
  });
  const line = stage.page.locator("#working-line");
  await line.getByText("files a.rs", { exact: true }).waitFor();
  await rm(join(stage.folder, "a.rs"));
  await stage.page.clock.fastForward(11_000);
  await line.getByText("files (1 gone)", { exact: true }).waitFor();
});

test("what is worked on takes one line, and all of it when it is unfolded", async (t) => {
  const ports = Array.from({ length: 10 }, (_, index) => `http://localhost:80${index}0/a/rather/long/path`);
  const stage = await Stage.start(t, {
    context: { viewport: { width: 360, height: 640 } },
    prepare: (it) => it.call("nudge.set_context", { sets: { endpoints: ports } }),
  });
  const { page } = stage;
  const summary = page.locator("#working summary");
  const { height } = await summary.boundingBox();
  assert.ok(height < 30, `${height} pixels`);
  await summary.focus();
  await page.keyboard.press("Enter");
  await page.locator("#working dd").last().waitFor();
  assert.deepEqual(await page.locator("#working dd").allInnerTexts(), ports);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
});

test("a hint that failed says how often, and who saw it", async (t) => {
  const stage = await Stage.start(t, { prepare: (it) => it.nudge("set", "api", "build", "make") });
  const { page } = stage;
  const row = stage.row("build");
  await row.getByText("unused").waitFor();
  await stage.open(row);
  for (let times = 0; times < 2; times++) await stage.nudge("bump", "api", "build", "--outcome", "fail");
  await row.getByText(/failed 2×, last (just now|\d+s ago)/).waitFor();
  await row.getByText("failed 2×", { exact: true }).waitFor();
  assert.equal(await row.getByText("unused").count(), 0);
  assert.match(await page.locator(".event").first().innerText(), /failed\s+api \/ build[^]*nudge\/.* over cli/);
  await stage.nudge("bump", "api", "build");
  await row.getByText("used 1×").waitFor();
  assert.match(await row.locator(".facts").innerText(), /used 1×[^]*failed 2×/);
});

test("a secret guard that is off is said aloud", async (t) => {
  const stage = await Stage.start(t, { env: { NUDGE_SECRET_GUARD: "0" } });
  await stage.page.locator("#warnings").getByText("the secret guard is OFF").waitFor();
  const usual = await Stage.start(t);
  assert.equal(await usual.page.locator("#warnings").isVisible(), false);
});
