// The page as a whole: what the keys and the buttons do, and how it all begins.

/** How often the members are asked for, who come and go without an event. */
const LOOK_EVERY = 10 * SECOND;

/** What each button of a row does. */
const ACTS = {
  async copy({ text }, button) {
    await navigator.clipboard.writeText(text);
    toastBriefly(button, "Copied");
  },
  why({ component, key }) {
    openWhy(component, key);
  },
  delete(entry, button) {
    // What is marked as secret never came here, so it cannot be put back.
    if (entry.secret && !button.dataset.sure) {
      button.dataset.sure = "asked";
      button.textContent = "Delete for good?";
      say(`${plain(entry.key)} is marked as secret and cannot be brought back. Press again to delete it.`);
      button.addEventListener("blur", () => {
        delete button.dataset.sure;
        button.textContent = "Delete";
      }, { once: true });
      return undefined;
    }
    return remove(entry);
  },
  fold({ id }) {
    if (!unfolded.delete(id)) unfolded.add(id);
    render(new Set([id]), false);
  },
};

/** Says something to who cannot see it. */
function say(words) {
  $("said").textContent = words;
}

/** Shows on a button that it has done its work. */
function toastBriefly(button, words) {
  const before = button.textContent;
  button.textContent = words;
  say(words);
  setTimeout(() => (button.textContent = before), 1.5 * SECOND);
}

async function remove({ component, key, hint, secret }) {
  const scope = hint.meta?.scope ?? {};
  const { previous } = await write("nudge.delete_hint", { component, key, scope });
  if (secret) {
    toast(`Deleted ${component} / ${key}.`);
    return;
  }
  toast(`Deleted ${component} / ${key}.`, { label: "Undo", run: () => attempt(() => bringBack(component, key, previous)) });
}

/** Puts a hint back as it was, with its counts and times: an import keeps them. */
async function bringBack(component, key, hint) {
  const payload = { schema_version: "1.0", components: { [component]: { hints: { [key]: hint } } } };
  const { imported, problems } = await write("nudge.import", { payload });
  if (imported === 0) {
    toast(problems[0]?.message ?? `${component} / ${key} was set anew meanwhile, and that stays.`);
    return;
  }
  elementOf(identity(component, key, hint.meta?.scope))?.focus();
  say(`${plain(key)} is back.`);
}

/** Writes all hints to a file of the browser's, but for secrets. */
async function download() {
  const { payload, secrets_left_out: secrets } = await call("nudge.export", { format: "json" });
  const file = new Blob([`${JSON.stringify(payload, null, 2)}\n`], { type: "application/json" });
  const link = el("a", { href: URL.createObjectURL(file), download: `nudge-${session}.json` });
  link.click();
  URL.revokeObjectURL(link.href);
  if (secrets > 0) toast(`Left out ${counted(secrets, "hint")} marked as secret.`);
}

/** Does something that may fail, and says so if it does. */
async function attempt(run) {
  try {
    await run();
  } catch (error) {
    toast(error instanceof Refusal ? error.message : "Nudge does not answer; try again when it is live.");
  }
}

function actOn(target) {
  const element = target.closest(".hint");
  const entry = hints.get(element?.dataset.id);
  const button = target.closest("[data-act]");
  if (!entry || !button) return;
  makeCurrent(entry.id);
  attempt(() => ACTS[button.dataset.act](entry, button));
}

/** The keys that work on a row. */
const ROW_KEYS = { Enter: "why", w: "why", c: "copy", Delete: "delete", e: "fold" };
const MOVES = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

function onRowKey(event) {
  const element = event.target.closest(".hint");
  if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
  const isButton = event.target.tagName === "BUTTON";
  let to;
  if (MOVES[event.key]) to = beside(element.dataset.id, MOVES[event.key]);
  else if (event.key === "Home") to = visibleIds()[0];
  else if (event.key === "End") to = visibleIds().at(-1);
  else if (ROW_KEYS[event.key] && !(isButton && event.key === "Enter")) {
    const button = element.querySelector(`[data-act="${ROW_KEYS[event.key]}"]`);
    if (!button) return;
    if (event.key === "Delete") button.focus();
    button.click();
  } else return;
  event.preventDefault();
  if (to) {
    makeCurrent(to);
    elementOf(to).focus();
  }
}

function onKey(event) {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && event.target === $("filter")) {
    $("filter").value = "";
    filterBy("");
  } else if (!isTyping && event.key === "/") {
    $("filter").focus();
    $("filter").select();
  } else if (!isTyping && event.key === "?") {
    $("keys").showModal();
  } else if (!isTyping && event.key === "u") {
    [...document.querySelectorAll(".toast .act")].at(-1)?.click();
  } else return;
  event.preventDefault();
}

function showView(view) {
  document.documentElement.dataset.view = view;
  for (const name of ["hints", "activity"]) $(`view-${name}`).setAttribute("aria-pressed", String(name === view));
}

$("hints").addEventListener("click", (event) => actOn(event.target));
$("hints").addEventListener("keydown", onRowKey);
$("hints").addEventListener("focusin", ({ target }) => {
  const id = target.closest(".hint")?.dataset.id;
  if (id && id !== current) makeCurrent(id);
});
$("proposals").addEventListener("click", decide);
$("filter").addEventListener("input", ({ target }) => filterBy(target.value));
$("export").addEventListener("click", () => attempt(download));
$("help").addEventListener("click", () => $("keys").showModal());
$("view-hints").addEventListener("click", () => showView("hints"));
$("view-activity").addEventListener("click", () => showView("activity"));
$("why").addEventListener("close", () => {
  slot = null;
  elementOf(current)?.focus();
});
$("why-member").addEventListener("change", ({ target }) => (takeMember(target.value), explain()));
$("why-form").addEventListener("input", ({ target }) => {
  if (target !== $("why-member")) {
    $("why-member").value = "";
    explain();
  }
});
$("why-form").addEventListener("submit", (event) => event.preventDefault());
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  // What is outside of its box is the dialog itself, too.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
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
  // Files go without an event, too.
  lookAtWork();
  try {
    showStatus(await call("nudge.status"));
  } catch {
    // The stream finds out by itself when nobody answers.
  }
}, LOOK_EVERY);

showView("hints");
showState("connecting");
follow({
  snapshot({ status, payload, proposals, context }) {
    showStatus(status);
    render(replaceAll(payload), false);
    replaceProposals(proposals);
    showWork(context);
    explain();
  },
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
  },
  live: () => showState("live"),
  lost: (words) => showState("lost", words),
});
