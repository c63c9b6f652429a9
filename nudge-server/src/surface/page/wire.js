// What goes over the wire: calls to /rpc, and the stream of /events.

// `nudge ui` hands over a key, and where it was typed, in the part of the address that is sent
// to nobody. They leave the address at once, so that no bookmark keeps them, and stay with this
// entry of the tab's history: a reload has them, and nothing else that is ever shown here does.
const handed = new URLSearchParams(location.hash.slice(1));
if (handed.has("key")) {
  history.replaceState({ key: handed.get("key"), place: JSON.parse(handed.get("place")) }, "", location.pathname);
}

const HANDED = history.state ?? {};
const HEADERS = { "Nudge-Page-Key": HANDED.key ?? "" };

/** How long a call may take. */
const CALL_WITHIN = 10 * SECOND;

/** How long a stream may be silent; a server says every 15 seconds that it is there. */
const SILENT_FOR = 40 * SECOND;

/** How long to wait before the server is looked for again, at first and at most. */
const [FIRST_PAUSE, LAST_PAUSE] = [100, 4 * SECOND];

/** How long a page that nobody looks at keeps its stream: a browser has six connections for all of its tabs. */
const UNSEEN_FOR = 30 * SECOND;

/** How many changes before the snapshot are asked for, to be shown as what has happened. */
const HISTORY = 100;

/** Why the server did not do what it was asked. */
class Refusal extends Error {
  constructor({ message, data }) {
    super(message);
    this.reason = data?.reason;
    this.detail = data?.detail;
  }
}

/** Reads JSON; whole numbers that JavaScript would round stay as they are written. */
function read(text) {
  if (!JSON.rawJSON || !/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, { source }) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? JSON.rawJSON(source) : value);
}

/** Makes several calls in one request; gives their responses back in the same order. */
async function ask(calls, headers = {}) {
  const body = calls.map(([method, params = {}], id) => ({ jsonrpc: "2.0", id, method, params }));
  const response = await fetch("/rpc", {
    method: "POST",
    headers: { ...HEADERS, ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_WITHIN),
  });
  if (!response.ok) throw new Refusal({ message: (await response.text()).trim() });
  const answers = read(await response.text());
  return calls.map((_, id) => answers.find((answer) => answer.id === id));
}

/** Makes a call; throws a `Refusal` when the server says no. */
async function call(method, params, headers) {
  const [{ result, error }] = await ask([[method, params]], headers);
  if (error) throw new Refusal(error);
  return result;
}

/** Makes a call that changes something. One whose answer was lost is made again under its id, and so not twice. */
async function write(method, params) {
  const headers = { "Nudge-Request-Id": `page-${crypto.randomUUID()}` };
  const start = Date.now();
  for (let pause = FIRST_PAUSE; ; pause *= 2) {
    try {
      return await call(method, params, headers);
    } catch (error) {
      if (error instanceof Refusal || Date.now() - start > CALL_WITHIN) throw error;
    }
    await wait(pause);
  }
}

function wait(span) {
  return new Promise((done) => setTimeout(done, span));
}

/** All that is shown. The status is from before, so that the changes after it are those that may be missing here. */
async function snapshot() {
  const answers = await ask([
    ["nudge.export", { format: "json", include_secrets: true }],
    ["nudge.list_proposals"],
    ["nudge.get_context"],
  ]);
  const error = answers.find((answer) => answer.error)?.error;
  if (error) throw new Refusal(error);
  const [{ payload }, { proposals }, context] = answers.map(({ result }) => result);
  return { payload, proposals, context };
}

/**
 * Follows the server for as long as the page is there. `on` is told when it has `begun`, of each
 * `snapshot`, of each batch of `changes` after it, and when all is `live` or `lost`.
 *
 * Every connection begins with a snapshot, because what happened while there was
 * none is unknown.
 */
async function follow(on) {
  // To those who do not look nothing is lost.
  const lost = (error) => document.hidden || on.lost(error instanceof Refusal ? error.message : "");
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LAST_PAUSE)) {
    try {
      await seen();
      const status = await call("nudge.status");
      on.begun(status);
      on.snapshot(await snapshot());
      await listen(status, on, () => (pause = FIRST_PAUSE));
      lost();
    } catch (error) {
      lost(error);
    }
    await wait(pause);
  }
}

/** Waits until somebody looks at the page. */
function seen() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
}

/** Reads the stream until it ends, falls silent, skips a change, or is another session's. */
async function listen({ session_id, last_change }, on, opened) {
  const end = new AbortController();
  let silence = setTimeout(() => end.abort(), SILENT_FOR);
  let unseen;
  const look = () => {
    clearTimeout(unseen);
    if (document.hidden) unseen = setTimeout(() => end.abort(), UNSEEN_FOR);
  };
  document.addEventListener("visibilitychange", look);
  try {
    const headers = { ...HEADERS, "Last-Event-ID": String(Math.max(0, last_change - HISTORY)) };
    const response = await fetch("/events", { headers, signal: end.signal });
    if (!response.ok) throw new Refusal({ message: (await response.text()).trim() });
    if (response.headers.get("Nudge-Session") !== session_id) return;
    opened();
    on.live();
    let seq = last_change;
    let text = "";
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(() => end.abort(), SILENT_FOR);
      const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = blocks.pop();
      const changes = blocks.map(changeOf).filter(Boolean);
      const before = changes.filter((change) => change.seq <= last_change);
      const after = changes.filter((change) => change.seq > last_change);
      if (before.length > 0) on.history(before);
      // Who is too slow for the ring misses changes; then it has to read everything again.
      if (after.some((change) => change.seq !== ++seq)) return;
      if (after.length > 0) on.changes(after);
    }
  } finally {
    clearTimeout(silence);
    clearTimeout(unseen);
    document.removeEventListener("visibilitychange", look);
    end.abort();
  }
}

/** The change that an event tells of; nothing for a sign of life. */
function changeOf(block) {
  const data = block.split("\n").find((line) => line.startsWith("data: "));
  return data && read(data.slice("data: ".length));
}
