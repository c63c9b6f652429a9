// How things read: stored text as text and never as markup, times and scopes in words.

// What a browser obeys, or shows as nothing; `is_active` of the library has the same.
const ACTIVE =
  /[\p{Cc}\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\uffa0\ufff0-\ufff8\u{e0000}-\u{e0fff}]/u;
const EACH_ACTIVE = new RegExp(ACTIVE, "gu");
const BUT_LINES = /[\n\t]/;

/** A character as the CLI spells it. */
function spelled(letter) {
  const code = letter.codePointAt(0);
  const known = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[letter];
  return known ?? (code < 128 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`);
}

/** Text for places that hold nothing but text, such as a title. */
function plain(text) {
  return String(text).replace(EACH_ACTIVE, spelled);
}

/** Text as nodes, in which what is spelled out can be told from what was written so. */
function shown(text, keepsLines = false) {
  if (!ACTIVE.test(text)) return [document.createTextNode(text)];
  const nodes = [];
  let from = 0;
  for (const { 0: letter, index } of text.matchAll(EACH_ACTIVE)) {
    if (keepsLines && BUT_LINES.test(letter)) continue;
    if (index > from) nodes.push(document.createTextNode(text.slice(from, index)));
    const mark = document.createElement("span");
    mark.className = "spelled";
    mark.textContent = spelled(letter);
    nodes.push(mark);
    from = index + letter.length;
  }
  nodes.push(document.createTextNode(text.slice(from)));
  return nodes;
}

/**
 * An element. Every string becomes text and every attribute plain text, so that
 * nothing stored is markup whoever calls this.
 */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, plain(value));
  }
  for (const child of children.flat()) {
    if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== "") element.append(...shown(String(child)));
  }
  return element;
}

/** An element of the page by its id. */
function $(id) {
  return document.getElementById(id);
}

function number(count) {
  return count.toLocaleString("en");
}

function counted(count, noun) {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago something was, as the CLI says it. */
function ago(time, now) {
  const age = now - time;
  if (age < SECOND) return "just now";
  if (age < MINUTE) return `${Math.floor(age / SECOND)}s ago`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)}h ago`;
  return `${Math.floor(age / DAY)}d ago`;
}

/** A span of time that runs out, in its two largest units. */
function left(span) {
  const rest = Math.max(0, Math.ceil(span / SECOND)) * SECOND;
  const part = (unit, of) => Math.floor((rest % of) / unit);
  if (rest >= DAY) return `${part(DAY, Infinity)}d ${part(HOUR, DAY)}h`;
  if (rest >= HOUR) return `${part(HOUR, DAY)}h ${part(MINUTE, HOUR)}m`;
  if (rest >= MINUTE) return `${part(MINUTE, HOUR)}m ${part(SECOND, MINUTE)}s`;
  return `${part(SECOND, MINUTE)}s`;
}

/** When a hint ends, by the clock that all of this machine share; never, for one that has no time of its own. */
function endOf(hint) {
  return hint.expires_at ? Date.parse(hint.expires_at) : Infinity;
}

const SYSTEMS = { linux: "Linux", darwin: "macOS", windows: "Windows" };

/** Several words of which one is enough. */
function either(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** The conditions of a scope, a clause each; none for what applies everywhere. */
function clauses(scope) {
  const list = (field) => [scope?.[field] ?? []].flat();
  const told = [];
  const say = (words, before) => words.length > 0 && told.push(before + either(words));
  say(list("cwd_glob"), "in ");
  say(list("repo"), "repository ");
  say(list("branch"), "on branch ");
  say(list("os").map((os) => SYSTEMS[os] ?? os), "on ");
  for (const name of list("env_required")) told.push(`when ${name} is set`);
  for (const [name, values] of Object.entries(scope?.env_match ?? {})) {
    told.push(`when ${name} is ${either([values].flat())}`);
  }
  return told;
}

function scopeInWords(scope) {
  return clauses(scope).join(", ") || "everywhere";
}

/** The same in few words: a repository without its host. */
function scopeInBrief(scope) {
  const repo = [scope?.repo ?? []].flat().map((name) => name.split("/").slice(-2).join("/").replace(/^git:/, ""));
  const { repo: _, ...rest } = scope ?? {};
  return [...clauses(rest), ...(repo.length > 0 ? [`in ${either(repo)}`] : [])].join(", ") || "everywhere";
}

/** Who set a value: the program and the door that it came by. */
function who(origin) {
  if (!origin) return "";
  const place = origin.repo ? ` in ${origin.repo}` : "";
  return origin.client ? `${origin.client} over ${origin.via}${place}` : `over ${origin.via}${place}`;
}

/** What a value says, as `nudge get --raw` prints it. */
function textOf(value) {
  if (typeof value === "string") return value;
  switch (value.type) {
    case "command": return value.cmd;
    case "path": return value.abs;
    case "template": return value.body;
    case "json": return JSON.stringify(value.data);
    default: return JSON.stringify(value, null, 2);
  }
}

/** The same as it is best read: data of some length has a line for each field. */
function readable(value) {
  const text = textOf(value);
  return value.type === "json" && text.length > 72 ? JSON.stringify(value.data, null, 2) : text;
}

/** What kind of value it is, in a word or two. */
function kindOf(value) {
  if (typeof value === "string") return "text";
  const more = value.shell ?? value.format ?? [value.os ?? []].flat().map((os) => SYSTEMS[os] ?? os).join(", ");
  return more ? `${value.type}, ${more}` : value.type;
}
