// The place that is asked about: where a member is, where `nudge ui` was typed, or what is filled in.
// What applies there, why, and what an agent is told there, the server says.

/** The form that states it, which stands in whatever panel is open. */
const FIELDS = ["cwd", "root", "repo", "branch", "os"];

/** What can be chosen: words for a place, and its context. */
let known = [];
/** Only the answer to the last question counts. */
let placeAsked = 0;
let previewAsked = 0;

/** Offers the places of those who are connected, and that of `nudge ui`. */
function offerPlaces() {
  const here = HANDED.place ? [{ words: `nudge ui · ${placeWords(HANDED.place)}`, context: HANDED.place }] : [];
  const theirs = members.filter(({ context }) => context).map((member) => ({ words: memberInWords(member), context: member.context }));
  known = [...here, ...theirs];
  const choices = known.map(({ words }) => [words, words]);
  const brief = known.map(({ words }) => [words, words.replace(/ \/\S*(\/[^/]+\/[^/]+)$/, " …$1")]);
  offer($("place-member"), [["", "what is typed below"], ...choices]);
  offer($("place"), [["", "all places"], ...brief, ["typed", "another place…"]]);
  $("place-members").hidden = choices.length === 0;
  lookAtProjects();
}

/** Begins where `nudge ui` was typed; the list still has all. */
function beginHere() {
  offerPlaces();
  if (HANDED.place) takePlace(known[0].words);
}

function placeWords(context) {
  return [context.cwd ?? [context.repo ?? []].flat()[0], context.branch].filter(Boolean).join(", ");
}

/** Fills the form in with a place that is known. */
function takePlace(words) {
  const context = known.find((place) => place.words === words)?.context;
  if (!context) return;
  for (const name of FIELDS) $(`place-${name}`).value = [context[name] ?? []].flat().join(" ");
  const pairs = Object.entries(context.env ?? {}).filter(([, value]) => value !== null);
  $("place-env").value = pairs.map(([name, value]) => `${name}=${value}`).join("\n");
  $("place-member").value = words;
}

/** The context that the form states; a field that is left empty is not stated. */
function statedPlace() {
  const repos = $("place-repo").value.split(/\s+/).filter(Boolean);
  const pairs = $("place-env").value.split("\n").map((line) => line.trim()).filter(Boolean);
  const context = {
    cwd: $("place-cwd").value.trim(),
    root: $("place-root").value.trim(),
    repo: repos.length > 1 ? repos : repos[0],
    branch: $("place-branch").value.trim(),
    os: $("place-os").value,
    env: pairs.length > 0 && Object.fromEntries(pairs.map((pair) => {
      const [name, ...value] = pair.split("=");
      return [name.trim(), value.join("=")];
    })),
  };
  return Object.fromEntries(Object.entries(context).filter(([, stated]) => stated));
}

/** The place by which the list is narrowed, if it is. */
function chosenPlace() {
  return $("place").value === "" ? undefined : statedPlace();
}

/** Puts the form into a panel, and unfolds it where nothing is stated yet. */
function stateIn(panel) {
  panel.querySelector(".stated").append($("place-form"));
  showPlace();
  $("place-fields").open = Object.keys(statedPlace()).length === 0;
}

function showPlace() {
  const words = placeWords(statedPlace());
  const isTyped = $("place-member").value === "";
  $("place-words").replaceChildren(...shown(!words ? "No place is stated" : isTyped ? `In ${words}` : "What is known of this place"));
}

/** Does what follows from another place: all that is shown of it is asked for again, after whoever types has typed. */
function placeChanged(isTyped = true) {
  showPlace();
  explain();
  if (isTyped) settle();
  else (askWhatApplies(), preview());
  lookAtSessions();
}

/** Asks which hints apply in the place, if the list is narrowed to one. */
async function askWhatApplies() {
  const asked = ++placeAsked;
  const context = chosenPlace();
  if (!context) {
    if (wanted.applying) narrow({ applying: null });
    return;
  }
  try {
    const applying = await applyingIn(context);
    if (asked === placeAsked) narrow({ applying });
  } catch (error) {
    if (asked !== placeAsked) return;
    // What is typed may not be a place yet; what cannot be asked applies nowhere.
    narrow({ applying: new Set() });
    say(plain(error.message));
  }
}

/** The identities of all that applies in a place. */
async function applyingIn(context) {
  const { hints: found } = await call("nudge.applying", { context });
  return new Set(found.map(({ component, key, scope }) => identity(component, key, scope)));
}

/** Shows what an agent that starts in the place would be told, and in how many tokens. */
async function preview() {
  if (!$("here").open) return;
  const asked = ++previewAsked;
  let words = "";
  let text = "";
  try {
    const [{ result, error }, { result: found }] = await ask([
      ["nudge.on_event", { event: "session_start", context: statedPlace() }],
      ["nudge.query", { context: statedPlace(), limit: 1 }],
    ]);
    if (error) throw new Refusal(error);
    text = result.text ?? "";
    const tokens = Math.ceil(new TextEncoder().encode(text).length / BYTES_A_TOKEN);
    words = text ? `${counted(tokens, "token")}. ` : "Nothing. ";
    words += `${counted(found?.total ?? 0, "hint")} ${found?.total === 1 ? "applies" : "apply"} here.`;
  } catch (error) {
    words = error.message;
  }
  if (asked !== previewAsked) return;
  $("told-tokens").textContent = plain(words);
  $("told").replaceChildren(...shown(text, true));
  $("told").hidden = text === "";
}

/** As the CLI counts them. */
const BYTES_A_TOKEN = 3;

function openHere() {
  stateIn($("here"));
  $("here").showModal();
  preview();
}

/** Narrows the list to a place, all places, or one that is still to be typed. */
function choosePlace(words) {
  if (words === "typed") {
    openHere();
    $("place-fields").open = true;
  } else takePlace(words);
  placeChanged(false);
}
