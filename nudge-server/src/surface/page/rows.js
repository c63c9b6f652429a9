// One row: a variant with its value, what is known about it, and what can be done with it.

/** Longer values are folded, and taller ones, to something that is clearly less. */
const [MOST_LETTERS, MOST_LINES] = [640, 12];
const [LETTERS, LINES] = [480, 6];

/** The blanks of a template, as its languages write them. */
const BLANKS = /(\{\{.*?\}\}|\{%.*?%\}|\$\{.*?\})/su;

/** The variants whose long values are shown whole. */
const unfolded = new Set();

/** A row, and the parts of it that change as time goes by. */
function rowOf(entry, isFresh) {
  const { id, hint, secret, end } = entry;
  const ticks = [];
  const timed = timedInto(ticks);
  const updated = Date.parse(hint.updated_at);
  const often = (word, count, last) =>
    (now) => `${word} ${number(count)}×${last ? `, last ${ago(Date.parse(last), now)}` : ""}`;
  const { use_count: uses, fail_count: failures = 0 } = hint;
  const facts = [
    ...placeInWords(entry),
    end < Infinity
      ? timed("left", (now, it) => (it.classList.toggle("soon", end - now < MINUTE), `${left(end - now)} left`))
      : null,
    uses > 0 ? timed("uses", often("used", uses, hint.last_used_at)) : null,
    failures > 0 ? timed("failures", often("failed", failures, hint.last_failed_at)) : null,
    uses + failures === 0 ? el("span", { class: "uses" }, "unused") : null,
    timed("age", (now) => `set ${ago(updated, now)}`),
    el("span", { class: "source" }, sourceInWords(hint)),
    el("span", { class: "version" }, `v${hint.version}`),
  ];
  const act = (name, words) => el("button", { type: "button", "data-act": name, tabindex: -1 }, words);
  const element = el("li", { class: isFresh ? "hint fresh" : "hint", tabindex: -1 },
    el("div", { class: "name" },
      el("h3", {}, entry.key), el("span", { class: "kind" }, secret ? "secret" : kindOf(hint.value))),
    el("div", { class: "body" },
      valueOf(entry),
      hint.meta?.reason ? el("p", { class: "reason" }, hint.meta.reason) : null,
      el("p", { class: "facts" }, facts.filter(Boolean))),
    el("div", { class: "acts" }, secret ? null : act("copy", "Copy"), act("why", "Why"), act("delete", "Delete")));
  element.dataset.id = id;
  const row = { element, ticks };
  tickRow(row, Date.now());
  return row;
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
  const attributes = { type: "button", class: "fold", "data-act": "fold", tabindex: -1, "aria-expanded": String(!isCut) };
  return el("div", {}, value, el("button", attributes, words));
}
