// What the user does to hints: adds, edits, deletes, keeps them, and takes that back.

/** The hint that is edited, null for one that is new; where that would apply; and the form as it was opened. */
let edited = null;
let newPlace;
let [untouched, unmoved] = ["", ""];

/** Where the text of a value stands, by its type. */
const TEXTS = { command: "cmd", path: "abs", template: "body" };

const SPANS = { PT1H: "1 hour", PT8H: "8 hours", P1D: "1 day", P7D: "7 days", P30D: "30 days", session: "this session", kept: "until it is deleted" };

/** Opens the form for a new hint, which may begin as a copy, or for one that is there. */
function openForm(entry, isNew) {
  edited = isNew ? null : entry;
  const { component = "", key = "", hint, secret = false } = entry ?? {};
  const { reason, tags = [], ttl, priority, pin = false, scope } = hint?.meta ?? {};
  const type = hint?.value?.type ?? "text";
  $("edit-title").replaceChildren(...shown(edited ? `Edit ${component} / ${key}` : "New hint"));
  for (const name of ["component", "key"]) $(`edit-${name}`).readOnly = Boolean(edited);
  offer($("edit-ttl"), Object.entries({ "": "the usual time", ...SPANS, ...(ttl && !SPANS[ttl] ? { [ttl]: ttl } : {}) }));
  const fields = {
    component, key, type, format: hint?.value?.format ?? "mustache",
    value: hint && !secret ? textOf(hint.value) : "",
    reason: reason ?? "", tags: tags.join(", "), ttl: ttl ?? "", priority: priority ?? "",
  };
  for (const [name, value] of Object.entries(fields)) $(`edit-${name}`).value = value;
  $("edit-pin").checked = pin;
  $("edit-secret").checked = secret;
  $("edit-secret").disabled = Boolean(edited);
  fillScope(scope);
  unmoved = JSON.stringify(statedScope());
  newPlace = edited ? undefined : placeOfNew();
  const here = newPlace ? [["here", placeInShort(newPlace)]] : [];
  const stays = edited ? [["stays", `as it does: ${scopeInWords(scope)}`]] : here;
  offer($("edit-where"), [...stays, ["everywhere", "everywhere"], ["scope", "as follows"]]);
  $("edit-where").value = edited ? "stays" : scope ? "scope" : hint || !newPlace ? "everywhere" : "here";
  $("edit-problem").textContent = "";
  showFields();
  goOnEditing();
  untouched = filledIn();
  $("edit").showModal();
  (edited || (component && key) ? $("edit-value") : $("edit-component")).focus();
}

/** Where a new hint applies: in the repository that is looked at, in the place of the list, or where `nudge ui` was typed. */
function placeOfNew() {
  return chosenPlace() ?? (repository ? { repo: repository } : repository === null ? undefined : HANDED.place);
}

function placeInShort({ cwd, repo }) {
  const [name] = [repo ?? []].flat();
  return name ? `in ${repoName(name)}` : `in ${cwd ?? "the place of the list"}`;
}

/** What the form holds, to see whether anybody has typed in it. */
function filledIn() {
  return JSON.stringify([...$("edit-form").elements].map(({ value, checked }) => [value, checked]));
}

function isFilled() {
  return $("edit").open && filledIn() !== untouched;
}

/** Closes the form, or asks whether what was typed may go. */
function leaveForm() {
  if (isFilled()) askToDiscard();
  else $("edit").close();
}

function askToDiscard() {
  $("edit-ask").hidden = false;
  $("edit-go-on").focus();
}

function goOnEditing() {
  const asked = !$("edit-ask").hidden;
  $("edit-ask").hidden = true;
  if (asked) $("edit-value").focus();
}

/** Saves by Ctrl+Enter; Esc asks before it throws away what was typed, and goes on if it is pressed again. */
function onFormKey(event) {
  const { key, currentTarget: form } = event;
  if (key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  else if (key !== "Escape" || form !== $("edit-form") || !isFilled()) return;
  else if ($("edit-ask").hidden) askToDiscard();
  else goOnEditing();
  event.preventDefault();
}

/** Shows the fields that what is chosen asks for. */
function showFields() {
  $("edit-formats").hidden = $("edit-type").value !== "template";
  $("edit-scope").hidden = $("edit-where").value !== "scope";
}

function fillScope(scope) {
  const lines = (field, by) => [scope?.[field] ?? []].flat().join(by);
  $("edit-glob").value = lines("cwd_glob", "\n");
  $("edit-repo").value = lines("repo", " ");
  $("edit-branch").value = lines("branch", " ");
  $("edit-os").value = lines("os", " ");
  const matched = Object.entries(scope?.env_match ?? {}).flatMap(([name, values]) => [values].flat().map((value) => `${name}=${value}`));
  $("edit-env").value = [...[scope?.env_required ?? []].flat(), ...matched].join("\n");
}

/** The scope that the form states. */
function statedScope() {
  const parts = (name, by) => $(`edit-${name}`).value.split(by).map((part) => part.trim()).filter(Boolean);
  const variables = parts("env", "\n");
  const matched = new Map();
  for (const line of variables.filter((line) => line.includes("="))) {
    const [name, ...value] = line.split("=");
    matched.set(name.trim(), [...(matched.get(name.trim()) ?? []), value.join("=")]);
  }
  const scope = {
    cwd_glob: parts("glob", "\n"), repo: parts("repo", /\s+/), branch: parts("branch", /\s+/), os: parts("os", /\s+/),
    env_required: variables.filter((line) => !line.includes("=")),
  };
  const stated = Object.entries(scope).filter(([, list]) => list.length > 0);
  return { ...Object.fromEntries(stated), ...(matched.size > 0 ? { env_match: Object.fromEntries(matched) } : {}) };
}

const chosenScope = () => ($("edit-where").value === "scope" ? statedScope() : {});

/** The value that the form states; what it has no field for stays as it was. */
function statedValue() {
  const [type, text] = [$("edit-type").value, $("edit-value").value];
  if (type === "text") return text;
  const before = edited?.hint.value.type === type && !edited.secret ? edited.hint.value : {};
  if (type === "json") return { type, data: read(text) };
  return { ...before, type, [TEXTS[type]]: text, ...(type === "template" ? { format: $("edit-format").value } : {}) };
}

/** Sets what the form says, and says in the form why not. */
async function submitForm() {
  const field = (name) => $(`edit-${name}`).value.trim();
  const meta = {
    reason: field("reason") || null,
    tags: field("tags").split(",").map((tag) => tag.trim()).filter(Boolean),
    ttl: field("ttl") || null,
    priority: field("priority") ? Number(field("priority")) : null,
    pin: $("edit-pin").checked || null,
  };
  if ($("edit-secret").checked) meta.sensitivity = "secret";
  const params = { component: field("component"), key: field("key"), meta };
  const [where, before] = [$("edit-where").value, edited?.hint.meta?.scope ?? {}];
  const isMoved = edited && where !== "stays" && JSON.stringify(chosenScope()) !== unmoved;
  if (edited) {
    meta.scope = isMoved ? chosenScope() : before;
    params.if_match_version = edited.hint.version;
    if (isMoved) params.from_scope = before;
  } else if (where === "here") params.context = newPlace;
  else meta.scope = chosenScope();
  try {
    params.value = statedValue();
    const set = await write("nudge.set_hint", params);
    const { component, key, hint, created, note } = set;
    const entry = variant(component, key, hint);
    put(entry.id, entry);
    render(new Set([entry.id]), true);
    $("edit").close();
    // What is new took nothing away, so the server remembers nothing of it.
    const act = created ? { label: "Undo", run: () => attempt(() => remove(entry)) } : UNDO;
    const words = isMoved ? `Changed ${component} / ${key}: it applies ${scopeInWords(hint.meta?.scope)} now.` : `${created ? "Added" : "Changed"} ${component} / ${key}.`;
    toast(note ? `${words} ${note}` : words, entry.secret ? undefined : act);
    showView("hints");
    if (!focusRow(entry.id)) say("The filters hide it.");
  } catch (error) {
    const isData = error instanceof SyntaxError;
    $("edit-problem").textContent = plain(isData ? `The value is not JSON: ${error.message}` : wordsOf(error));
  }
}

/** Why something was not done, in words. */
function wordsOf(error) {
  if (error instanceof Refusal) return error.message;
  return "Nudge does not answer; try again when it is live.";
}

/** Does something that may fail, and says so if it does. */
async function attempt(run) {
  try {
    await run();
  } catch (error) {
    toast(wordsOf(error));
  }
}

/** Deletes a hint. A secret never came here and cannot be put back, so that is asked twice. */
async function remove({ id, component, key, hint, secret }) {
  if (secret && doomed !== id) {
    doomed = id;
    opened.add(id);
    render(new Set([id]), false);
    rows.get(id).element.querySelector("[data-act=delete]").focus();
    say(`${plain(key)} is marked as secret and cannot be brought back. Press again to delete it.`);
    return;
  }
  doomed = null;
  await write("nudge.delete_hint", { component, key, scope: hint.meta?.scope ?? {} });
  toast(`Deleted ${component} / ${key}.`, secret ? undefined : UNDO);
}

const BACK = { deleted: "is back", overwritten: "is as it was", created: "is gone again" };

/** Takes back the user's last delete or overwrite, wherever it was made. */
async function undo() {
  const { hints: back, secrets_left_out: secrets = 0 } = await write("nudge.undo", {});
  const ids = back.map(({ component, key, scope, hint }) => {
    const id = identity(component, key, scope);
    put(id, hint && variant(component, key, hint));
    return id;
  });
  render(new Set(ids), true);
  const [first] = back;
  const words = back.length === 1 ? `${first.component} / ${first.key} ${BACK[first.was]}.` : `${counted(back.length, "hint")} are as they were.`;
  toast(secrets > 0 ? `${words} ${counted(secrets, "secret")} cannot come back.` : words);
  focusRow(ids.find((id) => hints.has(id)));
}

const UNDO = { label: "Undo", run: () => attempt(undo) };

/** Takes back what is offered to be taken back, or else what was done before. */
function undoLast() {
  const offered = document.querySelector(".toast .act");
  if (offered) offered.click();
  else attempt(undo);
}

/** Saves the hints that are shown as a file of the browser's, without asking anybody. */
function download() {
  const shownHints = order.map(({ id }) => hints.get(id));
  const file = new Blob([`${JSON.stringify(payloadOf(shownHints), null, 2)}\n`], { type: "application/json" });
  const link = el("a", { href: URL.createObjectURL(file), download: `nudge-${session ?? "hints"}.json` });
  link.click();
  URL.revokeObjectURL(link.href);
  const secrets = shownHints.filter(({ secret }) => secret).length;
  const words = `Saved ${counted(shownHints.length - secrets, "hint")}; \`nudge import\` loads them.`;
  toast(secrets > 0 ? `${words} Left out ${counted(secrets, "hint")} marked as secret.` : words);
}

/** The hint that is kept, and where a get finds it. */
let keeping = null;

/** Asks how to keep a hint. The server keeps what a get finds, so a place is looked for where that is this variant. */
async function openKeep(entry) {
  const { id, component, key } = entry;
  const contexts = [chosenPlace(), ...known.map(({ context }) => context), {}].filter(Boolean);
  const answers = await ask(contexts.map((context) => ["nudge.keep", { component, key, context, dry_run: true }]));
  const at = answers.findIndex(({ result }) => result && identity(component, key, result.hint.meta?.scope) === id);
  if (at < 0) {
    const refused = answers.find(({ error }) => error && error.data?.reason !== "E_NOT_FOUND");
    toast(refused ? refused.error.message : "Choose a place where a get finds this variant, then keep it.");
    return;
  }
  keeping = { component, key, context: contexts[at] };
  $("keep-title").replaceChildren(...shown(`Keep ${component} / ${key}`));
  $("keep-repository").checked = true;
  await previewKeep();
  $("keep").showModal();
}

function keepParams() {
  return { ...keeping, layer: document.querySelector("[name=layer]:checked").value };
}

/** Shows what the project's file would gain. */
async function previewKeep() {
  const params = keepParams();
  $("keep-file").hidden = true;
  $("keep-note").textContent = "";
  if (params.layer !== "project") return;
  try {
    const { file } = await call("nudge.keep", { ...params, dry_run: true });
    const before = new Set(file.before.split("\n"));
    $("keep-note").textContent = plain(`${file.path} gains these lines:`);
    $("keep-file").replaceChildren(...shown(file.after.split("\n").filter((line) => !before.has(line)).join("\n"), true));
    $("keep-file").hidden = false;
  } catch (error) {
    $("keep-note").textContent = plain(wordsOf(error));
  }
}

const LAYERS = { repository: "for you in its repository", everywhere: "for you everywhere", project: "in the project's file" };

async function submitKeep() {
  try {
    const { component, key, layer } = await write("nudge.keep", keepParams());
    $("keep").close();
    toast(`Kept ${component} / ${key} ${LAYERS[layer]}.`);
  } catch (error) {
    $("keep-note").textContent = plain(wordsOf(error));
  }
}
