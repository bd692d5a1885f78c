import { execFileSync, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** Ends a child and all that it started: politely, and after `patienceMs` by force. */
export async function endTree(child: ChildProcess, patienceMs: number): Promise<void> {
  if (!isRunning(child) || child.pid === undefined) return;
  const family = [child.pid, ...descendantsOf(child.pid).map(({ pid }) => pid)];
  child.kill("SIGTERM");
  const deadline = Date.now() + patienceMs;
  while (isRunning(child) && Date.now() < deadline) await sleep(50);
  if (isRunning(child)) for (const pid of family) killQuietly(pid);
}

export function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

export type Process = { readonly pid: number; readonly ppid: number; readonly command: string };

/** All that a process has started, and what those have. */
export function descendantsOf(root: number): Process[] {
  const rows = listProcesses();
  const found: Process[] = [];
  const open = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const children = rows.filter((row) => row.ppid === parent);
    found.push(...children);
    open.push(...children.map(({ pid }) => pid));
  }
  return found;
}

/** Empty where there is no `ps`: then only the child itself can be ended. */
function listProcesses(): Process[] {
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
    // It has ended by itself meanwhile.
  }
}
