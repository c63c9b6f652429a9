// Proposals: hints that wait for a person to take or drop them, each with what it would overwrite.

/** What waits, by number, the oldest first, and the rows that were made of it. */
const proposals = new Map();
const proposalRows = new Map();
/** Those that the server has been asked to take or to drop. */
const decided = new Set();

/** Where the hint of a proposal would stand. */
function placeOf({ component, key, hint }) {
  return identity(component, key, hint.meta?.scope);
}

/** Takes over what waits, as a snapshot has it. */
function replaceProposals(waiting) {
  const touched = new Set([...proposals.keys(), ...waiting.map(({ id }) => id)]);
  proposals.clear();
  for (const proposal of waiting) proposals.set(proposal.id, proposal);
  showProposals(touched);
}

/** Does what changes say about proposals. */
function applyToProposals(changes) {
  const touched = new Set();
  for (const { what, proposal: id, component, key, hint, why, delete: goes } of changes) {
    if (what === "propose") proposals.set(id, { id, component, key, hint, why, delete: goes });
    else if (what === "dismiss") proposals.delete(id);
    else continue;
    touched.add(id);
  }
  if (touched.size === 0) return;
  showProposals(touched, true);
  const fresh = [...touched].map((id) => proposals.get(id)).filter(Boolean);
  if (fresh.length > 0) say(plain(`Proposed: ${fresh.map(({ component, key }) => `${component} / ${key}`).join(", ")}.`));
}

/** Shows what proposals would overwrite where hints are other than before. */
function showOverwritten(places) {
  const touched = [...proposals.values()].filter((proposal) => places.has(placeOf(proposal)));
  showProposals(new Set(touched.map(({ id }) => id)));
}

/** Shows proposals as they are now: those that are new, other than before, or gone. */
function showProposals(touched, isNews = false) {
  const { activeElement } = document;
  const focused = Number(activeElement?.closest?.(".proposal")?.dataset.proposal);
  const beside = [...proposalRows.keys()].filter((id) => id !== focused && proposals.has(id));
  for (const id of touched) {
    const old = proposalRows.get(id);
    if (!proposals.has(id)) {
      old?.element.remove();
      proposalRows.delete(id);
      for (const part of [`proposed ${id}`, `overwritten ${id}`]) unfolded.delete(part);
      continue;
    }
    const row = proposalRowOf(proposals.get(id), isNews);
    proposalRows.set(id, row);
    if (old) old.element.replaceWith(row.element);
    else $("waiting").append(row.element);
  }
  $("proposals").hidden = proposals.size === 0;
  $("proposal-count").textContent = number(proposals.size);
  showTitle();
  if (!touched.has(focused)) return;
  // Where one went that had the focus, its neighbour has it, but none of its buttons:
  // a key that is held down would decide about that one, too.
  const next = beside.find((id) => id > focused) ?? beside.at(-1);
  const element = proposalRows.get(focused)?.element;
  const button = element?.querySelector(`[data-act="${activeElement.dataset.act}"]`);
  (button ?? element ?? proposalRows.get(next)?.element ?? rowAt(current)?.key ?? $("new")).focus();
}

function proposalRowOf(proposal, isFresh) {
  const { id, component, key, hint, why, delete: goes } = proposal;
  const ticks = [];
  const timed = timedInto(ticks);
  const entry = { ...variant(component, key, hint), id: `proposed ${id}` };
  const stands = hints.get(placeOf(proposal));
  const proposed = Date.parse(hint.updated_at);
  const facts = [
    el("span", { class: "kind" }, goes ? "delete" : entry.secret ? "secret" : kindOf(hint.value)),
    ...placeInWords(entry),
    entry.end < Infinity ? el("span", {}, `for ${left(entry.end - proposed)}`) : null,
    timed("age", (now) => `proposed ${ago(proposed, now)}`),
    el("span", { class: "source" }, sourceInWords(hint)),
  ];
  const act = (name, words) => el("button", { type: "button", "data-act": name }, words);
  const element = el("li", { class: isFresh ? "proposal fresh" : "proposal", tabindex: -1 },
    el("h3", {}, `${component} / ${key}`),
    el("div", { class: "body" },
      el("div", {}, saysOf(entry)),
      el("p", { class: "because" }, why),
      el("p", { class: "facts" }, facts.filter(Boolean)),
      stands ? overwrittenOf(stands, id, timed) : null),
    el("div", { class: "acts" }, act("accept", "Accept"), act("reject", "Reject")));
  element.dataset.proposal = id;
  const row = { element, ticks };
  tickRow(row, Date.now());
  return row;
}

/** What would go if the proposal is accepted. */
function overwrittenOf(stands, id, timed) {
  const { hint } = stands;
  const updated = Date.parse(hint.updated_at);
  return el("div", { class: "overwritten" },
    el("p", { class: "facts" },
      el("strong", {}, "Stands there now"),
      timed("age", (now) => `set ${ago(updated, now)}`),
      el("span", { class: "source" }, sourceInWords(hint))),
    saysOf({ ...stands, id: `overwritten ${id}` }));
}

/** The value and the reason of a hint; `id` is what folds it. */
function saysOf(entry) {
  const value = valueOf(entry);
  value.querySelector("[data-act=fold]")?.setAttribute("data-part", entry.id);
  return [value, entry.hint.meta?.reason ? el("p", { class: "reason" }, entry.hint.meta.reason) : null];
}

/** Does what a button of a proposal says. */
function decide({ target, detail }) {
  const button = target.closest("[data-act]");
  const id = Number(target.closest(".proposal")?.dataset.proposal);
  if (!button || !proposals.has(id)) return;
  const { act, part } = button.dataset;
  if (act === "fold") {
    if (!unfolded.delete(part)) unfolded.add(part);
    showProposals(new Set([id]));
    return;
  }
  // The next one moves up under the pointer, and the second half of a double click is not meant for it.
  if (detail > 1 || decided.has(id)) return;
  decided.add(id);
  const proposal = proposals.get(id);
  const { component, key } = proposal;
  // What it took the place of can come back, unless it was a secret.
  const canUndo = act === "accept" && hints.get(placeOf(proposal))?.secret === false;
  attempt(async () => {
    await write(`nudge.${act}`, { id });
    toast(`${act === "accept" ? "Accepted" : "Rejected"} ${component} / ${key}.`, canUndo ? UNDO : undefined);
  }).finally(() => decided.delete(id));
}

/** Shows the times of what waits. */
function tickProposals() {
  const now = Date.now();
  for (const row of proposalRows.values()) tickRow(row, now);
}
