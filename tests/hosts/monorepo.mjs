// What tests/hosts/monorepo plays, and how it judges what the model was told.
// monorepo.mjs PLACE WHAT [WHICH]
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const MOST_OF_LITTLE_USE = 0.15;
const [place, what, which] = process.argv.slice(2);
const root = join(place, "api");
const judged = join(place, "judged");
const story = JSON.parse(readFileSync(new URL("monorepo.json", import.meta.url)));
const row = (...words) => console.log(words.join("\t"));
const sessions = story.sessions.map(([host, branch, folder, task, steps]) => ({ host, branch, folder, task, steps }));

/** A path from the root, without a dot where it is the root. */
const below = (...parts) => normalize(join("/", ...parts)).slice(1).replace(/\/$/, "");

/** Where a command runs that is given in a folder, and what is run there. */
function placed(folder, command) {
  const [, to, rest] = /^cd (\S+) && (.*)$/.exec(command) ?? [];
  const bare = (rest ?? command).replace(/ 2>&1.*$/, "");
  const [, other, goal] = /^make -C (\S+) (.*)$/.exec(bare) ?? [];
  if (other) return { folder: below(folder, other), command: `make ${goal}` };
  if (!to) return { folder, command: bare };
  const path = to.replace("{root}", root);
  return { folder: path.startsWith(root) ? below(path.slice(root.length)) : below(folder, path), command: bare };
}

/** Whether npm does it for the nearest package above. A workspace is looked for from here. */
const looksUp = (command) => command.startsWith("npm ") && !command.includes(" -w ");

/** The rows of the truth about a command, and whether it works there. */
function truth({ folder, command }, branch) {
  const at = looksUp(command) ? (story.npm[folder] ?? folder) : folder;
  const spelled = command.replace(/^npm run test\b/, "npm test").replace(/^npm run -s /, "npm run ");
  const of = (rows, works) =>
    rows
      .filter(([, , where, known, only]) => where === at && known === spelled && (only ?? branch) === branch)
      .map(([kind, about]) => ({ kind, about, works }));
  return [...of(story.works, true), ...of(story.fails, false)];
}

/** What a session does: the folders that it is about, and of which kind that is. */
function acts({ folder, branch, steps }) {
  return steps.flatMap((step) => {
    const edited = /^\+ (\S+)/.exec(step)?.[1];
    if (edited) return [{ about: dirname(edited), file: edited }];
    const at = placed(folder, step.replace(/^\?/, ""));
    const known = truth(at, branch);
    return known.length ? known : [{ about: at.folder }];
  });
}

/** The texts of a request, and how many calls it tells of. */
function read(asked) {
  const texts = [];
  let calls = 0;
  const isCall = (it) => it.type === "tool_use" || it.type === "function_call" || it.functionCall || (it.id && it.function);
  const walk = (it) => {
    if (typeof it === "string") texts.push(it);
    else if (it && isCall(it)) calls++;
    else if (it && typeof it === "object") for (const [name, one] of Object.entries(it)) if (name !== "tools") walk(one);
  };
  walk(asked);
  return { texts, calls };
}

/** The lines of a text that Nudge told. */
function said(text) {
  const lines = [];
  let inBlock = false;
  for (const line of text.split("\n")) {
    const isOne = inBlock && /^(- |\(\d+ more )/.test(line);
    inBlock = isOne || line.includes("Notes by people and agents, from Nudge:");
    const told = /Nudge(: \S| held this back).*|^(Working on|Left unfinished by|Also at work here|\d+ proposed hints? ).*/.exec(line);
    if (isOne) lines.push(line);
    else if (told && !inBlock) lines.push(told[0].replace(/<\/\w+>$/, ""));
  }
  return lines;
}

/** All that Nudge told a model, with how many calls that had made: a request repeats those before it. */
function told(requests) {
  const lines = [];
  for (const { texts, calls } of requests.map(read)) {
    const before = lines.map(({ line }) => line);
    for (const line of texts.flatMap(said)) {
      const at = before.indexOf(line);
      if (at < 0) lines.push({ line, calls });
      else before.splice(at, 1);
    }
  }
  return lines;
}

/** Whether a line is right, wrong or of little use, and why. */
function judge({ line, calls }, session, before) {
  const { branch, folder, steps } = session;
  const does = acts(session);
  // What is said of a command is said of where that runs, and else of where the line says.
  const [, there] = / could not run in [^;`]* in ([^\s;]+)/.exec(line) ?? [];
  const here = calls ? placed(folder, steps[calls - 1]).folder : below(folder, there ?? "");
  const claims = [...line.matchAll(/(?:`([^`]+)`|here is "([^"]+)")([^`]*)/g)].map(([, code, value, after]) => ({
    command: code ?? value,
    fails: /^ (could not|cannot|in \S+ failed|failed)/.test(after),
  }));
  const left = /^(Left unfinished|Also at work here).*?(?:by|,) (\w+)/.exec(line);
  if (left) return judgeLeft(line, left, session, before);
  const [, component, key] = /\] (\w+)\/(\w+)(?::| here is)/.exec(line) ?? [];
  const of = story.components[component];
  let [isUsed, isExact, isNew] = [false, false, !claims.length];
  for (const { command, fails } of claims) {
    const at = placed(command.startsWith("cd ") ? folder : here, command);
    // What the user says of a component is said of its folder, wherever it is told, but as "here".
    const isUsers = !line.includes(" here is ") && story.hints.some((hint) => `${hint}` === `${[of, key, command]}`);
    const known = truth(isUsers ? placed(of, command) : at, branch);
    const so = known.filter(({ works, about }) => works !== fails && (of ?? about) === about);
    if (!so.length && !command.startsWith("nudge "))
      return ["wrong", `in \`${at.folder}\` on ${branch} it is not so that \`${at.command}\` ${fails ? "fails" : "works"}${component ? ` for ${component}` : ""}`];
    const claim = `${at.folder}: ${at.command} ${fails}`;
    isNew ||= !before.claims.has(claim);
    before.claims.add(claim);
    isUsed ||= does.some((act) => so.some((it) => act.about === it.about || act.kind === it.kind));
    isExact ||= does.some((act) => so.some((it) => act.about === it.about && act.kind === it.kind));
  }
  if (!isNew) return ["little", "it was said in this session"];
  return isUsed ? ["right", isExact ? "" : "nothing of both that folder and that kind is done"] : ["little", "nothing of that folder or kind is done"];
}

/** The same of what somebody left: it must be so, and be about what is done now. */
function judgeLeft(line, [, state, host], session, before) {
  if (state !== "Left unfinished") return ["wrong", "nobody else is at work"];
  const files = [...line.matchAll(/[\w./-]+\.(?:go|js|md|py)\b/g)].map(([file]) => file);
  const folders = [...files.map(dirname), ...[...line.matchAll(/` in (\S+)/g)].map(([, it]) => it)];
  const things = [...files, ...[...line.matchAll(/`([^`]+)`/g)].map(([, it]) => it)];
  const isIt = ({ host: other, steps }) =>
    other === host && steps.some((step) => step.startsWith("?")) && things.every((it) => steps.some((step) => step.includes(it)));
  if (!before.sessions.some(isIt)) return ["wrong", `no session of ${host} left that in the middle`];
  if (before.lines.includes(line)) return ["little", "it was said in this session"];
  const isUsed = acts(session).some(({ about }) => about && folders.some((it) => it.startsWith(about) || about.startsWith(it)));
  return isUsed ? ["right", ""] : ["little", "nothing is done there"];
}

const does = {
  files() {
    const write = (path, text) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text, { mode: 0o755 });
    };
    for (const [path, text] of Object.entries(story[which])) write(join(root, path), text);
    for (const [name, text] of Object.entries(story.programs)) write(join(place, "bin", name), `#!/bin/sh\n${text}\n`);
  },
  truth() {
    for (const [says, rows] of [["works", story.works], ["fails", story.fails]])
      for (const [, , where, command, only] of rows)
        for (const folder of [where, ...Object.keys(story.npm).filter((it) => looksUp(command) && story.npm[it] === where)])
          row(only ?? "main", folder || ".", says, command);
  },
  hints: () => story.hints.forEach((it) => row(...it)),
  sessions: () => sessions.forEach((it, at) => row(at + 1, it.host, it.branch, it.folder || ".", it.task)),
  steps: () => sessions[which - 1].steps.forEach((step) => row(step.replace("{root}", root))),
  judge() {
    const session = sessions[which - 1];
    const asked = readFileSync(join(place, "asked"), "utf8").trim().split("\n").map((it) => JSON.parse(it));
    appendFileSync(judged, "");
    const before = { sessions: sessions.slice(0, which - 1), lines: [], claims: new Set() };
    for (const one of told(asked)) {
      const [verdict, why] = judge(one, session, before);
      before.lines.push(one.line);
      appendFileSync(judged, `${JSON.stringify({ number: which, host: session.host, verdict, why, ...one })}\n`);
    }
    const isWhole = existsSync(join(place, session.steps.some((step) => step.startsWith("?")) ? "asked.held" : "asked.done"));
    process.exitCode = isWhole ? 0 : 1;
  },
  table() {
    // No host was there to be asked.
    if (!existsSync(judged)) return;
    const all = readFileSync(judged, "utf8").split("\n").filter(Boolean).map((it) => JSON.parse(it));
    const count = (rows, verdict) => rows.filter((it) => it.verdict === verdict).length;
    const print = (name, rows) => {
      const exact = rows.filter((it) => it.verdict === "right" && !it.why).length;
      const numbers = [rows.length, count(rows, "right"), exact, count(rows, "wrong"), count(rows, "little")];
      console.log(`${name.padEnd(10)}${numbers.map((it) => String(it).padStart(14)).join("")}`);
    };
    for (const { verdict, number, host, calls, line, why } of all)
      if (verdict !== "right" || process.env.ALL) console.log(`${verdict}: session ${number}, ${host}, after ${calls} calls: ${line}\n    ${why}`);
    console.log(`${"host".padEnd(10)}${["lines", "right", "to the point", "wrong", "little use"].map((it) => it.padStart(14)).join("")}`);
    for (const host of new Set(sessions.map((it) => it.host))) print(host, all.filter((it) => it.host === host));
    print("all", all);
    const isWell = all.length && !count(all, "wrong") && count(all, "little") <= all.length * MOST_OF_LITTLE_USE;
    process.exitCode = isWell ? 0 : 1;
  },
};
does[what]();
