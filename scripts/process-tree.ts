import { execFileSync, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** Ends a child and all that it started: politely, and after `patienceMs` by force. */
export async function endTree(child: ChildProcess, patienceMs: number): Promise<void> {
  if (!isRunning(child) || child.pid === undefined) return;
  const family = [child.pid, ...descendantsOf(child.pid)];
  child.kill("SIGTERM");
  const deadline = Date.now() + patienceMs;
  while (isRunning(child) && Date.now() < deadline) await sleep(50);
  if (isRunning(child)) for (const pid of family) killQuietly(pid);
}

export function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function descendantsOf(root: number): number[] {
  const rows = listProcesses();
  const found: number[] = [];
  const open = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const children = rows.filter((row) => row.ppid === parent).map((row) => row.pid);
    found.push(...children);
    open.push(...children);
  }
  return found;
}

/** Empty where there is no `ps`: then only the child itself can be ended. */
function listProcesses(): { pid: number; ppid: number }[] {
  try {
    const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
    return table
      .trim()
      .split("\n")
      .map((line) => {
        const [pid = 0, ppid = 0] = line.trim().split(/\s+/).map(Number);
        return { pid, ppid };
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
