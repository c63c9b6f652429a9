// The page stays with the session, whoever serves it, and knows another one when it meets it.

import assert from "node:assert/strict";
import { once } from "node:events";
import { access } from "node:fs/promises";
import { after, test } from "node:test";
import { Stage, close } from "./stage.js";

after(close);

const keys = (stage) => stage.page.locator(".hint .key").allInnerTexts();
const events = (stage) => stage.page.locator("#events .slot").allInnerTexts();

test("a server that is killed has a successor, whose page goes on without a hint lost or doubled", async (t) => {
  const stage = await Stage.start(t, {
    env: { NUDGE_AUTOSTART: "1" },
    async prepare(it) {
      await it.join("claude-code", "2");
      for (const key of ["a", "b"]) await it.nudge("set", "api", key, "x");
    },
  });
  assert.deepEqual(await keys(stage), ["a", "b"]);
  assert.equal(await stage.page.locator("#members li").count(), 2);
  const [primary] = stage.servers;
  primary.kill("SIGKILL");
  await once(primary, "exit");
  await stage.nudge("set", "api", "c", "x");
  // The port of the page was the first PRIMARY's.
  await stage.page.locator("#lost").getByText("nudge ui").waitFor();
  await stage.enter();
  assert.deepEqual(await keys(stage), ["a", "b", "c"]);
  // What it did not see itself it cannot tell of.
  await stage.page.locator(".event").waitFor();
  assert.deepEqual(await events(stage), ["api / c"]);
});

test("a session that has ended leaves no file behind and no key that the next one takes", async (t) => {
  const stage = await Stage.start(t, {
    async prepare(it) {
      for (const key of ["a", "b", "c"]) await it.nudge("set", "api", key, "x", "--ttl", "session");
    },
  });
  const [old] = stage.servers;
  await stage.nudge("stop");
  if (old.exitCode === null) await once(old, "exit");
  await stage.page.locator("[data-state=lost]").waitFor();
  await stage.page.locator("#lost").waitFor();
  await assert.rejects(access(new URL(stage.file)), { code: "ENOENT" });
  const key = await stage.page.evaluate(() => history.state.key);
  await stage.serve(stage.port);
  await stage.enter();
  assert.notEqual(await stage.page.evaluate(() => history.state.key), key);
  await stage.page.getByText("No hints yet").waitFor();
  const told = await stage.page.evaluate(ask, key);
  assert.deepEqual(told, [403, "a browser is let in by the key that `nudge ui` gives to the page it opens\n"]);
  stage.complaints.length = 0;
  await stage.nudge("set", "web", "d", "x");
  await stage.row("d").waitFor();
  assert.deepEqual(await keys(stage), ["d"]);
  assert.deepEqual(await events(stage), ["web / d"]);
});

/** What the server says to a key. */
async function ask(key) {
  const headers = { "Content-Type": "application/json", "Nudge-Page-Key": key };
  const answer = await fetch("/rpc", { method: "POST", headers, body: '{"jsonrpc": "2.0", "id": 1, "method": "nudge.status"}' });
  return [answer.status, await answer.text()];
}

/** Lets a stream of our own answer the page first; then the server does. */
function firstStream(headers, body) {
  return async (page) => {
    let calls = 0;
    await page.route("**/events", async (route) => {
      if (calls++ > 0) return route.continue();
      return route.fulfill({ status: 200, headers: { "Content-Type": "text/event-stream", ...headers() }, body: body() });
    });
  };
}

const ghost = (seq) => {
  const at = new Date().toISOString();
  const hint = { value: "x", meta: {}, version: 1, created_at: at, updated_at: at, use_count: 0 };
  const change = { seq, at, what: "set", component: "api", key: "ghost", before: 0, after: 1, hint };
  return `id: ${seq}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;
};

test("a page that missed changes asks for everything anew", async (t) => {
  let status;
  const stage = await Stage.start(t, {
    async prepare(it) {
      await it.nudge("set", "api", "a", "x");
      status = await it.call("nudge.status");
    },
    arrange: firstStream(() => ({ "Nudge-Session": status.session_id }), () => ghost(status.last_change + 2)),
  });
  await stage.page.waitForFunction(() => performance.getEntriesByName(`${location.href}events`).length > 0);
  await stage.nudge("set", "api", "b", "x");
  await stage.row("b").waitFor();
  assert.deepEqual(await keys(stage), ["a", "b"]);
  assert.deepEqual(await events(stage), ["api / b", "api / a"]);
});

test("the events of another session are not taken for changes of this one", async (t) => {
  const stage = await Stage.start(t, {
    prepare: (it) => it.nudge("set", "api", "a", "x"),
    arrange: firstStream(() => ({ "Nudge-Session": "s-another" }), () => ghost(2)),
  });
  await stage.nudge("set", "api", "b", "x");
  await stage.row("b").waitFor();
  assert.deepEqual(await keys(stage), ["a", "b"]);
  assert.deepEqual(await events(stage), ["api / b", "api / a"]);
});

test("a write whose answer is lost is not made twice", async (t) => {
  const stage = await Stage.start(t, { prepare: (it) => it.nudge("set", "api", "a", "x") });
  const ids = [];
  await stage.page.route("**/rpc", async (route) => {
    const headers = route.request().headers();
    const id = headers["nudge-request-id"];
    if (!id) return route.continue();
    ids.push(id);
    assert.match(headers["nudge-page-key"], /^[0-9a-f]{64}$/);
    if (ids.length > 1) return route.continue();
    // The server does it, and nobody hears of it.
    await route.fetch();
    return route.abort("connectionreset");
  });
  await stage.press(stage.row("a"), "Delete");
  await stage.page.getByText("Deleted api / a.").waitFor();
  assert.equal(ids.length, 2);
  assert.equal(ids[0], ids[1]);
});

test("a stream that has fallen silent is opened anew, and what it told before is not told twice", async (t) => {
  const stage = await Stage.start(t, { clock: true, prepare: (it) => it.nudge("set", "api", "a", "x") });
  await stage.page.locator(".event").waitFor();
  const again = stage.page.waitForRequest("**/events");
  await stage.page.clock.fastForward(41_000);
  await again;
  await stage.nudge("set", "api", "b", "x");
  await stage.row("b").waitFor();
  assert.deepEqual(await events(stage), ["api / b", "api / a"]);
});

test("a page that nobody looks at lets its connection go, and is up to date when somebody does", async (t) => {
  const stage = await Stage.start(t, { clock: true });
  const { page } = stage;
  const show = (isShown) => page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, !isShown);
  const ended = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/events"));
  await page.clock.pauseAt(Date.now() + 500);
  await show(false);
  await page.clock.runFor(30_500);
  await ended;
  await page.clock.resume();
  await stage.nudge("set", "api", "a", "x");
  assert.equal(await page.title(), "Nudge");
  assert.equal(await stage.row("a").count(), 0);
  await show(true);
  await stage.row("a").waitFor();
  assert.equal(await page.locator(".hint").count(), 1);
});
