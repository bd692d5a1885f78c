// The programs that the bench starts: all of them end with it, because they read from it.

import type { Buffer } from "node:buffer";
import { spawn, type ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { HostConfig, HostReady } from "./host.ts";
import { cpuMsOf, memoryKibOf, works } from "./system.ts";

type Program = { readonly child: ChildProcess; readonly line: string };

const START_TIMEOUT_MS = 60_000;

/** Where the server runs, and where everything else does: only then does neither take the other's time. */
export const CORES = { server: "0", clients: "1" } as const;

const canPin = availableParallelism() > 1 && process.platform === "linux" && works("taskset", ["--version"]);

/** Keeps this process and its model on the clients' core; false where that is not possible. */
export function pinClients(modelPid: number): boolean {
  return (
    canPin && [process.pid, modelPid].every((pid) => works("taskset", ["-a", "-p", "-c", CORES.clients, String(pid)]))
  );
}

export class Server {
  readonly url: string;
  readonly cron: string;
  readonly inspector: string;
  readonly #pid: number;
  readonly #child: ChildProcess;
  #wholeCpuMs = NaN;

  constructor(child: ChildProcess, { url, cron, inspector, pid }: HostReady) {
    this.url = url;
    this.cron = cron;
    this.inspector = inspector;
    this.#pid = pid;
    this.#child = child;
  }

  /** CPU time that the runtime's process has used so far, in milliseconds. */
  cpuMs(): number {
    return cpuMsOf(this.#pid);
  }

  /** The same with the program that hosts it; stays what it was when the server has been stopped. */
  wholeCpuMs(): number {
    const now = this.cpuMs() + cpuMsOf(this.#child.pid ?? 0);
    if (!Number.isNaN(now)) this.#wholeCpuMs = now;
    return this.#wholeCpuMs;
  }

  memoryKib(): number {
    return memoryKibOf(this.#pid);
  }

  stop(): Promise<void> {
    this.wholeCpuMs();
    return end(this.#child);
  }
}

/** `pinned`: on the core that is kept for it. */
export async function startServer(config: HostConfig, { pinned }: { pinned: boolean }): Promise<Server> {
  const { child, line } = await start("host.ts", [JSON.stringify(config)], pinned && canPin ? CORES.server : null);
  return new Server(child, JSON.parse(line) as HostReady);
}

export type Model = { readonly url: string; readonly pid: number; readonly stop: () => Promise<void> };

export async function startModel(): Promise<Model> {
  const { child, line } = await start("model.ts", [], null);
  return { url: `http://127.0.0.1:${line}`, pid: child.pid ?? 0, stop: () => end(child) };
}

/** Starts a program of this folder; resolves with the first line that it prints. */
function start(program: string, args: readonly string[], core: string | null): Promise<Program> {
  const command = [
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    join(import.meta.dirname, program),
    ...args,
  ];
  const [file = "", ...rest] = core === null ? command : ["taskset", "-c", core, ...command];
  const child = spawn(file, rest, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: "false" },
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT_MS);
    let output = "";
    child.stdout.on("data", (data: Buffer) => {
      output += data.toString();
      if (!output.includes("\n")) return;
      clearTimeout(timer);
      resolve({ child, line: output.slice(0, output.indexOf("\n")) });
    });
    child.once("error", reject);
    child.once("close", () => {
      clearTimeout(timer);
      reject(new Error(`${program} ended before it was ready`));
    });
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("close", () => resolve());
    child.stdin?.end();
  });
}
