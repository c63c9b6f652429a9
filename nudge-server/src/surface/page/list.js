// All rows: a section for each component, in order, as far as the filter lets them through.

/** The sections by component; `entries` are its variants in order, with or without rows. */
const sections = new Map();
/** What is listed, by identity, and the rows that were made of it. */
const listed = new Map();
const rows = new Map();
let filter = [];
/** The variant that the Tab key reaches; the arrows move on from there. */
let current = null;

/** How high a row is, more or less, for sections that nobody has seen yet. */
const [ROW_HEIGHT, HEADER_HEIGHT] = [58, 42];

/** More changes at once are no news to point at, but another state. */
const MOST_NEWS = 100;

/** What is near the screen has rows, and its times are kept up. */
const near = new Set();
const observer = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    const { component } = target.dataset;
    if (isIntersecting && sections.has(component)) {
      near.add(component);
      fill(sections.get(component));
    } else near.delete(component);
  }
  tick();
}, { rootMargin: "600px" });

/** Makes the rows of a section. */
function fill(section, isFresh = false) {
  if (section.isFilled) return;
  section.isFilled = true;
  section.list.append(...section.entries.map((entry) => rowFor(entry, isFresh).element));
}

function rowFor(entry, isFresh) {
  const row = rowOf(entry, isFresh);
  row.element.hidden = !passes(entry);
  rows.set(entry.id, row);
  return row;
}

/** Makes the rows that nobody looks at when there is nothing else to do, so that the browser finds what is in them. */
function fillAtLeisure() {
  const section = [...sections.values()].find(({ isFilled }) => !isFilled);
  if (!section || isAtLeisure) return;
  isAtLeisure = true;
  const later = window.requestIdleCallback ?? ((run) => setTimeout(run, 50));
  later(() => {
    isAtLeisure = false;
    fill(section);
    fillAtLeisure();
  });
}

let isAtLeisure = false;

/** Shows variants as they are now: those that are new, other than before, or gone. */
function render(touched, isNews) {
  const { activeElement } = document;
  const focused = activeElement?.closest?.(".hint")?.dataset.id;
  const isFresh = isNews && touched.size <= MOST_NEWS;
  for (const entry of [...touched].map((id) => hints.get(id) ?? listed.get(id)).filter(Boolean).sort(compare)) {
    if (!hints.has(entry.id)) unlist(entry);
    else if (listed.has(entry.id)) relist(entry, isFresh);
    else list(entry, isFresh);
  }
  if (current === null || !listed.has(current)) makeCurrent(visibleIds()[0] ?? null);
  count();
  fillAtLeisure();
  if (focused && touched.has(focused)) {
    // Where a row went that had the focus, its neighbour has it.
    const element = rows.get(focused)?.element;
    const button = element?.querySelector(`[data-act="${activeElement.dataset.act}"]`);
    (button ?? element ?? elementOf(current) ?? $("filter")).focus();
  }
}

function list(entry, isFresh) {
  const section = sections.get(entry.component) ?? addSection(entry.component);
  const at = place(section.entries, entry);
  section.entries.splice(at, 0, entry);
  listed.set(entry.id, entry);
  if (section.isFilled) section.list.insertBefore(rowFor(entry, isFresh).element, section.list.children[at] ?? null);
  else if (isFresh) fill(section, isFresh);
}

function relist(entry, isFresh) {
  const section = sections.get(entry.component);
  section.entries[place(section.entries, entry)] = entry;
  listed.set(entry.id, entry);
  const old = rows.get(entry.id);
  if (old) old.element.replaceWith(rowFor(entry, isFresh).element);
  if (current === entry.id) makeCurrent(entry.id);
}

function unlist(entry) {
  const { id, component } = entry;
  if (current === id) makeCurrent(beside(id, 1) ?? beside(id, -1) ?? null);
  const section = sections.get(component);
  section.entries.splice(place(section.entries, entry), 1);
  rows.get(id)?.element.remove();
  for (const known of [listed, rows, unfolded]) known.delete(id);
  if (section.entries.length > 0) return;
  observer.unobserve(section.element);
  near.delete(component);
  section.element.remove();
  sections.delete(component);
}

/** Where an entry is among its sorted neighbours, or belongs. */
function place(entries, entry) {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(entries[middle], entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function addSection(component) {
  const [title, total] = [el("h2", {}, component), el("span", { class: "total" })];
  const list = el("ul", { class: "rows", role: "list", "aria-label": `Hints of ${component}` });
  const element = el("section", { class: "component" }, el("header", {}, title, total), list);
  element.dataset.component = component;
  const after = [...sections.keys()].filter((name) => name > component).sort()[0];
  $("hints").insertBefore(element, sections.get(after)?.element ?? null);
  const section = { element, list, total, entries: [], isFilled: false };
  sections.set(component, section);
  observer.observe(element);
  return section;
}

/** Shows the times of what is near the screen. */
function tick() {
  const now = Date.now();
  for (const component of near) {
    for (const { id } of sections.get(component).entries) tickRow(rows.get(id), now);
  }
}

function passes({ haystack }) {
  return filter.every((word) => haystack.includes(word));
}

/** Shows only what has all words of a text. */
function filterBy(text) {
  filter = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const [id, { element }] of rows) element.hidden = !passes(listed.get(id));
  if (current === null || !passes(listed.get(current))) makeCurrent(visibleIds()[0] ?? null);
  count();
}

/** Says how much there is, and hides the components of which nothing is shown. */
function count() {
  let visible = 0;
  for (const { element, entries, total } of sections.values()) {
    const passing = filter.length === 0 ? entries.length : entries.filter(passes).length;
    visible += passing;
    element.hidden = passing === 0;
    element.style.containIntrinsicBlockSize = `auto ${HEADER_HEIGHT + passing * ROW_HEIGHT}px`;
    total.textContent = passing === entries.length ? number(passing) : `${number(passing)} of ${number(entries.length)}`;
  }
  const all = counted(hints.size, "hint");
  $("count").textContent = filter.length > 0
    ? `${number(visible)} of ${all}` : `${all} in ${counted(sections.size, "component")}`;
  $("empty").hidden = hints.size > 0;
  $("nothing").hidden = hints.size === 0 || visible > 0;
}

/** What the filter lets through, in the order of the page. */
function visibleIds() {
  const inOrder = [...sections.keys()].sort().flatMap((component) => sections.get(component).entries);
  return inOrder.filter(passes).map(({ id }) => id);
}

/** What is shown before or after a variant. */
function beside(id, step) {
  const ids = visibleIds();
  return ids[ids.indexOf(id) + step];
}

/** The row of a variant, which is made if it is not there yet. */
function elementOf(id) {
  if (!listed.has(id)) return undefined;
  fill(sections.get(listed.get(id).component));
  return rows.get(id).element;
}

/** Lets the Tab key reach this variant and no other. */
function makeCurrent(id) {
  const reach = (element, index) => {
    if (element) for (const part of [element, ...element.querySelectorAll("button")]) part.tabIndex = index;
  };
  reach(rows.get(current)?.element, -1);
  current = id;
  reach(id === null ? undefined : elementOf(id), 0);
}
