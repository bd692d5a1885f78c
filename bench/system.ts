// Reads the counters of processes and cores from /proc. Without it, every value is NaN.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Returns the CPU time of a process so far, in milliseconds, in steps of a clock tick (10 ms on most machines). */
export function readCpuMs(pid: number): number {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11] ?? NaN) + Number(fields[12] ?? NaN)) * MS_PER_TICK;
}

/** Returns the resident memory of a process, in KiB. */
export function readMemoryKib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readText(`/proc/${pid}/status`))?.[1] ?? NaN);
}

/** Returns the busy time of a core since the machine started, in milliseconds. */
export function readCoreBusyMs(core: string): number {
  const line = readText("/proc/stat")
    .split("\n")
    .find((candidate) => candidate.startsWith(`cpu${core} `));
  const [user = NaN, nice = NaN, system = NaN, , , irq = NaN, softIrq = NaN, stolen = NaN] = (line ?? "")
    .split(" ")
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq + stolen) * MS_PER_TICK;
}

export function canRun(command: string, args: readonly string[]): boolean {
  try {
    runCommand(command, args);
    return true;
  } catch {
    return false;
  }
}

const MS_PER_TICK = 1000 / (canRun("getconf", ["CLK_TCK"]) ? Number(runCommand("getconf", ["CLK_TCK"])) : NaN);

function runCommand(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** Returns an empty string if the file does not exist. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
