// The hints as this page knows them, by variant: a snapshot, and the changes after it.

/** Every variant by its identity: component, key and canonical scope. */
const hints = new Map();

function identity(component, key, scope) {
  return JSON.stringify([component, key, scope ? sorted(scope) : null]);
}

/** The same with its fields in order, whoever wrote it. */
function sorted(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = Object.keys(value).sort().map((name) => [name, sorted(value[name])]);
  return Object.fromEntries(fields);
}

/** Takes a snapshot over. Gives back which variants are other than before. */
function replaceAll(payload) {
  const now = Date.now();
  const found = new Map();
  for (const [component, { hints: slots }] of Object.entries(payload.components)) {
    for (const [key, slot] of Object.entries(slots)) {
      for (const hint of [slot].flat()) {
        const entry = variant(component, key, hint);
        if (entry.end > now) found.set(entry.id, entry);
      }
    }
  }
  const touched = new Set();
  for (const id of hints.keys()) if (!found.has(id)) touched.add(id);
  for (const [id, entry] of found) {
    const known = hints.get(id);
    if (!known || JSON.stringify(sorted(known.hint)) !== JSON.stringify(sorted(entry.hint))) touched.add(id);
  }
  for (const id of touched) put(id, found.get(id));
  return touched;
}

/** What changes no hint, also where it tells of one. */
const BESIDES = new Set(["context", "propose", "dismiss"]);

/** Does what changes say about hints, in order. Gives back which variants they touched. */
function apply(changes) {
  const touched = new Set();
  for (const { what, component, key, scope, hint } of changes) {
    if (BESIDES.has(what)) continue;
    if (what === "clear") {
      for (const id of hints.keys()) touched.add(id);
      hints.clear();
      continue;
    }
    const id = identity(component, key, scope);
    put(id, hint && variant(component, key, hint));
    touched.add(id);
  }
  return touched;
}

/** Takes away what has run out; the server sweeps once in a while only. */
function expire(now) {
  const over = new Set();
  for (const [id, { end }] of hints) if (end <= now) over.add(id);
  for (const id of over) hints.delete(id);
  return over;
}

function put(id, entry) {
  if (entry) hints.set(id, entry);
  else hints.delete(id);
}

function variant(component, key, hint) {
  const { meta } = hint;
  const secret = meta?.sensitivity === "secret";
  const text = secret ? "" : textOf(hint.value);
  const tags = meta?.tags ?? [];
  const client = meta?.origin?.client?.split("/")[0];
  // What the terminal says, the user does.
  const sources = [meta?.source, client === "nudge" ? undefined : client].filter(Boolean);
  const words = [component, key, text, ...tags, meta?.reason, scopeInWords(meta?.scope), ...sources, meta?.origin?.repo];
  return {
    id: identity(component, key, meta?.scope),
    component, key, hint, secret, text, tags, sources,
    /** The repositories that it names; `null` for one that names none. */
    repos: [meta?.scope?.repo ?? null].flat(),
    end: endOf(hint),
    /** What the filter looks at. */
    haystack: words.filter(Boolean).join("\n").toLowerCase(),
  };
}

/** What an import loads: these hints, but for secrets, whose values are not here. */
function payloadOf(entries) {
  const components = new Map();
  for (const { component, key, hint, secret } of entries) {
    if (secret) continue;
    if (!components.has(component)) components.set(component, new Map());
    const slots = components.get(component);
    slots.set(key, [...(slots.get(key) ?? []), hint]);
  }
  const slotsOf = (slots) => Object.fromEntries([...slots].map(([key, variants]) => [key, variants.length > 1 ? variants : variants[0]]));
  const named = [...components].map(([component, slots]) => [component, { hints: slotsOf(slots) }]);
  const hasVariants = [...components.values()].some((slots) => [...slots.values()].some((variants) => variants.length > 1));
  return { schema_version: hasVariants ? "1.1" : "1.0", components: Object.fromEntries(named) };
}
