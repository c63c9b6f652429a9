// The hints on the page: they come, change, run out, and are never anything but text.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { Stage, close } from "./stage.js";

after(close);

test("a row appears when the CLI sets a hint, and goes when it is deleted", async (t) => {
  const stage = await Stage.start(t);
  await stage.page.getByText("No hints yet").waitFor();
  await stage.nudge("set", "http-proxy", "build", "docker compose build", "--tags", "build,docker", "--scope-branch", "dev");
  const row = stage.row("build");
  await row.waitFor();
  // One line, until it is opened.
  assert.equal((await row.innerText()).includes("over cli"), false);
  assert.ok((await row.boundingBox()).height < 36);
  const text = await (await stage.open(row)).innerText();
  for (const part of ["docker compose build", "on branch dev", "docker", "user, nudge/", "over cli", "v1", "unused"]) {
    assert.ok(text.includes(part), `${part} is not in ${text}`);
  }
  assert.match(await stage.page.locator("#events").innerText(), /added\s+http-proxy \/ build/);
  await stage.nudge("bump", "http-proxy", "build", "--branch", "dev");
  await row.getByText("used 1×").waitFor();
  assert.match(await stage.page.locator(".event").first().innerText(), /used\s+http-proxy \/ build[^]*nudge\/.* over cli/);
  await stage.nudge("set", "http-proxy", "build", "make", "--branch", "dev");
  await row.getByText("v2").waitFor();
  assert.equal(await row.count(), 1);
  await stage.nudge("delete", "http-proxy", "build", "--branch", "dev");
  await row.waitFor({ state: "detached" });
  await stage.page.getByText("No hints yet").waitFor();
});

test("every kind of value is shown as what it is", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      const set = (...args) => it.nudge("set", "api", ...args);
      await set("command", "make all", "--type", "command", "--shell", "fish");
      await set("path", "/srv/api", "--type", "path");
      await set("template", "make {{target}}", "--type", "template", "--format", "mustache");
      await set("json", '{"id":9007199254740993}', "--type", "json");
      await set("long", "x".repeat(5000));
    },
  });
  const value = (key) => stage.row(key).locator(".value").innerText();
  assert.equal((await value("long")).length, 240);
  for (const key of ["command", "path", "template", "json", "long"]) await stage.open(stage.row(key));
  assert.equal(await value("command"), "make all");
  assert.equal(await stage.row("command").locator(".kind").innerText(), "command, fish");
  assert.equal(await value("path"), "/srv/api");
  assert.equal(await stage.row("template").locator(".blank").innerText(), "{{target}}");
  // A number that JavaScript would round.
  assert.equal(await value("json"), '{"id":9007199254740993}');
  assert.ok((await value("long")).length < 1000);
  await stage.row("long").getByRole("button", { name: "Show all 5,000 characters" }).click();
  assert.equal((await value("long")).length, 5000);
  await stage.row("long").getByRole("button", { name: "Show less" }).click();
  assert.ok((await value("long")).length < 1000);
});

test("the time that is left counts down, and what has run out goes", async (t) => {
  const stage = await Stage.start(t, {
    clock: true,
    // The server sweeps later than that, and a stream may be silent for longer.
    prepare: (it) => it.nudge("set", "api", "flag", "1", "--ttl", "PT35S"),
  });
  const { clock } = stage.page;
  await clock.pauseAt(Date.now() + 3000);
  const row = stage.row("flag");
  await stage.open(row);
  const seconds = async () => Number(/^(\d+)s left$/.exec(await row.locator(".line .left").innerText())[1]);
  const before = await seconds();
  await clock.runFor(3000);
  assert.equal(await seconds(), before - 3);
  assert.match(await row.locator(".age").innerText(), /^set \d+s ago$/);
  await clock.runFor((before - 3) * 1000 - 1000);
  assert.equal(await row.count(), 1);
  await clock.runFor(2000);
  assert.equal(await row.count(), 0);
  assert.equal(stage.requests.filter((url) => url.endsWith("/events")).length, 1);
});

test("a hostile text stays text, and what cannot be seen is spelled out", async (t) => {
  const long = "<script>window.hit = 1</script>".repeat(1100);
  const hostile = [
    "<img src=x onerror='window.hit = 1'>", "</script><script>window.hit = 1</script>", "<!-- <script>",
    "\u202egnp.exe\u2066", "\u001b[31mred\u001b[0m\u001b]0;title\u0007", "a\u0000b", "\u200bno width", long, "{{constructor}}", "javascript:alert(1)",
  ];
  const stage = await Stage.start(t, {
    env: { NUDGE_MAX_VALUE_BYTES: "65536" },
    async prepare(it) {
      for (const [index, value] of hostile.entries()) {
        await it.call("nudge.set_hint", { component: "<b>hostile</b>", key: `k${index}`, value, meta: { reason: value.slice(0, 200), tags: ["<i>tag</i>"] } });
      }
      for (const name of ["__proto__", "constructor", "\"><img src=x>"]) {
        await it.call("nudge.set_hint", { component: name, key: name, value: "x", meta: { scope: { branch: "<u>" } } });
      }
    },
  });
  const { page } = stage;
  assert.equal(await page.locator(".hint").count(), hostile.length + 3);
  await stage.unfold();
  const shown = (text) => text.replace(/[\u0000-\u001f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`)
    .replace(/[\u200b\u202e\u2066]/g, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);
  for (const [index, value] of hostile.entries()) {
    assert.equal(await stage.row(`k${index}`).locator(".value").textContent(), shown(value));
  }
  await stage.press(stage.row("k0"), "Why");
  await page.locator(".winner").waitFor();
  const made = await page.evaluate(() => [window.hit, ...document.querySelectorAll("main img, main b, main i, main u, main a, main script, dialog img")].map(String));
  assert.deepEqual(made, ["undefined"]);
});

test("what is marked as secret never reaches the page", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      await it.nudge("set", "api", "password", "swordfish-4711", "--allow-secret");
      await it.nudge("set", "api", "password", "swordfish-4712", "--allow-secret", "--scope-branch", "dev");
      await it.nudge("set", "api", "port", "8080");
    },
  });
  const { page } = stage;
  assert.equal(await page.getByText("•••••• secret").count(), 2);
  await stage.unfold();
  assert.equal(await page.getByText("masked: this value is marked as secret").count(), 2);
  await stage.nudge("set", "api", "password", "swordfish-4713", "--allow-secret", "--everywhere");
  const row = stage.row("password").filter({ hasText: "v2" });
  await row.waitFor();
  assert.equal(await row.getByRole("button", { name: "Copy" }).count(), 0);
  await stage.press(row, "Why");
  await page.locator(".winner").waitFor();
  await page.locator(".away").waitFor();
  await page.keyboard.press("Escape");
  await stage.press(row, "Delete");
  await page.getByText("cannot be brought back").waitFor({ state: "attached" });
  assert.equal(await stage.row("password").count(), 2);
  await row.getByRole("button", { name: "Delete for good?" }).click();
  await row.waitFor({ state: "detached" });
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export" }).click()]);
  await page.getByText("Saved 1 hint; `nudge import` loads them. Left out 1 hint marked as secret.").waitFor();
  const exported = await readFile(await download.path(), "utf8");
  assert.deepEqual(Object.keys(JSON.parse(exported).components.api.hints), ["port"]);
  const heard = [exported, await page.content(), ...(await Promise.all(stage.bodies))].join("\n");
  assert.ok(heard.includes("8080"));
  assert.ok(!heard.includes("swordfish"));
});

test("a hint that is deleted comes back as it was", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      const args = ["set", "api", "config", '{"id":9007199254740993,"pi":3.141592653589793,"x":1e300}', "--type", "json", "--tags", "a,b", "--ttl", "PT2H", "--scope-os", "linux"];
      await it.nudge(...args);
      await it.nudge(...args);
      await it.nudge("bump", "api", "config", "--scope-os", "linux");
      await it.nudge("set", "api", "config", "{}", "--type", "json", "--everywhere");
    },
  });
  const { page } = stage;
  const before = await stage.nudge("export");
  const row = stage.row("config").filter({ hasText: "on Linux" });
  await stage.press(row, "Delete");
  await row.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await row.waitFor();
  // A version never comes back.
  assert.equal(await stage.nudge("export"), before.replace('"version": 2', '"version": 3'));
  assert.equal(await stage.row("config").count(), 2);
  await page.locator(".event").first().getByText("added").waitFor();
  const said = await page.locator(".event").evaluateAll((events) => events.slice(0, 2).map((event) => event.innerText));
  for (const [index, verb] of ["added", "deleted"].entries()) assert.match(said[index], new RegExp(`${verb}[^]*over page`));

  // Who sets it anew meanwhile has the last word.
  await stage.press(row, "Delete");
  await row.waitFor({ state: "detached" });
  await stage.nudge("set", "api", "config", "[1]", "--type", "json", "--scope-os", "linux");
  await row.getByText("[1]").waitFor();
  await page.keyboard.press("u");
  await page.locator(".toast").getByText(/was set again .* and stays as it is/).waitFor();
  await row.getByText("[1]").waitFor();
});

test("the filter shows what has all its words", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      await it.nudge("set", "api", "build", "make all", "--tags", "Docker");
      await it.nudge("set", "api", "test", "make test");
      await it.nudge("set", "web", "lint", "eslint .");
    },
  });
  const { page } = stage;
  const shown = () => page.locator(".hint .key").allInnerTexts();
  await page.keyboard.press("/");
  await page.keyboard.type("MAKE");
  assert.deepEqual(await shown(), ["build", "test"]);
  await page.keyboard.type(" docker");
  assert.deepEqual(await shown(), ["build"]);
  await page.getByText("1 of 3 hints").waitFor();
  await stage.nudge("set", "web", "image", "make docker image");
  await stage.row("image").waitFor();
  await stage.nudge("set", "web", "other", "nothing");
  await page.locator("#events").getByText("web / other").waitFor();
  assert.deepEqual(await shown(), ["build", "image"]);
  await page.keyboard.type(" nope");
  await page.getByText("Nothing fits the filters").waitFor();
  await page.keyboard.press("Escape");
  assert.equal((await shown()).length, 5);
  // By the arrow one goes to the first of its rows, by Esc to the row where one was, and the words go.
  const at = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.id);
  await page.keyboard.press("/");
  await page.keyboard.type("web");
  await page.keyboard.press("ArrowDown");
  assert.equal(await at(), "web / image");
  assert.equal(await page.locator("#filter").inputValue(), "web");
  await page.keyboard.press("/");
  assert.equal(await at(), "filter");
  await page.keyboard.press("Escape");
  assert.equal(await at(), "web / image");
  assert.equal(await page.locator("#filter").inputValue(), "");
  // Who hears a row, hears what it is.
  await page.getByRole("listitem").getByRole("button", { name: "api / build", exact: true }).waitFor();
});

test("a value is copied as it is stored", async (t) => {
  const value = "line one\n\tline <two> \u202e";
  const stage = await Stage.start(t, {
    context: { permissions: ["clipboard-read", "clipboard-write"] },
    prepare: (it) => it.call("nudge.set_hint", { component: "api", key: "note", value }),
  });
  await stage.press(stage.row("note"), "Copy");
  await stage.row("note").getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await stage.page.evaluate(() => navigator.clipboard.readText()), value);
});
