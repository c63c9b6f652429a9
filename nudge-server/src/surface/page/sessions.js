// What happened, where it is recorded: the sessions of agents, what they ran, changed and were asked for.

let sessionsAsked = 0;

const KINDS = {
  command: "ran", command_error: "failed", file_edit: "edited", file_write: "wrote", user_prompt: "asked",
  session_start: "started", session_end: "ended", session_compact: "compacted",
};

function openSessions() {
  stateIn($("sessions"));
  $("sessions").showModal();
  lookAtSessions();
}

/** Asks what happened in the place: what has the words, or else what was last. */
async function lookAtSessions() {
  if (!$("sessions").open) return;
  const asked = ++sessionsAsked;
  const context = statedPlace();
  const query = $("sessions-words").value.trim();
  const params = { context, limit: 100 };
  try {
    const { observations } = await (query ? call("nudge.search", { ...params, query }) : call("nudge.log", params));
    if (asked !== sessionsAsked) return;
    $("sessions-note").textContent = observations.length > 0 ? "" : "Nothing is recorded here.";
    $("observations").replaceChildren(...observations.map((seen) => observationOf(seen, true)));
  } catch (error) {
    if (asked !== sessionsAsked) return;
    $("sessions-note").textContent = plain(error.message);
    $("observations").replaceChildren();
  }
}

/** Opens a session of a repository. */
async function openSession(session, repo) {
  if (!chosenPlace()) for (const name of FIELDS) $(`place-${name}`).value = name === "repo" ? repo : "";
  stateIn($("sessions"));
  $("sessions").showModal();
  await trace(session, { repo });
}

/** Shows a session from its start: what was asked for, and what followed. */
async function trace(session, context = statedPlace()) {
  const asked = ++sessionsAsked;
  const { prompts, left_out: rest } = await call("nudge.session_trace", { session_id: session, context });
  if (asked !== sessionsAsked) return;
  const back = el("button", { type: "button", "data-session": "" }, "All sessions");
  $("sessions-note").replaceChildren(back, ...shown(` session ${session}${rest ? `, without the first ${number(rest)}` : ""}`));
  $("observations").replaceChildren(...prompts.flatMap(({ source, timestamp, content, observations }) => [
    source === "user" ? observationOf({ timestamp, obs_type: "user_prompt", content_preview: content }, false) : null,
    ...observations.map((seen) => observationOf(seen, false)),
  ]).filter(Boolean));
}

function observationOf({ timestamp, obs_type: kind, content_preview: words, exit_code: status, session_id: session }, isLinked) {
  const time = new Date(timestamp * SECOND);
  return el("li", { class: "event" },
    el("p", {},
      el("time", { datetime: time.toISOString() }, time.toLocaleString("en", { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" })),
      el("span", { class: `verb ${kind}` }, KINDS[kind] ?? kind),
      status ? el("span", { class: "failures" }, `status ${status}`) : null,
      isLinked && session ? el("button", { type: "button", class: "fold", "data-session": session }, "session") : null),
    el("p", { class: "value" }, words));
}

/** Goes to a session, or back to all of them. */
function onSession({ target }) {
  const { session } = target.closest("[data-session]")?.dataset ?? {};
  if (session === undefined) return;
  attempt(async () => {
    await (session ? trace(session) : lookAtSessions());
    $("observations").focus();
  });
}
