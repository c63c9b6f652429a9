// The list as it is looked at: narrowed to a place, a reason, who set it and what became of it; and what an
// agent is told in a place, and what happened there.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Stage, close } from "./stage.js";

after(close);

const keys = (stage) => stage.page.locator(".hint .key").allInnerTexts();
const count = (stage, words) => stage.page.locator("#count").getByText(words, { exact: true }).waitFor();

/** An agent in a checkout on the branch `dev`, and hints for there and for elsewhere. */
async function prepare(it) {
  const checkout = await it.join("codex", "1");
  await it.nudge("set", "api", "build", "make dev", "--scope-branch", "dev", "--reason", "the router goes first");
  await it.nudge("set", "api", "deploy", "make deploy", "--scope-branch", "main");
  await it.nudge("set", "api", "lint", "make lint", "--scope-repo", "git:github.com/acme/api");
  await it.nudge("set", "web", "test", "pnpm test", "--everywhere");
  await it.nudge("set", "web", "elsewhere", "pnpm x", "--scope-repo", "git:acme/other");
  return checkout;
}

test("the list has what applies where a member is, as the server says, and follows it", async (t) => {
  const stage = await Stage.start(t, { prepare });
  const { page } = stage;
  await count(stage, "5 hints");
  const place = page.getByLabel("Applies in");
  const [member] = (await place.locator("option").allInnerTexts()).filter((words) => words.startsWith("codex/1"));
  await place.selectOption({ label: member });
  await count(stage, "3 of 5 hints");
  assert.deepEqual(await keys(stage), ["build", "lint", "test"]);
  await stage.nudge("set", "web", "added", "x", "--scope-branch", "dev");
  await stage.row("added").waitFor();
  await stage.nudge("set", "web", "hidden", "x", "--scope-branch", "main");
  await count(stage, "4 of 7 hints");
  // What is set here applies here, in the way that the server has.
  await page.keyboard.press("n");
  await page.locator("#edit").getByLabel("Component").fill("api");
  await page.locator("#edit").getByLabel("Key").fill("run");
  await page.locator("#edit").getByLabel("Value", { exact: true }).fill("make run");
  assert.match(await page.getByLabel("Applies", { exact: true }).evaluate((it) => it.selectedOptions[0].textContent), /^in acme\/api$/);
  await page.getByRole("button", { name: "Save" }).click();
  await stage.row("run").waitFor();
  assert.match(await stage.row("run").innerText(), /in acme\/api/);
  await place.selectOption("");
  await count(stage, "8 hints");
});

test("another place is filled in, and the list has what applies there", async (t) => {
  const stage = await Stage.start(t, { prepare });
  const { page } = stage;
  await page.getByLabel("Applies in").selectOption({ label: "another place…" });
  await page.locator("#here").getByLabel("Repository").fill("git:acme/other");
  await page.locator("#here").getByLabel("Branch").fill("main");
  await count(stage, "3 of 5 hints");
  await page.keyboard.press("Escape");
  assert.deepEqual(await keys(stage), ["deploy", "elsewhere", "test"]);
});

test("words find a hint by its reason and its place, and each list narrows the others", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      await prepare(it);
      await it.nudge("set", "api", "soon", "x", "--ttl", "PT2H", "--everywhere");
      await it.nudge("bump", "web", "test", "--everywhere");
      await it.nudge("bump", "api", "soon", "--everywhere", "--outcome", "fail");
      await it.nudge("set", "api", "guess", "y", "--source", "agent", "--everywhere");
    },
  });
  const { page } = stage;
  for (const [words, found] of [["router", ["build"]], ["branch main", ["deploy"]], ["acme/other", ["elsewhere"]]]) {
    await page.getByPlaceholder("Filter by words").fill(words);
    assert.deepEqual(await keys(stage), found, words);
  }
  await page.getByPlaceholder("Filter by words").fill("");
  const show = page.getByLabel("Show", { exact: true });
  for (const [what, found] of [["failing", ["soon"]], ["expiring", ["soon"]], ["unused", ["build", "deploy", "guess", "lint", "elsewhere"]]]) {
    await show.selectOption(what);
    assert.deepEqual(await keys(stage), found, what);
  }
  await page.getByLabel("Set by").selectOption("agent");
  assert.deepEqual(await keys(stage), ["guess"]);
  await show.selectOption("failing");
  await page.getByText("Nothing fits the filters").waitFor();
  await show.selectOption("all");
  await page.getByLabel("Set by").selectOption("anyone");
  for (const [by, first] of [["uses", "test"], ["last use", "test"], ["time left", "soon"], ["last change", "guess"], ["name", "build"]]) {
    await page.getByLabel("Sort by").selectOption(by);
    assert.equal((await keys(stage))[0], first, by);
  }
});

test("what an agent is told at the start of a session is shown, with its tokens, and counted nowhere", async (t) => {
  const stage = await Stage.start(t, { prepare });
  const { page } = stage;
  await page.keyboard.press("p");
  const here = page.locator("#here");
  const member = await here.getByLabel("In the context of").locator("option", { hasText: "codex/1" }).innerText();
  await here.getByLabel("In the context of").selectOption({ label: member });
  await page.locator("#told").getByText("api/build: make dev").waitFor();
  const text = await page.locator("#told").textContent();
  assert.ok(!text.includes("make deploy"), text);
  await here.getByText(`${Math.ceil(Buffer.byteLength(text) / 3)} tokens. 3 hints apply here.`).waitFor();
  await stage.nudge("set", "api", "build", "make more", "--scope-branch", "dev");
  await page.locator("#told").getByText("api/build: make more").waitFor();
  assert.equal((await stage.call("nudge.status")).receipts.told, 0);
  await here.getByRole("button", { name: "List what applies here" }).click();
  await count(stage, "3 of 5 hints");
});

test("where it is recorded, what happened is listed, searched and told by session", async (t) => {
  const stage = await Stage.start(t, {
    env: { NUDGE_OBSERVE: "1" },
    async prepare(it) {
      const checkout = await prepare(it);
      const context = { cwd: checkout, root: checkout, repo: "git:github.com/acme/api", branch: "dev" };
      const tell = (event) => it.call("nudge.on_event", { host: "codex", session: "s-1", context, ...event });
      await tell({ event: "session_start" });
      await tell({ event: "prompt", prompt: "fix the <b>router</b>" });
      await tell({ event: "after_command", command: "make router", exit_code: 2, output: "no such file" });
      await tell({ event: "after_command", command: "make all", exit_code: 0 });
    },
  });
  const { page } = stage;
  await page.getByRole("button", { name: "Sessions" }).click();
  const panel = page.locator("#sessions");
  const member = await panel.getByLabel("In the context of").locator("option", { hasText: "codex/1" }).innerText();
  await panel.getByLabel("In the context of").selectOption({ label: member });
  const seen = panel.locator(".event");
  await seen.nth(3).waitFor();
  assert.match(await seen.nth(1).innerText(), /failed\s+status 2[^]*make router/);
  await panel.getByRole("searchbox").fill("router");
  await page.waitForFunction(() => document.querySelectorAll("#observations .event").length === 2);
  await seen.first().getByRole("button", { name: "session" }).click();
  await panel.getByText("session s-1").waitFor();
  assert.deepEqual(await seen.locator(".value").allTextContents(), ["startup", "fix the <b>router</b>", "make router", "make all"]);
  assert.equal(await panel.locator("b").count(), 0);
  // To look at what an agent would be told is no session of an agent.
  await page.keyboard.press("Escape");
  await page.keyboard.press("p");
  await page.locator("#told").getByText("api/build").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Sessions" }).click();
  await panel.getByRole("searchbox").fill("");
  await page.waitForFunction(() => document.querySelectorAll("#observations .event").length === 4);
});
