// npm start: the whole system on this machine, with no account, no key and no network.

import type { ChildProcess } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildAssets } from "./assets.ts";
import { claimState } from "./claim-state.ts";
import { readLocalSettings, writeVars, type LocalSettings } from "./local-settings.ts";
import { applyMigrations } from "./migrations.ts";
import { endTree, isRunning } from "./process-tree.ts";
import { exitOf, ROOT, start } from "./tools.ts";
import { welcome } from "./welcome.ts";

const HOST = "127.0.0.1";
const START_TIMEOUT_MS = 60_000;
const RECOVERY_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 5_000;
const MINUTE_MS = 60_000;

/** Wrangler says so and starts what has crashed again. If that was its own proxy, it knows of no Worker then: every request waits. */
const CRASH = "The Workers runtime crashed unexpectedly";
const LOST = "The runtime has crashed, and no request reaches it any more. Start it again: npm start";

try {
  process.exitCode = await main();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const local = readLocalSettings(process.env);
  const state = resolve(ROOT, local.state);
  makeFolder(state);
  const claim = await claimState(state, `http://localhost:${local.port}`);
  await claimPort(local.port);
  await Promise.all([applyMigrations(state), buildAssets()]);

  const varsFile = join(state, `settings-${local.port}.env`);
  writeVars(varsFile, local.vars);
  const server = serve(local, state, varsFile);
  const lost = Promise.withResolvers<never>();
  const output = filterOutput(server, () => {
    void untilHealthy(server, local.port, RECOVERY_TIMEOUT_MS).then((health) => {
      if (health === null && isRunning(server)) lost.reject(new Error(LOST));
    });
  });
  const stop = stopOnSignals(server);
  const ended = Promise.race([exitOf(server), lost.promise]);
  try {
    const health = await Promise.race([untilHealthy(server, local.port, START_TIMEOUT_MS), ended.then(() => null)]);
    if (health === null && stop.isRequested) return 0;
    if (health === null) throw new Error(`The server did not start:\n${output.held()}`);
    console.log(welcome(local, health));
    output.release();
    fireCron(local.port);
    await ended;
    if (stop.isRequested) return 0;
    throw new Error("The server has ended by itself. Start it again: npm start");
  } finally {
    await endTree(server, STOP_TIMEOUT_MS);
    rmSync(varsFile, { force: true });
    claim.close();
  }
}

function makeFolder(state: string): void {
  try {
    mkdirSync(state, { recursive: true });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    const isFile = code === "EEXIST" || code === "ENOTDIR";
    const why = isFile ? "there is a file in its place" : (code ?? String(thrown));
    throw new Error(`Wrong settings:\n  ORRERY_STATE: ${state} cannot be made a folder: ${why}`, { cause: thrown });
  }
}

/** Throws when somebody else listens on the port. */
async function claimPort(port: number): Promise<void> {
  for (const host of [HOST, "::1"]) {
    const code = await new Promise<string | undefined>((settle) => {
      const probe = createServer();
      probe.once("error", (error: NodeJS.ErrnoException) => settle(error.code));
      probe.listen(port, host, () => probe.close(() => settle(undefined)));
    });
    if (code === "EACCES") throw new Error(`Port ${port} needs special rights. Choose another: PORT=8787 npm start`);
    if (code === "EADDRINUSE") {
      throw new Error(
        `Port ${port} is already in use. Stop the program that uses it, or choose another: PORT=${port + 1} npm start`,
      );
    }
  }
}

function serve(local: LocalSettings, state: string, varsFile: string): ChildProcess {
  const args = ["dev", "--ip", HOST, "--port", String(local.port), "--inspector-port", "0", "--persist-to", state];
  return start("wrangler", [...args, "--env-file", varsFile, "--show-interactive-dev-session=false"], {
    stdio: ["ignore", "pipe", "pipe"],
    // Servers of this name on the same machine must not take each other for their own agents.
    env: { WRANGLER_REGISTRY_PATH: join(state, "registry"), WRANGLER_LOG_PATH: join(state, "logs") },
  });
}

/** Null when the server ends before it is, or takes longer than `patienceMs`. */
async function untilHealthy(server: ChildProcess, port: number, patienceMs: number): Promise<unknown> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline && isRunning(server)) {
    try {
      const response = await fetch(`http://${HOST}:${port}/health`, { signal: AbortSignal.timeout(5_000) });
      if (response.ok) return await response.json();
    } catch {
      // Not listening yet.
    }
    await sleep(50);
  }
  return null;
}

/** Fires the cron trigger at every full minute: locally nobody else does. The server itself says when it fails. */
function fireCron(port: number): void {
  const fire = () => {
    fireCron(port);
    fetch(`http://${HOST}:${port}/cdn-cgi/local/scheduled`)
      .then((response) => response.text())
      .catch(() => undefined);
  };
  setTimeout(fire, MINUTE_MS - (Date.now() % MINUTE_MS)).unref();
}

/** Keeps the tool's own chatter back until the server is ready, then lets through what the Worker logs and hears of crashes. */
function filterOutput(server: ChildProcess, onCrash: () => void) {
  const held: string[] = [];
  let isReleased = false;
  for (const stream of [server.stdout, server.stderr]) {
    let rest = "";
    stream?.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!isReleased) held.push(line);
        else if (!isChatter(line)) console.error(line);
        if (isReleased && line.includes(CRASH)) onCrash();
      }
    });
  }
  return { held: () => held.join("\n").trim(), release: () => (isReleased = true) };
}

function isChatter(line: string): boolean {
  return line.trim() === "" || /^(\[wrangler:info\]|⎔)/.test(line);
}

/** A request to stop is passed on once; so is the death of whoever started this. */
function stopOnSignals(server: ChildProcess): { readonly isRequested: boolean } {
  const request = { isRequested: false };
  const stop = () => {
    if (request.isRequested) return;
    request.isRequested = true;
    server.kill("SIGTERM");
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  const parent = Number(process.env["ORRERY_PARENT"]);
  setInterval(() => {
    if (parent === process.ppid || Number.isNaN(parent)) return;
    stop();
  }, 500).unref();
  return request;
}
