// `npm start` as a person runs it: from nothing to a server that answers, and away again without a trace.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { descendantsOf } from "../../scripts/process-tree.ts";
import { freePort, isFree, listen } from "../support/net.ts";
import { EMPTY } from "../support/unset.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SECRET = "s3cret-$HOME-'quoted'-and-long-enough";
let state: string;
let running: { readonly child: ChildProcess; readonly ended: Promise<unknown> } | undefined;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "orrery-start-"));
});

afterEach(async () => {
  running?.child.kill("SIGTERM");
  await running?.ended;
  rmSync(state, { recursive: true, force: true });
});

test("starts, says where it is, never shows a secret, and leaves nothing behind", async () => {
  const port = await freePort();
  const { child, output } = start({ PORT: String(port), AUTH_SECRET: SECRET });
  await vi.waitFor(() => expect(output()).toContain("Ctrl-C stops the server."), 45_000);

  expect((await fetch(`http://localhost:${port}/health`)).status).toBe(200);
  for (const page of ["/", "/docs", "/docs/"]) {
    const response = await fetch(`http://localhost:${port}${page}`);
    expect(await response.text(), page).toContain("<!doctype html>");
    expect(response.headers.get("content-security-policy"), page).toContain("default-src 'none'");
  }
  expect((await fetch(`http://localhost:${port}/docs/viewer/swagger-ui-bundle.js`)).status).toBe(200);
  expect(output()).toContain(`Orrery is ready on http://localhost:${port}`);
  expect(output()).toContain("bearer tokens are required");
  expect(output()).not.toContain(SECRET);
  expect(commandLines()).not.toContain(SECRET);

  child.kill("SIGTERM");
  await vi.waitFor(() => expect(child.exitCode).toBe(0), 10_000);
  expect(await isFree(port)).toBe(true);
  expect(existsSync(join(state, `settings-${port}.env`))).toBe(false);
});

test.skipIf(process.platform === "win32")(
  "goes on where a crash of the runtime can be mended, and ends with a sentence where no request reaches it any more",
  async () => {
    const port = await freePort();
    const { child, output } = start({ PORT: String(port) });
    await vi.waitFor(() => expect(output()).toContain("Ctrl-C stops the server."), 45_000);
    const isHealthy = () => fetch(`http://localhost:${port}/health`).then(({ ok }) => ok);

    process.kill(
      workerdOf(child, (command) => !command.includes(`:${port} `)),
      "SIGKILL",
    );
    await vi.waitFor(async () => expect(await isHealthy()).toBe(true), 15_000);
    expect(child.exitCode).toBeNull();

    process.kill(
      workerdOf(child, (command) => command.includes(`:${port} `)),
      "SIGKILL",
    );
    await vi.waitFor(() => expect(child.exitCode).toBe(1), 30_000);
    expect(output()).toContain("no request reaches it any more. Start it again: npm start");
    expect(await isFree(port)).toBe(true);
  },
);

test.skipIf(process.platform === "win32")("a server that ends by itself is told of", async () => {
  const { child, output } = start({ PORT: String(await freePort()) });
  await vi.waitFor(() => expect(output()).toContain("Ctrl-C stops the server."), 45_000);
  const wrangler = descendantsOf(child.pid ?? 0).find(({ command }) => command.includes("wrangler-dist"));
  process.kill(wrangler?.pid ?? 0, "SIGTERM");
  await vi.waitFor(() => expect(child.exitCode).toBe(1), 10_000);
  expect(output()).toContain("The server has ended by itself.");
});

test("a port that is in use is said in a sentence", async () => {
  const squatter = createServer();
  const port = await listen(squatter);
  const { child, output } = start({ PORT: String(port) });
  await vi.waitFor(() => expect(child.exitCode).toBe(1), 10_000);
  await new Promise((done) => squatter.close(done));
  expect(output()).toContain(`Port ${port} is already in use.`);
});

test.each([
  ["PORT", "eighty"],
  ["MAX_TASKS", "many"],
  ["AUTH_JWKS_URL", "nonsense"],
  ["ALLOW_PRIVATE_AGENTS", "perhaps"],
  ["ORRERY_STATE", "package.json"],
  ["ORRERY_STATE", "package.json/state"],
])("a wrong %s stops the start with its name", async (name, value) => {
  const { child, output } = start({ PORT: String(await freePort()), [name]: value });
  await vi.waitFor(() => expect(child.exitCode).toBe(1), 10_000);
  expect(output()).toContain(`${name}: `);
});

function start(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["scripts/run.mjs", "scripts/start.ts"], {
    cwd: ROOT,
    env: { ...process.env, ...EMPTY, ORRERY_STATE: state, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running = { child, ended: new Promise((done) => child.once("close", done)) };
  let text = "";
  const keep = (chunk: Buffer) => (text += chunk.toString());
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return { child, output: () => text };
}

/** One of the two that wrangler starts: its development proxy, which has the port, and the one with the Worker. */
function workerdOf(child: ChildProcess, isWanted: (command: string) => boolean): number {
  const found = descendantsOf(child.pid ?? 0).filter(
    ({ command }) => command.includes("workerd serve") && isWanted(command),
  );
  expect(found).toHaveLength(1);
  return found[0]?.pid ?? 0;
}

/** Every command line on this machine; empty where the system does not show them as files. */
function commandLines(): string {
  if (!existsSync("/proc/self/cmdline")) return "";
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .join("\n");
}
