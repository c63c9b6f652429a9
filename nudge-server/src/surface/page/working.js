// What is being worked on: one line, and all of it for who unfolds it.

/** Only the answer to the last question is shown, and only where it is another. */
let lastLook = 0;
let lastShown = "";

/** Asks what is being worked on. An event tells it as well, but not which files are gone. */
async function lookAtWork() {
  const asked = ++lastLook;
  try {
    const context = await call("nudge.get_context");
    if (asked === lastLook) showWork(context);
  } catch {
    // The stream finds out by itself when nobody answers.
  }
}

function showWork(context) {
  lastLook++;
  if (JSON.stringify(context) === lastShown) return;
  lastShown = JSON.stringify(context);
  const everybody = [context, ...context.others ?? []].filter((one) => setsOf(one).length > 0);
  $("working").hidden = everybody.length === 0;
  $("working-line").replaceChildren(...shown(everybody.map((one) => whose(one) + workInWords(one)).join(" | ")));
  $("working-sets").replaceChildren(...everybody.flatMap((one) => setsOf(one).map((name) => el("div", {},
    el("dt", {}, whose(one), name, lost(one, name)),
    ...(one.sets[name] ?? []).map((item) => el("dd", {}, item))))));
}

/** Who works on something, and in which repository. What the terminal says, the user does. */
function whose({ client, repo, ended }) {
  const who = client?.startsWith("nudge/") ? "you" : client?.split("/")[0];
  const names = [who && (ended ? `left by ${who}` : who), repo && `in ${repo.split("/").at(-1)}`];
  const words = names.filter(Boolean).join(" ");
  return words && `${words}: `;
}

/** The sets by name, also one of which every file is gone. */
function setsOf({ sets, gone = {} }) {
  return [...new Set([...Object.keys(sets), ...Object.keys(gone)])].sort();
}

function lost({ gone = {} }, name) {
  return Object.hasOwn(gone, name) ? ` (${number(gone[name])} gone)` : "";
}

/** All of it in a line, files without the folder that they share. */
function workInWords(context) {
  const told = (name) => {
    const items = context.sets[name] ?? [];
    const words = (name === "files" ? shortened(items) : items).join(", ");
    return `${[name, words].filter(Boolean).join(" ")}${lost(context, name)}`;
  };
  return setsOf(context).map(told).join(" · ");
}

function shortened(files) {
  const parts = files.map((file) => file.split("/"));
  const folders = (parts[0] ?? []).slice(0, -1);
  const differs = folders.findIndex((name, at) => parts.some((other) => other.length - 1 <= at || other[at] !== name));
  const shared = differs < 0 ? folders.length : differs;
  // That all are below the root says nothing, and without it they look like other files.
  return shared > 1 ? parts.map((part) => part.slice(shared).join("/")) : files;
}

/** What an event tells of it: the items of the sets that changed, or of all where none did. */
function workOf({ items }, changed = []) {
  // A set may have any name, also that of what every object has.
  const sets = Object.create(null);
  for (const { set, item } of items) {
    if (changed.length === 0 || changed.includes(set)) (sets[set] ??= []).push(item);
  }
  return { sets };
}
