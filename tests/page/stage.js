// What each test stands on: a server in a folder of its own, and a page in a real browser.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const BINARY = process.env.NUDGE_BIN;
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

let browser;

/** The browser, one for all tests of a file. */
export async function open() {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  return browser;
}

export async function close() {
  await browser?.close();
}

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds, in a line each. */
export async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

/** A test's server and its page; both end with the test. */
export class Stage {
  /** Console messages and violations of the policy: a test that expects none of them says nothing. */
  complaints = [];
  /** The addresses that the page asked for. */
  requests = [];
  /** Where the pages were. */
  homes = [];
  /** What the server said to the page, streams left out. */
  bodies = [];

  /** Starts a server, lets `prepare` fill it and `arrange` see the page before it is opened, and opens it. */
  static async start(test, { prepare, arrange, context, clock, env, view = "Hints" } = {}) {
    const stage = await Stage.serving(test, 0, env);
    Object.assign(stage, { arrange, view });
    await prepare?.(stage);
    await stage.visit(context, clock);
    return stage;
  }

  /** Starts a server alone. */
  static async serving(test, port, env) {
    const stage = new Stage();
    stage.folder = await mkdtemp(join(tmpdir(), "nudge-page-"));
    // What is kept or recorded goes below its home, and not below that of whoever runs the tests.
    stage.env = { ...process.env, HOME: stage.folder, NUDGE_RUNTIME_DIR: stage.folder, NUDGE_AUTOSTART: "0", ...env };
    for (const name of ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "CI"]) delete stage.env[name];
    stage.servers = [];
    test.after(() => stage.end());
    await stage.serve(port);
    return stage;
  }

  /** Starts a server and waits until it has said where it is. */
  async serve(port = 0) {
    const server = spawn(BINARY, ["serve", "--port", String(port)], { env: this.env, stdio: ["ignore", "pipe", "ignore"] });
    this.servers.push(server);
    const [line] = await once(createInterface(server.stdout), "line");
    this.url ??= `${/http:[^; ]*/.exec(line)[0]}/`;
    return server;
  }

  /** A clone of a repository of acme's, on a branch. */
  async checkout(name, branch = "main") {
    const checkout = await realpath(await mkdtemp(join(this.folder, `${name}-`)));
    await mkdir(join(checkout, ".git"));
    await writeFile(join(checkout, ".git/HEAD"), `ref: refs/heads/${branch}\n`);
    await writeFile(join(checkout, ".git/config"), `[remote "origin"]\n\turl = git@github.com:acme/${name}.git\n`);
    await mkdir(join(checkout, ".git/objects"));
    await mkdir(join(checkout, ".git/refs"));
    return checkout;
  }

  /** Lets a client of MCP join from a checkout on the branch `dev`, and says where that is. */
  async join(name, version) {
    const checkout = await this.checkout("api", "dev");
    const member = spawn(BINARY, ["serve"], { env: this.env, cwd: checkout, stdio: ["pipe", "pipe", "ignore"] });
    this.servers.push(member);
    const lines = createInterface(member.stdout);
    const say = (message) => member.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name, version };
    say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
    await once(lines, "line");
    say({ method: "notifications/initialized" });
    say({ id: 2, method: "nudge.hello", params: {} });
    await once(lines, "line");
    return checkout;
  }

  get port() {
    return Number(new URL(this.url).port);
  }

  /** Types a command of the CLI. */
  async nudge(...args) {
    const { stdout } = await promisify(execFile)(BINARY, args, { env: this.env, cwd: this.cwd ?? "/", maxBuffer: 1 << 26 });
    return stdout;
  }

  /** Tells the hook of a host of an event in a session of its agent. */
  async hook(cwd, session, event) {
    const env = { ...this.env, NUDGE_HOOK_MS: "60000" };
    const told = promisify(execFile)(BINARY, ["hook", "claude"], { env, cwd });
    told.child.stdin.end(JSON.stringify({ session_id: session, cwd, ...event }));
    return (await told).stdout;
  }

  /** Calls a method of the server, as the user. */
  async call(method, params = {}) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const key = await readFile(join(this.env.NUDGE_RUNTIME_DIR, "client.key"), "utf8");
    const headers = { "Content-Type": "application/json", "Nudge-Origin": JSON.stringify({ via: "http", actor: "user", key }) };
    const response = await fetch(`${this.url}rpc`, { method: "POST", headers, body });
    const { result, error } = await response.json();
    if (error) throw new Error(error.message);
    return result;
  }

  /** Opens the page and waits until it is live. */
  async visit(options = {}, clock = false) {
    const viewport = { width: 1280, height: 800 };
    this.context = await (await open()).newContext({ viewport, ...options });
    this.page = await this.context.newPage();
    this.page.setDefaultTimeout(20_000);
    if (clock) await this.page.clock.install();
    this.page.on("console", (message) => {
      // That a server which was killed does not answer is what the test is about, and that it has cleared what others
      // left is what it should.
      if (message.type() !== "log" && !/^Clear-Site-Data header on .*Cleared data types: "storage"|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(message.text())) {
        this.complaints.push(message.text());
      }
    });
    this.page.on("pageerror", (error) => this.complaints.push(String(error.stack)));
    this.page.on("request", (request) => this.requests.push(request.url()));
    this.page.on("response", (response) => {
      if (!response.url().endsWith("/events")) this.bodies.push(response.text().catch(() => ""));
    });
    await this.arrange?.(this.page);
    await this.enter();
  }

  /** Goes to the page by the file that `nudge ui` makes, waits until it is live, and goes to a view of it. */
  async enter(page = this.page) {
    this.file = (await this.nudge("ui", "--no-open")).trim();
    await page.goto(this.file);
    await page.locator("[data-state=live]").waitFor();
    if (this.view) await page.getByRole("button", { name: this.view, exact: true }).click();
    this.home = page.url();
    this.homes.push(this.home);
  }

  /** Waits until what is shown is up to date. */
  async isLive() {
    await this.page.locator("[data-state=live]").waitFor();
  }

  row(key) {
    return this.page.locator(".hint").filter({ has: this.page.locator(".key").getByText(key, { exact: true }) });
  }

  /** Opens a row, and gives it back. */
  async open(row) {
    const key = row.locator(".key");
    if (await key.getAttribute("aria-expanded") === "false") await key.click();
    await row.locator(".more").waitFor();
    return row;
  }

  /** Presses a button of a row. */
  async press(row, name) {
    await (await this.open(row)).getByRole("button", { name, exact: true }).click();
  }

  /** Opens every row, and shows all of every long value. */
  async unfold() {
    const closed = this.page.locator('.key[aria-expanded="false"]');
    while (await closed.count() > 0) await closed.first().click();
    const folds = this.page.getByRole("button", { name: /Show all/ });
    while (await folds.count() > 0) await folds.first().click();
  }

  /** Ends everything. No page may have complained, or have asked for another place than its own. */
  async end() {
    await this.context?.close();
    for (const server of this.servers) {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill("SIGKILL");
        await once(server, "exit");
      }
    }
    // One that was started by itself is nobody's child.
    if (this.env.NUDGE_AUTOSTART === "1") await this.nudge("stop", "--force", "--purge");
    await rm(this.folder, { recursive: true, force: true });
    assert.deepEqual(this.complaints, []);
    const known = [...this.homes, this.file, "blob:"];
    assert.deepEqual(this.requests.filter((url) => !known.some((start) => url.startsWith(start))), []);
  }
}
