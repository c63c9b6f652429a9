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

/** When what is proposed was run, and how that ended, where it is recorded; and how many proposals are looked up at once. */
const cited = new Map();
const [MOST_CITED, MOST_LOOKED_UP] = [3, 20];

/** Looks for runs of what is proposed, once for each. */
async function citeRuns() {
  const isOpen = ({ id, hint, delete: goes }) => !cited.has(id) && !goes && repoOfProposal(id) && hint.meta?.sensitivity !== "secret";
  const open = [...proposals.values()].filter(isOpen).slice(0, MOST_LOOKED_UP);
  if ($("open-sessions").hidden || open.length === 0) return;
  for (const { id } of open) cited.set(id, []);
  try {
    const answers = await ask(open.map(({ id, hint }) =>
      ["nudge.search", { query: `"${textOf(hint.value).replaceAll('"', " ")}"`, context: { repo: repoOfProposal(id) } }]));
    open.forEach(({ id, hint }, at) => {
      // A longer command with these words is another.
      const isIt = ({ obs_type: kind, content_preview: words }) => kind.startsWith("command") && textOf(hint.value).startsWith(words);
      cited.set(id, (answers[at].result?.observations ?? []).filter(isIt).slice(0, MOST_CITED));
    });
    showProposals(new Set(open.map(({ id }) => id).filter((id) => proposals.has(id))));
  } catch {
    // The stream finds out by itself when nobody answers.
  }
}

/** Takes over what waits, as a snapshot has it. */
function replaceProposals(waiting) {
  const touched = new Set([...proposals.keys(), ...waiting.map(({ id }) => id)]);
  proposals.clear();
  for (const proposal of waiting) proposals.set(proposal.id, proposal);
  showProposals(touched);
  citeRuns();
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
  // What stands today an event does not tell.
  if (fresh.length > 0) attempt(async () => replaceProposals((await call("nudge.list_proposals")).proposals));
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
  showWaiting();
  showTitle();
  if (!touched.has(focused)) return;
  // Where one went that had the focus, its neighbour has it, but none of its buttons:
  // a key that is held down would decide about that one, too.
  const next = beside.find((id) => id > focused) ?? beside.at(-1);
  const element = proposalRows.get(focused)?.element;
  const button = element?.querySelector(`[data-act="${activeElement.dataset.act}"]`);
  (button ?? element ?? proposalRows.get(next)?.element ?? rowAt(current)?.key ?? $("new")).focus();
}

/** Shows what waits in the repository that is looked at. */
function showWaiting() {
  let waiting = 0;
  for (const [id, { element }] of proposalRows) {
    element.hidden = !isLookedAt(repoOfProposal(id));
    waiting += Number(!element.hidden);
  }
  $("proposals").hidden = waiting === 0;
  $("proposal-count").textContent = number(waiting);
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
    goes || (cited.get(id)?.length > 0 && hint.use_count === 0) ? null : el("span", { class: "evidence" }, evidenceOf(hint)),
    el("span", { class: "source" }, sourceInWords(hint)),
  ];
  const act = (name, words) => el("button", { type: "button", "data-act": name, "aria-label": `${words} ${component} / ${key}` }, words);
  const element = el("li", { class: isFresh ? "proposal fresh" : "proposal", tabindex: -1 },
    el("h3", {}, `${component} / ${key}`),
    el("div", { class: "body" },
      el("div", {}, saysOf(entry)),
      el("p", { class: "because" }, why),
      el("p", { class: "facts" }, facts.filter(Boolean)),
      (cited.get(id) ?? []).map((run) => runOf(run, timed)),
      stands ? overwrittenOf(stands, id, timed) : proposal.stands ? standingOf(proposal.stands) : null,
      entry.secret || stands?.secret || !(stands ?? proposal.stands) ? null : diffOf(stands ? stands.text : proposal.stands, goes ? "" : entry.text)),
    el("div", { class: "acts" }, act("accept", "Accept"), act("reject", "Reject")));
  element.dataset.proposal = id;
  const row = { element, ticks };
  tickRow(row, Date.now());
  return row;
}

function runOf({ obs_type: kind, timestamp, session_id: session }, timed) {
  const isFailure = kind === "command_error";
  return el("p", { class: "facts run" },
    el("span", { class: isFailure ? "failures" : "" }, isFailure ? "✘ failed" : "✔ worked"),
    timed("age", (now) => `${ago(timestamp * SECOND, now)} in session ${session.slice(0, 8)}`));
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

/** The same of a hint for another place, of which the server tells the value alone. */
function standingOf(text) {
  return el("div", { class: "overwritten" },
    el("p", { class: "facts" }, el("strong", {}, "Stands there now")),
    el("p", { class: "value" }, text.slice(0, LETTERS)));
}

/** Longer texts are not compared word by word. */
const MOST_WORDS = 300;

/** What would change, word by word: the words of one text that the other does not have in that order. */
function diffOf(before, after) {
  const [one, other] = [before, after].map((text) => text.match(/\s+|\S+/g) ?? []);
  if (one.length + other.length > MOST_WORDS || before === after) return null;
  // How many words both have in order from here on.
  const same = Array.from({ length: one.length + 1 }, () => new Array(other.length + 1).fill(0));
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) same[i][j] = one[i] === other[j] ? same[i + 1][j + 1] + 1 : Math.max(same[i + 1][j], same[i][j + 1]);
  }
  const parts = [];
  const add = (tag, word) => (parts.at(-1)?.[0] === tag ? parts.at(-1)[1].push(word) : parts.push([tag, [word]]));
  for (let i = 0, j = 0; i < one.length || j < other.length;) {
    if (i < one.length && one[i] === other[j]) (add("span", one[i++]), j++);
    else if (j >= other.length || i < one.length && same[i + 1][j] >= same[i][j + 1]) add("del", one[i++]);
    else add("ins", other[j++]);
  }
  return el("p", { class: "diff" }, el("span", { class: "unseen" }, "What would change: "), parts.map(([tag, words]) => el(tag, {}, words.join(""))));
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
