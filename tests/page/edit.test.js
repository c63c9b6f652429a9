// What the user does on the page: hints are added, edited, deleted, kept, trusted and saved, as the user's own.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { Stage, close } from "./stage.js";

after(close);

const form = (stage) => stage.page.locator("#edit");

/** Fills the form in, by its labels, and saves it. */
async function save(stage, fields) {
  for (const [label, value] of Object.entries(fields)) {
    const field = form(stage).getByLabel(label, { exact: true });
    if (await field.evaluate((it) => it.tagName === "SELECT")) await field.selectOption(value);
    else if (value === true) await field.check();
    else await field.fill(value);
  }
  await form(stage).getByRole("button", { name: "Save" }).click();
}

test("a hint that is added is the user's, with all that the form says", async (t) => {
  const stage = await Stage.start(t);
  const { page } = stage;
  await page.getByRole("button", { name: "Add one" }).click();
  await save(stage, {
    Component: "api", Key: "build", Value: "make all", Type: "command", Reason: "it is quick", "Tags, with commas": "build, Docker",
    "Lives for": "P7D", "Priority, 1 to 10": "8", Applies: "scope", "In folders, a glob a line": "./web/**\n./api/**",
    "In repositories": "git:acme/api", "On branches": "dev main", "On systems": "linux",
    "When set, NAME or NAME=VALUE a line": "CI\nMODE=a\nMODE=b", "Pinned: agents are told it first": true,
  });
  await page.getByText("Added api / build.").waitFor();
  await form(stage).waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "build");
  const { payload } = await stage.call("nudge.export", { format: "json" });
  const { value, meta } = payload.components.api.hints.build;
  assert.deepEqual(value, { type: "command", cmd: "make all" });
  const { origin, ...stated } = meta;
  assert.equal(origin.via, "page");
  assert.deepEqual(stated, {
    reason: "it is quick", tags: ["build", "Docker"], priority: 8, pin: true, ttl: "P7D", source: "user",
    scope: {
      cwd_glob: ["./api/**", "./web/**"], repo: ["git:acme/api"], branch: ["dev", "main"], os: ["linux"],
      env_required: ["CI"], env_match: { MODE: ["a", "b"] },
    },
  });
});

test("a hint is edited where it stands, and what the form has no field for stays", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      await it.nudge("set", "api", "build", "make", "--type", "command", "--shell", "fish", "--scope-branch", "dev", "--confidence", "0.5");
      await it.nudge("set", "api", "data", '{"id":9007199254740993}', "--type", "json", "--everywhere");
    },
  });
  const { page } = stage;
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  const applies = form(stage).getByLabel("Applies", { exact: true });
  assert.equal(await applies.evaluate((it) => it.selectedOptions[0].textContent), "as it does: on branch dev");
  assert.equal(await form(stage).getByLabel("Key", { exact: true }).isEditable(), false);
  await save(stage, { Value: "make all", Reason: "more" });
  await page.getByText("Changed api / build.").waitFor();
  const hint = async (key) => (await stage.call("nudge.export", { format: "json" })).payload.components.api.hints[key];
  const { value, meta, version } = await hint("build");
  assert.deepEqual(value, { type: "command", cmd: "make all", shell: "fish" });
  assert.deepEqual([meta.scope, meta.confidence, meta.reason, version], [{ branch: ["dev"] }, 0.5, "more", 2]);

  await stage.press(stage.row("data"), "Edit");
  await save(stage, { Value: '{"id": 9007199254740993, "more": [' });
  await form(stage).getByText("The value is not JSON").waitFor();
  await save(stage, { Value: '{"id": 9007199254740993, "more": []}' });
  await form(stage).waitFor({ state: "hidden" });
  assert.equal(await stage.nudge("get", "api", "data", "--raw"), '{"id":9007199254740993,"more":[]}\n');

  // Somebody else was there first, and that is said in the form.
  await stage.press(stage.row("data"), "Edit");
  await stage.nudge("set", "api", "data", "[1]", "--type", "json", "--everywhere");
  await save(stage, { Value: "[2]" });
  await form(stage).locator(".problem").getByText("version").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await stage.nudge("get", "api", "data", "--raw"), "[1]\n");
});

test("an edit changes where a hint applies, and is taken back whole", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      await it.nudge("set", "api", "build", "make", "--scope-branch", "dev", "--confidence", "0.7", "--reason", "quick");
      await it.nudge("set", "api", "build", "make all", "--scope-branch", "main");
    },
  });
  const { page } = stage;
  const scopes = async () => {
    const { build } = (await stage.call("nudge.export", { format: "json" })).payload.components.api.hints;
    return [build].flat().map(({ value, meta }) => `${value} ${meta.scope?.branch ?? "everywhere"} ${meta.confidence ?? ""} ${meta.reason ?? ""}`.trim()).sort();
  };
  const row = (words) => stage.row("build").filter({ hasText: words });
  await stage.press(row("dev"), "Edit");
  // Where another one is, it does not go.
  await save(stage, { Applies: "scope", "On branches": "main" });
  await form(stage).locator(".problem").getByText("has a variant with that scope already").waitFor();
  await save(stage, { "On branches": "1.x" });
  await page.getByText("Changed api / build: it applies on branch 1.x now.").waitFor();
  await row("1.x").waitFor();
  await row("dev").waitFor({ state: "detached" });
  assert.deepEqual(await scopes(), ["make 1.x 0.7 quick", "make all main"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await row("dev").waitFor();
  await row("1.x").waitFor({ state: "detached" });
  assert.deepEqual(await scopes(), ["make all main", "make dev 0.7 quick"]);
  await stage.press(row("dev"), "Edit");
  await save(stage, { Applies: "everywhere" });
  await row("everywhere").waitFor();
  assert.deepEqual(await scopes(), ["make all main", "make everywhere 0.7 quick"]);
  // Chosen again as it was, it only changes.
  await stage.press(row("everywhere"), "Edit");
  await save(stage, { Applies: "everywhere", Value: "make more" });
  await row("make more").waitFor();
  assert.deepEqual(await scopes(), ["make all main", "make more everywhere 0.7 quick"]);
});

test("Ctrl+Enter saves, and Esc asks before it throws a filled form away", async (t) => {
  const stage = await Stage.start(t);
  const { page } = stage;
  const value = form(stage).getByLabel("Value", { exact: true });
  const asks = form(stage).getByText("Discard what you typed?");
  // What nobody has filled in goes at once.
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await form(stage).waitFor({ state: "hidden" });
  await page.keyboard.press("n");
  for (const leave of [() => page.keyboard.press("Escape"), () => form(stage).getByRole("button", { name: "Cancel" }).click(), () => form(stage).getByRole("button", { name: "Close" }).click()]) {
    await value.fill("make");
    await leave();
    await asks.waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Keep editing");
    await page.keyboard.press("Escape");
    await asks.waitFor({ state: "hidden" });
    assert.equal(await value.inputValue(), "make");
    assert.equal(await value.evaluate((it) => it === document.activeElement), true);
  }
  await form(stage).getByLabel("Component").fill("api");
  await form(stage).getByLabel("Key").fill("build");
  await page.keyboard.press("Control+Enter");
  await stage.row("build").waitFor();
  assert.equal(await stage.nudge("get", "api", "build", "--raw"), "make\n");
  await page.keyboard.press("e");
  await value.fill("make all");
  await page.keyboard.press("Escape");
  await form(stage).getByRole("button", { name: "Discard" }).click();
  await form(stage).waitFor({ state: "hidden" });
  assert.equal(await stage.nudge("get", "api", "build", "--raw"), "make\n");
});

test("what was edited, deleted, added and accepted is taken back, the last first", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      await it.nudge("set", "api", "build", "make", "--everywhere");
      await it.nudge("bump", "api", "build", "--everywhere");
    },
  });
  const { page } = stage;
  const value = (words) => stage.row("build").getByText(words, { exact: true }).waitFor();
  const before = await stage.nudge("export");
  await stage.press(stage.row("build"), "Edit");
  await save(stage, { Value: "make all" });
  await value("make all");
  await stage.nudge("set", "api", "build", "ninja", "--source", "agent", "--everywhere");
  await page.locator(".proposal").getByRole("button", { name: "Accept" }).click();
  await value("ninja");
  await stage.press(stage.row("build"), "Delete");
  await stage.row("build").waitFor({ state: "detached" });
  await page.keyboard.press("n");
  await save(stage, { Component: "web", Key: "lint", Value: "eslint", Applies: "everywhere" });
  await stage.row("lint").waitFor();

  // Each once, by the button of what was done last, and by the key from then on.
  await page.getByRole("button", { name: "Undo" }).click();
  await stage.row("lint").waitFor({ state: "detached" });
  await page.getByText("Deleted web / lint.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("web / lint is back.").waitFor();
  await page.keyboard.press("u");
  await page.getByText("api / build is back.").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "build");
  await page.keyboard.press("u");
  await value("make all");
  await page.keyboard.press("u");
  await value("make");
  await stage.nudge("delete", "web", "lint", "--everywhere");
  await stage.row("lint").waitFor({ state: "detached" });
  const parts = (text) => ({ ...JSON.parse(text).components.api.hints.build, version: undefined });
  assert.deepEqual(parts(await stage.nudge("export")), parts(before));
  // What the terminal has deleted, too.
  await page.keyboard.press("u");
  await stage.row("lint").waitFor();
  await page.keyboard.press("u");
  await page.locator(".toast").getByText(/nothing/).waitFor();
});

test("a copy of a hint applies elsewhere", async (t) => {
  const stage = await Stage.start(t, { prepare: (it) => it.nudge("set", "api", "build", "make", "--scope-branch", "dev") });
  await stage.press(stage.row("build"), "Duplicate");
  assert.equal(await form(stage).getByLabel("On branches").inputValue(), "dev");
  await save(stage, { Value: "make main", "On branches": "main" });
  await stage.row("build").nth(1).waitFor();
  assert.equal(await stage.nudge("get", "api", "build", "--raw", "--branch", "main"), "make main\n");
  assert.equal(await stage.nudge("get", "api", "build", "--raw", "--branch", "dev"), "make\n");
});

test("a secret is set and edited without being shown", async (t) => {
  const stage = await Stage.start(t);
  const { page } = stage;
  await page.keyboard.press("n");
  const value = `ghp_${"a1B2".repeat(9)}`;
  await save(stage, { Component: "api", Key: "token", Value: value });
  await form(stage).locator(".problem").getByText(/secret|credential/).waitFor();
  await save(stage, { "Secret: masked everywhere and never kept": true });
  // The row may be there before the form knows that it was set.
  await form(stage).waitFor({ state: "hidden" });
  await stage.row("token").waitFor();
  await page.keyboard.press("e");
  assert.equal(await form(stage).getByLabel("Value", { exact: true }).inputValue(), "");
  await save(stage, { Value: "swordfish-2" });
  await form(stage).waitFor({ state: "hidden" });
  assert.equal(await stage.nudge("get", "api", "token", "--raw"), "swordfish-2\n");
  assert.ok(!(await page.content()).includes("swordfish"));
  assert.ok(!(await Promise.all(stage.bodies)).join("").includes("swordfish"));
});

test("what is shown is saved as a file that an import loads, also when nobody answers", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      await it.nudge("set", "api", "build", "make", "--everywhere");
      await it.nudge("set", "api", "build", "make dev", "--scope-branch", "dev");
      await it.nudge("set", "api", "test", "make test", "--everywhere");
      await it.call("nudge.set_hint", { component: "__proto__", key: "constructor", value: { type: "json", data: 1 } });
    },
  });
  const { page } = stage;
  const saved = async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
    return download.path();
  };
  stage.servers[0].kill("SIGKILL");
  await page.locator("[data-state=lost]").waitFor();
  const all = await saved();
  await page.locator("#filter").fill("dev");
  const some = JSON.parse(await readFile(await saved(), "utf8"));
  assert.deepEqual(Object.keys(some.components.api.hints), ["build"]);
  await stage.serve();
  await stage.nudge("delete", "api", "build", "--all");
  await stage.nudge("delete", "__proto__", "constructor");
  const again = await stage.nudge("import", all);
  assert.match(again, /3/);
  assert.equal(await stage.nudge("get", "api", "build", "--raw", "--branch", "dev"), "make dev\n");
  assert.equal(await stage.nudge("get", "__proto__", "constructor", "--raw"), "1\n");
});

/** A session that keeps, with an agent in a checkout. */
async function keeping(t, prepare) {
  let checkout;
  const stage = await Stage.start(t, {
    env: { NUDGE_KEEP: "1" },
    async prepare(it) {
      checkout = await it.join("codex", "1");
      await prepare(it, checkout);
    },
  });
  return { stage, checkout, page: stage.page };
}

test("a hint is kept for the repository, and in the project's file once its lines were seen", async (t) => {
  const { stage, checkout, page } = await keeping(t, (it) =>
    it.call("nudge.set_hint", { component: "api", key: "build", value: "make", meta: { scope: { repo: "git:github.com/acme/api" } } }));
  await stage.press(stage.row("build"), "Keep");
  await page.locator("#keep").getByRole("button", { name: "Keep" }).click();
  await page.getByText("Kept api / build for you in its repository.").waitFor();
  await stage.press(stage.row("build"), "Keep");
  await page.getByLabel("in the project's file").check();
  await page.locator("#keep-file").getByText('"make"').waitFor();
  await page.locator("#keep").getByRole("button", { name: "Keep" }).click();
  await page.getByText("Kept api / build in the project's file.").waitFor();
  assert.match(await readFile(join(checkout, ".nudge-hints.json"), "utf8"), /"make"/);
});

test("hints of a project's file wait until they are trusted, as text", async (t) => {
  const hostile = "<img src=x onerror='window.hit = 1'>";
  const { stage, page } = await keeping(t, async (it, checkout) => {
    const components = { api: { hints: { build: { value: hostile }, test: { value: "make test" } } } };
    await writeFile(join(checkout, ".nudge-hints.json"), JSON.stringify({ schema_version: "1.0", components }));
  });
  const waiting = page.locator("#untrusted .proposal");
  await waiting.nth(1).waitFor();
  assert.equal(await waiting.first().locator(".value").innerText(), hostile);
  await waiting.first().getByRole("button", { name: "Trust" }).click();
  await page.getByText("Trusted api / build.").waitFor();
  await stage.row("build").waitFor();
  assert.deepEqual(await waiting.locator("h3").allInnerTexts(), ["api / test"]);
  assert.equal(await page.evaluate(() => window.hit), undefined);
});

