// The page as a whole: what the keys and the buttons do, and how it all begins.

/** How often the members are asked for, who come and go without an event. */
const LOOK_EVERY = 10 * SECOND;

/** How long to wait for more changes before it is asked again what applies in a place. */
const SETTLED_AFTER = 300;

/** What each button of a row does. */
const ACTS = {
  open({ id }) {
    if (!opened.delete(id)) opened.add(id);
    if (doomed === id) doomed = null;
    render(new Set([id]), false);
  },
  async copy({ text, secret }, button) {
    if (secret) return;
    await navigator.clipboard.writeText(text);
    toastBriefly(button, "Copied");
  },
  edit: (entry) => openForm(entry, false),
  duplicate: (entry) => openForm(entry, true),
  keep: openKeep,
  why: ({ component, key }) => openWhy(component, key),
  delete: remove,
  fold({ id }) {
    if (!unfolded.delete(id)) unfolded.add(id);
    render(new Set([id]), false);
  },
};

/** Says something to who cannot see it. */
function say(words) {
  $("said").textContent = words;
}

/** Shows on a button that it has done its work, where there is one. */
function toastBriefly(button, words) {
  say(words);
  if (!button) return toast(`${words}.`);
  const before = button.textContent;
  button.textContent = words;
  return setTimeout(() => (button.textContent = before), 1.5 * SECOND);
}

function onRowClick({ target }) {
  const entry = hints.get(target.closest(".hint")?.dataset.id);
  const button = target.closest("[data-act]");
  // A line opens wherever it is pressed, unless somebody selects its text.
  const act = button?.dataset.act ?? (target.closest(".line") && getSelection().isCollapsed ? "open" : undefined);
  if (!entry || !act) return;
  makeCurrent(entry.id);
  attempt(() => ACTS[act](entry, button));
}

/** The keys that work on a row, and those that go to another. */
const ROW_KEYS = { e: "edit", d: "delete", Delete: "delete", w: "why", c: "copy", Enter: "open" };
const MOVES = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
/** The keys that work wherever nobody types. */
const KEYS = {
  "/": () => ($("filter").focus(), $("filter").select()),
  h: () => showView("home"),
  n: () => openForm(undefined, true),
  u: undoLast,
  p: openHere,
  "?": () => $("keys").showModal(),
};

function onKey(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  if (isTyping) {
    // The filter is left for its rows: with its words, or without them.
    if (!/^(Escape|ArrowDown)$/.test(key) || target !== $("filter")) return;
    if (key === "Escape") filterBy(target, "");
    if (!focusRow(key === "Escape" ? current : order[0]?.id)) target.blur();
  } else if (KEYS[key]) KEYS[key]();
  else if (!onRowKey(event, target.closest(".hint")?.dataset.id)) return;
  event.preventDefault();
}

/** Does what a key says about rows. Where none has the focus, it only goes to the current one. */
function onRowKey({ key, target }, id) {
  const isButton = target.tagName === "BUTTON";
  if (key === "Enter" && isButton) return false;
  // These scroll a page in which nobody is anywhere.
  if (!id && (/^(Arrow|Home|End|Delete)/.test(key) || target !== document.body && key === "Enter")) return false;
  if (!MOVES[key] && !ROW_KEYS[key] && key !== "Home" && key !== "End") return false;
  if (!id) return showView("hints"), focusRow(current);
  if (MOVES[key]) return focusRow(beside(id, MOVES[key]) ?? id);
  if (key === "Home" || key === "End") return focusRow(order.at(key === "Home" ? 0 : -1).id);
  attempt(() => ACTS[ROW_KEYS[key]](hints.get(id)));
  return true;
}

function showView(view) {
  document.documentElement.dataset.view = view;
  // A reload finds it there, as it does the key.
  history.replaceState({ ...history.state, view }, "");
  for (const name of ["home", "hints", "activity"]) $(`view-${name}`).setAttribute("aria-pressed", String(name === view));
}

/** Narrows the list, which whoever types words wants to see. */
function filterBy(filter, words) {
  if (filter.value !== words) filter.value = words;
  if (words) showView("hints");
  narrow({ words: words.toLowerCase().split(/\s+/).filter(Boolean) });
}

/** Asks again what applies, once changes have settled. */
let settling;
function settle() {
  clearTimeout(settling);
  settling = setTimeout(() => (askWhatApplies(), preview()), SETTLED_AFTER);
}

const on = (id, type, run) => $(id).addEventListener(type, run);

on("hints", "click", onRowClick);
on("hints", "focusin", ({ target }) => {
  const id = target.closest(".hint")?.dataset.id;
  if (id && id !== current) makeCurrent(id);
  if (doomed && !(id === doomed && target.dataset.act === "delete")) {
    const spared = doomed;
    doomed = null;
    render(new Set([spared]), false);
  }
});
on("hints", "animationend", ({ target }) => target.classList.remove("fresh"));
on("proposals", "click", decide);
on("projects", "click", trust);
on("filter", "input", ({ target }) => filterBy(target, target.value));
on("place", "change", ({ target }) => choosePlace(target.value));
on("source", "change", ({ target }) => narrow({ source: target.value }));
on("show", "change", ({ target }) => narrow({ show: target.value }));
on("sort", "change", ({ target }) => sortBy(target.value));
on("new", "click", () => openForm(undefined, true));
on("first", "click", () => openForm(undefined, true));
on("preview", "click", openHere);
on("open-sessions", "click", openSessions);
on("export", "click", download);
on("help", "click", () => $("keys").showModal());
for (const view of ["home", "hints", "activity"]) on(`view-${view}`, "click", () => showView(view));
for (const id of ["broken", "learned", "agents"]) on(id, "click", onHome);
on("why", "close", () => (slot = null));
on("here-narrow", "click", () => {
  const member = $("place-member").value;
  $("place").value = member || "typed";
  askWhatApplies();
  $("here").close();
});
on("place-member", "change", ({ target }) => (takePlace(target.value), placeChanged()));
on("place-form", "input", ({ target }) => {
  if (target === $("place-member")) return;
  $("place-member").value = "";
  if ($("place").value !== "") $("place").value = "typed";
  placeChanged();
});
on("sessions-words", "input", lookAtSessions);
on("sessions", "click", onSession);
on("edit-form", "input", showFields);
on("edit-form", "keydown", onFormKey);
on("keep-form", "keydown", onFormKey);
on("edit-discard", "click", () => $("edit").close());
on("edit-go-on", "click", goOnEditing);
on("edit", "cancel", (event) => isFilled() && (event.preventDefault(), askToDiscard()));
on("edit-form", "submit", submitForm);
on("keep-form", "change", previewKeep);
on("keep-form", "submit", submitKeep);
for (const form of document.querySelectorAll("form")) form.addEventListener("submit", (event) => event.preventDefault());
for (const dialog of document.querySelectorAll("dialog")) {
  const leave = () => (dialog.id === "edit" ? leaveForm() : dialog.close());
  for (const button of dialog.querySelectorAll(".close")) button.addEventListener("click", leave);
  // What is outside of its box is the dialog itself, too; but a form is not lost by a click beside it.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.id !== "edit" && dialog.close());
  dialog.addEventListener("close", () => document.activeElement === document.body && focusRow(current));
}
document.addEventListener("keydown", onKey);

setInterval(() => {
  const over = expire(Date.now());
  if (over.size > 0) {
    render(over, false);
    showOverwritten(over);
  }
  tick();
  tickProposals();
}, SECOND);

setInterval(async () => {
  if (document.hidden || document.documentElement.dataset.state !== "live") return;
  // Files go without an event, too, and time goes by.
  lookAtWork();
  if (document.documentElement.dataset.view === "home") showWeek();
  try {
    showStatus(await call("nudge.status"));
  } catch {
    // The stream finds out by itself when nobody answers.
  }
}, LOOK_EVERY);

showView(HANDED.view ?? "home");
showState("connecting");
beginHere();
follow({
  snapshot({ payload, proposals, context }) {
    render(replaceAll(payload), false);
    replaceProposals(proposals);
    showWork(context);
    showWeek();
    explain();
    settle();
  },
  begun: showStatus,
  history: note,
  changes(changes) {
    const touched = apply(changes);
    render(touched, true);
    applyToProposals(changes);
    showOverwritten(touched);
    note(changes);
    if (changes.some(({ what }) => what === "context")) lookAtWork();
    const isExplained = ({ component, key }) => component === slot?.component && key === slot?.key;
    if (slot && changes.some((change) => change.what === "clear" || isExplained(change))) explain();
    showWeek();
    settle();
    settleWeek();
  },
  live: () => showState("live"),
  lost: (words) => showState("lost", words),
});
