// Home: this week by repository; what agents were told and heeded, what was learned, what broke, and who worked.

/** How many days a week has, and how many of the lines that were told are listed. */
const [DAYS, TOLD] = [7, 50];

/** How long to wait for more changes before the week is asked for again. */
const WEEK_SETTLED_AFTER = SECOND;

/** The week as the server last said, and the repository that is looked at: `null` is none, and `undefined` all of them. */
let week = { days: [], repositories: [], lines: [] };
let repository;
let weekAsked = 0;
let weekSettling;

const AGENTS = { claude: "Claude Code", codex: "Codex", copilot: "Copilot", cursor: "Cursor", gemini: "Gemini CLI", opencode: "OpenCode" };

/** When something was told, and what came of it. */
const TOLD_AT = {
  session_start: "at a start", context_lost: "after compaction", prompt: "at a prompt", before_command: "before a command",
  after_command: "after a command", held_back: "held back", heeded: "heeded", stopped: "stopped",
};

/** When each of the last days began here, whatever the clocks did since. */
function lastDays() {
  const now = new Date();
  const began = (ago) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago).getTime() / SECOND;
  return Array.from({ length: DAYS }, (_, at) => began(DAYS - 1 - at));
}

/** Asks for the week once changes have settled. */
function settleWeek(after = WEEK_SETTLED_AFTER) {
  clearTimeout(weekSettling);
  weekSettling = setTimeout(lookAtWeek, after);
}

async function lookAtWeek() {
  const asked = ++weekAsked;
  try {
    const answer = await call("nudge.week", { days: lastDays(), lines: TOLD });
    if (asked !== weekAsked) return;
    week = answer;
    showWeek();
  } catch {
    // The stream finds out by itself when nobody answers.
  }
}

/** A repository as people call it. */
function repoName(repo) {
  return repo.split("/").slice(-2).join("/").replace(/^git:/, "");
}

const isLookedAt = (repo) => repository === undefined || (repo ?? null) === repository;

/** Shows the week, as far as it is of what is looked at. */
function showWeek() {
  showRail();
  const shownRepos = week.repositories.filter(({ repo }) => isLookedAt(repo));
  const sum = (days, what) => days.reduce((total, day) => total + day[what], 0);
  const days = week.days.map((begins, at) => {
    const told = shownRepos.map((one) => one.days[at]);
    return { begins, told: sum(told, "told"), heeded: sum(told, "heeded"), stopped: sum(told, "stopped") };
  });
  const [told, heeded, stopped] = ["told", "heeded", "stopped"].map((what) => sum(days, what));
  $("week-title").replaceChildren(...shown(repository ? `This week in ${repoName(repository)}` : repository === null ? "This week outside of repositories" : "This week"));
  const words = told > 0
    ? `${counted(told, "line")} told, ${number(heeded)} heeded${stopped > 0 ? `, ${number(stopped)} stopped` : ""}`
    : "No agent was told anything. Hooks tell them: `nudge install` adds those.";
  // Who hears it hears it once.
  if ($("week-words").textContent !== words) $("week-words").textContent = words;
  $("week-days").hidden = told === 0;
  const most = Math.max(1, ...days.map((day) => day.told));
  $("week-days").replaceChildren(...days.map((day) => dayOf(day, most)));
  showCards("broken", shownRepos.flatMap(({ repo, gone }) => gone.map((one) => brokenOf(one, repo))));
  showCards("learned", shownRepos.flatMap(({ learned }) => learned).map(learnedOf));
  const sessions = shownRepos.flatMap(({ repo, sessions: all }) => all.map((one) => ({ ...one, repo })));
  showSessionsOf(sessions.sort((one, other) => other.last_at - one.last_at));
  const lines = week.lines.filter(({ repo }) => isLookedAt(repo));
  $("lines").hidden = lines.length === 0;
  $("lines-list").replaceChildren(...lines.map(toldOf));
}

function dayOf({ begins, told, heeded }, most) {
  const bar = el("span", { class: "column", "aria-hidden": "true" }, el("span", { class: "heeded" }));
  bar.style.height = `${(100 * told) / most}%`;
  bar.firstChild.style.height = told > 0 ? `${Math.min(100, (100 * heeded) / told)}%` : "0";
  const day = new Date(begins * SECOND);
  return el("li", {},
    el("span", { class: "plot" }, bar),
    el("span", { class: "amount" }, number(told)),
    el("span", { class: "unseen" }, ` told, ${number(heeded)} heeded on `),
    el("span", {}, day.toLocaleDateString("en", { weekday: "short" })));
}

/** Shows cards under a heading that goes with the last of them. */
function showCards(id, cards) {
  const there = cards.filter(Boolean);
  $(id).hidden = there.length === 0;
  $(`${id}-count`).textContent = number(there.length);
  refill($(`${id}-list`), there);
}

/** Puts other elements into a list. Who stands on something there stands on the same then, or where that is gone on the next. */
function refill(list, elements) {
  const held = list.contains(document.activeElement) ? document.activeElement : null;
  const at = [...list.children].findIndex((it) => it.contains(held));
  const nameOf = (it) => JSON.stringify([it.closest("[data-id]")?.dataset.id, { ...it.dataset }]);
  const name = held && nameOf(held);
  list.replaceChildren(...elements);
  if (!held) return;
  const same = [...list.querySelectorAll(held.tagName)].find((it) => nameOf(it) === name);
  (same ?? list.children[Math.min(at, elements.length - 1)] ?? $("week-title")).focus({ preventScroll: true });
}

/** A card of a hint that is still there; its buttons do what those of its row do. */
function cardOf({ component, key, hint }, isWanted, body, acts) {
  const entry = hints.get(identity(component, key, hint.meta?.scope));
  if (!entry || !isWanted(entry)) return null;
  const buttons = acts.map(([act, words]) => el("button", { type: "button", "data-act": act, "aria-label": `${words} ${component} / ${key}` }, words));
  const card = el("li", { class: "proposal", tabindex: -1 },
    el("h3", {}, `${component} / ${key}`),
    el("div", { class: "body" }, body(entry)),
    el("div", { class: "acts" }, buttons));
  card.dataset.id = entry.id;
  return card;
}

function brokenOf(gone, repo) {
  const { command, name, from, near } = gone;
  const words = [
    el("code", {}, command), " is gone", from === name ? "" : ` from ${from}`,
    ...(near ? ["; nearest is ", el("code", {}, near)] : []),
  ];
  const body = ({ text }) => [el("p", { class: "because" }, words),
    el("p", { class: "facts" }, el("span", {}, `in ${repoName(repo)}`), text === command ? null : el("span", {}, text))];
  return cardOf(gone, ({ text }) => text.includes(command), body, [["edit", "Edit"], ["delete", "Delete"]]);
}

/** What was learned since yesterday began, and nobody has kept. */
function learnedOf(learned) {
  const since = (week.days.at(-2) ?? 0) * SECOND;
  const isNews = ({ hint }) => hint.meta?.source === "tool-output" && Date.parse(hint.updated_at) >= since;
  const body = (entry) => [valueOf(entry), el("p", { class: "facts" },
    el("span", { class: "scope" }, scopeInBrief(entry.hint.meta?.scope)),
    el("span", {}, evidenceOf(entry.hint)),
    el("span", {}, `from ${AGENTS[entry.sources.at(-1)] ?? entry.sources.at(-1)}, ${ago(Date.parse(entry.hint.updated_at), Date.now())}`))];
  return cardOf(learned, isNews, body, [["keep", "Keep"], ["delete", "Wrong"]]);
}

/** How it went, in words. */
function evidenceOf({ use_count: uses, fail_count: failures = 0 }) {
  return [uses > 0 && `worked ${number(uses)}×`, failures > 0 && `failed ${number(failures)}×`].filter(Boolean).join(", ") || "not tried";
}

/** The sessions of each agent, by what they were asked for. */
function showSessionsOf(sessions) {
  const agents = [...Map.groupBy(sessions, ({ host }) => host ?? "")].sort(([one], [other]) => byText(one, other));
  $("agents").hidden = sessions.length === 0;
  $("agents-count").textContent = number(sessions.length);
  refill($("agents-list"), agents.map(([host, all]) => el("li", {},
    el("h3", {}, AGENTS[host] ?? (host || "unknown"), el("span", { class: "total" }, ` ${number(all.length)}`)),
    el("ul", { role: "list" }, all.map(sessionOf)))));
}

function sessionOf({ session_id: session, prompt, repo, worked, failed, started_at: started, last_at: last }) {
  const button = el("button", { type: "button", class: "name" }, prompt || `session ${session.slice(0, 8)}`);
  Object.assign(button.dataset, { session, repo });
  const ended = (mark, count, words) => el("span", { class: words }, `${mark} ${number(count)}`, el("span", { class: "unseen" }, ` ${words}`));
  return el("li", { class: "session" },
    button,
    el("span", { class: "marks" }, ended("✔", worked, "worked"), ended("✘", failed, "failed")),
    el("span", { class: "facts" },
      repository === undefined ? el("span", {}, repoName(repo)) : null,
      el("span", {}, left((last - started) * SECOND)),
      el("span", {}, ago(last * SECOND, Date.now()))));
}

function toldOf({ timestamp, repo, host, event, line }) {
  const time = new Date(timestamp * SECOND);
  return el("li", { class: "event" },
    el("p", {},
      el("time", { datetime: time.toISOString() }, time.toLocaleString("en", { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" })),
      el("span", { class: `verb ${event}` }, TOLD_AT[event] ?? event),
      el("span", { class: "by" }, [AGENTS[host] ?? host, repo && repoName(repo)].filter(Boolean).join(" in "))),
    el("p", { class: "value" }, line));
}

/** The repositories, each with what it has and what asks for somebody. */
function showRail() {
  const of = new Map(week.repositories.map((one) => [one.repo ?? null, one]));
  const counts = new Map([[undefined, hints.size], [null, 0]]);
  for (const { repo } of week.repositories) counts.set(repo ?? null, 0);
  for (const { repos } of hints.values()) for (const repo of repos) counts.set(repo, (counts.get(repo) ?? 0) + 1);
  const names = [...counts.keys()].filter((repo) => repo).sort((one, other) => byText(repoName(one), repoName(other)));
  const asks = (repo) => (repo === undefined ? week.repositories : [of.get(repo)]).reduce((sum, one) => sum + (one ? one.gone.length + one.waiting.length : 0), 0);
  const rail = [undefined, null, ...names].map((repo) => ({ repo, count: counts.get(repo), asks: asks(repo) }));
  const told = JSON.stringify([rail, repository ?? null, repository === undefined]);
  if ($("repositories").told === told) return;
  const focused = $("repositories").contains(document.activeElement);
  $("repositories").told = told;
  $("repositories").replaceChildren(...rail.map(({ repo, count, asks: waits }) => {
    const name = repo === undefined ? "All" : repo === null ? "Everywhere" : repoName(repo);
    const button = el("button", { type: "button", title: repo, "aria-current": repo === repository ? "true" : null },
      el("span", { class: "name" }, name),
      waits > 0 ? el("span", { class: "asks" }, number(waits), el("span", { class: "unseen" }, ` wait or broke in ${name}`)) : null,
      el("span", { class: "total" }, number(count), el("span", { class: "unseen" }, ` ${count === 1 ? "hint" : "hints"}`)));
    button.addEventListener("click", () => lookAt(repo));
    return el("li", {}, button);
  }));
  if (focused) $("repositories").querySelector("[aria-current]")?.focus();
}

/** Looks at one repository, at what applies everywhere, or at all. */
function lookAt(repo) {
  repository = repo;
  narrow({ repo });
  showWeek();
  showWaiting();
  showProjects();
}

/** The repository that a proposal is for, or where its agent was. */
function repoOfProposal(id) {
  const { hint } = proposals.get(id);
  return [hint.meta?.scope?.repo ?? []].flat()[0] ?? hint.meta?.origin?.repo;
}

/** Makes what was learned the user's own, where it is. */
async function keepLearned({ component, key, hint }) {
  const meta = { scope: hint.meta?.scope ?? {}, ttl: "kept" };
  await write("nudge.set_hint", { component, key, value: hint.value, meta });
  toast(`Kept ${component} / ${key}.`, UNDO);
}

const HOME_ACTS = {
  edit: (entry) => openForm(entry, false),
  delete: remove,
  keep: keepLearned,
  fold: ({ id }) => (unfolded.delete(id) || unfolded.add(id), showWeek()),
};

/** Does what a button on a card says, or shows a session. */
function onHome({ target, detail }) {
  const { session, repo } = target.closest("[data-session]")?.dataset ?? {};
  if (session) {
    attempt(() => openSession(session, repo));
    return;
  }
  const act = target.closest("[data-act]")?.dataset.act;
  const entry = hints.get(target.closest("[data-id]")?.dataset.id);
  if (detail < 2 && act && entry) attempt(() => HOME_ACTS[act](entry));
}
