// Hints of a project's own file that wait until the user trusts them.

/** What waits, by the root of its worktree: the place, and the hints. */
const projects = new Map();

/** Asks what waits in the worktrees where somebody is. */
async function lookAtProjects() {
  const roots = new Map(known.filter(({ context }) => context.root).map(({ context }) => [context.root, context]));
  for (const root of projects.keys()) if (!roots.has(root)) projects.delete(root);
  try {
    const answers = roots.size === 0 ? [] : await ask([...roots.values()].map((context) => ["nudge.trust", { context, dry_run: true }]));
    [...roots].forEach(([root, context], at) => projects.set(root, { context, hints: answers[at].result?.hints ?? [] }));
  } catch {
    // The stream finds out by itself when nobody answers.
  }
  showProjects();
}

function showProjects() {
  const here = [...projects].filter(([, { context }]) => isLookedAt([context.repo ?? []].flat()[0]));
  const waiting = here.flatMap(([root, { hints }]) => hints.map((hint) => ({ root, ...hint })));
  const words = JSON.stringify(waiting);
  if ($("untrusted").told === words) return;
  $("untrusted").told = words;
  $("untrusted").replaceChildren(...waiting.map(untrustedOf));
  $("project-count").textContent = number(waiting.length);
  $("projects").hidden = waiting.length === 0;
}

function untrustedOf({ root, component, key, hint, hash }) {
  const entry = { id: `project ${hash}`, hint, secret: false };
  const button = el("button", { type: "button", "data-act": "trust" }, "Trust");
  Object.assign(button.dataset, { root, hash });
  return el("li", { class: "proposal" },
    el("h3", {}, `${component} / ${key}`),
    el("div", { class: "body" },
      valueOf(entry),
      hint.meta?.reason ? el("p", { class: "reason" }, hint.meta.reason) : null,
      el("p", { class: "facts" }, el("span", {}, scopeInWords(hint.meta?.scope)), el("span", {}, `${root}/.nudge-hints.json`))),
    el("div", { class: "acts" }, button));
}

/** Trusts what was looked at, and not what the file says by now. */
function trust({ target }) {
  const { root, hash } = target.closest("[data-act=trust]")?.dataset ?? {};
  if (!hash) return;
  attempt(async () => {
    const { hints: trusted } = await write("nudge.trust", { context: projects.get(root).context, hashes: [hash] });
    for (const { component, key } of trusted) toast(`Trusted ${component} / ${key}.`);
    await lookAtProjects();
    if (!focusRow(current)) $("new").focus();
  });
}
