// The programs that the bench starts: all of them end with it, because they read from it.

import type { Buffer } from "node:buffer";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { HostConfig, HostReady } from "./host.ts";

type Program = { readonly child: ChildProcess; readonly line: string };

const START_TIMEOUT_MS = 60_000;

/** Where the server runs, and where everything else does: only then does neither take the other's time. */
const CORES = { server: "0", clients: "1" } as const;

const canPin = availableParallelism() > 1 && process.platform === "linux" && works("taskset", ["--version"]);

/** Keeps this process and its model on the clients' core; false where that is not possible. */
export function pinClients(modelPid: number): boolean {
  return (
    canPin && [process.pid, modelPid].every((pid) => works("taskset", ["-a", "-p", "-c", CORES.clients, String(pid)]))
  );
}

export class Server {
  readonly url: string;
  readonly inspector: string;
  readonly #pid: number;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, { url, inspector, pid }: HostReady) {
    this.url = url;
    this.inspector = inspector;
    this.#pid = pid;
    this.#child = child;
  }

  /** CPU time that the runtime's process has used so far, in milliseconds; NaN where that cannot be told. */
  cpuMs(): number {
    const stat = read(`/proc/${this.#pid}/stat`);
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
      .map(Number);
    return ((user ?? NaN) + (system ?? NaN)) * MS_PER_TICK;
  }

  /** Memory of the runtime's process in KiB; NaN where that cannot be told. */
  memoryKib(): number {
    return Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${this.#pid}/status`))?.[1] ?? NaN);
  }

  stop(): Promise<void> {
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

const MS_PER_TICK = 1000 / (Number(output("getconf", ["CLK_TCK"])) || 100);

function works(command: string, args: readonly string[]): boolean {
  try {
    output(command, args);
    return true;
  } catch {
    return false;
  }
}

function output(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** Empty where there is no such file. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
