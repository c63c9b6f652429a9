// The list: what passes the filters, in the order that is asked for, in blocks of rows.

/** What is shown, in order, and where each of it stands. */
let order = [];
let places = new Map();
/** The rows that were made, by identity; what the filters hide has its row still. */
const rows = new Map();
/** The blocks of the list; only those near the screen must have their rows. */
const blocks = [];
/** What the list is narrowed to. `applying` has what applies in a place, once the server has said so. */
const wanted = { words: [], source: "", show: "", applying: null, repo: undefined };
let sort = "name";
/** The variant that the Tab key reaches; the arrows move on from there. */
let current = null;

/** How many rows a block has, and how high one is, more or less, before anybody has seen it. */
const [BLOCK, ROW_HEIGHT] = [50, 31];

/** More changes at once are no news to point at, but another state. */
const MOST_NEWS = 100;

const byText = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
const byName = (one, other) =>
  byText(one.component, other.component) || byText(one.key, other.key) || byText(one.id, other.id);
/** The latest first; what has no such time comes last. */
const byTime = (timeOf) => (one, other) => byText(timeOf(other) ?? "", timeOf(one) ?? "") || byName(one, other);

/** The orders in which hints can be listed. */
const SORTS = {
  name: byName,
  changed: byTime(({ hint }) => hint.updated_at),
  used: byTime(({ hint }) => hint.last_used_at),
  uses: (one, other) => other.hint.use_count - one.hint.use_count || byName(one, other),
  ends: (one, other) => (one.end === other.end ? 0 : one.end - other.end) || byName(one, other),
};

/** What the list can be narrowed to by what became of a hint. */
const SHOWS = {
  failing: ({ hint }) => (hint.fail_count ?? 0) > 0,
  unused: ({ hint }) => hint.use_count + (hint.fail_count ?? 0) === 0,
  expiring: ({ end }) => end < Infinity,
};

/** What is near the screen has rows, and its times are kept up. */
const near = new Set();
const observer = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    const block = blocks.find(({ element }) => element === target);
    if (isIntersecting && block) {
      near.add(block);
      fill(block);
    } else near.delete(block);
  }
  tick();
}, { rootMargin: "600px" });

/** Whether all filters let a hint through. */
function passes(entry) {
  return wanted.words.every((word) => entry.haystack.includes(word))
    && (!wanted.source || entry.sources.includes(wanted.source))
    && (!wanted.show || SHOWS[wanted.show](entry))
    && (wanted.repo === undefined || entry.repos.includes(wanted.repo))
    && (!wanted.applying || wanted.applying.has(entry.id));
}

function isNarrowed() {
  return wanted.words.length > 0 || wanted.repo !== undefined || Boolean(wanted.source || wanted.show || wanted.applying);
}

/** Narrows the list, or widens it. */
function narrow(to) {
  Object.assign(wanted, to);
  arrangeAnew();
}

function sortBy(name) {
  sort = name;
  arrangeAnew();
}

/** Puts other rows there, or the same in another order. Those that nobody sees come when there is time. */
function arrangeAnew() {
  const held = heldFocus();
  for (const block of blocks) block.isFilled &&= near.has(block) || block.from === 0;
  arrange(held);
}

/** Shows variants as they are now: those that are new, other than before, or gone. */
function render(touched, isNews) {
  const held = heldFocus();
  const isFresh = isNews && touched.size <= MOST_NEWS;
  for (const id of touched) {
    const old = rows.get(id);
    rows.delete(id);
    if (hints.has(id)) {
      if (old) old.element.replaceWith(makeRow(id, isFresh).element);
      else if (isFresh) makeRow(id, true);
    } else {
      old?.element.remove();
      for (const known of [opened, unfolded]) known.delete(id);
    }
  }
  offerSources();
  arrange(held);
}

function makeRow(id, isFresh = false) {
  const row = rowOf(hints.get(id), isFresh);
  rows.set(id, row);
  if (id === current) row.key.tabIndex = 0;
  return row;
}

/** Puts the rows in their order. */
function arrange(held = heldFocus()) {
  const stood = places.get(current) ?? 0;
  order = [...hints.values()].filter(passes).sort(SORTS[sort]);
  places = new Map(order.map(({ id }, at) => [id, at]));
  const needed = Math.ceil(order.length / BLOCK);
  while (blocks.length > needed) dropBlock();
  while (blocks.length < needed) addBlock();
  for (const block of blocks) lay(block);
  // Where the current one went, its neighbour is.
  if (!places.has(current)) makeCurrent(order[Math.min(stood, order.length - 1)]?.id ?? null);
  count();
  fillAtLeisure();
  restoreFocus(held);
}

/** What has the focus in the list, to be found again after its rows have moved. */
function heldFocus() {
  const { activeElement } = document;
  const id = activeElement?.closest?.(".hint")?.dataset.id;
  return id && { id, act: activeElement.dataset.act, element: activeElement };
}

function restoreFocus(held) {
  if (!held || document.activeElement === held.element) return;
  const row = rowAt(places.has(held.id) ? held.id : current);
  const button = places.has(held.id) && row?.element.querySelector(`[data-act="${held.act}"]`);
  (button || row?.key || $("new")).focus({ preventScroll: true });
}

function addBlock() {
  const element = el("div", { class: "block", role: "none" });
  const block = { element, from: blocks.length * BLOCK, isFilled: false };
  blocks.push(block);
  $("hints").append(element);
  observer.observe(element);
}

function dropBlock() {
  const block = blocks.pop();
  observer.unobserve(block.element);
  near.delete(block);
  block.element.remove();
}

/** Gives a block what it should hold now; one without rows is only as high as with them. */
function lay(block) {
  const { element, from } = block;
  const entries = order.slice(from, from + BLOCK);
  element.style.containIntrinsicBlockSize = `auto ${entries.length * ROW_HEIGHT}px`;
  element.style.minHeight = block.isFilled ? "" : `${entries.length * ROW_HEIGHT}px`;
  if (!block.isFilled) {
    element.replaceChildren();
    return;
  }
  entries.forEach(({ id }, at) => {
    const row = (rows.get(id) ?? makeRow(id)).element;
    if (element.children[at] !== row) element.insertBefore(row, element.children[at] ?? null);
  });
  while (element.children.length > entries.length) element.lastElementChild.remove();
}

function fill(block) {
  if (block.isFilled) return;
  block.isFilled = true;
  lay(block);
}

let isAtLeisure = false;

/** Makes the rows that nobody looks at when there is nothing else to do, so that the browser finds what is in them. */
function fillAtLeisure() {
  if (isAtLeisure || blocks.every(({ isFilled }) => isFilled)) return;
  isAtLeisure = true;
  const later = window.requestIdleCallback ?? ((run) => setTimeout(run, 50));
  later(() => {
    isAtLeisure = false;
    const block = blocks.find(({ isFilled }) => !isFilled);
    if (block) fill(block);
    fillAtLeisure();
  });
}

/** Shows the times of what is near the screen. */
function tick() {
  const now = Date.now();
  for (const { from } of near) {
    for (const { id } of order.slice(from, from + BLOCK)) if (rows.has(id)) tickRow(rows.get(id), now);
  }
}

/** Says how much there is and how much of it is shown. */
function count() {
  const all = counted(hints.size, "hint");
  $("count").textContent = isNarrowed() ? `${number(order.length)} of ${all}` : all;
  $("empty").hidden = hints.size > 0;
  $("nothing").hidden = hints.size === 0 || order.length > 0;
}

/** Offers to narrow the list to those who set something in it. */
function offerSources() {
  const found = [...new Set([...hints.values()].flatMap(({ sources }) => sources))].sort();
  offer($("source"), [["", "anyone"], ...found.map((name) => [name, name])]);
}

/** Fills a list of choices, and keeps what was chosen as long as it is there. */
function offer(select, choices) {
  const told = JSON.stringify(choices);
  if (select.told === told) return;
  select.told = told;
  const chosen = select.value;
  select.replaceChildren(...choices.map(([value, words]) => el("option", { value }, words)));
  const isThere = choices.some(([value]) => value === chosen);
  select.value = isThere ? chosen : choices[0][0];
  if (!isThere) select.dispatchEvent(new Event("change", { bubbles: true }));
}

/** What is shown before or after a variant. */
function beside(id, step) {
  return order[(places.get(id) ?? 0) + step]?.id;
}

/** The row of a variant that is shown, which is made if it is not there yet. */
function rowAt(id) {
  if (!places.has(id)) return undefined;
  fill(blocks[Math.floor(places.get(id) / BLOCK)]);
  return rows.get(id);
}

/** Lets the Tab key reach this variant and no other. */
function makeCurrent(id) {
  const before = rows.get(current);
  if (before) before.key.tabIndex = -1;
  current = id;
  const row = id === null ? undefined : rowAt(id);
  if (row) row.key.tabIndex = 0;
}

function focusRow(id) {
  const row = document.documentElement.dataset.view === "hints" ? rowAt(id) : undefined;
  if (!row) return false;
  makeCurrent(id);
  row.key.focus();
  return true;
}
