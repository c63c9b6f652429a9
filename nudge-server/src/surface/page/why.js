// The why panel: every variant of a slot, eligible or not, in a context that can be chosen.

const TERMS = ["frecency", "priority", "confidence", "specificity", "recency"];

/** The slot that is explained; null while the panel is closed. */
let slot = null;
/** Only the answer to the last question is shown. */
let question = 0;

function openWhy(component, key) {
  slot = { component, key };
  $("why-title").replaceChildren(...shown(`${component} / ${key}`));
  stateIn($("why"));
  $("why").showModal();
  explain();
}

/** Asks what `nudge why` asks, and shows it. */
async function explain() {
  if (!slot) return;
  const { component, key } = slot;
  const asked = ++question;
  const context = statedPlace();
  let answers;
  try {
    answers = await ask([
      ["nudge.get_hint", { component, key, context, alternatives: 20 }],
      ["nudge.query", { component, keys: [key], context, limit: 100, include_ineligible: true }],
      ["nudge.hello"],
    ]);
  } catch (error) {
    answers = [{}, { error }, {}];
  }
  if (asked !== question || !slot) return;
  const [got, found, hello] = answers;
  const names = hello.result?.env_names ?? [];
  $("place-names").textContent = names.length > 0 ? plain(`Scopes here ask for ${names.join(", ")}.`) : "";
  const words = found.error?.message;
  $("why-variants").replaceChildren(...(words ? [el("li", { class: "problem" }, words)] : variantsOf(got.result, found.result)));
}

function variantsOf(chosen, { hints: ranked, ineligible = [] }) {
  // The order in which they would be chosen, and then the rest by score.
  const order = chosen ? [chosen, ...(chosen.alternatives ?? [])] : [];
  const idOf = ({ component, key, hint }) => identity(component, key, hint.meta?.scope);
  const known = new Set(order.map(idOf));
  order.push(...ranked.filter((found) => !known.has(idOf(found))));
  const largest = Math.max(0.3, ...order.flatMap(({ match_explain: { parts } }) => TERMS.map((term) => parts[term])));
  const eligible = order.map((found, index) => eligibleOf(found, index === 0 && Boolean(chosen), largest));
  const none = eligible.length === 0
    ? [el("li", { class: "verdict" }, ineligible.length > 0
      ? "No variant applies in this context." : "There is no such hint any more.")]
    : [];
  return [...none, ...eligible, ...ineligible.map(ineligibleOf)];
}

function eligibleOf({ hint, match_explain: { score, parts, reasons } }, isWinner, largest) {
  return el("li", { class: isWinner ? "variant winner" : "variant" },
    el("p", { class: "mark" }, isWinner ? "✓ chosen" : "applies",
      el("span", { class: "score" }, `score ${score.toFixed(4)}`)),
    shortValue(hint),
    el("p", { class: "scope" }, scopeInWords(hint.meta?.scope)),
    el("dl", { class: "terms" }, TERMS.map((term) => bar(term, parts[term], largest))),
    el("ul", { class: "reasons" }, reasons.map((reason) => el("li", {}, reason))));
}

function bar(term, value, largest) {
  const fill = el("span", { class: "fill" });
  fill.style.width = `${(100 * value) / largest}%`;
  return el("div", { class: "term" },
    el("dt", {}, term),
    el("dd", {}, el("span", { class: "bar", "aria-hidden": "true" }, fill), el("span", { class: "amount" }, value.toFixed(4))));
}

function ineligibleOf({ near_misses: misses }) {
  const scope = misses[0]?.scope;
  const entry = hints.get(identity(slot.component, slot.key, scope));
  // Of a hint that is marked as secret the server does not tell the scope.
  const value = entry ? shortValue(entry.hint) : el("p", { class: "value masked" }, "•••••• marked as secret");
  return el("li", { class: "variant away" },
    el("p", { class: "mark" }, "✗ out of scope"),
    value,
    entry ? el("p", { class: "scope" }, scopeInWords(scope)) : null,
    el("ul", { class: "misses" }, misses.map((miss) => el("li", {},
      el("strong", {}, miss.condition), " must match ", el("code", {}, either(miss.expected)), ", but ",
      miss.actual == null ? "is not known" : el("span", {}, "is ", el("code", {}, miss.actual)),
      miss.fix ? el("span", { class: "fix" }, miss.fix) : null))));
}

/** The start of a value: enough to know it by. */
function shortValue(hint) {
  if (hint.meta?.sensitivity === "secret") return el("p", { class: "value masked" }, "•••••• marked as secret");
  const text = textOf(hint.value);
  return el("p", { class: "value" }, text.length > 160 ? `${text.slice(0, 160)}…` : text);
}
