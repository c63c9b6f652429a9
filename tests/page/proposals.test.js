// What waits for a person to decide: seen beside what it would overwrite, and never shown as a hint before.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Stage, close } from "./stage.js";

after(close);

/** An agent says something else than the user has said. */
async function disagree(it) {
  await it.nudge("set", "api", "build", "make router", "--reason", "the user's own");
  await it.nudge("set", "api", "build", "docker compose build", "--source", "agent", "--reason", "make failed");
}

const proposal = (page, value) => page.locator(".proposal").filter({ hasText: value });
const press = (page, value, name) => proposal(page, value).getByRole("button", { name }).click();

test("a set of an agent's that meets the user's waits, is accepted, and is then the hint", async (t) => {
  const stage = await Stage.start(t);
  const { page } = stage;
  assert.equal(await page.locator("#proposals").isVisible(), false);
  await disagree(stage);
  const waiting = proposal(page, "docker compose build");
  await waiting.waitFor();
  const text = await waiting.innerText();
  for (const part of ["api / build", "make failed", "would overwrite what the user has set", "everywhere", "proposed ", "agent, nudge/", "over cli"]) {
    assert.ok(text.includes(part), `${part} is not in ${text}`);
  }
  assert.match(await waiting.locator(".overwritten").innerText(), /Stands there now[^]*user, nudge\/[^]*make router[^]*the user's own/);
  assert.match(await page.locator(".event").first().innerText(), /proposed\s+api \/ build[^]*docker compose build[^]*proposal 1 · nudge\/.* over cli/);
  assert.equal(await page.title(), "(1) Nudge");
  // It is no hint yet.
  assert.equal(await page.locator(".hint").count(), 1);
  assert.equal(await stage.row("build").locator(".value").innerText(), "make router");

  await press(page, "docker compose build", "Accept");
  await stage.row("build").getByText("docker compose build").waitFor();
  await page.getByText("Accepted api / build.").waitFor();
  await page.locator("#proposals").waitFor({ state: "hidden" });
  assert.equal(await page.title(), "Nudge");
  assert.equal((await stage.nudge("get", "api", "build", "--raw")).trim(), "docker compose build");
  const said = await page.locator(".event").evaluateAll((events) => events.slice(0, 2).map((event) => event.innerText));
  assert.match(said[0], /changed\s+api \/ build[^]*over page/);
  assert.match(said[1], /settled\s+api \/ build[^]*proposal 1 · over page/);
});

test("a proposal that is rejected goes, and what stands there stays", async (t) => {
  const stage = await Stage.start(t, { prepare: disagree });
  const { page } = stage;
  await press(page, "docker compose build", "Reject");
  await page.getByText("Rejected api / build.").waitFor();
  await page.locator("#proposals").waitFor({ state: "hidden" });
  assert.equal(await stage.row("build").locator(".value").innerText(), "make router");
  assert.equal(await stage.nudge("get", "api", "build", "--raw"), "make router\n");
  await page.reload();
  await stage.isLive();
  assert.equal(await page.locator(".proposal").count(), 0);
  assert.equal(await page.locator(".hint").count(), 1);
});

test("two browsers agree on what waits, and the second to decide is told", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      await disagree(it);
      await it.nudge("set", "api", "test", "make test");
      await it.nudge("set", "api", "test", "bazel build", "--source", "agent");
    },
  });
  const { page } = stage;
  const other = await (await page.context().browser().newContext()).newPage();
  t.after(() => other.context().close());
  await stage.enter(other);
  await other.locator("[data-state=live]").waitFor();
  const [here, there] = [page, other].map((one) => one.locator(".proposal"));
  assert.deepEqual([await here.count(), await there.count()], [2, 2]);

  // The other has not heard of it when it decides.
  let isLate = true;
  await other.route("**/rpc", async (route) => {
    if (isLate) await stage.call("nudge.reject", { id: 1 });
    isLate = false;
    return route.continue();
  });
  await press(other, "docker compose build", "Accept");
  await other.getByText("no proposal 1 waits").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".proposal").length === 1);

  await press(page, "bazel build", "Accept");
  for (const one of [page, other]) {
    await one.locator("#proposals").waitFor({ state: "hidden" });
    await one.locator(".hint").getByText("bazel build").waitFor();
  }
});

test("what the user sets or deletes, nobody has to decide about any more", async (t) => {
  const stage = await Stage.start(t, { prepare: disagree });
  const { page } = stage;
  await proposal(page, "docker compose build").waitFor();
  await stage.nudge("set", "api", "build", "make dev", "--scope-branch", "dev");
  await stage.row("build").nth(1).waitFor();
  assert.equal(await page.locator(".overwritten .value").innerText(), "make router");
  await stage.nudge("set", "api", "build", "make all", "--everywhere");
  await page.locator("#proposals").waitFor({ state: "hidden" });
});

test("what would be deleted says so", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      await it.nudge("set", "api", "build", "make router");
      it.env.CODEX_THREAD_ID = "s-1";
      await it.nudge("delete", "api", "build", "--everywhere");
      delete it.env.CODEX_THREAD_ID;
    },
  });
  const { page } = stage;
  assert.equal(await proposal(page, "would delete").locator(".kind").innerText(), "delete");
  await press(page, "would delete", "Accept");
  await page.getByText("No hints yet").waitFor();
});

test("neither a double click nor a key that is held decides about the next one", async (t) => {
  const values = ["one", "two", "three", "four"];
  const stage = await Stage.start(t, {
    async prepare(it) {
      for (const value of values) await it.call("nudge.propose", { component: "api", key: value, value, why: "it worked" });
    },
  });
  const { page } = stage;
  const keys = () => page.locator(".proposal h3").allInnerTexts();
  const accept = page.locator(".proposal").first().getByRole("button", { name: "Accept" });
  const { x, y } = await accept.boundingBox();
  await page.mouse.click(x + 5, y + 5);
  await proposal(page, "one").waitFor({ state: "detached" });
  // The second half of it, after the first has done its work.
  await page.mouse.move(x + 5, y + 5);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await proposal(page, "two").getByRole("button", { name: "Reject" }).focus();
  await page.keyboard.press("Enter");
  await proposal(page, "two").waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.querySelector("h3").textContent), "api / three");
  await page.keyboard.press("Enter");
  await stage.nudge("set", "api", "marker", "x");
  await stage.row("marker").waitFor();
  assert.deepEqual(await keys(), ["api / three", "api / four"]);
});

test("a hostile proposal stays text", async (t) => {
  const hostile = "<img src=x onerror='window.hit = 1'></li><script>window.hit = 1</script>\u202egnp.exe\u001b[2J";
  // An active character is allowed in values only.
  const sentence = hostile.replace(/[\u001b\u202e]/g, "");
  const stage = await Stage.start(t, {
    async prepare(it) {
      await it.call("nudge.propose", { component: "__proto__", key: "<b>key</b>", value: hostile, why: sentence, meta: { reason: sentence, tags: ["<i>tag</i>"], scope: { branch: "<u>" } } });
      await it.call("nudge.propose", { component: "api", key: "long", value: "word\n".repeat(900), why: "it is long" });
      await it.call("nudge.set_context", { sets: { files: ["<img src=x>"], "<b>": [sentence], constructor: ["y"] } });
      await it.call("nudge.set_context", JSON.parse('{"sets": {"__proto__": ["x"]}}'));
    },
  });
  const { page } = stage;
  const spelled = (text) => text.replace("\u202e", "\\u{202e}").replace("\u001b", "\\x1b");
  const [row] = await page.locator(".proposal").all();
  assert.equal(await row.locator("h3").textContent(), "__proto__ / <b>key</b>");
  assert.equal(await row.locator(".value").textContent(), spelled(hostile));
  for (const part of [".because", ".reason"]) assert.equal(await row.locator(part).textContent(), spelled(sentence));
  const long = proposal(page, "it is long");
  assert.ok((await long.locator(".value").textContent()).length < 1000);
  await long.getByRole("button", { name: "Show all" }).click();
  assert.equal((await long.locator(".value").textContent()).length, 4500);
  await page.locator("#working summary").click();
  const line = await page.locator("#working-line").textContent();
  assert.equal(line, `<b> ${spelled(sentence)} · __proto__ x · constructor y · files <img src=x>`);
  await page.locator(".event .value").getByText("__proto__ x", { exact: true }).first().waitFor();
  await press(page, "gnp.exe", "Accept");
  await page.locator(".hint").waitFor();
  const made = await page.evaluate(() => [window.hit, ...document.querySelectorAll("main :is(img, b, i, u, a, script), footer :is(img, b)")].map(String));
  assert.deepEqual(made, ["undefined"]);
});

test("a secret that is proposed never reaches the page", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      await it.nudge("set", "api", "password", "swordfish-4711", "--allow-secret");
      await it.nudge("set", "api", "password", "swordfish-4712", "--allow-secret", "--source", "agent");
      await it.nudge("set", "api", "pin", "swordfish-4713", "--allow-secret");
    },
  });
  const { page } = stage;
  await stage.nudge("set", "api", "pin", "swordfish-4714", "--allow-secret", "--source", "agent");
  await page.locator(".proposal").nth(1).waitFor();
  // What is proposed, and what stands there.
  assert.equal(await page.locator(".proposal").getByText("masked: this value is marked as secret").count(), 4);
  await page.locator(".proposal").first().getByRole("button", { name: "Reject" }).click();
  await page.getByText("Rejected api / password.").waitFor();
  await page.locator(".proposal").first().getByRole("button", { name: "Accept" }).click();
  await (await stage.open(stage.row("pin"))).getByText("v2").waitFor();
  await page.getByText("Accepted api / pin.").waitFor();
  const heard = [await page.content(), ...(await Promise.all(stage.bodies))].join("\n");
  assert.ok(heard.includes("api / password"));
  assert.ok(!heard.includes("swordfish"));
  assert.equal((await stage.nudge("get", "api", "pin", "--raw")).trim(), "swordfish-4714");
});

test("a decision whose answer is lost is not made twice", async (t) => {
  const stage = await Stage.start(t, { prepare: disagree });
  const ids = [];
  await stage.page.route("**/rpc", async (route) => {
    const headers = route.request().headers();
    const id = headers["nudge-request-id"];
    if (!id) return route.continue();
    ids.push(id);
    assert.match(headers["nudge-page-key"], /^[0-9a-f]{64}$/);
    if (ids.length > 1) return route.continue();
    await route.fetch();
    return route.abort("connectionreset");
  });
  await press(stage.page, "docker compose build", "Accept");
  await stage.page.getByText("Accepted api / build.").waitFor();
  assert.equal(ids.length, 2);
  assert.equal(ids[0], ids[1]);
});
