// The why panel: the same answer as `nudge why` gives, for a context that can be chosen.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Stage, close } from "./stage.js";

after(close);

async function prepare(it) {
  await it.nudge("set", "api", "build", "make dev", "--scope-branch", "dev", "--priority", "9");
  await it.nudge("set", "api", "build", "make ci", "--scope-env", "CI", "--scope-os", "linux");
  await it.nudge("set", "api", "build", "make", "--everywhere");
}

const openPanel = (stage) => stage.press(stage.row("build").first(), "Why");

test("every variant is explained: the winner, its five terms, and what keeps the others away", async (t) => {
  const stage = await Stage.start(t, { prepare });
  const { page } = stage;
  await openPanel(stage);
  // It begins where `nudge ui` was typed.
  await page.locator("#place-words").click();
  assert.equal(await page.locator("#why").getByLabel("Folder").inputValue(), "/");
  await page.locator("#why").getByLabel("System").selectOption("");
  await page.locator("#why").getByLabel("Branch").fill("dev");
  const winner = page.locator(".winner").filter({ hasText: "make dev" });
  await winner.waitFor();
  assert.equal(await page.locator(".winner").count(), 1);
  const { match_explain: { score, parts } } = await stage.call("nudge.get_hint", { component: "api", key: "build", context: { branch: "dev" } });
  assert.match(await winner.innerText(), new RegExp(`score ${score.toFixed(3)}`));
  assert.deepEqual(await winner.locator("dt").allInnerTexts(), Object.keys({ frecency: 0, priority: 0, confidence: 0, specificity: 0, recency: 0 }));
  const amounts = (await winner.locator(".amount").allInnerTexts()).map(Number);
  assert.ok(Math.abs(amounts[1] - parts.priority) < 1e-9);
  const widths = await winner.locator(".fill").evaluateAll((fills) => fills.map((fill) => fill.getBoundingClientRect().width));
  assert.equal(widths.length, 5);
  assert.equal(widths[0], 0);
  assert.ok(Math.abs(widths[1] / widths[2] - amounts[1] / amounts[2]) < 0.02, `${widths}`);
  assert.match(await winner.innerText(), /branch=dev allowed/);

  const away = page.locator(".away");
  assert.equal(await away.count(), 1);
  assert.match(await away.innerText(), /make ci/);
  assert.match(await away.innerText(), /os must match linux, but is not known/);
  assert.match(await away.innerText(), /env_required must match CI, but is not known/);
  await page.getByText("Scopes here ask for CI.").waitFor();

  await page.locator("#why").getByLabel("System").selectOption("windows");
  await away.getByText("is windows").waitFor();
  await page.locator("#why").getByLabel("System").selectOption("linux");
  await page.locator("#why").getByLabel("Environment").fill("CI=1");
  await page.locator(".variant").filter({ hasText: "env CI is set" }).waitFor();
  assert.equal(await away.count(), 0);
});

test("the panel follows what happens, and says when nothing applies", async (t) => {
  const stage = await Stage.start(t, { prepare });
  const { page } = stage;
  await openPanel(stage);
  await page.locator(".winner").filter({ hasText: "everywhere" }).waitFor();
  await stage.nudge("delete", "api", "build", "--everywhere");
  await page.getByText("No variant applies in this context.").waitFor();
  assert.equal(await page.locator(".away").count(), 2);
  await stage.nudge("delete", "api", "build", "--all");
  await page.getByText("There is no such hint any more.").waitFor();
  await page.locator("#place-words").click();
  await page.locator("#why").getByLabel("Folder").fill("relative/../..");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog[open]").count(), 0);
});

test("the context of a member can be taken over", async (t) => {
  let label;
  const stage = await Stage.start(t, {
    prepare: async (it) => {
      await prepare(it);
      label = `claude-code/2.1 · ${await it.join("claude-code", "2.1")}, dev`;
    },
  });
  const { page } = stage;
  await page.locator("#members").getByText(label).waitFor();
  await openPanel(stage);
  await page.locator("#why").getByLabel("In the context of").selectOption({ label });
  await page.locator(".winner").filter({ hasText: "make dev" }).waitFor();
  await page.locator("#place-words").click();
  assert.equal(await page.locator("#why").getByLabel("Repository").inputValue(), "git:github.com/acme/api");
  await page.locator("#why").getByLabel("Branch").fill("main");
  await page.locator(".winner").filter({ hasText: "everywhere" }).waitFor();
  assert.equal(await page.locator("#why").getByLabel("In the context of").inputValue(), "");
});
