// Starts the programs of the benchmark. All of them exit when their standard input closes, and so with the benchmark.

import type { Buffer } from "node:buffer";
import { spawn, type ChildProcess } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { HostConfig, HostReady } from "./host.ts";
import { readCpuMs, readMemoryKib, canRun } from "./system.ts";

type Program = { readonly child: ChildProcess; readonly line: string };

const START_TIMEOUT_MS = 60_000;

/** The cores of the server and of everything else. Separate cores keep them from taking each other's time. */
export const CORES = { server: "0", clients: "1" } as const;

const canPin = availableParallelism() > 1 && process.platform === "linux" && canRun("taskset", ["--version"]);

/** Pins this process and its model to the clients' core. Returns false if that is impossible. */
export function pinClients(modelPid: number): boolean {
  return (
    canPin && [process.pid, modelPid].every((pid) => canRun("taskset", ["-a", "-p", "-c", CORES.clients, String(pid)]))
  );
}

export class Server {
  readonly url: string;
  readonly cron: string;
  readonly inspector: string;
  readonly #pid: number;
  readonly #child: ChildProcess;
  #totalCpuMs = NaN;

  constructor(child: ChildProcess, { url, cron, inspector, pid }: HostReady) {
    this.url = url;
    this.cron = cron;
    this.inspector = inspector;
    this.#pid = pid;
    this.#child = child;
  }

  /** Returns the CPU time of the runtime process so far, in milliseconds. */
  cpuMs(): number {
    return readCpuMs(this.#pid);
  }

  /** Returns the CPU time including the host program. Keeps the last value after the server has stopped. */
  totalCpuMs(): number {
    const now = this.cpuMs() + readCpuMs(this.#child.pid ?? 0);
    if (!Number.isNaN(now)) this.#totalCpuMs = now;
    return this.#totalCpuMs;
  }

  memoryKib(): number {
    return readMemoryKib(this.#pid);
  }

  stop(): Promise<void> {
    this.totalCpuMs();
    return stopProcess(this.#child);
  }
}

/** `pinned`: pins the server to its own core. */
export async function startServer(config: HostConfig, { pinned }: { pinned: boolean }): Promise<Server> {
  const { child, line } = await startProgram(
    "host.ts",
    [JSON.stringify(config)],
    pinned && canPin ? CORES.server : null,
  );
  return new Server(child, JSON.parse(line) as HostReady);
}

export type ModelProcess = { readonly url: string; readonly pid: number; readonly stop: () => Promise<void> };

export async function startModel(): Promise<ModelProcess> {
  const { child, line } = await startProgram("model.ts", [], null);
  return { url: `http://127.0.0.1:${line}`, pid: child.pid ?? 0, stop: () => stopProcess(child) };
}

/** Starts a program of this folder. Resolves with the first line of its output. */
function startProgram(program: string, args: readonly string[], core: string | null): Promise<Program> {
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

function stopProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("close", () => resolve());
    child.stdin?.end();
  });
}
