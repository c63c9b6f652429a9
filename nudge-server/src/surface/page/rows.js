// One row: a variant in a line, which opens to all that is known about it and can be done with it.

/** Longer values are folded, and taller ones, to something that is clearly less. */
const [MOST_LETTERS, MOST_LINES] = [640, 12];
const [LETTERS, LINES] = [480, 6];

/** As much of a value as a line on a wide screen has room for. */
const LINE_LETTERS = 240;

/** The blanks of a template, as its languages write them. */
const BLANKS = /(\{\{.*?\}\}|\{%.*?%\}|\$\{.*?\})/su;

/** The variants that are open, and those whose long values are shown whole. */
const opened = new Set();
const unfolded = new Set();
/** The secret that goes for good when its button is pressed again. */
let doomed = null;

/** A row, what the keyboard reaches in it, and the parts of it that change as time goes by. */
function rowOf(entry, isFresh) {
  const { id, hint, end } = entry;
  const ticks = [];
  const timed = timedInto(ticks);
  const isOpen = opened.has(id);
  const { use_count: uses, fail_count: failures = 0 } = hint;
  const key = el("button", { type: "button", class: "key", "data-act": "open", tabindex: -1, "aria-expanded": String(isOpen), "aria-label": `${entry.component} / ${entry.key}` }, entry.key);
  const element = el("div", { class: `hint${isOpen ? " open" : ""}${isFresh ? " fresh" : ""}`, role: "listitem" },
    el("div", { class: "line" },
      el("h3", {}, el("span", { class: "component" }, `${entry.component} / `), key),
      isOpen ? el("span", { class: "gap" }) : lineOf(entry),
      el("span", { class: hint.meta?.scope ? "where" : "where all" }, scopeInBrief(hint.meta?.scope)),
      failures > 0
        ? el("span", { class: "uses failing" }, `failed ${number(failures)}×`)
        : el("span", { class: "uses" }, uses > 0 ? `${number(uses)}×` : "unused"),
      end < Infinity ? timed("left", leftOf(end)) : timed("when", (now) => ago(Date.parse(hint.updated_at), now)),
      el("span", { class: "by" }, entry.sources.at(-1) ?? "")),
    isOpen ? moreOf(entry, timed) : null);
  element.dataset.id = id;
  const row = { element, key, ticks };
  tickRow(row, Date.now());
  return row;
}

/** A value in one line. */
function lineOf({ hint, secret, text }) {
  if (secret) return el("p", { class: "value masked" }, "•••••• secret");
  return el("p", { class: `value ${hint.value.type ?? "text"}`, dir: "auto" }, text.slice(0, LINE_LETTERS));
}

/** All there is to a hint. */
function moreOf(entry, timed) {
  const { hint, secret, end } = entry;
  const updated = Date.parse(hint.updated_at);
  const often = (word, count, last) =>
    (now) => `${word} ${number(count)}×${last ? `, last ${ago(Date.parse(last), now)}` : ""}`;
  const { use_count: uses, fail_count: failures = 0 } = hint;
  const { priority, pin } = hint.meta ?? {};
  const facts = [
    el("span", { class: "kind" }, secret ? "secret" : kindOf(hint.value)),
    ...placeInWords(entry),
    end < Infinity ? timed("left", leftOf(end)) : null,
    uses > 0 ? timed("worked", often("used", uses, hint.last_used_at)) : null,
    failures > 0 ? timed("failures", often("failed", failures, hint.last_failed_at)) : null,
    uses + failures === 0 ? el("span", {}, "unused") : null,
    timed("age", (now) => `set ${ago(updated, now)}`),
    el("span", { class: "source" }, sourceInWords(hint)),
    priority ? el("span", {}, `priority ${priority}`) : null,
    pin ? el("span", {}, "pinned") : null,
    el("span", { class: "version" }, `v${hint.version}`),
  ];
  const act = (name, words) => el("button", { type: "button", "data-act": name }, words);
  const isDoomed = doomed === entry.id;
  return el("div", { class: "more" },
    valueOf(entry),
    hint.meta?.reason ? el("p", { class: "reason" }, hint.meta.reason) : null,
    el("p", { class: "facts" }, facts.filter(Boolean)),
    el("div", { class: "acts" },
      secret ? null : act("copy", "Copy"), act("edit", "Edit"), act("duplicate", "Duplicate"),
      secret ? null : act("keep", "Keep"), act("why", "Why"),
      el("button", { type: "button", "data-act": "delete", "data-sure": isDoomed }, isDoomed ? "Delete for good?" : "Delete")));
}

/** How long a hint has left. */
function leftOf(end) {
  return (now, it) => (it.classList.toggle("soon", end - now < MINUTE), `${left(end - now)} left`);
}

/** Makes elements whose words change as time goes by, and notes them. */
function timedInto(ticks) {
  return (name, words) => {
    const element = el("span", { class: name });
    ticks.push([element, words]);
    return element;
  };
}

/** Where a hint applies, and its tags. */
function placeInWords({ hint, tags }) {
  return [
    el("span", { class: hint.meta?.scope ? "scope" : "" }, scopeInWords(hint.meta?.scope)),
    ...tags.map((tag) => el("span", { class: "tag" }, tag)),
  ];
}

function sourceInWords({ meta }) {
  return [meta?.source, who(meta?.origin)].filter(Boolean).join(", ");
}

function tickRow({ ticks }, now) {
  for (const [element, words] of ticks) {
    const text = words(now, element);
    if (element.textContent !== text) element.textContent = text;
  }
}

function valueOf({ id, hint, secret }) {
  if (secret) return el("p", { class: "value masked" }, "•••••• masked: this value is marked as secret");
  const text = readable(hint.value);
  const lines = text.split("\n");
  const isLong = text.length > MOST_LETTERS || lines.length > MOST_LINES;
  const isCut = isLong && !unfolded.has(id);
  const part = isCut ? `${lines.slice(0, LINES).join("\n").slice(0, LETTERS)}…` : text;
  const value = el("p", { class: `value ${hint.value.type ?? "text"}`, dir: "auto" });
  if (hint.value.type === "template") {
    // What `split` finds by its group stands at the odd places.
    part.split(BLANKS).forEach((piece, index) =>
      value.append(...(index % 2 ? [el("span", { class: "blank" }, piece)] : shown(piece, true))));
    const defaults = Object.entries(hint.value.defaults ?? {}).map(([name, by]) => `${name}=${by}`);
    if (defaults.length > 0) value.append(el("span", { class: "defaults" }, `  defaults: ${defaults.join(", ")}`));
  } else {
    value.append(...shown(part, true));
  }
  if (!isLong) return value;
  const words = isCut ? `Show all ${number(text.length)} characters` : "Show less";
  const attributes = { type: "button", class: "fold", "data-act": "fold", "aria-expanded": String(!isCut) };
  return el("div", {}, value, el("button", attributes, words));
}
