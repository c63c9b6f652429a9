// Who can use the page, and who gets it at all.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { Stage, close, findings } from "./stage.js";

after(close);

async function prepare(it) {
  await it.nudge("set", "api", "build", "make dev", "--scope-branch", "dev", "--tags", "build", "--ttl", "PT50S", "--reason", "it is quick");
  await it.nudge("set", "api", "build", "make", "--everywhere");
  await it.nudge("set", "api", "long", "word ".repeat(400));
  await it.nudge("set", "api", "password", "swordfish", "--allow-secret");
  await it.nudge("set", "web", `${"wide".repeat(30)}`, "w".repeat(3000), "--tags", "t".repeat(64));
  await it.nudge("set", "web", "template", "make {{target}}\u001b[0m", "--type", "template", "--format", "mustache");
  await it.nudge("bump", "api", "long");
}

/** The same, and all that is shown only at times. */
async function prepareAll(it) {
  await prepare(it);
  await it.nudge("bump", "api", "long", "--outcome", "fail");
  await it.nudge("set", "api", "long", "w".repeat(3000), "--source", "agent", "--reason", "r".repeat(400));
  await it.nudge("set", "api", "password", "bluefish", "--allow-secret", "--source", "agent");
  await it.call("nudge.propose", { component: "c".repeat(100), key: "k".repeat(100), value: "x", why: "y".repeat(300), meta: { tags: ["t"], ttl: "PT2H" } });
  await it.call("nudge.set_context", { sets: { files: ["gone.rs", "f".repeat(400)], ports: [8080] } });
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing, ${colorScheme}`, async (t) => {
    const stage = await Stage.start(t, { prepare: prepareAll, context: { colorScheme, reducedMotion: "reduce" } });
    const { page } = stage;
    assert.equal(await page.locator(".proposal").count(), 3);
    assert.deepEqual(await findings(page), []);
    await page.locator("#working summary").click();
    assert.deepEqual(await findings(page), []);
    await stage.unfold();
    assert.deepEqual(await findings(page), []);
    await stage.press(stage.row("build").first(), "Why");
    await page.locator(".away").waitFor();
    assert.deepEqual(await findings(page), []);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    assert.deepEqual(await findings(page), []);
    await page.keyboard.press("Escape");
    for (const key of ["n", "p", "e"]) {
      await page.locator(".key").first().focus();
      await page.keyboard.press(key);
      await page.locator("dialog[open]").waitFor();
      if (key === "n") await page.getByLabel("Applies", { exact: true }).selectOption("scope");
      assert.deepEqual(await findings(page), [], key);
      await page.keyboard.press("Escape");
      if (key !== "n") continue;
      await page.getByRole("button", { name: "Discard" }).waitFor();
      assert.deepEqual(await findings(page), [], "asked");
      await page.getByRole("button", { name: "Discard" }).click();
    }
    await stage.press(stage.row("password"), "Delete");
    await stage.press(stage.row("long"), "Delete");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    assert.deepEqual(await findings(page), []);
    stage.servers[0].kill("SIGKILL");
    await page.locator("#lost").waitFor();
    assert.deepEqual(await findings(page), []);
  });
}

test("axe finds nothing on a page without hints, and on a narrow one", async (t) => {
  const stage = await Stage.start(t, { context: { viewport: { width: 360, height: 640 } } });
  assert.deepEqual(await findings(stage.page), []);
  await stage.page.getByRole("button", { name: "Activity" }).click();
  assert.deepEqual(await findings(stage.page), []);
});

test("axe finds nothing in what waits, is kept and was recorded, and it fits a narrow screen", async (t) => {
  const repo = "git:github.com/acme/api";
  const stage = await Stage.start(t, {
    context: { viewport: { width: 360, height: 640 } },
    env: { NUDGE_KEEP: "1", NUDGE_OBSERVE: "1" },
    async prepare(it) {
      const checkout = await it.join("codex", "1");
      const components = { api: { hints: { build: { value: "w".repeat(300) } } } };
      await writeFile(join(checkout, ".nudge-hints.json"), JSON.stringify({ schema_version: "1.0", components }));
      await it.call("nudge.set_hint", { component: "api", key: "lint", value: "make lint", meta: { scope: { repo } } });
      const event = { host: "codex", session: "s-1", context: { cwd: checkout, root: checkout, repo, branch: "dev" } };
      await it.call("nudge.on_event", { ...event, event: "after_command", command: "x".repeat(300), exit_code: 2 });
    },
  });
  const { page } = stage;
  const isFine = async (id) => {
    assert.deepEqual(await findings(page), [], id);
    const wide = await page.evaluate((id) => [document.documentElement, document.querySelector(id)].map((it) => it.scrollWidth - it.clientWidth), id);
    assert.deepEqual(wide, [0, 0], id);
  };
  await page.locator("#untrusted .proposal").waitFor();
  await isFine("#projects");
  await stage.press(stage.row("lint"), "Keep");
  await page.getByLabel("in the project's file").check();
  await page.locator("#keep-file").waitFor();
  await isFine("#keep");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Sessions" }).click();
  const member = await page.locator("#place-member option", { hasText: "codex/1" }).innerText();
  await page.locator("#place-member").selectOption({ label: member });
  await page.locator("#observations .event").first().waitFor();
  await isFine("#sessions");
});

test("nothing is wider than a screen of 360 pixels", async (t) => {
  const stage = await Stage.start(t, { prepare: prepareAll, context: { viewport: { width: 360, height: 640 } } });
  const { page } = stage;
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(await overflow(), 0);
  await stage.unfold();
  assert.equal(await overflow(), 0);
  await page.getByRole("button", { name: "Activity" }).click();
  assert.equal(await page.locator("#hints").isVisible(), false);
  assert.equal(await overflow(), 0);
  await page.getByRole("button", { name: "Hints" }).click();
  await stage.press(page.locator(".hint").last(), "Why");
  await page.locator(".winner").waitFor();
  const inside = (id) => page.locator(id).evaluate((it) => it.scrollWidth - it.clientWidth);
  assert.deepEqual([await overflow(), await inside("#why")], [0, 0]);
  await page.keyboard.press("Escape");
  for (const [key, id] of [["e", "#edit"], ["n", "#edit"], ["p", "#here"], ["?", "#keys"]]) {
    await page.keyboard.press(key);
    await page.locator(id).waitFor();
    if (key === "n") await page.getByLabel("Applies", { exact: true }).selectOption("scope");
    assert.deepEqual([await overflow(), await inside(id)], [0, 0], key);
    await page.keyboard.press("Escape");
    if (key === "n") await page.getByRole("button", { name: "Discard" }).click();
  }
});

test("the keyboard alone reaches everything, and its place can be seen", async (t) => {
  const stage = await Stage.start(t, { prepare });
  const { page } = stage;
  const place = () => page.evaluate(() => {
    const at = document.activeElement;
    const seen = at.classList.contains("key") ? at.closest(".hint") : at;
    if (getComputedStyle(seen).outlineStyle === "none") return `unseen ${at.outerHTML}`;
    return at.classList.contains("key") ? `row ${at.textContent}` : at.id || at.textContent;
  });
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    return place();
  };
  const tops = ["filter", "new", "preview", "export", "help", "place", "source", "show", "sort"];
  for (const top of tops) assert.equal(await press("Tab"), top);
  assert.equal(await press("Tab"), "All6 hints");
  assert.equal(await press("Tab"), "Everywhere6 hints");
  assert.equal(await press("Tab"), "row build");
  assert.equal(await press("Tab"), "events");
  assert.equal(await press("Shift+Tab", "Enter"), "row build");
  const acts = [];
  for (let times = 0; times < 6; times++) acts.push(await press("Tab"));
  assert.deepEqual(acts, ["Copy", "Edit", "Duplicate", "Keep", "Why", "Delete"]);
  assert.equal(await press("Tab"), "events");
  assert.equal(await press("Shift+Tab", "j", "ArrowDown"), "row long");
  assert.equal(await press("End"), `row ${"wide".repeat(30)}`);
  assert.equal(await press("Home", "k"), "row build");
  await press("w");
  await page.locator("#why[open]").waitFor();
  await page.locator(".variant").first().waitFor();
  assert.equal(await press("Escape"), "row build");
  await press("?");
  await page.locator("#keys[open]").waitFor();
  await press("Escape");
  await press("d");
  await page.getByText("Deleted api / build.").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".hint").length === 5);
  assert.equal(await place(), "row build");
  await press("u");
  await page.waitForFunction(() => document.querySelectorAll(".hint").length === 6);
  assert.equal(await press("/"), "filter");
  // A change does not take the focus away from the row that changes.
  await page.locator(".key").first().focus();
  await press("Enter");
  await page.locator("[data-act=copy]").first().focus();
  await stage.nudge("bump", "api", "build", "--everywhere");
  await page.getByText("used 1×").first().waitFor();
  assert.equal(await place(), "Copy");
});

test("the keys work on a fresh page, and none of them while somebody types", async (t) => {
  const stage = await Stage.start(t, { prepare });
  const { page } = stage;
  const at = () => page.evaluate(() => document.activeElement.textContent);
  // The first key goes to a hint, and does nothing to one that nobody has looked at.
  await page.keyboard.press("d");
  assert.equal(await at(), "build");
  await page.reload();
  await stage.isLive();
  await page.locator(".hint").first().waitFor();
  await page.keyboard.press("j");
  assert.equal(await at(), "build");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.equal(await at(), "long");
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await page.locator(".hint.open").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".hint.open").waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await page.keyboard.type("jkneduwcp?");
  assert.equal(await page.locator("#filter").inputValue(), "jkneduwcp?");
  assert.equal(await page.locator("dialog[open]").count(), 0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  for (const [key, id] of [["n", "#edit"], ["p", "#here"], ["?", "#keys"]]) {
    await page.keyboard.press(key);
    await page.locator(id).waitFor();
    await page.keyboard.press("Escape");
  }
  assert.equal(await page.locator(".hint").count(), 6);
});

test("the key leaves the address, outlives a reload, and is nowhere that another page could look", async (t) => {
  const stage = await Stage.start(t, { prepare: (it) => it.nudge("set", "api", "build", "make") });
  const { page } = stage;
  const file = await readFile(new URL(stage.file), "utf8");
  assert.equal((await stat(new URL(stage.file))).mode & 0o777, 0o600);
  const [key] = /[0-9a-f]{64}/.exec(file);
  assert.match(stage.home, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  assert.notEqual(stage.home, stage.url);
  for (let reload = 0; reload < 2; reload++) {
    await page.reload();
    await stage.isLive();
    assert.equal(page.url(), stage.home);
    assert.equal(await stage.row("build").count(), 1);
  }
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, window.name]));
  assert.equal(kept, '[{},{},"",""]');
  assert.ok(!(await page.content()).includes(key));
  assert.ok(!(await stage.nudge("status", "--json")).includes(key));
});

test("the page without its key shows nothing and says how to get one, and so does the port of programs", async (t) => {
  const stage = await Stage.start(t, { prepare: (it) => it.nudge("set", "api", "build", "make") });
  const { page } = stage;
  const bare = await stage.context.newPage();
  await bare.goto(stage.home);
  await bare.locator("#lost").getByText("a browser is let in by the key").waitFor();
  assert.deepEqual(await findings(bare), []);
  assert.equal(await bare.locator(".hint").count(), 0);
  await bare.goto(`${stage.home}#key=${"0".repeat(64)}`);
  await bare.reload();
  await bare.locator("#lost").getByText("a browser is let in by the key").waitFor();
  await bare.close();
  await page.goto("about:blank");
  stage.requests.length = 0;
  for (const [address, status] of [[stage.url, 403], [stage.url.replace("127.0.0.1", "localhost"), 421]]) {
    const refused = await page.goto(address);
    assert.equal(refused.status(), status);
    assert.match(await page.locator("main").innerText(), /Run nudge ui/);
    assert.equal(await page.locator("script").count(), 0);
    assert.deepEqual(await findings(page), []);
  }
  stage.requests.length = 0;
  stage.complaints.length = 0;
});

test("a link of another site opens the page without its key", async (t) => {
  const stage = await Stage.start(t, { prepare: (it) => it.nudge("set", "api", "build", "make") });
  const other = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(`<title>other</title><a href="${stage.home}">look</a>`);
  });
  await new Promise((done) => other.listen(0, "127.0.0.1", done));
  t.after(() => other.close());
  const page = await stage.context.newPage();
  await page.goto(`http://localhost:${other.address().port}/`);
  await page.getByText("look").click();
  await page.locator("#lost").getByText("a browser is let in by the key").waitFor();
  assert.equal(await page.locator(".hint").count(), 0);
  await page.close();
});

test("five thousand hints can be looked at, filtered and changed", async (t) => {
  const at = new Date().toISOString();
  const stage = await Stage.start(t, {
    async prepare(it) {
      const components = {};
      for (let c = 0; c < 25; c++) {
        const hints = {};
        for (let k = 0; k < 200; k++) {
          hints[`key-${k}`] = { value: `docker compose run --rm service-${c} make target-${k}`, version: 1, created_at: at, updated_at: at,
            meta: { tags: ["build", `t${k % 7}`], ttl: k % 2 ? "PT2H" : "session", scope: k % 3 ? { branch: ["dev", "main"], os: ["linux"] } : k % 2 ? { repo: [`git:github.com/acme/r${c}`] } : undefined } };
        }
        components[`component-${c}`] = { hints };
      }
      const { imported } = await it.call("nudge.import", { payload: { schema_version: "1.0", components } });
      assert.equal(imported, 5000);
      await it.call("nudge.delete_hint", { component: "component-0", key: "key-0", all: true });
    },
  });
  const { page } = stage;
  const shows = (count) => page.waitForFunction((count) => document.querySelectorAll(".hint").length === count, count);
  await shows(4999);
  const timed = async (name, run) => {
    const start = performance.now();
    await run();
    t.diagnostic(`${name}: ${Math.round(performance.now() - start)} ms`);
  };
  await timed("reload to the first row", async () => {
    await page.reload();
    await page.locator(".hint").first().waitFor();
  });
  await shows(4999);
  const rail = (name) => page.locator(".rail").getByRole("button", { name });
  // From the click to the next picture, as whoever clicks has it.
  const looked = async (name, words) => {
    const took = await rail(name).evaluate(async (button) => {
      const start = performance.now();
      button.click();
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      return performance.now() - start;
    });
    t.diagnostic(`${words}: ${Math.round(took)} ms`);
  };
  await looked(/acme\/r7 /, "another repository");
  await page.locator("#count").getByText("33 of 4,999").waitFor();
  await looked(/^All/, "all of them again");
  await page.locator("#count").getByText("4,999 hints", { exact: true }).waitFor();
  await timed("where `nudge ui` was typed", async () => {
    await page.locator("#place").selectOption({ index: 1 });
    await page.locator("#count").getByText("of 4,999").waitFor();
  });
  await page.locator("#place").selectOption("");
  await page.keyboard.press("h");
  await timed("reload to home", async () => {
    await page.reload();
    await rail(/acme\/r7 /).waitFor();
    await page.getByText("No agent was told anything.").waitFor();
  });
  await page.getByRole("button", { name: "Hints", exact: true }).click();
  const frames = await page.evaluate(async () => {
    const times = [];
    for (let step = 0, last = performance.now(); step < 120; step++) {
      scrollBy(0, 1200);
      await new Promise(requestAnimationFrame);
      times.push(performance.now() - last);
      last = performance.now();
    }
    scrollTo(0, 0);
    return times.sort((one, other) => one - other);
  });
  t.diagnostic(`scroll by a page: ${Math.round(frames[60])} ms a frame, the longest ${Math.round(frames[119])} ms`);
  await timed("filter to 25", () => page.locator("#filter").fill("target-77"));
  await shows(25);
  await page.locator("#filter").fill("");
  await shows(4999);
  await timed("set to shown", async () => {
    await stage.call("nudge.set_hint", { component: "component-0", key: "added", value: "x" });
    await shows(5000);
  });
  await timed("sort by uses", () => page.locator("#sort").selectOption("uses"));
  await timed("all that applies in a place", async () => {
    await page.locator("#place").selectOption("typed");
    await page.locator("#here").getByLabel("Branch").fill("dev");
    await page.locator("#place-os").selectOption("linux");
    await page.locator("#count").getByText("4,175 of 5,000").waitFor({ timeout: 120_000 });
    await page.locator("#place-branch").fill("other");
    await page.locator("#count").getByText("850 of 5,000").waitFor({ timeout: 120_000 });
  });
  await page.keyboard.press("Escape");
  await timed("End", async () => {
    await page.locator(".key").first().focus();
    await page.keyboard.press("End");
    await page.waitForFunction(() => document.activeElement.classList.contains("key") && scrollY > 1000);
  });
});
