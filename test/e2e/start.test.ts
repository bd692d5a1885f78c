// `npm start` as a process: start, requests, failures and stop.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { listDescendants, type ProcessInfo } from "../../scripts/process-tree.ts";
import type { Frame } from "../../src/protocol/wire/events.ts";
import { signToken } from "../http/tokens.ts";
import { createApiUser } from "../support/api-user.ts";
import { findViolations } from "../support/invariants.ts";
import { startModelServer } from "../support/model-server.ts";
import { findFreePort, isPortFree, listen } from "../support/net.ts";
import { connectRecordingClient, isDone } from "../support/recording-client.ts";
import { isLongRun } from "../support/run-length.ts";
import { EMPTY } from "../support/unset-settings.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SECRET = "s3cret-$HOME-'quoted'-and-long-enough";
let state: string;
let running: { readonly child: ChildProcess; readonly ended: Promise<unknown> } | undefined;

beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), "orrery-start-"));
});

afterEach(async () => {
  running?.child.kill("SIGTERM");
  await running?.ended;
});

afterAll(() => rmSync(state, { recursive: true, force: true }));

const createUser = async (port: number) =>
  createApiUser(`http://localhost:${port}`, await signToken({ sub: "ada" }, { secret: SECRET }));

test.skipIf(process.platform === "win32")(
  "start leaves no process when it is stopped during the migrations",
  async () => {
    const { child, output } = startServer({
      PORT: String(await findFreePort()),
      ORRERY_STATE: join(state, "interrupted"),
    });
    const listMigrations = () =>
      listDescendants(child.pid ?? 0).filter(({ command }) => command.includes("migrations apply"));
    const [migration] = await vi.waitFor(() => {
      const found = listMigrations();
      expect(found).toHaveLength(1);
      return found;
    }, 30_000);
    child.kill("SIGTERM");
    await vi.waitFor(() => expect(child.exitCode).toBe(0), 10_000);
    expect(output()).not.toContain("failed");
    expect(() => process.kill(migration?.pid ?? 0, 0)).toThrow("ESRCH");
  },
);

/** What the first test leaves in the storage. */
let conversation = { id: "", log: [] as Frame[] };

test("start prints its URL but no secret, and leaves no process or file after its stop", async () => {
  const port = await findFreePort();
  const { child, output } = startServer({ PORT: String(port), AUTH_SECRET: SECRET });
  await vi.waitFor(() => expect(output()).toContain("Ctrl-C stops the server."), 45_000);
  const user = await createUser(port);
  const { conversationId: id } = await user.sendAndWait("计算 40 加 2");
  conversation = { id, log: await user.history(id) };

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
  expect(readCommandLines()).not.toContain(SECRET);
  if (process.platform !== "win32") {
    const getMode = (path: string) => statSync(path).mode & 0o777;
    expect(getMode(join(state, "sealing.key"))).toBe(0o600);
    expect(getMode(join(state, `settings-${port}.env`))).toBe(0o600);
    expect(getMode(state)).toBe(0o700);
  }
  expect(readFileSync(join(state, `settings-${port}.env`), "utf8")).toContain(
    readFileSync(join(state, "sealing.key"), "utf8").trim(),
  );

  child.kill("SIGTERM");
  await vi.waitFor(() => expect(child.exitCode).toBe(0), 10_000);
  expect(await isPortFree(port)).toBe(true);
  expect(existsSync(join(state, `settings-${port}.env`))).toBe(false);
});

test.skipIf(process.platform === "win32")(
  "[I1] [L2] start keeps conversations and connections over a stop and crashes of workerd, and gives up after five in a minute",
  async () => {
    const model = await startModelServer();
    try {
      const port = await findFreePort();
      const { child, output } = startServer({
        PORT: String(port),
        AUTH_SECRET: SECRET,
        OPENAI_BASE_URL: model.url,
      });
      await vi.waitFor(() => expect(output()).toContain("Ctrl-C stops the server."), 45_000);
      const user = await createUser(port);
      expect(await user.history(conversation.id)).toEqual(conversation.log);
      const client = connectRecordingClient({
        url: `http://localhost:${port}`,
        token: await signToken({ sub: "ada" }, { secret: SECRET }),
        conversationId: conversation.id,
      });
      for (const isProxy of [false, true]) {
        const text = Array.from({ length: 60 }, (_, i) => `word ${i}${isProxy ? "p" : "w"} `).join("");
        const sent = client.connection.send(`Go ${model.addScript({ triage: { text, paceMs: 20 } })}`);
        await client.waitFor(({ event, data }) => event === "message_chunk" && text.startsWith(data.payload.content));
        process.kill(
          findWorkerd(child, (command) => command.includes(`:${port} `) === isProxy),
          "SIGKILL",
        );
        await client.waitFor(isDone((await sent).thread_id));
        const texts = [...client.connection.view.items.values()].map(({ payload }) => payload["content"]);
        expect(texts).toContain(text);
        expect(findViolations(await user.history(conversation.id))).toEqual([]);
      }
      client.close();
      expect(child.exitCode).toBeNull();

      while (child.exitCode === null) {
        for (const { pid } of listWorkerds(child)) process.kill(pid, "SIGKILL");
        await sleep(200);
      }
      expect(child.exitCode).toBe(1);
      expect(output()).toContain("crashed 5 times within a minute, so the server has stopped.");
      expect(await isPortFree(port)).toBe(true);
    } finally {
      await model.close();
    }
  },
  120_000,
);

test.runIf(isLongRun && process.platform !== "win32")(
  "start exits with a message when the server stops unexpectedly",
  async () => {
    const { child, output } = startServer({ PORT: String(await findFreePort()) });
    await vi.waitFor(() => expect(output()).toContain("Ctrl-C stops the server."), 45_000);
    const wrangler = listDescendants(child.pid ?? 0).find(({ command }) => command.includes("wrangler-dist"));
    process.kill(wrangler?.pid ?? 0, "SIGTERM");
    await vi.waitFor(() => expect(child.exitCode).toBe(1), 10_000);
    expect(output()).toContain("The server stopped unexpectedly.");
  },
);

test("start exits with a message when the port is in use", async () => {
  const occupyingServer = createServer();
  const port = await listen(occupyingServer);
  const { child, output } = startServer({ PORT: String(port) });
  await vi.waitFor(() => expect(child.exitCode).toBe(1), 10_000);
  await new Promise((done) => occupyingServer.close(done));
  expect(output()).toContain(`Port ${port} is already in use.`);
});

test.each([
  ["PORT", "eighty"],
  ["MAX_TASKS", "many"],
  ["AUTH_JWKS_URL", "nonsense"],
  ["ALLOW_PRIVATE_AGENTS", "perhaps"],
  ["ORRERY_STATE", "package.json"],
  ["ORRERY_STATE", "package.json/state"],
])("start exits with the name of an invalid setting: %s", async (name, value) => {
  const { child, output } = startServer({ PORT: String(await findFreePort()), [name]: value });
  await vi.waitFor(() => expect(child.exitCode).toBe(1), 10_000);
  expect(output()).toContain(`${name}: `);
});

function startServer(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["scripts/run.mjs", "scripts/start.ts"], {
    cwd: ROOT,
    env: { ...process.env, ...EMPTY, ORRERY_STATE: state, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running = { child, ended: new Promise((done) => child.once("close", done)) };
  let text = "";
  const append = (chunk: Buffer) => (text += chunk.toString());
  child.stdout.on("data", append);
  child.stderr.on("data", append);
  return { child, output: () => text };
}

function listWorkerds(child: ChildProcess): readonly ProcessInfo[] {
  return listDescendants(child.pid ?? 0).filter(({ command }) => command.includes("workerd serve"));
}

/** Finds one of the two workerd processes of wrangler: the development proxy, which has the port, or the Worker. */
function findWorkerd(child: ChildProcess, matches: (command: string) => boolean): number {
  const found = listWorkerds(child).filter(({ command }) => matches(command));
  expect(found).toHaveLength(1);
  return found[0]?.pid ?? 0;
}

/** Returns the command lines of all processes; an empty string without /proc. */
function readCommandLines(): string {
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
