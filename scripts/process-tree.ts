import { execFileSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Stops a child and its descendants: with SIGTERM, and with SIGKILL after `timeoutMs`. Resolves when the child has ended.
 */
export async function stopProcessTree(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (!isRunning(child) || child.pid === undefined) return;
  const pids = [child.pid, ...listDescendants(child.pid).map(({ pid }) => pid)];
  child.kill("SIGTERM");
  const deadline = Date.now() + timeoutMs;
  while (isRunning(child) && Date.now() < deadline) await sleep(50);
  if (!isRunning(child)) return;
  const ended = once(child, "exit");
  for (const pid of pids) killQuietly(pid);
  await ended;
}

/** Kills a child and its descendants at once (SIGKILL), for the end of a program, which cannot wait. */
export function killProcessTree(child: ChildProcess): void {
  if (!isRunning(child) || child.pid === undefined) return;
  for (const pid of [child.pid, ...listDescendants(child.pid).map(({ pid: each }) => each)]) killQuietly(pid);
}

export function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

export type ProcessInfo = { readonly pid: number; readonly ppid: number; readonly command: string };

/** Returns all direct and indirect child processes. */
export function listDescendants(root: number): ProcessInfo[] {
  const rows = listProcesses();
  const found: ProcessInfo[] = [];
  const open = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const children = rows.filter((row) => row.ppid === parent);
    found.push(...children);
    open.push(...children.map(({ pid }) => pid));
  }
  return found;
}

/** Returns an empty list without `ps`. Then only the child itself can be stopped. */
function listProcesses(): ProcessInfo[] {
  try {
    const table = execFileSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
    return table.split("\n").map((line) => {
      const [, pid, ppid, command = ""] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? [];
      return { pid: Number(pid), ppid: Number(ppid), command };
    });
  } catch {
    return [];
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
