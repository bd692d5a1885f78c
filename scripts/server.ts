// The server of `npm start`: a process group of wrangler, which runs two workerd processes: a proxy, which has the port, and
// the runtime.
//
// Wrangler restarts both after a crash. A restarted proxy never connects to the runtime, and all requests hang; then the
// whole group must be replaced. `serve` detects this.

import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LocalSettings } from "./local-settings.ts";
import { isRunning, listDescendants } from "./process-tree.ts";
import { ROOT, startTool, waitForExit } from "./tools.ts";

const HOST = "127.0.0.1";
const CONFIG_WITH_MODEL = "wrangler.local.toml";
const START_TIMEOUT_MS = 60_000;
/** A runtime that wrangler restarts is healthy within this time. */
const RECOVERY_TIMEOUT_MS = 4_000;
const MAX_CRASHES = 5;
const MINUTE_MS = 60_000;

/** Wrangler prints this when one of its workerd processes crashed. */
const CRASH_MESSAGE = "The Workers runtime crashed unexpectedly";

/** Counts the crashes of one minute, over all process groups. */
export class CrashLog {
  #times: number[] = [];

  /** Throws if there were too many. */
  add(now = Date.now()): void {
    this.#times = [...this.#times.filter((time) => now - time < MINUTE_MS), now];
    if (this.#times.length < MAX_CRASHES) return;
    throw new Error(
      `The Workers runtime crashed ${MAX_CRASHES} times within a minute, so the server has stopped. ` +
        "The output above may show the cause. Restart it with: npm start",
    );
  }
}

type ServeOptions = {
  readonly crashes: CrashLog;
  /** True after a crash: then a failed start counts as another crash. */
  readonly isRestart: boolean;
  /** Receives the health report. */
  readonly onReady: (health: unknown) => void;
};

/**
 * Serves until the process group ends (`ended`), or until it must be replaced because it receives no more requests
 * (`lost`). Throws if the server does not start, or if it crashes too often.
 */
export async function serve(
  server: ChildProcess,
  port: number,
  { crashes, isRestart, onReady }: ServeOptions,
): Promise<"ended" | "lost"> {
  const lost = Promise.withResolvers<"lost">();
  const ended = waitForExit(server).then(() => "ended" as const);
  let proxy: number | undefined;
  const output = forwardOutput(server, () => {
    try {
      crashes.add();
    } catch (thrown) {
      return lost.reject(thrown as Error);
    }
    if (proxy === undefined || !isAlive(proxy)) return lost.resolve("lost");
    void waitUntilHealthy(server, port, RECOVERY_TIMEOUT_MS).then((health) => {
      if (health === null && isRunning(server)) lost.resolve("lost");
    });
  });
  const healthy = waitUntilHealthy(server, port, START_TIMEOUT_MS).then((health) => ({ health }));
  const first = await Promise.race([healthy, ended, lost.promise]);
  if (first === "lost") return first;
  if (first === "ended" || first.health === null) {
    if (!isRestart) throw new Error(`The server did not start:\n${output.getHeldOutput()}`);
    console.error(output.getHeldOutput());
    crashes.add();
    return "lost";
  }
  proxy = findProxy(server, port);
  onReady(first.health);
  output.release();
  return Promise.race([ended, lost.promise]);
}

/** Returns the process that has the port; undefined if it is unknown. */
function findProxy(server: ChildProcess, port: number): number | undefined {
  const workerds = listDescendants(server.pid ?? 0).filter(({ command }) => command.includes("workerd serve"));
  return workerds.find(({ command }) => command.includes(`:${port} `))?.pid;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export function startServer(local: LocalSettings, state: string, varsFile: string): ChildProcess {
  const configs = listConfigs(local).flatMap((config) => ["--config", config]);
  const args = ["dev", "--ip", HOST, "--port", String(local.port), "--inspector-port", "0", "--persist-to", state];
  return startTool("wrangler", [...args, ...configs, "--env-file", varsFile, "--show-interactive-dev-session=false"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      // Keep servers on the same machine from finding each other's Workers in the registry of wrangler.
      WRANGLER_REGISTRY_PATH: join(state, "registry"),
      WRANGLER_LOG_PATH: join(state, "logs"),
      // The trace store keeps every span on disk and in memory and removes none.
      X_LOCAL_OBSERVABILITY: process.env["X_LOCAL_OBSERVABILITY"] ?? "false",
    },
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
        if (line.includes(CRASH_MESSAGE)) onCrash();
      }
    });
  }
  return { getHeldOutput: () => heldLines.join("\n").trim(), release: () => (isReleased = true) };
}

function isToolOutput(line: string): boolean {
  return line.trim() === "" || /^(\[wrangler:info\]|⎔)/.test(line);
}
