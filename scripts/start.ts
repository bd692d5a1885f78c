// npm start: runs the whole system on this machine, without an account, a key or network access.

import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildAssets } from "./assets.ts";
import { claimState } from "./claim-state.ts";
import { readLocalSettings, writeVars, type LocalSettings } from "./local-settings.ts";
import { applyMigrations } from "./migrations.ts";
import { stopProcessTree, isRunning } from "./process-tree.ts";
import { waitForExit, ROOT, startTool } from "./tools.ts";
import { formatWelcome } from "./welcome.ts";

const HOST = "127.0.0.1";
const CONFIG_WITH_MODEL = "wrangler.local.toml";
const START_TIMEOUT_MS = 60_000;
const RECOVERY_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 5_000;
const MINUTE_MS = 60_000;

/** Wrangler prints this and restarts the crashed process. After a crash of its own proxy, all requests hang. */
const CRASH_MESSAGE = "The Workers runtime crashed unexpectedly";
const UNREACHABLE_MESSAGE = "The runtime crashed and no longer receives requests. Restart it with: npm start";

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
  const stateLock = await claimState(state, `http://localhost:${local.port}`);
  await claimPort(local.port);
  await Promise.all([applyMigrations(state), buildAssets()]);

  const varsFile = join(state, `settings-${local.port}.env`);
  writeVars(varsFile, local.vars);
  const server = startServer(local, state, varsFile);
  const unreachable = Promise.withResolvers<never>();
  const output = forwardOutput(server, () => {
    void waitUntilHealthy(server, local.port, RECOVERY_TIMEOUT_MS).then((health) => {
      if (health === null && isRunning(server)) unreachable.reject(new Error(UNREACHABLE_MESSAGE));
    });
  });
  const stop = stopOnSignals(server);
  const ended = Promise.race([waitForExit(server), unreachable.promise]);
  try {
    const health = await Promise.race([waitUntilHealthy(server, local.port, START_TIMEOUT_MS), ended.then(() => null)]);
    if (health === null && stop.isRequested) return 0;
    if (health === null) throw new Error(`The server did not start:\n${output.getHeldOutput()}`);
    console.log(formatWelcome(local, health));
    output.release();
    scheduleCronTrigger(local.port);
    await ended;
    if (stop.isRequested) return 0;
    throw new Error("The server stopped unexpectedly. Restart it with: npm start");
  } finally {
    await stopProcessTree(server, STOP_TIMEOUT_MS);
    rmSync(varsFile, { force: true });
    stateLock.close();
  }
}

function makeFolder(state: string): void {
  try {
    mkdirSync(state, { recursive: true });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    const isFile = code === "EEXIST" || code === "ENOTDIR";
    const reason = isFile ? "a file with this name exists" : (code ?? String(thrown));
    throw new Error(`Wrong settings:\n  ORRERY_STATE: the folder ${state} cannot be created: ${reason}`, {
      cause: thrown,
    });
  }
}

/** Throws if another process listens on the port. */
async function claimPort(port: number): Promise<void> {
  for (const host of [HOST, "::1"]) {
    const code = await new Promise<string | undefined>((done) => {
      const probe = createServer();
      probe.once("error", (error: NodeJS.ErrnoException) => done(error.code));
      probe.listen(port, host, () => probe.close(() => done(undefined)));
    });
    if (code === "EACCES")
      throw new Error(`Port ${port} requires elevated privileges. Choose another port: PORT=8787 npm start`);
    if (code === "EADDRINUSE") {
      throw new Error(
        `Port ${port} is already in use. Stop the program that uses it, or choose another port: PORT=${port + 1} npm start`,
      );
    }
  }
}

function startServer(local: LocalSettings, state: string, varsFile: string): ChildProcess {
  const configs = listConfigs(local).flatMap((config) => ["--config", config]);
  const args = ["dev", "--ip", HOST, "--port", String(local.port), "--inspector-port", "0", "--persist-to", state];
  return startTool("wrangler", [...args, ...configs, "--env-file", varsFile, "--show-interactive-dev-session=false"], {
    stdio: ["ignore", "pipe", "pipe"],
    // Keep servers on the same machine from finding each other's Workers in the registry of wrangler.
    env: { WRANGLER_REGISTRY_PATH: join(state, "registry"), WRANGLER_LOG_PATH: join(state, "logs") },
  });
}

/** Returns the configurations of the Workers to run, relative to the project: the runtime and, if it needs it, its model. */
function listConfigs({ settings }: LocalSettings): readonly string[] {
  if (settings.OPENAI_API_KEY !== undefined || settings.OPENAI_BASE_URL !== undefined) return ["wrangler.toml"];
  writeConfigWithModel();
  return [CONFIG_WITH_MODEL, "src/embedded/wrangler.toml"];
}

/**
 * Writes the configuration of the runtime with a service binding to the embedded model. It is in the folder of the
 * original, because its paths are relative. An unchanged file is not written: servers that use it would reload it.
 */
function writeConfigWithModel(): void {
  const path = join(ROOT, CONFIG_WITH_MODEL);
  const config = `${readFileSync(join(ROOT, "wrangler.toml"), "utf8")}
[[services]]
binding = "EMBEDDED_MODEL"
service = "orrery-embedded"
`;
  if (!existsSync(path) || readFileSync(path, "utf8") !== config) writeFileSync(path, config);
}

/** Resolves with the health report, or with null if the server ends first or needs longer than `timeoutMs`. */
async function waitUntilHealthy(server: ChildProcess, port: number, timeoutMs: number): Promise<unknown> {
  const deadline = Date.now() + timeoutMs;
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

/** Fires the cron trigger every minute, because nothing else does locally. The server itself logs failures. */
function scheduleCronTrigger(port: number): void {
  const fire = () => {
    scheduleCronTrigger(port);
    fetch(`http://${HOST}:${port}/cdn-cgi/local/scheduled`)
      .then((response) => response.text())
      .catch(() => undefined);
  };
  setTimeout(fire, MINUTE_MS - (Date.now() % MINUTE_MS)).unref();
}

/** Holds all output until the server is ready. Then forwards the logs of the Worker, and calls `onCrash` for crashes. */
function forwardOutput(server: ChildProcess, onCrash: () => void) {
  const heldLines: string[] = [];
  let isReleased = false;
  for (const stream of [server.stdout, server.stderr]) {
    let rest = "";
    stream?.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (!isReleased) heldLines.push(line);
        else if (!isToolOutput(line)) console.error(line);
        if (isReleased && line.includes(CRASH_MESSAGE)) onCrash();
      }
    });
  }
  return { getHeldOutput: () => heldLines.join("\n").trim(), release: () => (isReleased = true) };
}

function isToolOutput(line: string): boolean {
  return line.trim() === "" || /^(\[wrangler:info\]|⎔)/.test(line);
}

/** Stops the server once, on a signal or when the parent process has ended. */
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
