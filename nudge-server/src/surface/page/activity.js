// What happens, who is connected, and whether the page is live.

/** The most events that are listed. */
const MOST_EVENTS = 200;

/** Who shares the session, as the server last said. */
let members = [];
/** The session, which is the same for as long as a key is good, and the number of the latest event that is listed. */
let session = null;
let latest = 0;
/** What agents were told today, as the server last counted it. */
let lastTold;

/** Lists changes, the newest on top; those that are listed already are passed over. */
function note(changes) {
  const fresh = changes.filter(({ seq }) => seq > latest);
  if (fresh.length === 0) return;
  latest = fresh.at(-1).seq;
  const list = $("events");
  list.prepend(...fresh.slice(-MOST_EVENTS).map(eventOf).reverse());
  while (list.children.length > MOST_EVENTS) list.lastElementChild.remove();
  $("quiet").hidden = true;
}

const VERBS = {
  bump: "used", fail: "failed", delete: "deleted", expire: "ran out", clear: "replaced",
  context: "working on", propose: "proposed",
  // It was accepted, and then a set follows, or rejected, or others came after it.
  dismiss: "settled",
};

function verbOf({ what, before, value_changed: changed }) {
  if (what !== "set") return VERBS[what] ?? what;
  return before === 0 ? "added" : changed ? "changed" : "set again";
}

/** What an event says: the value of a hint, or what is being worked on. */
function saidBy({ what, hint, context, sets = [] }) {
  if (what === "context") return workInWords(workOf(context, sets)) || `no ${sets.join(", ")}`;
  if (what !== "set" && what !== "propose") return "";
  return hint?.meta?.sensitivity === "secret" ? "•••••• marked as secret" : textOf(hint?.value ?? "").slice(0, 120);
}

function eventOf(change) {
  const { at, what, component, key, scope, hint, proposal, why } = change;
  const time = new Date(at);
  const by = change.by ?? (what === "set" ? hint?.meta?.origin : undefined);
  const name = what === "clear" ? "everything" : key === undefined ? "" : `${component} / ${key}`;
  const value = saidBy(change);
  const more = [proposal ? `proposal ${proposal}` : "", scope ? scopeInWords(scope) : "", by ? who(by) : ""].filter(Boolean);
  return el("li", { class: "event" },
    el("p", {},
      el("time", { datetime: at }, time.toLocaleTimeString("en-GB")),
      el("span", { class: `verb ${what}` }, verbOf(change)),
      name ? el("span", { class: "slot" }, name) : null),
    value ? el("p", { class: "value" }, value) : null,
    why ? el("p", { class: "because" }, why) : null,
    more.length > 0 ? el("p", { class: "by" }, more.join(" · ")) : null);
}

function memberInWords({ pid, client, context }) {
  const place = [context?.cwd ?? context?.repo, context?.branch].filter(Boolean).join(", ");
  return [client ?? `process ${pid}`, place].filter(Boolean).join(" · ");
}

/** Says when this machine was last in step with which others, and why it is not. */
function showSync(sync) {
  $("sync").hidden = !sync;
  if (!sync) return;
  const others = sync.machines.length ? `with ${sync.machines.join(", ")}` : "no other machine yet";
  const last = sync.done_at ? `In step ${new Date(sync.done_at).toLocaleString()}` : "Never in step";
  $("sync").textContent = plain(sync.failed ? `${last}; sync fails: ${sync.failed}` : `${last}, ${others}`);
}

/** Shows who answers and who is connected. */
function showStatus(status) {
  session = status.session_id;
  // That an agent was told something is no change of a hint.
  const told = JSON.stringify(status.receipts);
  if (told !== lastTold) settleWeek(0);
  lastTold = told;
  showSync(status.sync);
  $("warnings").textContent = plain((status.warnings ?? []).join("; "));
  $("warnings").hidden = $("warnings").textContent === "";
  members = status.members ?? [];
  $("members").replaceChildren(...members.map((member) => el("li", {},
    el("span", { class: `role ${member.role}` }, member.role),
    el("span", { class: "member" }, memberInWords(member)),
    member.client ? el("span", { class: "pid" }, `process ${member.pid}`) : null)));
  $("member-count").textContent = number(members.length);
  $("version").textContent = plain(`${status.product} ${status.version}`);
  $("session").textContent = plain(`session ${session}`);
  $("url").textContent = plain(status.url);
  $("open-sessions").hidden = !status.settings?.observe;
  offerPlaces();
}

const STATES = {
  connecting: "connecting",
  live: "live",
  lost: "reconnecting",
};

/** When it is said at length that nobody answers. */
let worry;

/** Says whether what is shown is up to date. */
function showState(state, words = "") {
  document.documentElement.dataset.state = state;
  if ($("state").textContent !== STATES[state]) $("state").textContent = STATES[state];
  if (state !== "lost") {
    clearTimeout(worry);
    worry = undefined;
    $("lost").hidden = true;
  }
  worry ??= state === "lost" ? setTimeout(() => ($("lost").hidden = false), SECOND) : undefined;
  $("lost-words").textContent = words
    ? plain(words)
    : "Nudge does not answer, so what is shown may be old. This page goes on trying.";
  showTitle();
}

/** Says in the title how many proposals wait, for those who look at another tab. */
function showTitle() {
  const waiting = proposals.size > 0 ? `(${number(proposals.size)}) ` : "";
  document.title = `${waiting}Nudge${document.documentElement.dataset.state === "lost" ? " (reconnecting)" : ""}`;
}

/** Says something for a while, with what can be done about it. */
function toast(words, act) {
  const element = el("div", { class: "toast" }, el("p", {}, words));
  let timer;
  const close = () => {
    clearTimeout(timer);
    if (element.contains(document.activeElement) && !focusRow(current)) $("new").focus();
    element.remove();
  };
  // Nobody is hurried who has the pointer or the keyboard on it.
  const start = () => { clearTimeout(timer); timer = setTimeout(close, 10 * SECOND); };
  const hold = () => clearTimeout(timer);
  const button = (attributes, label, run) => {
    const made = el("button", { type: "button", ...attributes }, label);
    made.addEventListener("click", () => { close(); run?.(); });
    element.append(made);
  };
  // Only what was done last can be taken back.
  document.querySelectorAll(".toast .act").forEach((older) => older.remove());
  if (act) button({ class: "act", "aria-keyshortcuts": "u" }, act.label, act.run);
  button({ "aria-label": "Dismiss" }, "×");
  for (const type of ["pointerenter", "focusin"]) element.addEventListener(type, hold);
  for (const type of ["pointerleave", "focusout"]) element.addEventListener(type, start);
  $("toasts").append(element);
  start();
}
