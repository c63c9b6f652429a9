// Home: this week by repository, what was learned, what broke, what waits, and who worked.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { Stage, close, findings } from "./stage.js";

after(close);

const SHOP = "git:github.com/acme/shop";

/** A command that an agent ran. */
const ran = (command, stdout = "done") => ({ hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command }, tool_response: { stdout } });
const failed = (command, error) => ({ hook_event_name: "PostToolUseFailure", tool_name: "Bash", tool_input: { command }, error: `Exit code 1\n${error}` });

/** A week of an agent in a repository where a script was renamed, and hints of another one. */
async function prepare(it) {
  const shop = await it.checkout("shop");
  await writeFile(join(shop, "package.json"), JSON.stringify({ scripts: { test: "vitest", "lint:ci": "eslint ." } }));
  await writeFile(join(shop, "pnpm-lock.yaml"), "");
  it.cwd = shop;
  await it.nudge("set", "shop", "lint", "pnpm lint", "--reason", "before every push");
  await it.nudge("set", "shop", "test", "pnpm test");
  await it.hook(shop, "s-1", { hook_event_name: "SessionStart", source: "startup" });
  await it.hook(shop, "s-1", { hook_event_name: "UserPromptSubmit", prompt: "fix the <b>router</b>" });
  await it.hook(shop, "s-1", ran("pnpm test"));
  await it.hook(shop, "s-1", ran("make build"));
  await it.hook(shop, "s-1", ran("pnpm test:ci --run"));
  await it.hook(shop, "s-1", failed("make deploy", "permission denied"));
  await it.nudge("set", "shop", "test", "pnpm test:ci --run", "--source", "agent", "--reason", "CI runs this");
  await it.call("nudge.set_hint", { component: "api", key: "build", value: "go build ./...", meta: { scope: { repo: "git:github.com/acme/api" } } });
  await it.call("nudge.set_hint", { component: "notes", key: "style", value: "plain English" });
  return shop;
}

const start = (t, options = {}) => Stage.start(t, { view: null, env: { NUDGE_KEEP: "1", NUDGE_OBSERVE: "1" }, prepare, ...options });
const rail = (page, name) => page.getByRole("navigation", { name: "Repositories" }).getByRole("button", { name });
const card = (page, id) => page.locator(`#${id} .proposal`);

test("the page opens on this week, by repository", async (t) => {
  const stage = await start(t);
  const { page } = stage;
  await page.getByText("4 lines told, 1 heeded", { exact: true }).waitFor();
  assert.equal(await page.locator("#hints").isVisible(), false);
  // The reader's days, today's last.
  const today = new Date().toLocaleDateString("en", { weekday: "short" });
  assert.match(await page.locator("#week-days li").last().innerText(), new RegExp(`^4[^]*${today}$`));
  assert.equal(await page.locator("#week-days li").count(), 7);
  assert.deepEqual((await page.locator(".rail .name").allInnerTexts()), ["All", "Everywhere", "acme/api", "acme/shop"]);
  await page.locator("#lines summary").click();
  assert.match(await page.locator("#lines-list").innerText(), /heeded\s+Claude Code in acme\/shop\s+pnpm test/);

  await rail(page, /acme\/api/).click();
  await page.getByText("This week in acme/api").waitFor();
  await page.getByText("No agent was told anything.").waitFor();
  for (const id of ["broken", "learned", "agents", "lines"]) assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
  assert.equal(await page.locator("#proposals").isVisible(), false);
  await page.getByRole("button", { name: "Hints", exact: true }).click();
  assert.deepEqual(await page.locator(".hint .key").allInnerTexts(), ["build"]);
  await rail(page, /Everywhere/).click();
  assert.deepEqual(await page.locator(".hint .key").allInnerTexts(), ["style"]);
  await rail(page, /^All/).click();
  await page.locator(".hint").nth(4).waitFor();
  // A reload stays where one was.
  await page.reload();
  await stage.isLive();
  await page.locator(".hint").nth(4).waitFor();
  await page.keyboard.press("h");
  await page.getByText("4 lines told, 1 heeded", { exact: true }).waitFor();
});

test("what was learned is kept or wrong, and then asks no more", async (t) => {
  const stage = await start(t);
  const { page } = stage;
  await stage.hook(stage.cwd, "s-2", ran("make install"));
  await card(page, "learned").nth(1).waitFor();
  const learned = card(page, "learned").filter({ hasText: "make build" });
  assert.match(await learned.innerText(), /shop \/ build[^]*worked 1×[^]*from Claude Code/);
  await learned.getByRole("button", { name: "Keep shop / build" }).click();
  await page.getByText("Kept shop / build.").waitFor();
  await learned.waitFor({ state: "detached" });
  // Who pressed it stands on the next one.
  assert.equal(await page.evaluate(() => document.activeElement.querySelector("h3").textContent), "shop / install");
  const kept = (await stage.call("nudge.export", { format: "json" })).payload.components.shop.hints.build;
  assert.deepEqual([kept.meta.source, kept.lifetime, kept.meta.scope, kept.use_count], ["user", "kept", { repo: [SHOP] }, 1]);
  await page.getByRole("button", { name: "Wrong shop / install" }).click();
  await page.getByText("Deleted shop / install.").waitFor();
  await page.locator("#learned").waitFor({ state: "hidden" });
  // It is not learned again.
  await stage.hook(stage.cwd, "s-3", ran("make install"));
  assert.ok(!(await stage.nudge("ls", "shop")).includes("install"));
});

test("what broke says what is gone and what is like it, until it is mended", async (t) => {
  const stage = await start(t);
  const { page } = stage;
  await card(page, "broken").waitFor();
  assert.match(await card(page, "broken").innerText(), /shop \/ lint[^]*pnpm lint is gone from package.json; nearest is lint:ci[^]*in acme\/shop/);
  await page.getByRole("button", { name: "Edit shop / lint" }).click();
  await page.locator("#edit-value").fill("pnpm lint:ci");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Changed shop / lint.").waitFor();
  await page.keyboard.press("h");
  await page.locator("#broken").waitFor({ state: "hidden" });
  assert.equal(await stage.nudge("get", "shop", "lint", "--raw"), "pnpm lint:ci\n");
});

test("what waits is shown with what stands today, its reason, its evidence and what would change", async (t) => {
  const stage = await start(t);
  const { page } = stage;
  const waiting = page.locator("#waiting .proposal");
  await waiting.locator(".run").waitFor();
  const text = await waiting.innerText();
  for (const part of ["shop / test", "pnpm test:ci --run", "CI runs this", "would overwrite what the user has set", "✔ worked", "in session s-1", "Stands there now"]) {
    assert.ok(text.includes(part), `${part} is not in ${text}`);
  }
  const diff = () => waiting.locator(".diff > *").evaluateAll((parts) => parts.slice(1).map((part) => `${part.tagName} ${part.textContent}`));
  assert.deepEqual(await diff(), ["SPAN pnpm ", "DEL test", "INS test:ci --run"]);
  // What comes while one looks has it as well, also where the user's hint is for another place.
  await waiting.getByRole("button", { name: "Reject shop / test" }).click();
  await waiting.waitFor({ state: "detached" });
  stage.env.CODEX_THREAD_ID = "t-1";
  await stage.nudge("set", "shop", "test", "pnpm vitest", "--scope-branch", "main");
  delete stage.env.CODEX_THREAD_ID;
  await waiting.locator(".diff").waitFor();
  assert.match(await waiting.innerText(), /not tried/);
  assert.deepEqual(await diff(), ["SPAN pnpm ", "DEL test", "INS vitest"]);
});

test("sessions stand by their agent, named by what was asked for, with how it went", async (t) => {
  const stage = await start(t);
  const { page } = stage;
  const session = page.locator("#agents .session");
  await session.waitFor();
  assert.equal(await page.locator("#agents h3").innerText(), "Claude Code 1");
  // What goes on does not take the keyboard's place away.
  await session.getByRole("button").focus();
  await stage.hook(stage.cwd, "s-2", ran("make install"));
  await card(page, "learned").nth(1).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.dataset.session), "s-1");
  const first = session.filter({ hasText: "router" });
  assert.match(await first.innerText(), /fix the <b>router<\/b>\s*✔ 3[^]*✘ 1[^]*acme\/shop[^]*\d+s/);
  await first.getByRole("button").click();
  await page.locator("#observations").getByText("make deploy").waitFor();
  assert.equal(await page.locator("main b, dialog b").count(), 0);
});

test("a new hint applies where `nudge ui` was typed, as at the terminal there", async (t) => {
  const stage = await start(t);
  const { page } = stage;
  await page.keyboard.press("n");
  const applies = page.getByLabel("Applies", { exact: true });
  const chosen = () => applies.evaluate((it) => it.selectedOptions[0].textContent);
  assert.equal(await chosen(), "in acme/shop");
  const fill = async (key) => {
    for (const [label, value] of [["Component", "shop"], ["Key", key], ["Value", "x"]]) await page.locator("#edit").getByLabel(label, { exact: true }).fill(value);
    await page.keyboard.press("Control+Enter");
    await stage.row(key).waitFor();
  };
  await fill("page");
  await stage.nudge("set", "shop", "terminal", "x");
  await page.keyboard.press("h");
  // Another repository that is looked at is the place then.
  await rail(page, /acme\/api/).click();
  await page.keyboard.press("n");
  assert.equal(await chosen(), "in acme/api");
  await fill("other");
  const { hints } = (await stage.call("nudge.export", { format: "json" })).payload.components.shop;
  assert.deepEqual(hints.page.meta.scope, hints.terminal.meta.scope);
  assert.deepEqual(hints.other.meta.scope, { repo: ["git:github.com/acme/api"] });
});

for (const [width, colorScheme] of [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"]]) {
  test(`home is for everybody, at ${width} pixels and ${colorScheme}`, async (t) => {
    const stage = await start(t, { context: { viewport: { width, height: 800 }, colorScheme, reducedMotion: "reduce" } });
    const { page } = stage;
    await page.locator("#agents .session").waitFor();
    await page.locator("#lines summary").click();
    const isFine = async (what) => {
      assert.deepEqual(await findings(page), [], what);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, what);
    };
    await isFine("home");
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/home-${width}-${colorScheme}.png`, fullPage: true });
    await rail(page, /acme\/shop/).click();
    await isFine("a repository");
    await page.getByRole("button", { name: "Hints", exact: true }).click();
    await page.locator(".hint").first().waitFor();
    await isFine("hints");
    // On a narrow screen, too, one sees where a hint applies.
    assert.equal(await stage.row("lint").locator(".where").isVisible(), true);
    assert.equal(await stage.row("lint").locator(".where").innerText(), "in acme/shop");
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/hints-${width}-${colorScheme}.png` });
    await page.keyboard.press("n");
    await page.locator("#edit-value").fill("x");
    await page.keyboard.press("Escape");
    await isFine("a form that asks");
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/form-${width}-${colorScheme}.png` });
  });
}

test("axe finds nothing on a home where nothing happened", async (t) => {
  const stage = await start(t, { prepare: undefined });
  await stage.page.getByText("No agent was told anything.").waitFor();
  assert.deepEqual(await findings(stage.page), []);
});
